import SignInModel

extension Wait {
  /// Says that the answer takes long, once after each of two times.
  package func reports(_ context: FlowContext) -> [Effect] {
    if context.hasJustPassed(since.adding(seconds: Self.veryLongSeconds)) {
      return [.report(.takingVeryLong)]
    }
    if context.hasJustPassed(since.adding(seconds: Self.longSeconds)) {
      return [.report(.takingLong)]
    }
    return []
  }
}

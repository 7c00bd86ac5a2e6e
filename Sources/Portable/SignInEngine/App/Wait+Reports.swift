import SignInModel

extension Wait {
  /// Reports a slow answer once after `longSeconds` and once after `veryLongSeconds`.
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

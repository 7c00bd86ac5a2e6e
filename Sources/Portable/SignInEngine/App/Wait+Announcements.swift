import SignInModel

extension Wait {
  package func announcements(_ context: FlowContext) -> [Effect] {
    if context.hasJustPassed(since.adding(seconds: Self.veryLongSeconds)) {
      return [.announce(.takingVeryLong)]
    }
    if context.hasJustPassed(since.adding(seconds: Self.longSeconds)) {
      return [.announce(.takingLong)]
    }
    return []
  }
}

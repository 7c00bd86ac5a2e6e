public import SignInWire

extension TokenAnswer.SessionTerms {
  static let biometric = "biometric"

  /// Whether the organization requires an app lock.
  public var needsLock: Bool { unlock == Self.biometric }
}

import SignInModel
public import SignInWire

extension TokenAnswer.SessionTerms {
  /// Whether the organization requires an app lock.
  public var needsLock: Bool { unlock == UnlockMethod.biometric.rawValue }
}

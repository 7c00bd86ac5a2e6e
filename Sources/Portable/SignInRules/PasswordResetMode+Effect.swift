public import SignInModel

extension PasswordResetMode {
  /// The effect of a right code on the password.
  public enum Effect: Equatable, Sendable {
    case atOnce
    case afterWaiting
    case refused
  }

  /// The effect of a right code.
  ///
  /// `isKnownDevice` says whether the device has signed in to the account before.
  public func effect(onKnownDevice isKnownDevice: Bool) -> Effect {
    switch self {
    case .code: .atOnce
    case .knownDevice: isKnownDevice ? .atOnce : .afterWaiting
    case .administrator: .refused
    }
  }
}

/// How a person who forgot the password gets a new one.
public enum PasswordResetMode: String, CaseIterable, Sendable {
  /// The code from a text message is enough.
  case code
  /// The code is enough on a known device.
  ///
  /// On other devices an administrator approves the new password, or a waiting time passes. In that
  /// time each device that is signed in can cancel the reset.
  case knownDevice = "known_device"
  /// Only an administrator resets a password.
  case administrator

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

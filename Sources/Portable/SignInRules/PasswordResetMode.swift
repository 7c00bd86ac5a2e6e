/// How a person who forgot their password gets a new one.
public enum PasswordResetMode: String, CaseIterable, Sendable {
  /// The code from a text message is enough.
  case code
  /// The code is enough on a device that has signed in before. Elsewhere an administrator approves
  /// the new password, or a waiting time passes in which every signed-in device can cancel it.
  case knownDevice = "known_device"
  /// Only an administrator resets a password.
  case administrator

  /// What a right code does to the password.
  public enum Effect: Equatable, Sendable {
    case atOnce
    case afterWaiting
    case refused
  }

  /// What a right code does, from a device that signed in to the account before or did not.
  public func effect(onKnownDevice isKnownDevice: Bool) -> Effect {
    switch self {
    case .code: .atOnce
    case .knownDevice: isKnownDevice ? .atOnce : .afterWaiting
    case .administrator: .refused
    }
  }

  /// The stricter of two.
  public func restricted(by other: PasswordResetMode) -> PasswordResetMode {
    other.strictness > strictness ? other : self
  }

  private var strictness: Int {
    switch self {
    case .code: 0
    case .knownDevice: 1
    case .administrator: 2
    }
  }
}

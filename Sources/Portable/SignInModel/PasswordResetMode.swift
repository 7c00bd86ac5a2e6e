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
}

import SignInModel

/// What the forms of a sign-in fill in and offer.
struct SignInHints: Equatable, Sendable {
  var information = PublicInformation()
  /// The e-mail of the last sign-in on this device, or the number of the last sign-up; empty after
  /// a sign-out.
  private(set) var username = ""
  /// The name for people of the provider of the last sign-in in this run; `nil` if the e-mail
  /// address decided.
  var providerLabel: String?
  /// Whether the last session in this run ended and left a passkey on the device.
  var hasLeftPasskey = false
  /// The accounts that the device knows to be locked.
  var lockouts = KnownLockouts()

  /// Starts with the username that an earlier run of the app stored.
  mutating func restore(username: Secret?) { self.username = username?.revealed ?? "" }

  mutating func remember(username: String) -> [Effect] {
    self.username = username
    return storeUsername()
  }

  /// Stores the username again, because the end of a session erases everything beside it.
  func storeUsername() -> [Effect] {
    username.isEmpty ? [] : [.saveUsername(Secret(username))]
  }

  mutating func forgetUsername() -> [Effect] {
    guard !username.isEmpty else { return [] }
    username = ""
    return [.saveUsername(nil)]
  }
}

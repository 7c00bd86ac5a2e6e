public import SignInModel

/// A new password that was chosen on an unknown device and has not taken effect yet.
///
/// Each account has at most one.
public struct WaitingPassword: Equatable, Sendable {
  public let account: AccountID
  /// The app in which the password was chosen.
  public let client: ClientID
  public let passwordHash: String
  public let requestedAt: Instant
  /// From this time on it is the account's password, unless it was cancelled before.
  public let availableAt: Instant

  public init(
    account: AccountID, client: ClientID, passwordHash: String, requestedAt: Instant,
    availableAt: Instant
  ) {
    self.account = account
    self.client = client
    self.passwordHash = passwordHash
    self.requestedAt = requestedAt
    self.availableAt = availableAt
  }

  func isDue(at now: Instant) -> Bool { now >= availableAt }
}

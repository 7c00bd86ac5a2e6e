public import SignInModel

/// The link between an account and one subject at one identity provider.
///
/// An e-mail address or a phone number never links an account, because a provider may be wrong
/// about them (ASVS 6.8.1).
public struct Identity: Equatable, Sendable {
  /// The identities of one account, at most.
  public static let limit = 20

  public let issuer: String
  public let subject: String
  public let account: AccountID
  /// The name of the provider in the configuration when the link was made.
  public let provider: String
  public let linkedAt: Instant
  public var lastUsedAt: Instant?
  /// Whether the account was created by a sign-in with this identity.
  public let hasCreatedAccount: Bool

  public init(
    issuer: String, subject: String, account: AccountID, provider: String, linkedAt: Instant,
    lastUsedAt: Instant?, hasCreatedAccount: Bool = false
  ) {
    self.issuer = issuer
    self.subject = subject
    self.account = account
    self.provider = provider
    self.linkedAt = linkedAt
    self.lastUsedAt = lastUsedAt
    self.hasCreatedAccount = hasCreatedAccount
  }

  /// Whether the account was created by a sign-in at this entry of the configuration.
  ///
  /// Two entries can have the same issuer and different rules.
  func hasCreatedAccount(at provider: IdentityProvider) -> Bool {
    hasCreatedAccount && self.provider.hasSameBytes(as: provider.name)
  }
}

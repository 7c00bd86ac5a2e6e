public import SignInModel
public import SignInWire

/// A phone number or an e-mail address that an identity provider has verified and that the account
/// does not have.
///
/// Nothing changes until the person accepts it. A declined proposal stays, so that the same value
/// is not proposed again at each sign-in.
public struct ContactProposal: Equatable, Sendable {
  /// How long the person can accept a proposal, in seconds: 7 days.
  public static let lifeSeconds: Int64 = 7 * 24 * 60 * 60

  /// Random.
  public let id: String
  public let account: AccountID
  /// The name of the provider in the configuration.
  public let provider: String
  /// The issuer and the subject of the identity.
  public let issuer: String
  public let subject: String
  public let value: Recipient
  public let proposedAt: Instant
  /// When the person declined it; nil if there is no answer yet.
  public var declinedAt: Instant?

  public init(
    id: String, account: AccountID, provider: String, issuer: String, subject: String,
    value: Recipient, proposedAt: Instant, declinedAt: Instant? = nil
  ) {
    self.id = id
    self.account = account
    self.provider = provider
    self.issuer = issuer
    self.subject = subject
    self.value = value
    self.proposedAt = proposedAt
    self.declinedAt = declinedAt
  }

  public var channel: ContactChannel {
    switch value {
    case .phone: .phone
    case .email: .email
    }
  }

  /// Whether the person can still answer.
  func isOpen(at now: Instant) -> Bool {
    declinedAt == nil && now < proposedAt.adding(seconds: Self.lifeSeconds)
  }

  /// Whether the session may show and answer the proposal.
  ///
  /// The person must have signed in at the provider since the proposal, or in the sign-in that made
  /// it. So a stolen older session cannot accept a number.
  func concerns(_ session: Session, at now: Instant) -> Bool {
    guard let place = session.provider, isOpen(at: now) else { return false }
    return place.hasSameBytes(as: provider) && session.startedAt >= proposedAt
  }
}

public import JSONText
public import SignInModel

/// One identity of an account, as lists contain it.
public struct IdentityEntry: Equatable, Sendable {
  public let id: String
  public let provider: String
  public let issuer: String
  public let subject: String
  public let linkedAt: Instant
  public let lastUsedAt: Instant?

  public init(
    id: String, provider: String, issuer: String, subject: String, linkedAt: Instant,
    lastUsedAt: Instant?
  ) {
    self.id = id
    self.provider = provider
    self.issuer = issuer
    self.subject = subject
    self.linkedAt = linkedAt
    self.lastUsedAt = lastUsedAt
  }

  public var json: JSON {
    .members([
      JSONMember(.id, id), JSONMember(.provider, provider), JSONMember(.issuer, issuer),
      JSONMember(.subject, subject), JSONMember(.linkedAt, linkedAt.seconds),
      JSONMember(.lastUsedAt, ifPresent: lastUsedAt?.seconds),
    ])
  }
}

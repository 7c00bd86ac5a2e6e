public import JSONText
public import SignInModel

/// The server's permission to read an offline copy until a time, as the claims of a signed token.
public struct OfflineLease: Equatable, Sendable {
  /// The `typ` of the token's header.
  ///
  /// It prevents that another token is accepted as a lease.
  public static let type = "offline-lease+jwt"

  /// The answer with the token.
  public static func add(_ token: String, to answer: JSON) -> JSON {
    .object((answer.objectMembers ?? []) + [JSONMember(.lease, token)])
  }

  /// The token in the answer; `nil` if there is none.
  public static func token(in answer: JSON) -> String? { answer.text(.lease) }

  /// The lists that can have an offline copy.
  ///
  /// Leases and storage use these names.
  public enum List: String, Sendable {
    case products
    case jobs
    case dashboard
    case activities
  }

  public let issuer: String
  public let account: AccountID
  public let client: ClientID
  public let organization: OrganizationID?
  /// The name of the list, such as `products`.
  public let list: String
  public let session: SessionID
  public let issuedAt: Instant
  public let expiresAt: Instant

  public init(
    issuer: String, account: AccountID, client: ClientID, organization: OrganizationID?,
    list: String, session: SessionID, issuedAt: Instant, expiresAt: Instant
  ) {
    self.issuer = issuer
    self.account = account
    self.client = client
    self.organization = organization
    self.list = list
    self.session = session
    self.issuedAt = issuedAt
    self.expiresAt = expiresAt
  }

  /// Zero for data that must not be stored.
  public var lifeSeconds: Int64 { expiresAt.seconds - issuedAt.seconds }

  public var claims: JSON {
    .members([
      JSONMember(.iss, issuer), JSONMember(.sub, account.text), JSONMember(.aud, client.text),
      JSONMember(.org, ifPresent: organization?.text), JSONMember(.shelf, list),
      JSONMember(.sid, session.text), JSONMember(.iat, issuedAt.seconds),
      JSONMember(.exp, expiresAt.seconds),
    ])
  }

  /// Reads the claims of a compact token.
  ///
  /// The caller has checked the signature.
  ///
  /// Returns `nil` if the token is not a lease.
  public init?(reading token: String) {
    guard let token = CompactToken(token), let header = token.header, let claims = token.claims,
      header.text(.typ) == Self.type, let issuer = claims.text(.iss),
      let account = claims.text(.sub), let client = claims.text(.aud),
      let list = claims.text(.shelf), let session = claims.text(.sid),
      let issuedAt = claims.unixSeconds(.iat), let expiresAt = claims.unixSeconds(.exp)
    else { return nil }
    self.init(
      issuer: issuer, account: AccountID(account), client: ClientID(client),
      organization: claims.text(.org).map { OrganizationID($0) }, list: list,
      session: SessionID(session), issuedAt: Instant(seconds: issuedAt),
      expiresAt: Instant(seconds: expiresAt)
    )
  }
}

public import JSONText
public import SignInModel

/// The body of a successful token answer (RFC 6749, section 5.1), with `session` in addition.
public struct TokenAnswer: Equatable, Sendable {
  public struct SessionTerms: Equatable, Sendable {
    public let id: SessionID
    public let expiresAt: Instant
    /// Seconds without use after which the session ends.
    public let idleTimeout: Int64
    /// Seconds in the background after which the app locks.
    public let backgroundTimeout: Int64
    /// `none` or `biometric`.
    public let unlock: String
    public let organization: OrganizationID?

    public init(
      id: SessionID, expiresAt: Instant, idleTimeout: Int64, backgroundTimeout: Int64,
      unlock: String, organization: OrganizationID?
    ) {
      self.id = id
      self.expiresAt = expiresAt
      self.idleTimeout = idleTimeout
      self.backgroundTimeout = backgroundTimeout
      self.unlock = unlock
      self.organization = organization
    }
  }

  public let accessToken: Secret
  /// `DPoP`, or `Bearer` for clients whose tokens are not bound to a key.
  public let tokenType: String
  public let expiresIn: Int64
  public let refreshToken: Secret?
  public let idToken: Secret?
  public let scope: String
  public let session: SessionTerms
  /// Seconds until the session ends, even if it is used.
  ///
  /// The name is from draft-ietf-oauth-refresh-token-expiration-03.
  public var authorizationExpiresIn: Int64?
  /// Seconds without use after which the refresh token expires (the same draft).
  public var refreshTokenTimeout: Int64?

  public init(
    accessToken: Secret, tokenType: String, expiresIn: Int64, refreshToken: Secret?,
    idToken: Secret?, scope: String, session: SessionTerms
  ) {
    self.accessToken = accessToken
    self.tokenType = tokenType
    self.expiresIn = expiresIn
    self.refreshToken = refreshToken
    self.idToken = idToken
    self.scope = scope
    self.session = session
  }

  public var json: JSON {
    .members([
      JSONMember(.accessToken, accessToken.revealed),
      JSONMember(.tokenType, tokenType),
      JSONMember(.expiresIn, expiresIn),
      JSONMember(.refreshToken, ifPresent: refreshToken?.revealed),
      JSONMember(.authorizationExpiresIn, ifPresent: authorizationExpiresIn),
      JSONMember(.refreshTokenTimeout, ifPresent: refreshTokenTimeout),
      JSONMember(.idToken, ifPresent: idToken?.revealed),
      JSONMember(.scope, scope),
      JSONMember(.session, session.json),
    ])
  }

  public init?(json: JSON) {
    guard let accessToken = json.text(.accessToken), let tokenType = json.text(.tokenType),
      let expiresIn = json.seconds(.expiresIn), let session = SessionTerms(json: json[.session])
    else { return nil }
    self.init(
      accessToken: Secret(accessToken), tokenType: tokenType, expiresIn: expiresIn,
      refreshToken: json.text(.refreshToken).map { Secret($0) },
      idToken: json.text(.idToken).map { Secret($0) }, scope: json.text(.scope) ?? "",
      session: session
    )
    authorizationExpiresIn = json.seconds(.authorizationExpiresIn)
    refreshTokenTimeout = json.seconds(.refreshTokenTimeout)
  }
}

extension TokenAnswer.SessionTerms {
  public var json: JSON {
    .members([
      JSONMember(.id, id.text),
      JSONMember(.expiresAt, expiresAt.seconds),
      JSONMember(.idleTimeout, idleTimeout),
      JSONMember(.backgroundTimeout, backgroundTimeout),
      JSONMember(.unlock, unlock),
      JSONMember(.organization, organization.map { JSON.string($0.text) } ?? .null),
    ])
  }

  public init?(json: JSON?) {
    guard let json, let id = json.text(.id), let expiresAt = json.unixSeconds(.expiresAt),
      let idle = json.seconds(.idleTimeout),
      let background = json.seconds(.backgroundTimeout),
      let unlock = json.text(.unlock)
    else { return nil }
    self.init(
      id: SessionID(id), expiresAt: Instant(seconds: expiresAt), idleTimeout: idle,
      backgroundTimeout: background, unlock: unlock,
      organization: json.text(.organization).map { OrganizationID($0) }
    )
  }
}

public import SignInModel
public import SignInWire

/// One account signed in on one device with one client.
///
/// All its refresh tokens belong to it.
public struct Session: Equatable, Sendable {
  /// The name of the password method (RFC 8176, section 2).
  static let passwordMethod = "pwd"

  /// Whether the person gave the password when the session began.
  var hasProvedPassword: Bool { authenticationMethods.contains(Self.passwordMethod) }

  public let id: SessionID
  public let account: AccountID
  public let client: ClientID
  public let proofKeyThumbprint: String
  public internal(set) var scope: String
  public let organization: OrganizationID?
  /// The methods of the sign-in by their RFC 8176 names, such as `pwd`, `otp` and `sms`.
  public let authenticationMethods: [String]
  public let startedAt: Instant
  public let expiresAt: Instant
  public var lastUsedAt: Instant
  /// The generation of the newest refresh token that was given out.
  public var refreshGeneration: Int64
  /// The renewals of one day that no event reports yet; nil if there are none.
  public var renewals: SessionRenewals?
  public var end: EndReason?
  /// The session that replaced this one when its device switched to another organization.
  public var successor: SessionID?
  /// The name of the identity provider at which the session began; nil for secrets of this server.
  public var provider: String?
  /// The class of the authentication that an identity provider named (`acr`).
  public var assurance: String?
  /// When the person authenticated at an identity provider; nil if the provider did not say it.
  public var authenticatedAt: Instant?
  /// The browser and the system that it began on; nil if they are not known.
  public var device: DeviceName?
  /// Approximately where it began; nil if that is not known.
  public var place: SessionPlace?

  /// The `auth_time` of all tokens of the session, also after a refresh (OpenID Connect Core,
  /// section 12.2).
  var authenticationTime: Instant { authenticatedAt ?? startedAt }

  public init(
    id: SessionID, account: AccountID, client: ClientID, proofKeyThumbprint: String, scope: String,
    organization: OrganizationID?, authenticationMethods: [String], startedAt: Instant,
    expiresAt: Instant, lastUsedAt: Instant, refreshGeneration: Int64, end: EndReason?,
    successor: SessionID? = nil
  ) {
    self.id = id
    self.account = account
    self.client = client
    self.proofKeyThumbprint = proofKeyThumbprint
    self.scope = scope
    self.organization = organization
    self.authenticationMethods = authenticationMethods
    self.startedAt = startedAt
    self.expiresAt = expiresAt
    self.lastUsedAt = lastUsedAt
    self.refreshGeneration = refreshGeneration
    self.end = end
    self.successor = successor
  }
}

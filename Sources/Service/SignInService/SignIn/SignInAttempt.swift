public import SignInModel

/// One sign-in in progress, stored under the digest of its `auth_session` and later also of its
/// authorization code.
public struct SignInAttempt: Equatable, Sendable {
  public enum Progress: Equatable, Sendable {
    /// The code of the text message was not entered yet.
    case awaitingCode
    /// Everything is proved.
    ///
    /// The authorization code with this SHA-256 digest can be exchanged for tokens.
    case proved(codeDigest: [UInt8], expiresAt: Instant)
    /// The authorization code was exchanged, and this session began.
    case redeemed(codeDigest: [UInt8], session: SessionID)
  }

  /// How an identity provider authenticated the person.
  public struct Federation: Equatable, Sendable {
    /// The name of the provider.
    public let provider: String
    /// The provider's `amr`.
    public let methods: [String]
    /// The provider's `acr`.
    public let assurance: String?
    /// The provider's `auth_time`.
    public let authenticatedAt: Instant?
    /// Whether the person must enter a code of this server before there are tokens.
    public let needsCode: Bool

    public init(
      provider: String, methods: [String], assurance: String?, authenticatedAt: Instant?,
      needsCode: Bool = false
    ) {
      self.provider = provider
      self.methods = methods
      self.assurance = assurance
      self.authenticatedAt = authenticatedAt
      self.needsCode = needsCode
    }
  }

  /// The SHA-256 digest of the `auth_session`.
  ///
  /// The handle itself is not stored.
  public let digest: [UInt8]
  public let account: AccountID
  public let client: ClientID
  /// The RFC 7638 thumbprint of the device's proof key.
  public let proofKeyThumbprint: String
  /// The S256 code challenge of RFC 7636, as text.
  public let pkceChallenge: String
  public let scope: String
  public let nonce: String?
  public let organization: OrganizationID?
  public let startedAt: Instant
  public let expiresAt: Instant
  public var progress: Progress
  /// Nil if the person proved secrets of this server.
  public var federation: Federation?

  public init(
    digest: [UInt8], account: AccountID, client: ClientID, proofKeyThumbprint: String,
    pkceChallenge: String, scope: String, nonce: String?, organization: OrganizationID?,
    startedAt: Instant, expiresAt: Instant, progress: Progress
  ) {
    self.digest = digest
    self.account = account
    self.client = client
    self.proofKeyThumbprint = proofKeyThumbprint
    self.pkceChallenge = pkceChallenge
    self.scope = scope
    self.nonce = nonce
    self.organization = organization
    self.startedAt = startedAt
    self.expiresAt = expiresAt
    self.progress = progress
  }
}

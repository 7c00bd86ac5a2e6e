public import SignInModel

/// One sign-in at an identity provider, from the app's request to the return of the browser.
///
/// It ends in a proved sign-in attempt, whose code the app redeems like any other.
public struct ProviderJourney: Equatable, Sendable {
  public enum Limits {
    /// How long an app may take to open the browser, in seconds.
    public static let requestSeconds: Int64 = 5 * 60
    /// How long the whole sign-in may take, in seconds.
    public static let seconds: Int64 = 30 * 60
    /// The maximum number of open journeys of one device.
    ///
    /// A further one ends the oldest.
    public static let open = 5
    /// The maximum number of journeys that one network address may begin in an hour without
    /// completing them.
    ///
    /// No journey takes an hour, so an address never has more open ones. A further one is refused.
    public static let openPerAddress: Int64 = 60
    /// How often a browser may open a journey again, for example with its back button.
    public static let reopenings = 5
    /// The greatest length of the app's `state`, in bytes.
    public static let stateBytes = 512
  }

  public enum Progress: Equatable, Sendable {
    /// No browser has opened it.
    case pushed
    /// A browser is at the provider.
    ///
    /// `state` and `browser` are SHA-256 digests of the handle at the provider and of the browser's
    /// cookie. `openings` says how often the browser has opened the journey.
    case started(state: [UInt8], browser: [UInt8], openings: Int)
    /// The browser came back, so that this journey has ended.
    case ended
  }

  /// The digest of the `request_uri`.
  public let digest: [UInt8]
  /// The name of the provider in the configuration.
  public let provider: String
  /// The issuer of the provider when the journey began.
  ///
  /// If the configuration names another one on return, the journey ends.
  public let issuer: String
  public let client: ClientID
  public let proofKeyThumbprint: String
  /// The app's S256 code challenge.
  public let pkceChallenge: String
  public let scope: String
  /// The app's nonce.
  public let nonce: String?
  public let organization: OrganizationID?
  /// Where the result goes, one of the app's addresses.
  public let redirectURI: String
  /// The app's `state`, which the result repeats.
  public let state: String?
  /// The e-mail address that the person entered in the app.
  public let loginHint: String?
  /// Our nonce at the provider.
  public let providerNonce: String
  /// Our PKCE verifier at the provider.
  public let providerVerifier: Secret
  public let startedAt: Instant
  public let expiresAt: Instant
  public var progress: Progress

  public init(
    digest: [UInt8], provider: String, issuer: String, client: ClientID,
    proofKeyThumbprint: String, pkceChallenge: String, scope: String, nonce: String?,
    organization: OrganizationID?, redirectURI: String, state: String?, loginHint: String?,
    providerNonce: String, providerVerifier: Secret, startedAt: Instant, expiresAt: Instant,
    progress: Progress
  ) {
    self.digest = digest
    self.provider = provider
    self.issuer = issuer
    self.client = client
    self.proofKeyThumbprint = proofKeyThumbprint
    self.pkceChallenge = pkceChallenge
    self.scope = scope
    self.nonce = nonce
    self.organization = organization
    self.redirectURI = redirectURI
    self.state = state
    self.loginHint = loginHint
    self.providerNonce = providerNonce
    self.providerVerifier = providerVerifier
    self.startedAt = startedAt
    self.expiresAt = expiresAt
    self.progress = progress
  }
}

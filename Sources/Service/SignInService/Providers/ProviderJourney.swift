public import SignInModel
public import SignInWire

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
    public static let openPerAddress: Int64 = 200
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
    /// The browser came back, or the provider could not be used at the start.
    case ended(Ending?)
  }

  /// What a repeated request of the same browser is answered with.
  public struct Ending: Equatable, Sendable {
    /// The digest of the handle at the provider.
    public let state: [UInt8]
    /// The digests of the browsers' cookies.
    public let browsers: [[UInt8]]
    public let at: Instant
    /// Nil while the provider is being asked.
    public var outcome: Outcome?

    public init(state: [UInt8], browsers: [[UInt8]], at: Instant, outcome: Outcome? = nil) {
      self.state = state
      self.browsers = browsers
      self.at = at
      self.outcome = outcome
    }
  }

  public enum Outcome: Equatable, Sendable {
    /// An authorization code, which is derived from the journey and therefore not stored.
    case code
    case error(JourneyError)
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

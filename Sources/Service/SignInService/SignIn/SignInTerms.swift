public import SignInModel

/// The parameters of the first request of a sign-in, apart from the account.
public struct SignInTerms: Sendable {
  public internal(set) var client: AppRegistration
  /// The granted scopes: the requested ones that the app may have.
  public let scope: String
  /// The S256 code challenge of RFC 7636, 43 characters.
  public let pkceChallenge: String
  public let nonce: String?
  public let organization: OrganizationID?
  public let proofKeyThumbprint: String
  /// The network address of the sender; nil for a call that did not use a network.
  public let peer: String?
  /// The languages for messages to the person, the preferred one first.
  public var languages: [String] = []
  /// The proved sign-in at a provider that continues with a code.
  var continued: SignInAttempt?

  public init(
    client: AppRegistration, scope: String, pkceChallenge: String, nonce: String?,
    organization: OrganizationID?, proofKeyThumbprint: String, peer: String? = nil
  ) {
    self.client = client
    self.scope = scope
    self.pkceChallenge = pkceChallenge
    self.nonce = nonce
    self.organization = organization
    self.proofKeyThumbprint = proofKeyThumbprint
    self.peer = peer
  }

  var caller: Caller {
    Caller(client: client.id, peer: peer, proofKeyThumbprint: proofKeyThumbprint)
  }
}

/// The limits of a sign-in that no policy changes.
public enum SignInLimits {
  /// The time from the first request to the last answer, in seconds.
  public static let attemptSeconds: Int64 = 30 * 60
  /// The lifetime of an authorization code, in seconds (OAuth 2.1 recommends at most one minute for
  /// strict use).
  public static let authorizationCodeSeconds: Int64 = 60
  /// The pause before a retry, while the answers of other requests are being compared.
  public static let waitMilliseconds: Int64 = 20
  public static let waitTries = 250
  /// How long ended records are stored, in seconds.
  public static let retentionSeconds: Int64 = 24 * 60 * 60
  /// How long a counter with few failures is stored after the last one, in seconds.
  ///
  /// It is the same for known and unknown accounts.
  public static let lockoutKeptSeconds: Int64 = 180 * 24 * 60 * 60
  public static let removalBatch = 500
  /// The renewals of a day are reported this long after the first of them, if nothing else reports
  /// them sooner: a renewal on another day, or the end of the session.
  public static let renewalsUnreportedSeconds: Int64 = 36 * 60 * 60
  /// The sign-ins of one account that wait for a code on one device.
  ///
  /// A further one ends the oldest.
  public static let openAttempts = 5
  /// The password resets of one account that are open on one device.
  ///
  /// A further one ends the oldest.
  public static let openResets = 3
  /// The open sessions of one account, and as many that are limited to each organization.
  ///
  /// A further one ends the oldest of its kind.
  public static let sessionsPerAccount = 50
  public static let nonceByteLimit = 512
  public static let refreshTokenByteLimit = RefreshToken.lengthLimit
}

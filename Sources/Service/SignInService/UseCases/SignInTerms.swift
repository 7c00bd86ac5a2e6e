public import SignInModel

/// What the first call of a sign-in asks for, whoever it is about.
public struct SignInTerms: Sendable {
  public internal(set) var client: AppClient
  /// Granted: what was asked for and the app may have.
  public let scope: String
  /// RFC 7636 S256 challenge, 43 characters.
  public let pkceChallenge: String
  public let nonce: String?
  public let organization: OrganizationID?
  public let proofKeyThumbprint: String
  /// The network address the call came from, nil when no network was between.
  public let peer: String?
  /// In which languages the person wants to be written to, the dearest first.
  public var languages: [String] = []

  public init(
    client: AppClient, scope: String, pkceChallenge: String, nonce: String?,
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

/// The names and numbers of a sign-in that no policy changes.
public enum SignInLimits {
  /// From the first call to the last answer.
  public static let attemptSeconds: Int64 = 30 * 60
  /// An authorization code lives this long (OAuth 2.1 advises one minute at most for strict use).
  public static let authorizationCodeSeconds: Int64 = 60
  /// Asking again while others' answers are being compared.
  public static let waitMilliseconds: Int64 = 20
  public static let waitTries = 250
  /// What is over is kept this long.
  public static let keptSeconds: Int64 = 24 * 60 * 60
  /// A counter with few failures is kept this long after the last of them, for known and unknown
  /// accounts alike.
  public static let lockoutKeptSeconds: Int64 = 180 * 24 * 60 * 60
  public static let removalBatch = 500
  /// Sign-ins of one account that wait for a code on one device; one more ends the oldest.
  public static let openAttempts = 5
  /// Password resets of one account that one device may answer; one more ends the oldest.
  public static let openResets = 3
  /// Sessions of one account that are open at once; one more ends the oldest.
  public static let sessionsPerAccount = 50
  public static let nonceByteLimit = 512
  public static let refreshTokenByteLimit = RefreshToken.lengthLimit
}

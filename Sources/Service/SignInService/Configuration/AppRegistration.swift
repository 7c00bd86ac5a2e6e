public import SignInModel
public import SignInRules

/// An app with which people sign in, and its policy.
public struct AppRegistration: Equatable, Sendable {
  /// The first screen after sign-in.
  public enum Home: String, CaseIterable, Sendable {
    case assignedJobs = "assigned_jobs"
    case dashboard
    case products
    case activities
    case console
    /// The app has its own screens and reads none of this server's data.
    case none
  }

  /// What a person enters before the one-time code: e-mail and password, or only a phone number.
  public enum SignIn: String, CaseIterable, Sendable {
    case passwordAndCode = "password_and_code"
    case phoneCode = "phone_code"
  }

  /// Codes with fewer digits need `allow_weak_codes`.
  public static let strongCodeDigits: Int64 = 6

  public let id: ClientID
  public var name: String
  public var home: Home
  public var signIn: SignIn
  /// The roles of the accounts that may use this app.
  public var roles: [AccountRole]
  /// The scopes that its tokens may have.
  public var scopes: [String]
  public var policy = Policy()

  /// Whether tokens are bound to the key of the device that received them (RFC 9449).
  public var requiresDPoP = true
  /// Whether proofs must have a nonce from the server, so that they cannot be made in advance (RFC
  /// 9449, section 8).
  public var requiresProofNonce = false
  /// The kinds of phone lines to which messages may go (L-16).
  public var lineTypes: [LineType] = [.ordinary]
  /// The 11 characters by which Android's SMS Retriever finds the app.
  public var androidAppHash: String?
  public var allowsWeakCodes = false
  /// Whether notices about a changed password or a new device also go by text message.
  ///
  /// They go by e-mail if a messenger for e-mail is configured.
  public var sendsNoticesBySMS = false
  /// The calling code that the phone number field has at first, such as `+91`.
  public var defaultCountry: String?
  /// Whether people may register themselves.
  ///
  /// The policy says who approves them.
  public var allowsRegistration = false
  /// The file with the numbers that need no approval by an administrator; nil for none.
  public var registrationNumbersFile: String?
  /// The numbers in this file.
  public var registrationNumbers: Set<PhoneNumber> = []
  /// The resource indicators of other APIs that the app's tokens may be for.
  public var audiences: [String] = []
  /// Claims about a person that the app's tokens have in addition to the standard ones.
  public var claims: [TokenClaim] = []
  /// Origins of web pages that may call this server for the app.
  public var origins: [String] = []
  /// The names of the identity providers at which the app's people can sign in.
  public var providers: [String] = []
  /// The addresses to which the result of a sign-in at a provider may go.
  ///
  /// They are compared byte by byte (RFC 9700, section 2.1).
  public var redirectURIs: [String] = []
  /// The policy values in the configuration file, with their keys.
  ///
  /// The other values are safe defaults.
  var written = PolicyChanges.none

  public init(
    id: ClientID,
    name: String,
    home: Home,
    signIn: SignIn,
    roles: [AccountRole],
    scopes: [String]
  ) {
    self.id = id
    self.name = name
    self.home = home
    self.signIn = signIn
    self.roles = roles
    self.scopes = scopes
  }
}

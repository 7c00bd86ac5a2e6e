public import SignInModel
public import SignInRules

/// One app that people sign in with, and the rules its sign-ins follow.
public struct AppClient: Equatable, Sendable {
  /// The screen a person lands on.
  public enum Home: String, CaseIterable, Sendable {
    case assignedJobs = "assigned_jobs"
    case dashboard
    case products
    case activities
    case console
    /// The app draws its own screens, and reads none of our lists.
    case none
  }

  /// What a person proves first; a code by text message follows in either case.
  public enum SignIn: String, CaseIterable, Sendable {
    case passwordAndCode = "password_and_code"
    case phoneCode = "phone_code"
  }

  /// What the app asks for after too long in the background (S-06).
  public enum Unlock: String, CaseIterable, Sendable {
    case none
    case biometric
  }

  /// Codes with fewer digits need `allow_weak_codes`.
  public static let strongCodeDigits: Int64 = 6

  public let id: ClientID
  public var name: String
  public var home: Home
  public var signIn: SignIn
  /// Whose accounts may use this app.
  public var roles: [Account.Role]
  /// What its tokens may be asked for, at most.
  public var scopes: [String]

  public var disclosure = AccountDisclosure.concealed
  /// Tokens are of no use without the key of the device they were given to (RFC 9449).
  public var requiresDPoP = true
  /// Proofs must carry a nonce of the server's, so that none can be made in advance (RFC 9449, 8).
  public var requiresProofNonce = false
  public var code = CodeChallenge.Policy()
  public var lockout = Lockout.Policy()
  public var throttle = ThrottlePolicy()
  public var messages = MessageBudget()
  /// Calling codes that messages may go to, such as `+47`; when empty, the default country's, and
  /// without that every country that registered accounts have.
  public var countries: [String] = []
  /// Those of an organization, which narrow the app's; nil when it names none.
  var organizationCountries: [String]?
  /// What messages say in place of the standard texts.
  var signInText: MessageTemplate?
  var passwordResetText: MessageTemplate?
  /// The same for one language each, by `sign_in_hi` and the like: they come before those.
  var textsByLanguage: [String: MessageTemplate] = [:]
  /// Kinds of lines messages may go to (L-16).
  public var lineTypes: [LineType] = [.ordinary]
  /// The 11 characters by which Android's SMS Retriever finds the app.
  public var androidAppHash: String?
  public var allowsWeakCodes = false
  /// Also the longest time for which a deactivated account keeps its access (L-17).
  public var accessTokenSeconds: Int64 = 5 * 60
  public var sessionSeconds: Int64 = 30 * 24 * 60 * 60
  /// A session nobody uses ends after this time.
  public var idleSeconds: Int64 = 7 * 24 * 60 * 60
  /// Time in the background after which the app must be unlocked.
  public var backgroundSeconds: Int64 = 5 * 60
  public var unlock = Unlock.none
  /// How a forgotten password is replaced; administrators' accounts need an administrator anyway.
  public var passwordReset = PasswordResetMode.knownDevice
  /// How long a new password waits that was chosen on an unknown device.
  public var passwordResetWaitSeconds: Int64 = 24 * 60 * 60
  /// Whether people are also told by text message that their password changed or a new device
  /// signed in; by e-mail they are told where a messenger carries it.
  public var sendsNoticesBySMS = false
  /// How long what was synced may be read without seeing the server; zero for not at all.
  public var offlineSeconds: Int64 = 30 * 24 * 60 * 60
  /// Calling code that stands in the phone number field at first, such as `+91`.
  public var defaultCountry: String?
  /// Whether people may ask for an account, which an administrator then approves.
  public var allowsRegistration = false
  /// APIs besides this server that the app's tokens may be for, by their resource indicators.
  public var audiences: [String] = []
  /// What its tokens say of a person besides the standard claims.
  public var claims: [TokenClaim] = []
  /// Origins of pages that may call this server for the app.
  public var origins: [String] = []
  /// What the configuration says of the policy, in its own keys; the rest are safe defaults.
  var written = PolicyChanges.none

  public init(
    id: ClientID,
    name: String,
    home: Home,
    signIn: SignIn,
    roles: [Account.Role],
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

extension AppClient {
  /// What an operator may choose for each number, both ends included.
  enum Limits {
    static let codeDigits: ClosedRange<Int64> = 4...8
    /// NIST SP 800-63B, section 5.1.3.2: at most ten minutes.
    static let codeLifeSeconds: ClosedRange<Int64> = 60...600
    static let codeResendSeconds: ClosedRange<Int64> = 15...600
    static let lockoutFailures: ClosedRange<Int64> = 3...20
    static let lockSeconds: ClosedRange<Int64> = 60...(24 * 60 * 60)
    static let longestLockSeconds: ClosedRange<Int64> = 60...(7 * 24 * 60 * 60)
    /// NIST SP 800-63B, section 5.2.2: at most one hundred.
    static let lockoutStopAfter: ClosedRange<Int64> = 10...100
    static let accessTokenSeconds: ClosedRange<Int64> = 60...(60 * 60)
    static let sessionSeconds: ClosedRange<Int64> = 300...(365 * 24 * 60 * 60)
    static let idleSeconds: ClosedRange<Int64> = 60...(365 * 24 * 60 * 60)
    static let backgroundSeconds: ClosedRange<Int64> = 0...(24 * 60 * 60)
    static let offlineSeconds: ClosedRange<Int64> = 0...(365 * 24 * 60 * 60)
    static let passwordResetWaitSeconds: ClosedRange<Int64> = (60 * 60)...(30 * 24 * 60 * 60)
    static let originPerHour: ClosedRange<Int64> = 1...100_000
    /// Under this limit every message to a number is remembered by itself.
    static let messagesPerNumber: ClosedRange<Int64> = 1...Throttle.exactLimit
    /// No messages at all is a budget too.
    static let messageBudget: ClosedRange<Int64> = 0...10_000_000
    static let price: ClosedRange<Int64> = 0...1_000_000_000_000
    static let brakePercent: ClosedRange<Int64> = 0...100
  }
}

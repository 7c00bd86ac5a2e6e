public import SignInModel
public import SignInRules

/// An app with which people sign in, and its policy.
public struct AppClient: Equatable, Sendable {
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

  /// How a person unlocks the app after too long in the background (S-06).
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
  /// The roles of the accounts that may use this app.
  public var roles: [Account.Role]
  /// The scopes that its tokens may have.
  public var scopes: [String]

  public var disclosure = AccountDisclosure.concealed
  /// Whether tokens are bound to the key of the device that received them (RFC 9449).
  public var requiresDPoP = true
  /// Whether proofs must have a nonce from the server, so that they cannot be made in advance (RFC
  /// 9449, section 8).
  public var requiresProofNonce = false
  public var code = CodeChallenge.Policy()
  public var lockout = Lockout.Policy()
  public var throttle = ThrottlePolicy()
  public var messages = MessageBudget()
  /// Calling codes to which messages may go, such as `+47`.
  ///
  /// If it is empty, the code of the default country applies. Without a default country, messages
  /// may go to every country of a registered account.
  public var countries: [String] = []
  /// The calling codes of an organization, which restrict those of the app; `nil` if it has none.
  var organizationCountries: [String]?
  /// Texts that replace the standard texts of messages.
  var signInText: MessageTemplate?
  var passwordResetText: MessageTemplate?
  /// Texts for one language, by keys such as `sign_in_hi`.
  ///
  /// They take precedence over the others.
  var textsByLanguage: [String: MessageTemplate] = [:]
  /// The kinds of phone lines to which messages may go (L-16).
  public var lineTypes: [LineType] = [.ordinary]
  /// The 11 characters by which Android's SMS Retriever finds the app.
  public var androidAppHash: String?
  public var allowsWeakCodes = false
  /// It is also the longest time for which a deactivated account keeps its access (L-17).
  public var accessTokenSeconds: Int64 = 5 * 60
  public var sessionSeconds: Int64 = 30 * 24 * 60 * 60
  /// A session ends after this time without use.
  public var idleSeconds: Int64 = 7 * 24 * 60 * 60
  /// The app must be unlocked after this time in the background.
  public var backgroundSeconds: Int64 = 5 * 60
  public var unlock = Unlock.none
  /// How a forgotten password is replaced.
  ///
  /// Accounts of administrators always need another administrator.
  public var passwordReset = PasswordResetMode.knownDevice
  /// How long a new password waits if it was chosen on an unknown device.
  public var passwordResetWaitSeconds: Int64 = 24 * 60 * 60
  /// Whether notices about a changed password or a new device also go by text message.
  ///
  /// They go by e-mail if a messenger for e-mail is configured.
  public var sendsNoticesBySMS = false
  /// The offline period: how long synced data may be read without the server.
  ///
  /// With 0 it cannot be read offline.
  public var offlineSeconds: Int64 = 30 * 24 * 60 * 60
  /// The calling code that the phone number field has at first, such as `+91`.
  public var defaultCountry: String?
  /// Whether people may register themselves.
  ///
  /// An administrator then approves them.
  public var allowsRegistration = false
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
  /// The range of each number in the configuration.
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
    /// Up to this limit, the moment of each message to a number is stored exactly.
    static let messagesPerNumber: ClosedRange<Int64> = 1...Throttle.exactLimit
    /// With 0, no messages are sent.
    static let messageBudget: ClosedRange<Int64> = 0...10_000_000
    static let price: ClosedRange<Int64> = 0...1_000_000_000_000
    static let brakePercent: ClosedRange<Int64> = 0...100
  }
}

import SignInModel

/// Every value of a policy, by its key in the configuration.
public enum PolicyKey: String, Sendable, CaseIterable {
  case disclosure
  case registrationApproval = "registration_approval"
  case contactChange = "contact_change"
  case erasureWait = "erasure_wait_seconds"
  case codeDigits = "code.digits"
  case codeLife = "code.life_seconds"
  case codeResend = "code.resend_seconds"
  case lockoutFailures = "lockout.failures"
  case firstLock = "lockout.lock_seconds"
  case longestLock = "lockout.longest_lock_seconds"
  case lockoutStop = "lockout.stop_after"
  case addressSends = "throttle.sends_per_address_per_hour"
  case addressFailures = "throttle.failures_per_address_per_hour"
  case deviceSends = "throttle.sends_per_device_per_hour"
  case numberHourly = "messages.per_number_per_hour"
  case numberDaily = "messages.per_number_per_day"
  case prefixDaily = "messages.per_prefix_per_day"
  case organizationDaily = "messages.per_organization_per_day"
  case appDaily = "messages.per_day"
  case priceDaily = "messages.price_per_day"
  case conversionCheckedAfter = "messages.conversion_checked_after"
  case minimumConversion = "messages.minimum_conversion_percent"
  case countries
  case signInText = "texts.sign_in"
  case signInEnglish = "texts.sign_in_en"
  case signInHindi = "texts.sign_in_hi"
  case signInNorwegian = "texts.sign_in_nb"
  case resetText = "texts.password_reset"
  case resetEnglish = "texts.password_reset_en"
  case resetHindi = "texts.password_reset_hi"
  case resetNorwegian = "texts.password_reset_nb"
  case accessToken = "access_token_seconds"
  case session = "session_seconds"
  case idle = "idle_seconds"
  case background = "background_seconds"
  case unlock
  case offline = "offline_seconds"
  case passwordReset = "password_reset"
  case passwordResetWait = "password_reset_wait_seconds"

  public init?(rawValue: String) {
    guard let known = Self.first(named: rawValue) else { return nil }
    self = known
  }
}

/// The policy table.
extension PolicyKey {
  private static let hour: Int64 = 60 * 60
  private static let day = 24 * hour

  /// The row of the value.
  public var field: PolicyField {
    switch self {
    case .disclosure: .choice(standard: AccountDisclosure.concealed, stricter: .less, .accounts)
    case .registrationApproval:
      .choice(standard: RegistrationApproval.administrator, stricter: .more, .accounts)
        .forOrganizations(.noValue)
    case .contactChange: .choice(standard: ContactChangeMode.person, stricter: .more, .accounts)
    case .erasureWait:
      .seconds(0...90 * Self.day, standard: 7 * Self.day, stricter: .more, .accounts)
    case .codeDigits: .number(4...8, standard: 6, stricter: .more, .codes)
    // NIST SP 800-63B: at most ten minutes (5.1.3.2) and one hundred failures (5.2.2).
    case .codeLife: .seconds(60...600, standard: 300, stricter: .less, .codes)
    case .codeResend: .seconds(15...600, standard: 60, stricter: .more, .codes)
    case .lockoutFailures: .number(3...20, standard: 5, stricter: .less, .locks)
    case .firstLock: .seconds(60...Self.day, standard: 15 * 60, stricter: .more, .locks)
    case .longestLock: .seconds(60...7 * Self.day, standard: Self.day, stricter: .more, .locks)
    case .lockoutStop: .number(10...100, standard: 100, stricter: .less, .locks)
    case .addressSends: .number(1...100_000, standard: 200, stricter: .less, .origins)
    case .addressFailures: .number(1...100_000, standard: 100, stricter: .less, .origins)
    case .deviceSends: .number(1...100_000, standard: 5, stricter: .less, .origins)
    // The moments of up to 64 messages to a number are stored exactly. With 0, none are sent.
    case .numberHourly: .number(1...64, standard: 5, stricter: .less, .messages)
    case .numberDaily: .number(1...64, standard: 10, stricter: .less, .messages)
    case .prefixDaily: .number(0...10_000_000, standard: 1000, stricter: .less, .messages)
    case .organizationDaily:
      .number(0...10_000_000, standard: 5000, stricter: .less, .messages).forOrganizations(
        .anyValue)
    case .appDaily:
      .number(0...10_000_000, standard: 10_000, stricter: .less, .messages).forOrganizations(
        .noValue)
    case .priceDaily:
      .number(0...1_000_000_000_000, standard: 1_000_000_000, stricter: .less, .messages)
        .measured(in: .millionths).forOrganizations(.noValue)
    case .conversionCheckedAfter:
      .number(0...10_000_000, standard: 100, stricter: .less, .messages).forOrganizations(.noValue)
    case .minimumConversion:
      .number(0...100, standard: 10, stricter: .more, .messages).measured(in: .percent)
        .forOrganizations(.noValue)
    case .countries: .callingCodes(stricter: .less, .messages)
    case .signInText, .signInEnglish, .signInHindi, .signInNorwegian, .resetText, .resetEnglish,
      .resetHindi, .resetNorwegian:
      .message(.texts)
    case .accessToken: .seconds(60...Self.hour, standard: 5 * 60, stricter: .less, .sessions)
    case .session:
      .seconds(300...365 * Self.day, standard: 30 * Self.day, stricter: .less, .sessions)
        .forOrganizations(.anyValue)
    case .idle:
      .seconds(60...365 * Self.day, standard: 7 * Self.day, stricter: .less, .sessions)
        .forOrganizations(.anyValue)
    case .background:
      .seconds(0...Self.day, standard: 5 * 60, stricter: .less, .sessions).forOrganizations(
        .anyValue)
    case .unlock: .choice(standard: UnlockMethod.none, stricter: .more, .sessions)
    case .offline: .seconds(0...365 * Self.day, standard: 30 * Self.day, stricter: .less, .sessions)
    case .passwordReset:
      .choice(standard: PasswordResetMode.knownDevice, stricter: .more, .accounts)
    case .passwordResetWait:
      .seconds(Self.hour...30 * Self.day, standard: Self.day, stricter: .more, .accounts)
    }
  }

  /// The purpose, as one sentence without a full stop.
  ///
  /// It is in the configuration's schema, in OpenAPI and in the administration guide.
  public var help: String {
    switch self {
    case .disclosure:
      "Answers for unknown accounts: concealed like those for known ones, or disclosed"
    case .registrationApproval:
      "Who approves a registration: an administrator, an administrator after a code has proved the "
        + "number, or only the code, for the numbers in registration_numbers_file or for all"
    case .contactChange:
      "Who changes the e-mail address and the phone number of an account: the person, after a code "
        + "has proved the new one, or an administrator only"
    case .erasureWait:
      "Wait before an account is erased at its person's request, who can cancel until then"
    case .codeDigits: "Digits of a code"
    case .codeLife: "Lifetime of a code"
    case .codeResend: "Wait between two codes"
    case .lockoutFailures: "Failed attempts before a lockout"
    case .firstLock: "Length of the first lockout; each further lockout is twice as long"
    case .longestLock: "Longest lockout"
    case .lockoutStop:
      "Failed attempts in a row before a stop, which only a reset or an administrator "
        + "removes"
    case .addressSends:
      "Messages per hour that one network address may cause; a completed sign-in gives its "
        + "message back, and room for two more within a day"
    case .addressFailures:
      "Failed attempts per hour from one network address, and as many registrations; a "
        + "completed sign-in gives room for two more within a day"
    case .deviceSends:
      "Messages per hour that one device key may cause; a completed sign-in resets the "
        + "count"
    case .numberHourly:
      "Messages to one number in an hour, for each known device and for all unknown ones "
        + "together"
    case .numberDaily: "Messages to one number in a day; at least per_number_per_hour"
    case .prefixDaily: "Messages in a day to numbers that differ in the last four digits only"
    case .organizationDaily: "Messages in a day to people of one organization"
    case .appDaily: "All messages of the app in a day"
    case .priceDaily:
      "Limit for the cost of an app's messages in a day, in millionths of the currency; "
        + "applies to numbers with an entry in prices"
    case .conversionCheckedAfter:
      "Messages in a day to one number block before minimum_conversion_percent applies"
    case .minimumConversion:
      "Minimum percentage of sent codes that are entered, for such a block"
    case .countries:
      "Calling codes to which messages may go, or ranges inside one such as +1-242, "
        + "because +1 alone includes premium ranges; if absent, the default country's, or any "
        + "registered number"
    case .signInText: "Text of a message with a code to sign in"
    case .resetText: "Text of a message with a code to set a new password"
    case .signInEnglish, .signInHindi, .signInNorwegian, .resetEnglish, .resetHindi,
      .resetNorwegian:
      "The same text in this language"
    case .accessToken: "Lifetime of an access token"
    case .session: "Longest lifetime of a session"
    case .idle: "Idle timeout of a session; at most the length of the session"
    case .background: "Time in the background after which the app must be unlocked"
    case .unlock: "Method of unlocking the app"
    case .offline:
      "Time in which synced data may be read without a connection to the server; 0 for no "
        + "offline copy"
    case .passwordReset:
      "Method of replacing a forgotten password; an administrator's is always replaced by "
        + "another administrator"
    case .passwordResetWait:
      "Wait before a new password that was chosen on an unknown device takes effect"
    }
  }

  /// The purpose of each object that contains values, by its key.
  public static let objects = [
    "code": "Codes by text message",
    "lockout": "Lockout after failed attempts",
    "throttle": "Rate limits of one network address and of one device, counted for each app",
    "messages": "Limits for the number of text messages and their cost",
    "texts":
      "Texts of messages, in place of the standard texts in every language; with {code}, and if "
      + "needed {minutes} and {host}",
  ]

  /// The length of a message text in code points.
  ///
  /// In the longer encoding (UCS-2), two message parts have 134 UTF-16 units and three have 201.
  public static let textLengthLimit = 200
}

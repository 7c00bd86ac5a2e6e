public import SignInRules
import SignInWire

/// The values that control sign-in, sessions and messages of one app.
///
/// `PolicyRow.table` has one row for each value. The initial values are the defaults.
public struct Policy: Equatable, Sendable {
  /// How a person unlocks the app after too long in the background (S-06).
  public enum Unlock: String, CaseIterable, Sendable {
    case none
    case biometric
  }

  public var disclosure = AccountDisclosure.concealed
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
  /// Texts that replace the standard texts of messages, for all languages or for one.
  ///
  /// A text for one language takes precedence.
  var texts: [PolicyKey: MessageTemplate] = [:]
  /// It is also the longest time for which a deactivated account keeps its access (L-17).
  public var accessTokenSeconds: Int64 = 5 * 60
  public var sessionSeconds: Int64 = 30 * 24 * 60 * 60
  /// A session ends after this time without use.
  public var idleSeconds: Int64 = 7 * 24 * 60 * 60
  /// The app must be unlocked after this time in the background.
  public var backgroundSeconds: Int64 = 5 * 60
  public var unlock = Unlock.none
  /// The offline period: how long synced data may be read without the server.
  ///
  /// With 0 it cannot be read offline.
  public var offlineSeconds: Int64 = 30 * 24 * 60 * 60
  /// How a forgotten password is replaced.
  ///
  /// Accounts of administrators always need another administrator.
  public var passwordReset = PasswordResetMode.knownDevice
  /// How long a new password waits if it was chosen on an unknown device.
  public var passwordResetWaitSeconds: Int64 = 24 * 60 * 60

  public init() {}
}

extension PolicyRow {
  /// One row for each policy value, in the order of the published schema.
  ///
  /// `PolicyKey.field` has the range, the unit and the stricter direction of the value.
  static let table: [PolicyRow] = [
    .word(
      .disclosure, \.disclosure,
      "Answers for unknown accounts: concealed like those for known ones, or disclosed"),
    .number(.codeDigits, \.code.digits, "Digits of a code"),
    .number(.codeLife, \.code.lifeSeconds, "Lifetime of a code"),
    .number(.codeResend, \.code.resendSeconds, "Wait between two codes"),
    .number(.lockoutFailures, \.lockout.failureLimit, "Failed attempts before a lockout"),
    .number(
      .firstLock, \.lockout.lockSeconds,
      "Length of the first lockout; each further lockout is twice as long"),
    .number(.longestLock, \.lockout.longestLockSeconds, "Longest lockout"),
    .number(
      .lockoutStop, \.lockout.stopLimit,
      "Failed attempts in a row before a stop, which only a reset or an administrator removes"),
    .number(
      .addressSends, \.throttle.addressSendsPerHour,
      "Messages per hour that one network address may cause; a completed sign-in gives its message "
        + "back"),
    .number(
      .addressFailures, \.throttle.addressFailuresPerHour,
      "Failed attempts per hour from one network address"),
    .number(
      .deviceSends, \.throttle.deviceSendsPerHour,
      "Messages per hour that one device key may cause; a completed sign-in resets the count"),
    .number(
      .numberHourly, \.messages.perNumberPerHour,
      "Messages to one number in an hour, for each known device and for all unknown ones together"
    ),
    .number(
      .numberDaily, \.messages.perNumberPerDay,
      "Messages to one number in a day; at least per_number_per_hour"),
    .number(
      .prefixDaily, \.messages.perPrefixPerDay,
      "Messages in a day to numbers that differ in the last four digits only"),
    .number(
      .organizationDaily, \.messages.perOrganizationPerDay,
      "Messages in a day to people of one organization", organization: .anyValue),
    .number(
      .appDaily, \.messages.perDay, "All messages of the app in a day", organization: .noValue),
    .number(
      .priceDaily, \.messages.pricePerDay,
      "Limit for the cost of an app's messages in a day, in millionths of the currency; applies to "
        + "numbers with an entry in prices", organization: .noValue),
    .number(
      .brakeAfter, \.messages.brake.afterSent,
      "Messages in a day to one number block before brake_percent applies",
      organization: .noValue),
    .number(
      .brakePercent, \.messages.brake.leastPercent,
      "Minimum percentage of codes entered in such a block", organization: .noValue),
    .callingCodes(
      .countries, \.countries,
      "Calling codes to which messages may go, or ranges inside one such as +1-242, because +1"
        + " alone includes premium ranges; if absent, the default country's, or any registered"
        + " number"),
    .text(.signInText, "Text of a message with a code to sign in"),
    .text(.resetText, "Text of a message with a code to set a new password"),
    .text(.signInEnglish, "The same text in this language"),
    .text(.signInHindi, "The same text in this language"),
    .text(.signInNorwegian, "The same text in this language"),
    .text(.resetEnglish, "The same text in this language"),
    .text(.resetHindi, "The same text in this language"),
    .text(.resetNorwegian, "The same text in this language"),
    .number(.accessToken, \.accessTokenSeconds, "Lifetime of an access token"),
    .number(
      .session, \.sessionSeconds, "Longest lifetime of a session", organization: .anyValue),
    .number(
      .idle, \.idleSeconds, "Idle timeout of a session; at most the length of the session",
      organization: .anyValue),
    .number(
      .background, \.backgroundSeconds,
      "Time in the background after which the app must be unlocked", organization: .anyValue),
    .word(.unlock, \.unlock, "Method of unlocking the app"),
    .number(
      .offline, \.offlineSeconds,
      "Time in which synced data may be read without a connection to the server; 0 for no offline "
        + "copy"),
    .word(
      .passwordReset, \.passwordReset,
      "Method of replacing a forgotten password; an administrator's is always replaced by another "
        + "administrator"),
    .number(
      .passwordResetWait, \.passwordResetWaitSeconds,
      "Wait before a new password that was chosen on an unknown device takes effect"),
  ]

  /// The purpose of each object that contains values, by its key.
  static let objects = [
    "code": "Codes by text message",
    "lockout": "Lockout after failed attempts",
    "throttle": "Rate limits of one network address and of one device",
    "messages": "Limits for the number of text messages and their cost",
    "texts": "Texts of messages, in place of the standard texts in every language",
  ]
}

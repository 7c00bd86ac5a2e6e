/// Every value of a policy, by its key in the configuration.
public enum PolicyKey: String, Sendable, CaseIterable {
  case disclosure
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
  case brakeAfter = "messages.brake_after"
  case brakePercent = "messages.brake_percent"
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

  /// The direction in which a value is stricter.
  public enum Direction: Equatable, Sendable {
    case less
    case more
    /// The allowed words, the strictest one last.
    case words([String])
    case neither
  }

  public var stricter: Direction {
    switch self {
    case .codeDigits, .codeResend, .firstLock, .longestLock, .brakePercent,
      .passwordResetWait:
      .more
    case .codeLife, .lockoutFailures, .lockoutStop, .addressSends, .addressFailures, .deviceSends,
      .numberHourly, .numberDaily, .prefixDaily, .organizationDaily, .appDaily, .priceDaily,
      .brakeAfter, .countries, .accessToken, .session, .idle, .background, .offline:
      .less
    case .disclosure: .words(["disclosed", "concealed"])
    case .unlock: .words(["none", "biometric"])
    case .passwordReset: .words(["code", "known_device", "administrator"])
    case .signInText, .signInEnglish, .signInHindi, .signInNorwegian, .resetText, .resetEnglish,
      .resetHindi, .resetNorwegian:
      .neither
    }
  }

  /// Whether the number is a time in seconds.
  public var isTime: Bool {
    switch self {
    case .codeLife, .codeResend, .firstLock, .longestLock, .accessToken, .session, .idle,
      .background, .offline, .passwordResetWait:
      true
    case .disclosure, .codeDigits, .lockoutFailures, .lockoutStop, .addressSends,
      .addressFailures, .deviceSends, .numberHourly, .numberDaily, .prefixDaily,
      .organizationDaily, .appDaily, .priceDaily, .brakeAfter, .brakePercent, .countries,
      .signInText, .signInEnglish, .signInHindi, .signInNorwegian, .resetText, .resetEnglish,
      .resetHindi, .resetNorwegian, .unlock, .passwordReset:
      false
    }
  }

  /// Whether the number is an amount of money, in millionths of the operator's currency.
  public var isMoney: Bool { self == .priceDaily }

  /// The keys of the JSON objects that contain the value, the outermost first.
  public var steps: [String] {
    var steps: [[UInt8]] = [[]]
    for byte in rawValue.utf8 {
      if byte == UInt8(ascii: ".") { steps.append([]) } else { steps[steps.count - 1].append(byte) }
    }
    return steps.map { String(decoding: $0, as: UTF8.self) }
  }
}

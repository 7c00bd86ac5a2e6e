import SignInEngine
import SignInWire

extension PolicyKey {
  /// The name of the value in the console.
  @inline(never) func name(in language: Language) -> String {
    switch language {
    case .english: english
    case .hindi: hindi
    case .norwegian: norwegian
    }
  }

  @inline(never) var english: String {
    switch self {
    case .disclosure: "Reveal whether an account exists"
    case .codeDigits: "Code length"
    case .codeLife: "Code expires after"
    case .codeResend: "Resend wait"
    case .lockoutFailures: "Failed attempts before lockout"
    case .firstLock: "First lockout"
    case .longestLock: "Longest lockout"
    case .lockoutStop: "Failed attempts before an administrator must unlock"
    case .addressSends: "Messages per network address per hour"
    case .addressFailures: "Failed attempts per network address per hour"
    case .deviceSends: "Messages per device per hour"
    case .numberHourly: "Messages per number per hour"
    case .numberDaily: "Messages per number per day"
    case .prefixDaily: "Messages per number block per day"
    case .organizationDaily: "Messages per organization per day"
    case .appDaily: "Messages per app per day"
    case .priceDaily: "Daily message budget"
    case .conversionCheckedAfter: "Messages per number block before monitoring"
    case .minimumConversion: "Minimum share of codes entered in a monitored block"
    case .countries: "Countries that can receive messages"
    case .signInText: "Sign-in message"
    case .signInEnglish: "Sign-in message, English"
    case .signInHindi: "Sign-in message, हिन्दी"
    case .signInNorwegian: "Sign-in message, Norsk"
    case .resetText: "Password reset message"
    case .resetEnglish: "Password reset message, English"
    case .resetHindi: "Password reset message, हिन्दी"
    case .resetNorwegian: "Password reset message, Norsk"
    case .accessToken: "Access token expires after"
    case .session: "Session expires after"
    case .idle: "Idle timeout"
    case .background: "Lock after in background"
    case .unlock: "App lock"
    case .offline: "Offline access"
    case .passwordReset: "Password reset"
    case .passwordResetWait: "Password reset wait on an unknown device"
    }
  }
}

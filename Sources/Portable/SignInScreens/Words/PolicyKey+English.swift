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

  /// What the value is for, in one line for an administrator.
  ///
  /// `help` is the text for an operator, with the names of other keys.
  @inline(never) func explanation(in language: Language) -> String {
    switch language {
    case .english: englishExplanation
    case .hindi: hindiExplanation
    case .norwegian: norwegianExplanation
    }
  }

  @inline(never) var english: String {
    switch self {
    case .disclosure: "Reveal whether an account exists"
    case .registrationApproval: "Approval of registrations"
    case .contactChange: "Change of address and number"
    case .erasureWait: "Erasure wait"
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

  @inline(never) var englishExplanation: String {
    switch self {
    case .disclosure: "With No, an unknown account gets the same answers as a known one."
    case .registrationApproval:
      "Who approves people who register. Without an administrator, a code proves the number."
    case .contactChange: "Who changes the email address and the number of an account."
    case .erasureWait: "How long people can take back the request to erase their account."
    case .codeDigits: "How many digits each code has."
    case .codeLife: "How long a code can be used."
    case .codeResend: "How long a person waits before another code is sent."
    case .lockoutFailures: "How many wrong answers in a row lock the account."
    case .firstLock: "How long the first lockout lasts. Each further lockout is twice as long."
    case .longestLock: "No lockout lasts longer than this."
    case .lockoutStop:
      "After this many wrong answers in a row, only an administrator or a password reset "
        + "unlocks the account."
    case .addressSends:
      "How many messages one network address can cause. Completed sign-ins are not counted and "
        + "allow more."
    case .addressFailures:
      "Wrong answers and registrations that one network address can make. Completed sign-ins allow "
        + "more."
    case .deviceSends:
      "How many messages one device can cause. A completed sign-in resets the count."
    case .numberHourly:
      "One number gets at most this many messages in an hour. Each known device has its own count."
    case .numberDaily:
      "One number gets at most this many messages in a day. It is at least the number per hour."
    case .prefixDaily: "How many messages go to numbers that differ only in the last four digits."
    case .organizationDaily: "The people of one organization get at most this many messages a day."
    case .appDaily: "The app sends at most this many messages a day, to all people together."
    case .priceDaily:
      "What the messages of the app can cost in a day. Only numbers with a price are counted."
    case .conversionCheckedAfter:
      "After this many messages in a day, a block of numbers is monitored."
    case .minimumConversion:
      "A monitored block gets no more messages if a smaller share of its codes is entered."
    case .countries:
      "Messages go only to numbers with these calling codes. +1-242 is a range inside +1."
    case .signInText: "The message with a code to sign in. {code} is the place of the code."
    case .signInEnglish, .signInHindi, .signInNorwegian, .resetEnglish, .resetHindi,
      .resetNorwegian:
      "The message for people who use this language."
    case .resetText:
      "The message with a code to set a new password. {code} is the place of the code."
    case .accessToken: "How long an app can use one access token before it gets another."
    case .session: "After this time people must sign in again, also if they have used the app."
    case .idle: "People who do not use the app for this time must sign in again."
    case .background: "After this time in the background, the app must be unlocked."
    case .unlock: "How people unlock the app when they come back to it."
    case .offline:
      "How long synced data can be read without a connection. With 0, no copy is kept."
    case .passwordReset:
      "How a forgotten password is replaced. Another administrator replaces an administrator's."
    case .passwordResetWait:
      "How long a new password from an unknown device waits before it takes effect."
    }
  }
}

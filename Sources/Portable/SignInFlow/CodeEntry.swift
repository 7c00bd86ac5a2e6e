public import SignInModel
public import SignInWire

/// What is known while the person enters a code.
public struct CodeEntry: Equatable, Sendable {
  /// Remaining attempts are shown if there are this few or fewer.
  static let shownAttemptsLimit: Int64 = 2
  /// How long before the end the expiry of a code is announced.
  public static let expiryWarningSeconds: Int64 = 60

  public private(set) var prompt: CodePrompt
  public private(set) var text = ""
  /// The last code was wrong, or it had expired and the app does not distinguish this from wrong.
  public private(set) var isRefused = false
  /// The last code had expired, in an app that distinguishes this from a wrong code.
  public private(set) var isExpired = false
  /// The person pressed Verify with fewer digits than the code has.
  public private(set) var isIncomplete = false
  public var notice: Notice?

  /// The server's identifier of the sign-in or reset that the code belongs to.
  private(set) var session: Secret
  /// Set when the code was right and only the tokens are missing.
  var authorizationCode: Secret?

  init(session: Secret, prompt: CodePrompt) {
    self.session = session
    self.prompt = prompt
  }

  public var isComplete: Bool {
    authorizationCode != nil || Int64(text.utf8.count) == prompt.digits
  }

  public func canResend(at now: Instant) -> Bool {
    authorizationCode == nil && prompt.resendAt <= now
  }

  public var attemptsLeftToShow: Int64? {
    isRefused && prompt.attemptsLeft <= Self.shownAttemptsLimit ? prompt.attemptsLeft : nil
  }

  /// Keeps the ASCII digits of the typed or pasted text, up to the length of the code.
  mutating func edit(_ typed: String) {
    var digits: [UInt8] = []
    for byte in typed.utf8 where byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") {
      if Int64(digits.count) < prompt.digits { digits.append(byte) }
    }
    text = String(decoding: digits, as: UTF8.self)
    isIncomplete = false
    if !text.isEmpty {
      isRefused = false
      isExpired = false
    }
  }

  /// Records that digits are missing, and clears the error of the earlier code.
  mutating func markIncomplete() {
    isIncomplete = true
    isRefused = false
    isExpired = false
  }

  mutating func refuse() {
    text = ""
    isIncomplete = false
    isRefused = true
    isExpired = false
  }

  mutating func expire() {
    text = ""
    isIncomplete = false
    isRefused = false
    isExpired = true
  }

  /// Adopts what the answer says about the challenge.
  mutating func adopt(_ answer: Refusal) {
    if let session = answer.authSession { self.session = session }
    let channel = prompt.channel
    prompt = CodePrompt(
      destination: prompt.destination,
      digits: prompt.digits,
      expiresAt: prompt.expiresAt,
      resendAt: answer.resendAt ?? prompt.resendAt,
      attemptsLeft: answer.attemptsLeft ?? prompt.attemptsLeft
    )
    prompt.channel = channel
  }

  /// Adopts the resend time and the channel, for a code that was not entered yet.
  mutating func adopt(_ told: CodePrompt) {
    prompt.resendAt = told.resendAt
    prompt.channel = told.channel
  }

  func announcements(_ context: FlowContext) -> [Effect] {
    var effects: [Effect] = []
    if context.hasJustPassed(prompt.resendAt) { effects.append(.announce(.resendPossible)) }
    if context.hasJustPassed(prompt.expiresAt.adding(seconds: -Self.expiryWarningSeconds)) {
      effects.append(.announce(.codeExpiresSoon))
    }
    if context.hasJustPassed(prompt.expiresAt) { effects.append(.announce(.codeExpired)) }
    return effects
  }
}

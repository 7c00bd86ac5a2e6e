public import SignInModel
public import SignInWire

/// What is known while a code is asked for.
public struct CodeEntry: Equatable, Sendable {
  /// Tries are mentioned once there are this few.
  static let worrisomeAttempts: Int64 = 2
  /// Expiry is mentioned this long before it comes.
  public static let expiryWarningSeconds: Int64 = 60

  public private(set) var prompt: CodePrompt
  public private(set) var text = ""
  /// The last code was wrong, or too old.
  public private(set) var isRefused = false
  /// The last code was too old, where that is told from a wrong one.
  public private(set) var isExpired = false
  /// Verify was pressed with fewer digits than the code has.
  public private(set) var isIncomplete = false
  public var notice: Notice?

  /// Of the sign-in or of the reset the code belongs to.
  private(set) var session: Secret
  /// Set when the code proved right and only the tokens are missing.
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

  public var attemptsLeftWorthSaying: Int64? {
    isRefused && prompt.attemptsLeft <= Self.worrisomeAttempts ? prompt.attemptsLeft : nil
  }

  /// Keeps the ASCII digits of what was typed or pasted, as many as the code has.
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

  /// Remembers that digits are missing; the error of an earlier code is no longer shown.
  mutating func demandDigits() {
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

  /// Takes whatever news the answer brings about the challenge.
  mutating func adopt(_ answer: ErrorAnswer) {
    if let session = answer.authSession { self.session = Secret(session) }
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

  /// Takes what the server told of a code nobody has entered yet.
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

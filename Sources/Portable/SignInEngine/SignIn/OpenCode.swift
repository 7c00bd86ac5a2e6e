import SignInModel
import SignInWire

/// The code that the person must enter, as the server's last answer describes it.
struct OpenCode: Equatable, Sendable {
  /// How long the server waits for the code of a sign-in, in seconds.
  static let openSeconds: Int64 = 30 * 60

  /// The server's identifier of the sign-in or reset that the code belongs to.
  private(set) var session: Secret
  var prompt: CodePrompt
  /// Set when the code was right and only the tokens are missing.
  var authorizationCode: Secret?
  /// The server has forgotten the sign-in at this moment.
  let openUntil: Instant

  init(_ sent: SentCode, at now: Instant) {
    session = sent.session
    prompt = sent.prompt
    openUntil = now.adding(seconds: Self.openSeconds)
  }

  /// The code that an earlier run of the app stored.
  init(session: Secret, prompt: CodePrompt, authorizationCode: Secret?, openUntil: Instant) {
    self.session = session
    self.prompt = prompt
    self.authorizationCode = authorizationCode
    self.openUntil = openUntil
  }

  /// Whether the person must still enter it.
  var isNeeded: Bool { authorizationCode == nil }

  /// Whether the code has expired and is still needed.
  func hasExpired(at now: Instant) -> Bool { isNeeded && prompt.expiresAt <= now }

  func canResend(at now: Instant) -> Bool { isNeeded && prompt.resendAt <= now }

  /// Whether the digits can be submitted.
  func accepts(_ digits: String) -> Bool {
    !isNeeded || Int64(digits.utf8.count) == prompt.digits
  }

  /// The digits of a typed or pasted text in ASCII, up to the length of the code.
  func digits(of text: String) -> String {
    var digits: [UInt8] = []
    for scalar in text.unicodeScalars where Int64(digits.count) < prompt.digits {
      if let digit = DecimalDigit.ascii(scalar) { digits.append(digit) }
    }
    return String(decoding: digits, as: UTF8.self)
  }

  /// Replaces the code by another one of the same sign-in or reset.
  mutating func replace(with sent: SentCode) {
    session = sent.session
    prompt = sent.prompt
    authorizationCode = nil
  }

  /// Adopts what a refusal says about the code.
  mutating func adopt(_ refusal: Refusal) {
    if let session = refusal.authSession { self.session = session }
    let channel = prompt.channel
    prompt = CodePrompt(
      destination: prompt.destination,
      digits: prompt.digits,
      expiresAt: prompt.expiresAt,
      resendAt: refusal.resendAt ?? prompt.resendAt,
      attemptsLeft: refusal.attemptsLeft ?? prompt.attemptsLeft
    )
    prompt.channel = channel
  }
}

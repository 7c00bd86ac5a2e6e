import Cryptography
public import SignInModel
public import SignInRules
import SignInWire

/// What a first call that proved enough leads to: a code on its way, or the open one again.
struct CodeSending {
  /// Drawn before the transaction, because a decision may run again.
  let authSession: String
  let challengeID: String
  let phone: PhoneNumber
  /// As long as any: how much of it is sent, only the transaction knows.
  private let longestCode: OneTimeCode
  private let purpose: CodeChallenge.Purpose
  private let issuer: String
  private let keyring: Keyring
  let channel: OutboxMessage.Channel

  init(
    to phone: PhoneNumber, purpose: CodeChallenge.Purpose = .signIn,
    by channel: OutboxMessage.Channel = .sms, in world: World
  ) {
    self.phone = phone
    self.channel = channel
    self.purpose = purpose
    authSession = world.handle()
    challengeID = world.handle(bytes: 16)
    longestCode = world.drawCode(digits: OneTimeCode.digitLimits.upperBound)
    issuer = world.issuer
    keyring = world.keyring
  }

  /// The code as it is sent under this policy.
  func code(under client: AppClient) -> OneTimeCode {
    longestCode.shortened(to: Int(client.code.digits))
  }

  /// Makes this code the account's only live one and records its message, one message for one code.
  ///
  /// For an account that does not exist it writes the same records, with a message that is never
  /// sent.
  func record(
    for account: AccountID, client: AppClient, proofKeyThumbprint: String,
    inPlaceOf earlier: CodeChallenge?, at now: Instant, _ transaction: any Transaction
  ) throws(StoreFault) -> CodeChallenge {
    let mac = keyring.mac(of: code(under: client), account: account)
    let challenge = CodeChallenge.sent(
      id: challengeID, account: account, client: client.id,
      proofKeyThumbprint: proofKeyThumbprint, mac: mac, inPlaceOf: earlier, at: now,
      under: client.code
    )
    try transaction.save(challenge)
    try transaction.insert(
      message(
        under: client, until: challenge.expiresAt, at: now, isDecoy: Keyring.isStranger(account)
      )
    )
    return challenge
  }

  /// The message that carries the code, to be put into the outbox; a decoy is never sent.
  func message(
    under client: AppClient, until expiry: Instant, at now: Instant, isDecoy: Bool = false
  ) -> OutboxMessage {
    let text = CodeText.text(
      code: code(under: client), purpose: purpose, policy: client, issuer: issuer
    )
    let sealedText = keyring.outbox.seal(Array(text.utf8), context: challengeID)
    var message = OutboxMessage(
      id: challengeID, to: phone, sealedText: sealedText, createdAt: now, expiresAt: expiry,
      leasedUntil: now, tries: 0, state: isDecoy ? .decoy : .waiting
    )
    message.client = client.id
    message.channel = channel
    return message
  }
}

extension World {
  func drawCode(digits: Int) -> OneTimeCode {
    while true {
      if let code = OneTimeCode(digits: digits, random: randomness.bytes(8)) { return code }
    }
  }
}

/// The text people read, with the line that lets a phone fill the code in by itself.
public enum CodeText {
  /// The operator's own text, or else the standard one.
  static func text(
    code: OneTimeCode, purpose: CodeChallenge.Purpose, policy: AppClient, issuer: String
  ) -> String {
    let own =
      switch purpose {
      case .signIn: policy.signInText
      case .passwordReset: policy.passwordResetText
      }
    let seconds = policy.code.lifeSeconds
    guard let own else {
      return english(code: code, purpose: purpose, lifeSeconds: seconds, issuer: issuer)
    }
    return own.filled(
      code: code, lifeSeconds: seconds, host: host(of: issuer).map(String.init) ?? ""
    )
  }

  public static func english(
    code: OneTimeCode, purpose: CodeChallenge.Purpose = .signIn, lifeSeconds: Int64,
    issuer: String
  ) -> String {
    let minutes = lifeSeconds / 60
    var text =
      switch purpose {
      case .signIn: "\(code.revealed) is your Fieldpass code."
      case .passwordReset: "\(code.revealed) is your Fieldpass code to set a new password."
      }
    text += " It expires in \(minutes) minutes."
    if let host = host(of: issuer) { text += "\n\n@\(host) #\(code.revealed)" }
    return text
  }

  /// The host alone: a port has no place in the origin-bound line.
  private static func host(of issuer: String) -> Substring? {
    guard issuer.hasPrefix("https://") else { return nil }
    return issuer.dropFirst(8).prefix { $0 != ":" && $0 != "/" }
  }
}

extension CodePrompt {
  init(_ challenge: CodeChallenge, to phone: PhoneNumber, triesLeft: Int64) {
    self.init(
      destination: phone.masked, digits: challenge.digits, expiresAt: challenge.expiresAt,
      resendAt: challenge.resendAt, attemptsLeft: triesLeft
    )
  }
}

extension ErrorAnswer {
  static func codeAwaited(authSession: String, prompt: CodePrompt) -> ErrorAnswer {
    var answer = ErrorAnswer(.insufficientAuthorization, "a code was sent by text message")
    answer.authSession = authSession
    answer.challenge = prompt
    return answer
  }

  static func locked(until: Instant, at now: Instant) -> ErrorAnswer {
    var answer = ErrorAnswer(.accountLocked, "too many wrong answers")
    answer.lockedUntil = until
    answer.retryIn = now.wholeSeconds(until: until)
    return answer
  }

  static func tooSoon(resendAt: Instant, at now: Instant) -> ErrorAnswer {
    var answer = ErrorAnswer(.resendTooSoon, "a code was sent a moment ago")
    answer.resendAt = resendAt
    answer.retryIn = now.wholeSeconds(until: resendAt)
    return answer
  }
}

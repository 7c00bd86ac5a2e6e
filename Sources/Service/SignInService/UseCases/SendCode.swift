import Cryptography
import SignInModel
import SignInRules
import SignInWire

/// What a first call that proved enough leads to: a code on its way, or the open one again.
struct CodeSending {
  /// Drawn before the transaction, because a decision may run again.
  let authSession: String
  let challengeID: String
  let code: OneTimeCode
  private let lines: MessageLines
  let phone: PhoneNumber
  let client: ClientID
  let channel: OutboxMessage.Channel

  /// Draws a code; the message that carries it is written once it is known who pays.
  init(
    to phone: PhoneNumber, for client: AppClient, purpose: CodeChallenge.Purpose = .signIn,
    by channel: OutboxMessage.Channel = .sms, languages: [String] = [], in world: World
  ) {
    self.phone = phone
    self.channel = channel
    self.client = client.id
    authSession = world.handle()
    challengeID = world.handle(bytes: 16)
    code = world.drawCode(digits: Int(client.code.digits))
    lines = MessageLines(
      client: client, purpose: purpose, language: MessageLanguage(wishes: languages),
      organizations: world.organizations, issuer: world.issuer, prices: world.prices
    )
  }

  /// Makes this code the account's only live one and records its message, one message for one code.
  ///
  /// For an account that does not exist it writes the same records, with a message that is never
  /// sent.
  func record(
    for account: AccountID, client: AppClient, proofKeyThumbprint: String,
    inPlaceOf earlier: CodeChallenge?, paidBy organization: OrganizationID?, at now: Instant,
    keyring: Keyring, _ transaction: any Transaction
  ) throws(StoreFault) -> CodeChallenge {
    let challenge = CodeChallenge.sent(
      id: challengeID, account: account, client: client.id,
      proofKeyThumbprint: proofKeyThumbprint, mac: keyring.mac(of: code, account: account),
      inPlaceOf: earlier, at: now, under: client.code
    )
    try transaction.save(challenge)
    try transaction.insert(
      message(
        until: challenge.expiresAt, paidBy: organization, at: now,
        isDecoy: Keyring.isStranger(account), keyring: keyring
      )
    )
    if let earlier { try withdraw(earlier.id, transaction) }
    return challenge
  }

  /// The message that carries the code, to be put into the outbox; a decoy is never sent.
  func message(
    until expiry: Instant, paidBy organization: OrganizationID?, at now: Instant,
    isDecoy: Bool = false, keyring: Keyring
  ) -> OutboxMessage {
    let written = lines.text(code: code, for: organization)
    var message = OutboxMessage(
      id: challengeID, to: phone,
      sealedText: keyring.outbox.seal(Array(written.text.utf8), context: challengeID),
      createdAt: now, expiresAt: expiry,
      leasedUntil: now, tries: 0, state: isDecoy ? .decoy : .waiting
    )
    message.client = client
    message.channel = channel
    message.organization = organization
    message.segments = written.segments.count
    message.price = lines.price(of: written, to: phone)
    return message
  }

  /// The message as the limits see it.
  func intended(for account: Account?, asked: OrganizationID?) -> IntendedMessage {
    var message = IntendedMessage(to: phone, for: account, asked: asked)
    message.price = lines.price(
      of: lines.text(code: code, for: message.organization), to: phone)
    return message
  }

  /// A message that still waits with a code that is over is of use to nobody.
  private func withdraw(_ id: String, _ transaction: any Transaction) throws(StoreFault) {
    guard var earlier = try transaction.message(id), earlier.state == .waiting else { return }
    earlier.state = .failed
    earlier.sealedText = []
    try transaction.update(earlier)
  }
}

/// What one message of an app says, and costs, whoever it is for.
struct MessageLines: Sendable {
  let client: AppClient
  let purpose: CodeChallenge.Purpose
  let language: MessageLanguage
  let organizations: [Configuration.Organization]
  let issuer: String
  let prices: [Configuration.Price]

  /// The organization's own words come first, then the app's.
  func text(code: OneTimeCode, for organization: OrganizationID?) -> MessageText {
    let own = organizations.first { $0.id == organization }?.texts[language.rawValue]
    let template =
      purpose == .signIn ? own ?? client.texts[language.rawValue] : nil
    return MessageText(
      code: code.revealed, template: template ?? MessageText.template(language, for: purpose),
      lifeSeconds: client.code.lifeSeconds, androidAppHash: client.androidAppHash, issuer: issuer
    )
  }

  func price(of text: MessageText, to phone: PhoneNumber) -> Int64? {
    prices.price(to: phone).map { $0 * text.segments.count }
  }
}

extension [Configuration.Price] {
  /// Of one part, by the longest calling code that fits; nil where none is known.
  func price(to phone: PhoneNumber) -> Int64? {
    let fitting = filter { phone.e164.hasPrefix($0.country) }
    return fitting.max { $0.country.utf8.count < $1.country.utf8.count }?.millionths
  }
}

extension World {
  func drawCode(digits: Int) -> OneTimeCode {
    while true {
      if let code = OneTimeCode(digits: digits, random: randomness.bytes(8)) { return code }
    }
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

import Cryptography
public import SignInModel
import SignInRules
public import SignInWire

/// A code that a decision sends to one holder.
struct DueCode {
  /// Nil if nothing may be sent.
  ///
  /// Then the records are the same, with a message that is never sent.
  let recipient: Account?
  let place: CodeChallenge.Key
  let proofKeyThumbprint: String
  /// The code that is replaced.
  let earlier: CodeChallenge?
  /// The organization that the request names.
  var asked: OrganizationID?
  /// Whether nothing is sent, although the message counts under every limit.
  var isWithheld = false
}

/// The random values and texts of a message with a code.
struct CodeSending {
  typealias Records = CodeRecords & OutboxRecords & Throttling.Records

  /// Drawn before the transaction, because a decision may run again.
  let authSession: Secret
  private let challengeID: String
  private(set) var phone: PhoneNumber
  /// A code of the longest length.
  ///
  /// Only the transaction knows how many of its digits are sent.
  private let longestCode: OneTimeCode
  private let language: MessageLanguage
  private let issuer: String
  private let keyring: Keyring
  private let prices: [Configuration.Price]
  let channel: OutboxMessage.Channel
  let now: Instant

  init(
    to phone: PhoneNumber, by channel: OutboxMessage.Channel = .sms, languages: [String],
    at now: Instant, in world: World
  ) {
    self.phone = phone
    self.channel = channel
    self.now = now
    authSession = Secret(world.timeOrderedHandle(at: now))
    challengeID = world.timeOrderedHandle(bytes: 12, at: now)
    longestCode = world.drawCode(digits: OneTimeCode.digitLimits.upperBound)
    language = MessageLanguage(preferredTags: languages)
    issuer = world.issuer
    keyring = world.keyring
    prices = world.prices
  }

  /// The same code to another number, which only the transaction knows.
  func sent(to phone: PhoneNumber) -> CodeSending {
    var sending = self
    sending.phone = phone
    return sending
  }

  /// Makes this code the only valid one of its place, and records its message within the limits.
  ///
  /// - Throws: The refusal of a limit.
  func send(
    _ due: DueCode, within limits: Throttling, _ transaction: any Records
  ) throws -> CodeChallenge {
    let message = intended(due, under: limits.client)
    if let refusal = try limits.admit(message, at: now, transaction) { throw refusal }
    let challenge = challenge(for: due, under: limits.client)
    try transaction.save(challenge)
    try transaction.insert(
      outboxMessage(message, challenge, under: limits.client, isAdmitted: !due.isWithheld))
    if let earlier = due.earlier { try withdraw(earlier.id, transaction) }
    return challenge
  }

  /// Makes this code the only valid one of its place, and records an e-mail with it.
  ///
  /// If it is withheld, the records are the same, and nothing is sent.
  func mail(
    _ due: DueCode, to address: EmailAddress, under client: AppRegistration,
    _ transaction: any CodeRecords & OutboxRecords
  ) throws(StoreFault) -> CodeChallenge {
    let challenge = challenge(for: due, under: client)
    try transaction.save(challenge)
    let subject =
      switch language {
      case .english: "Your Fieldpass code"
      case .hindi: "आपका Fieldpass कोड"
      case .norwegian: "Fieldpass-koden din"
      }
    let written = subject + "\n" + text(for: due.place.purpose, under: client).text
    var message = OutboxMessage(
      id: challengeID, to: .email(address),
      sealedText: keyring.outbox.seal(Array(written.utf8), context: challengeID), createdAt: now,
      expiresAt: challenge.expiresAt, leasedUntil: now, tries: 0,
      state: due.isWithheld ? .decoy : .waiting)
    message.account = due.place.account
    message.client = client.id
    message.channel = .email
    try transaction.insert(message)
    if let earlier = due.earlier { try withdraw(earlier.id, transaction) }
    return challenge
  }

  /// The code as it is stored.
  func challenge(for due: DueCode, under client: AppRegistration) -> CodeChallenge {
    let code = code(under: client)
    let mac = keyring.mac(of: code, account: due.place.account, for: due.place.purpose)
    return CodeChallenge.Draft(
      id: challengeID, place: due.place, client: client.id,
      proofKeyThumbprint: due.proofKeyThumbprint, mac: mac
    ).sent(inPlaceOf: due.earlier, at: now, under: client.policy.code)
  }

  /// The message in the form that the rate limits use.
  func intended(_ due: DueCode, under client: AppRegistration) -> IntendedMessage {
    var message = IntendedMessage(to: phone, for: due.recipient, asked: due.asked)
    message.isForRegistration = due.place.purpose == .registration
    message.price = prices.price(to: phone).map {
      $0 * text(for: due.place.purpose, under: client).segments.count
    }
    return message
  }

  /// The message with the code for the outbox.
  ///
  /// A decoy is never sent, and neither is a message that was not admitted.
  func outboxMessage(
    _ intended: IntendedMessage, _ challenge: CodeChallenge, under client: AppRegistration,
    isAdmitted: Bool = true
  ) -> OutboxMessage {
    let written = text(for: challenge.place.purpose, under: client)
    let sealedText = keyring.outbox.seal(Array(written.text.utf8), context: challengeID)
    var message = OutboxMessage(
      id: challengeID, to: .phone(phone), sealedText: sealedText, createdAt: now,
      expiresAt: challenge.expiresAt, leasedUntil: now, tries: 0,
      state: intended.isDecoy || !isAdmitted ? .decoy : .waiting
    )
    // A decoy has an account identifier, too, so that its record has the same length.
    message.account = intended.isForRegistration ? nil : challenge.place.account
    message.client = client.id
    message.channel = channel
    message.organization = intended.organization
    message.segments = written.segments.count
    message.price = intended.price
    return message
  }

  /// The code as it is sent under this policy.
  private func code(under client: AppRegistration) -> OneTimeCode {
    longestCode.shortened(to: Int(client.policy.code.digits))
  }

  private func text(
    for purpose: CodeChallenge.Purpose, under client: AppRegistration
  ) -> MessageText {
    MessageText(
      code: code(under: client), purpose: purpose, language: language, app: client,
      issuer: issuer
    )
  }

  /// Withdraws a waiting message with a replaced code, because that code is no longer valid.
  private func withdraw(_ id: String, _ transaction: any OutboxRecords) throws(StoreFault) {
    guard var earlier = try transaction.message(id), earlier.state == .waiting else { return }
    earlier.state = .failed
    earlier.sealedText = []
    try transaction.update(earlier)
  }
}

extension [Configuration.Price] {
  /// The price of one part, by the longest calling code that matches.
  ///
  /// It is nil if no price is known.
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
  /// `phone` is nil if the device may not see any of its digits.
  init(_ challenge: CodeChallenge, to phone: PhoneNumber?, attemptsLeft: Int64) {
    self.init(
      destination: phone?.masked ?? PhoneNumber.withoutDigits, digits: challenge.digits,
      expiresAt: challenge.expiresAt,
      resendAt: challenge.resendAt, attemptsLeft: attemptsLeft
    )
  }
}

/// A sign-in that waits for a code, which was sent by text message.
public struct SentChallenge: Equatable, Sendable {
  /// The handle of the sign-in, for the next request.
  public let authSession: Secret
  public let prompt: CodePrompt
}

import Cryptography
import SignInModel
import SignInRules
public import SignInWire

/// The random values and texts of a message with a code.
struct CodeSending {
  /// Drawn before the transaction, because a decision may run again.
  let authSession: String
  let challengeID: String
  private(set) var phone: PhoneNumber
  /// A code of the longest length.
  ///
  /// Only the transaction knows how many of its digits are sent.
  private let longestCode: OneTimeCode
  private let purpose: CodeChallenge.Purpose
  private let language: MessageLanguage
  private let issuer: String
  private let keyring: Keyring
  private let prices: [Configuration.Price]
  let channel: OutboxMessage.Channel

  init(
    to phone: PhoneNumber, purpose: CodeChallenge.Purpose = .signIn,
    by channel: OutboxMessage.Channel = .sms, languages: [String], at now: Instant,
    in world: World
  ) {
    self.phone = phone
    self.channel = channel
    self.purpose = purpose
    authSession = world.timeOrderedHandle(at: now)
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

  /// The code as it is sent under this policy.
  func code(under client: AppRegistration) -> OneTimeCode {
    longestCode.shortened(to: Int(client.policy[.codeDigits]))
  }

  /// Makes this code the only valid one of its place, and records its message.
  ///
  /// For an unknown account it writes the same records, with a message that is never sent.
  func record(
    at place: CodeChallenge.Key, client: AppRegistration, proofKeyThumbprint: String,
    inPlaceOf earlier: CodeChallenge?, paidBy organization: OrganizationID?, at now: Instant,
    _ transaction: any SignInTransaction
  ) throws(StoreFault) -> CodeChallenge {
    let mac = keyring.mac(of: code(under: client), account: place.account, for: place.purpose)
    let challenge = CodeChallenge.sent(
      id: challengeID, at: place, client: client.id,
      proofKeyThumbprint: proofKeyThumbprint, mac: mac, inPlaceOf: earlier, at: now,
      under: client.policy.code
    )
    try transaction.save(challenge)
    try transaction.insert(
      message(
        to: place.account, under: client, until: challenge.expiresAt, paidBy: organization, at: now,
        isDecoy: Keyring.isUnknownAccount(place.account)
      )
    )
    if let earlier { try withdraw(earlier.id, transaction) }
    return challenge
  }

  /// The message with the code for the outbox.
  ///
  /// A decoy is never sent.
  func message(
    to account: AccountID, under client: AppRegistration, until expiry: Instant,
    paidBy organization: OrganizationID?, at now: Instant, isDecoy: Bool
  ) -> OutboxMessage {
    let written = text(under: client)
    let sealedText = keyring.outbox.seal(Array(written.text.utf8), context: challengeID)
    var message = OutboxMessage(
      id: challengeID, to: .phone(phone), sealedText: sealedText, createdAt: now, expiresAt: expiry,
      leasedUntil: now, tries: 0, state: isDecoy ? .decoy : .waiting
    )
    // A decoy has an account identifier, too, so that its record has the same length.
    message.account = account
    message.client = client.id
    message.channel = channel
    message.organization = organization
    message.segments = written.segments.count
    message.price = price(of: written.segments)
    return message
  }

  private func text(under client: AppRegistration) -> MessageText {
    MessageText(
      code: code(under: client), purpose: purpose, language: language, app: client,
      issuer: issuer
    )
  }

  private func price(of segments: @autoclosure () -> TextSegments) -> Int64? {
    prices.price(to: phone).map { $0 * segments().count }
  }

  /// The message in the form that the rate limits use.
  func intended(
    for account: Account?, asked: OrganizationID?, under client: AppRegistration
  ) -> IntendedMessage {
    var message = IntendedMessage(to: phone, for: account, asked: asked)
    message.price = price(of: text(under: client).segments)
    return message
  }

  /// Withdraws a waiting message with a replaced code, because that code is no longer valid.
  private func withdraw(_ id: String, _ transaction: any SignInTransaction) throws(StoreFault) {
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
  init(_ challenge: CodeChallenge, to phone: PhoneNumber, attemptsLeft: Int64) {
    self.init(
      destination: phone.masked, digits: challenge.digits, expiresAt: challenge.expiresAt,
      resendAt: challenge.resendAt, attemptsLeft: attemptsLeft
    )
  }
}

/// A sign-in that waits for a code, which was sent by text message.
public struct SentChallenge: Equatable, Sendable {
  /// The handle of the sign-in, for the next request.
  public let authSession: String
  public let prompt: CodePrompt
}

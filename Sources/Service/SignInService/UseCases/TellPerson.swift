import Cryptography
import SignInModel
import SignInRules

/// The numbers of notices.
public enum NoticeLimits {
  /// A notice that could not be handed over for this long is given up.
  public static let lifeSeconds: Int64 = 24 * 60 * 60
}

/// Tells a person what happened to their account, in the transaction that decides it.
///
/// By e-mail where the account has an address and a messenger sends e-mail; by text message only
/// where the app's policy says so. A notice holds no secret. It follows a first sign-in on a new
/// device, or a change of the password; the limits of those bound the number of notices too.
struct NoticeSending: Sendable {
  /// Drawn before the transaction, because a decision may run again.
  private let mailID: String
  private let textID: String
  private let noticeID: String
  private let language: MessageLanguage
  private let keyring: Keyring
  private let switchboard: Switchboard?
  private let prices: [Configuration.Price]
  private let now: Instant

  init(languages: [String] = [], at now: Instant, in world: World) {
    mailID = world.datedHandle(bytes: 12, at: now)
    textID = world.datedHandle(bytes: 12, at: now)
    noticeID = world.handle(bytes: 16)
    language = MessageLanguage(wishes: languages)
    keyring = world.keyring
    switchboard = world.switchboard
    prices = world.prices
    self.now = now
  }

  /// Records the messages; `client` is the app under its policy, nil for a command that runs
  /// without the configuration.
  func send(
    _ notice: SecurityNotice, to account: Account, of client: AppClient?,
    _ transaction: any Transaction
  ) throws(StoreFault) {
    if let email = account.email {
      try mail(notice, to: email, of: account, in: client, transaction)
    }
    if let client, client.sendsNoticesBySMS {
      try text(notice, to: account.phone, of: account, in: client, transaction)
    }
  }

  /// Records an e-mail to `address`, unless no messenger sends e-mail.
  ///
  /// - Returns: Whether it was recorded.
  @discardableResult
  func mail(
    _ notice: SecurityNotice, to address: EmailAddress, of account: Account,
    in client: AppClient? = nil, _ transaction: any Transaction
  ) throws(StoreFault) -> Bool {
    guard switchboard?.carries(to: .email(address)) ?? true else { return false }
    let text = NoticeText(notice, in: language, at: now)
    var message = message(mailID, to: .email(address), text.mail)
    message.channel = .email
    message.account = account.id
    message.client = client?.id
    try transaction.insert(message)
    return true
  }

  /// Records a text message to `phone`.
  func text(
    _ notice: SecurityNotice, to phone: PhoneNumber, of account: Account,
    in client: AppClient? = nil, _ transaction: any Transaction
  ) throws(StoreFault) {
    let text = NoticeText(notice, in: language, at: now)
    var message = message(textID, to: .phone(phone), text.body)
    message.account = account.id
    message.client = client?.id
    message.organization = account.organizations.first
    message.segments = TextSegments(of: text.body).count
    message.price = prices.price(to: phone).map { $0 * message.segments }
    try transaction.insert(message)
  }

  /// Tells the devices that are signed in already.
  func show(
    _ kind: AccountNotice.Kind, to account: AccountID, _ transaction: any Transaction
  ) throws(StoreFault) {
    try transaction.insert(AccountNotice(id: noticeID, account: account, kind: kind, at: now))
    for old in try transaction.notices(of: account).dropFirst(AccountNotice.limit) {
      try transaction.removeNotice(old.id, of: account)
    }
  }

  private func message(_ id: String, to recipient: Recipient, _ text: String) -> OutboxMessage {
    var message = OutboxMessage(
      id: id, to: recipient, sealedText: keyring.outbox.seal(Array(text.utf8), context: id),
      createdAt: now, expiresAt: now.adding(seconds: NoticeLimits.lifeSeconds), leasedUntil: now,
      tries: 0, state: .waiting
    )
    message.kind = .notice
    return message
  }
}

import Cryptography
import SignInModel
import SignInRules

/// The limits of notices.
public enum NoticeLimits {
  /// How long the hand-over of a notice is tried, in seconds.
  public static let lifeSeconds: Int64 = 24 * 60 * 60
}

/// Sends a notice about an account, in the transaction of its cause.
///
/// It is an e-mail if the account has an address and a messenger sends e-mail. `send` adds a text
/// message only if the app's policy says so. Some notices contain a secret, in a link. Notices
/// follow a first sign-in on a new device, a change of the own account, or a decision of an
/// administrator. So the limits of these also limit the number of notices. A sign-in at a provider
/// has no such limit: see `NewDeviceLimits`.
struct NoticeSending: Sendable {
  /// Drawn before the transaction, because a decision may run again.
  private let mailID: String
  private let textID: String
  private let noticeID: String
  private let languages: [MessageLanguage]
  private let keyring: Keyring
  private let router: MessengerRouter?
  private let prices: [Configuration.Price]
  private let now: Instant

  /// `languages` are those of the request.
  ///
  /// A thief may have sent it, so the notice is also in English.
  init(languages: [String] = [], at now: Instant, in world: World) {
    mailID = world.timeOrderedHandle(bytes: 12, at: now)
    textID = world.timeOrderedHandle(bytes: 12, at: now)
    noticeID = world.handle(bytes: 16)
    let asked = MessageLanguage(preferredTags: languages)
    self.languages = asked == .english ? [.english] : [asked, .english]
    keyring = world.keyring
    router = world.router
    prices = world.prices
    self.now = now
  }

  /// Records the messages.
  ///
  /// `client` is the app with its policy; nil for a command that runs without the configuration.
  func send(
    _ notice: SecurityNotice, to account: Account, of client: AppRegistration?,
    _ transaction: any OutboxRecords
  ) throws(StoreFault) {
    if let email = account.email {
      try mail(notice, to: email, of: account, in: client, transaction)
    }
    if let client, client.sendsNoticesBySMS, let phone = account.phone {
      try text(notice, to: phone, of: account, in: client, transaction)
    }
  }

  /// Records an e-mail to `address`, if a messenger sends e-mail.
  ///
  /// - Returns: Whether it was recorded.
  @discardableResult
  func mail(
    _ notice: SecurityNotice, to address: EmailAddress, of account: Account,
    in client: AppRegistration? = nil, _ transaction: any OutboxRecords
  ) throws(StoreFault) -> Bool {
    guard router?.carries(to: .email(address)) ?? true else { return false }
    let text = NoticeText(notice, in: languages, at: now)
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
    in client: AppRegistration? = nil, _ transaction: any OutboxRecords
  ) throws(StoreFault) {
    let text = NoticeText(notice, in: languages, at: now)
    var message = message(textID, to: .phone(phone), text.body)
    message.account = account.id
    message.client = client?.id
    message.organization = account.organizations.first
    message.segments = TextSegments(of: text.body).count
    message.price = prices.price(to: phone).map { $0 * message.segments }
    try transaction.insert(message)
  }

  /// Shows a notice on the devices that are already signed in.
  func show(
    _ kind: AccountNotice.Kind, to account: AccountID, _ transaction: any NoticeRecords
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

import Cryptography
public import SignInModel
import SignInRules
public import SignInWire

private typealias AcceptanceRecords =
  ContactProvingRecords & OutboxRecords & PasswordReplacementRecords & PolicyRecords
  & Throttling.Records

/// The way in which an invitation reaches the person.
public enum InvitationDelivery: Equatable, Sendable {
  /// The administrator sees the invitation and gives it to the person.
  ///
  /// A person who sees it can choose the password, so this requires the level `administrator`.
  case shown
  /// The same without a link, for a page of the operator that sends the invitation itself.
  case shownWithoutLink
  /// The invitation is sent to the person, by e-mail if a messenger sends e-mail, otherwise to the
  /// phone.
  ///
  /// The administrator does not see it.
  ///
  /// `app` is the URL of the person's app; nil for the app in the configuration. `byTextMessage`
  /// sends no e-mail. Commands use it, because they do not know the messengers.
  case sent(app: String? = nil, byTextMessage: Bool = false)

  var neededLevel: Permission.Level {
    switch self {
    case .shown, .shownWithoutLink: .administrator
    case .sent: .support
    }
  }
}

/// Creates the only invitation of an account that has no password.
///
/// An earlier invitation becomes invalid.
///
/// It is shown or sent once and cannot be read again, because only its digest is stored.
public func invite(
  _ id: AccountID, by delivery: InvitationDelivery = .shown, rules: AccountEditingRules,
  in world: World
) async throws(Refusal) -> InvitationAnswer {
  let invitation = InvitationSending(by: delivery, in: world)
  defer { world.messageRecorded() }
  return try await world.decide(about: [.account(id), rules.subject]) {
    (transaction: any AccountRecords & InvitationSending.Records) throws in
    let account = try transaction.account(id, changedBy: rules, needing: delivery.neededLevel)
    return try invitation.send(to: account, by: rules, transaction)
  }
}

/// A new invitation, with the random values that are drawn before the transaction.
struct InvitationSending: Sendable {
  typealias Records = EventRecords & InvitationRecords & OutboxRecords

  private let delivery: InvitationDelivery
  private let secret: Secret
  private let notice: NoticeSending
  private let now: Instant
  private let world: World

  init(by delivery: InvitationDelivery, in world: World) {
    self.delivery = delivery
    self.world = world
    now = world.clock.now()
    notice = NoticeSending(at: now, in: world)
    secret = Secret(world.timeOrderedHandle(at: now))
  }

  /// Saves the invitation as the only one of the account, and sends it if `delivery` says so.
  func send(
    to account: Account, by rules: AccountEditingRules, _ transaction: any Records
  ) throws -> InvitationAnswer {
    if let refusal = account.refusalToInvite { throw refusal }
    let expiresAt = now.adding(seconds: Invitation.lifeSeconds)
    var answer = InvitationAnswer(
      invitation: secret, link: nil, expiresAt: expiresAt)
    var sentTo: Recipient?
    switch delivery {
    case .shownWithoutLink: break
    case .shown:
      answer = InvitationAnswer(
        invitation: secret, link: try link(for: account, in: nil), expiresAt: expiresAt)
    case .sent(let app, let isText):
      let link = try link(for: account, in: app)
      sentTo = try notice.invite(account, link: link, byTextMessage: isText, transaction)
      answer = InvitationAnswer(invitation: nil, link: nil, expiresAt: expiresAt)
    }
    try transaction.save(
      Invitation(
        account: account.id, digest: TimeOrderedHandle.digest(of: secret), createdAt: now,
        expiresAt: expiresAt, sentTo: sentTo))
    try transaction.record(.accountInvited, about: account.id, by: rules, at: now)
    return answer
  }

  /// The URL at which the person opens the invitation: in the named app, or in one of ours.
  ///
  /// The secret comes after `#`, so that no server logs it.
  private func link(for account: Account, in app: String?) throws(Refusal) -> Secret {
    guard let page = app ?? world.invitationPage(for: account) else {
      throw Refusal.appPageMissing
    }
    return Secret("\(page)#invitation=\(secret.revealed)")
  }
}

extension Account {
  /// The reason why the person cannot be invited; nil if they can.
  var refusalToInvite: Refusal? {
    guard email != nil else {
      return Refusal.invalidRequest("the account has no email to sign in with")
    }
    // The person could choose a password, but could not sign in with it.
    guard phone != nil else {
      return Refusal.invalidRequest("the account has no phone_number for codes")
    }
    guard status == .active else {
      return Refusal.illegalTransition("the account is \(status.rawValue)")
    }
    guard passwordHash == nil else {
      return Refusal.passwordAlreadySet
    }
    return nil
  }
}

extension NoticeSending {
  /// Records the message with an invitation.
  ///
  /// - Returns: Where it goes.
  func invite(
    _ account: Account, link: Secret, byTextMessage isText: Bool,
    _ transaction: any OutboxRecords
  ) throws(StoreFault) -> Recipient? {
    let notice = SecurityNotice.invitation(link: link)
    if let email = account.email, !isText,
      try mail(notice, to: email, of: account, transaction)
    {
      return .email(email)
    }
    guard let phone = account.phone else { return nil }
    try text(notice, to: phone, of: account, transaction)
    return .phone(phone)
  }
}

extension World {
  /// The page of the app in which the person chooses a password.
  ///
  /// Of the apps that use passwords, accept the account's role and have a page on this server, it
  /// is the first in the order of their identifiers. It is nil if there is none.
  func invitationPage(for account: Account) -> String? {
    let apps = clients.values.filter { client in
      client.signIn == .passwordAndCode && client.roles.contains(account.role) && hasPage(client)
    }
    guard let app = apps.min(by: { $0.id.text < $1.id.text }) else { return nil }
    return issuer + PageAddress.app(app.id.text)
  }

  /// Whether the server has a web page for this app.
  ///
  /// An app with the home `none` has its own screens elsewhere. Another app has a page if the
  /// server has files for it.
  func hasPage(_ client: AppRegistration) -> Bool {
    guard client.home != .none else { return false }
    return pages?.contains(client.id.text) ?? true
  }
}

/// An invitation and the password that a person chose with it.
public struct InvitationUse: Sendable {
  public let client: AppRegistration
  public let invitation: Secret
  public let password: Secret
  /// The RFC 7638 thumbprint of the device's key, if it proved one.
  public let proofKeyThumbprint: String?
  /// The network address of the sender; nil for a call that did not use a network.
  public let peer: String?
  /// The languages for messages to the person, the preferred one first.
  public var languages: [String] = []

  public init(
    client: AppRegistration, invitation: Secret, password: Secret, proofKeyThumbprint: String?,
    peer: String?
  ) {
    self.client = client
    self.invitation = invitation
    self.password = password
    self.proofKeyThumbprint = proofKeyThumbprint
    self.peer = peer
  }

  var caller: Caller {
    Caller(client: client.id, peer: peer, proofKeyThumbprint: proofKeyThumbprint)
  }
}

/// Sets the password of an invited account, once.
///
/// The person then signs in as usual.
///
/// The invitation is checked before the password is hashed, because hashing is slow, and again when
/// it is used. A password that is refused does not use up the invitation.
public func acceptInvitation(_ use: InvitationUse, in world: World) async throws(Refusal) -> Bool {
  guard use.client.signIn == .passwordAndCode else {
    throw Refusal.noPasswords
  }
  try await world.check(newPassword: use.password, about: [])
  _ = try await settle(use, passwordHash: nil, in: world)
  let hash = try await world.hash(of: use.password)
  let outcome = try await settle(use, passwordHash: hash, in: world)
  world.messageRecorded()
  return outcome
}

private func settle(
  _ use: InvitationUse, passwordHash: String?, in world: World
) async throws(Refusal) -> Bool {
  let now = world.clock.now()
  let digest = TimeOrderedHandle.digest(of: use.invitation)
  let notice = NoticeSending(languages: use.languages, at: now, in: world)
  return try await world.decide(about: [.invitation(digest)]) {
    (transaction: any AcceptanceRecords) throws in
    let app = try world.registration(of: use.client, for: nil, transaction)
    let throttling = world.throttling(for: app, by: use.caller)
    if let refusal = try throttling.admitAnswer(about: nil, at: now, transaction) {
      throw refusal
    }
    guard let invitation = try transaction.invitation(digest: digest),
      now < invitation.expiresAt, let account = try transaction.account(invitation.account),
      account.status == .active, use.client.roles.contains(account.role)
    else {
      try transaction.recordRefusal(.invitationRefused, about: nil, by: use.caller, at: now)
      throw Refusal.invalidInvitation
    }
    try throttling.takeBackFailure(countedAt: now, transaction)
    if let refusal = NewPassword.refusal(
      ofNormalized: use.password, about: [account.email?.text ?? "", account.name, "Fieldpass"]
    ) {
      throw Refusal(refusal)
    }
    guard let passwordHash else { return true }
    try transaction.record(.invitationAccepted, about: account.id, by: use.caller, at: now)
    let sentTo = invitation.sentTo.map { [$0] } ?? []
    let proved = try transaction.prove(
      sentTo, of: account, by: .invitation, use.caller, at: now)
    try transaction.replacePassword(of: proved, with: passwordHash, by: use.caller, at: now)
    try notice.send(.passwordChosen, to: account, of: app, transaction)
    return true
  }
}

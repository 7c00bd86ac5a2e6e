import Cryptography
public import SignInModel
import SignInRules
public import SignInWire

/// How an invitation gets to the invited person.
public enum InvitationDelivery: Equatable, Sendable {
  /// It is shown to the administrator, who gives it to the person.
  ///
  /// To see it is to be able to choose the password, so that this needs the level `administrator`.
  case shown
  /// It is sent to the person: to the e-mail address where a messenger sends e-mail, or else to the
  /// phone. The administrator does not see it.
  ///
  /// `app` is the address of the person's app; nil for the one that the configuration names.
  /// `byTextMessage` sends no e-mail, for a command, which does not know the messengers.
  case sent(app: String? = nil, byTextMessage: Bool = false)

  var neededLevel: Permission.Level {
    switch self {
    case .shown: .administrator
    case .sent: .support
    }
  }
}

/// Makes the only invitation of an account that has no password: an earlier one is void.
///
/// It is shown or sent once and cannot be read again: only its digest is kept.
public func invite(
  _ id: AccountID, by delivery: InvitationDelivery = .shown, keeper: AccountKeeper, in world: World
) async -> Outcome<InvitationAnswer> {
  let now = world.clock.now()
  let sending = NoticeSending(at: now, in: world)
  let secret = world.datedHandle(at: now)
  let outcome: Outcome<InvitationAnswer> = await world.decide { (transaction) throws(StoreFault) in
    let account: Account
    switch try transaction.account(id, changedBy: keeper, needing: delivery.neededLevel) {
    case .success(let found): account = found
    case .refusal(let refusal): return .refusal(refusal)
    }
    return try transaction.invite(
      account, Secret(secret), by: delivery, sending, keeper, at: now, in: world)
  }
  world.outboxRung()
  return outcome
}

extension Transaction {
  /// Keeps `secret` as the only invitation of the account, and sends it where it is to be sent.
  func invite(
    _ account: Account, _ secret: Secret, by delivery: InvitationDelivery,
    _ sending: NoticeSending, _ keeper: AccountKeeper, at now: Instant, in world: World
  ) throws(StoreFault) -> Outcome<InvitationAnswer> {
    if let refusal = account.refusalToInvite { return .refusal(refusal) }
    let invitation = Invitation(
      account: account.id, digest: DatedHandle.digest(of: secret.revealed), createdAt: now,
      expiresAt: now.adding(seconds: Invitation.lifeSeconds)
    )
    var answer = InvitationAnswer(
      invitation: secret, link: world.link(for: account, invitation: secret.revealed),
      expiresAt: invitation.expiresAt
    )
    if case .sent(let app, let isText) = delivery {
      let link = app.map { Secret("\($0)#invitation=\(secret.revealed)") } ?? answer.link
      guard let link else {
        return .refusal(ErrorAnswer(.invalidRequest, "no app of this role has passwords"))
      }
      try sending.invite(account, link: link, byTextMessage: isText, self)
      answer = InvitationAnswer(invitation: nil, link: nil, expiresAt: invitation.expiresAt)
    }
    try save(invitation)
    try record(.accountInvited, about: account.id, by: keeper, at: now)
    return .success(answer)
  }
}

extension Account {
  /// Why its person cannot be invited; nil when they can.
  var refusalToInvite: ErrorAnswer? {
    guard email != nil else {
      return ErrorAnswer(.invalidRequest, "the account has no email to sign in with")
    }
    guard status == .active else {
      return ErrorAnswer(.illegalTransition, "the account is \(status.rawValue)")
    }
    guard passwordHash == nil else {
      return ErrorAnswer(
        .passwordAlreadySet, "the account has a password; reset the account first")
    }
    return nil
  }
}

extension NoticeSending {
  /// Records the message that carries an invitation.
  func invite(
    _ account: Account, link: Secret, byTextMessage isText: Bool, _ transaction: any Transaction
  ) throws(StoreFault) {
    let notice = SecurityNotice.invitation(link: link)
    if let email = account.email, !isText,
      try mail(notice, to: email, of: account, transaction)
    {
      return
    }
    try text(notice, to: account.phone, of: account, transaction)
  }
}

extension World {
  /// Where the account's person opens an invitation: behind `#`, so that no server logs it.
  func link(for account: Account, invitation: String) -> Secret? {
    let apps = clients.values.filter { client in
      client.signIn == .passwordAndCode && client.roles.contains(account.role)
    }
    guard let app = apps.min(by: { $0.id.text < $1.id.text }) else { return nil }
    return Secret("\(issuer)/app/\(app.id.text)/#invitation=\(invitation)")
  }
}

/// An invitation and the password a person chose with it.
public struct InvitationUse: Sendable {
  public let client: AppClient
  public let invitation: String
  public let password: Secret
  /// RFC 7638 thumbprint of the device's key, if it proved one.
  public let proofKeyThumbprint: String?
  /// The network address the call came from, nil when no network was between.
  public let peer: String?
  /// In which languages the person wants to be written to, the preferred one first.
  public var languages: [String] = []

  public init(
    client: AppClient, invitation: String, password: Secret, proofKeyThumbprint: String?,
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
/// The invitation is looked up before the password is hashed, for hashing is expensive, and again
/// when it is used. A password that is refused does not use it up.
public func acceptInvitation(_ use: InvitationUse, in world: World) async -> Outcome<Bool> {
  guard use.client.signIn == .passwordAndCode else {
    return .refusal(ErrorAnswer(.unauthorizedClient, "this app knows no passwords"))
  }
  if let refusal = await world.refusal(ofNew: use.password, about: []) {
    return .refusal(refusal)
  }
  switch await settle(use, passwordHash: nil, in: world) {
  case .success: break
  case .refusal(let refusal): return .refusal(refusal)
  }
  let hash: String
  do throws(PasswordHashingFault) {
    hash = try await world.passwords.hash(use.password)
  } catch {
    return .refusal(world.unavailable(because: error))
  }
  let outcome = await settle(use, passwordHash: hash, in: world)
  world.outboxRung()
  return outcome
}

private func settle(
  _ use: InvitationUse, passwordHash: String?, in world: World
) async -> Outcome<Bool> {
  let now = world.clock.now()
  let digest = DatedHandle.digest(of: use.invitation)
  let notice = NoticeSending(languages: use.languages, at: now, in: world)
  return await world.decide { (transaction) throws(StoreFault) in
    let policy = try world.policy(of: use.client, for: nil, transaction)
    let throttling = world.throttling(for: policy, by: use.caller)
    if let refusal = try throttling.admitAnswer(about: nil, at: now, transaction) {
      return .refusal(refusal)
    }
    guard let invitation = try transaction.invitation(digest: digest),
      now < invitation.expiresAt, let account = try transaction.account(invitation.account),
      account.status == .active, use.client.roles.contains(account.role)
    else {
      try transaction.recordRefusal(.invitationRefused, about: nil, by: use.caller, at: now)
      return .refusal(ErrorAnswer(.invalidInvitation, "unknown, used or expired"))
    }
    try throttling.takeBackFailure(countedAt: now, transaction)
    if let refusal = NewPassword.refusal(
      ofNormalized: use.password, about: [account.email?.text ?? "", account.name, "Fieldpass"]
    ) {
      return .refusal(ErrorAnswer(refusal))
    }
    guard let passwordHash else { return .success(true) }
    try transaction.record(.invitationAccepted, about: account.id, by: use.caller, at: now)
    try transaction.replacePassword(
      of: account, with: passwordHash, by: use.caller, at: now
    )
    try notice.send(.passwordChosen, to: account, of: policy, transaction)
    return .success(true)
  }
}

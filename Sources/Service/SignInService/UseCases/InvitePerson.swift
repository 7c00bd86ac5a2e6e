import Cryptography
public import SignInModel
import SignInRules
public import SignInWire

/// Makes the only invitation of an account that has no password: an earlier one is void.
///
/// It is shown once and cannot be read again: only its digest is kept.
public func invite(
  _ id: AccountID, keeper: AccountKeeper, in world: World
) async -> Outcome<InvitationAnswer> {
  let now = world.clock.now()
  let secret = world.datedHandle(at: now)
  let invitation = Invitation(
    account: id, digest: DatedHandle.digest(of: secret), createdAt: now,
    expiresAt: now.adding(seconds: Invitation.lifeSeconds)
  )
  return await world.decide { (transaction) throws(StoreFault) in
    guard let account = try transaction.account(id) else { return .refusal(.noSuchAccount) }
    guard account.email != nil else {
      return .refusal(ErrorAnswer(.invalidRequest, "the account has no email to sign in with"))
    }
    guard account.status == .active else {
      return .refusal(
        ErrorAnswer(.illegalTransition, "the account is \(account.status.rawValue)")
      )
    }
    guard account.passwordHash == nil else {
      return .refusal(
        ErrorAnswer(.passwordAlreadySet, "the account has a password; reset the account first")
      )
    }
    try transaction.save(invitation)
    try transaction.record(.accountInvited, about: id, by: keeper, at: now)
    return .success(
      InvitationAnswer(
        invitation: Secret(secret), link: world.link(for: account, invitation: secret),
        expiresAt: invitation.expiresAt
      )
    )
  }
}

extension World {
  /// Where the account's person opens an invitation: behind `#`, so that no server logs it.
  fileprivate func link(for account: Account, invitation: String) -> Secret? {
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

import Cryptography
public import SignInModel
public import SignInWire

private typealias UnlinkingRecords = IdentityRecords & SignOut.Records

/// An identity that an administrator links with an account.
public struct IdentityLink: Sendable {
  /// The name of a provider of the configuration.
  public let provider: String
  /// The identifier of the person at the provider.
  public let subject: String

  /// Nil if the subject is empty, too long or not ASCII (OpenID Connect Core, section 2).
  public init?(provider: String, subject: String) {
    guard (1...Self.subjectLengthLimit).contains(subject.utf8.count),
      subject.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
    else { return nil }
    self.provider = provider
    self.subject = subject
  }

  public static let subjectLengthLimit = IDTokenCheck.subjectLengthLimit
}

/// The identities of the signed-in account, in the order of their links.
///
/// A session that is limited to an organization shows those at the organization's own providers.
public func listOwnIdentities(
  _ access: Access, in world: World
) async throws(Refusal) -> [IdentityEntry] {
  let id = access.account.id
  let limit = world.limit(of: access.session, access.account)
  return try await world.read { (transaction: any IdentityRecords) throws in
    try transaction.identities(of: id).filter { world.shows($0, within: limit) }.map(\.entry)
  }
}

/// The identities of an account, in the order of their links.
public func listIdentities(
  of id: AccountID, rules: AccountEditingRules, in world: World
) async throws(Refusal) -> [IdentityEntry] {
  try await world.read { (transaction: any AccountRecords & IdentityRecords) throws in
    _ = try transaction.account(id, readBy: rules)
    return try transaction.identities(of: id).map(\.entry)
  }
}

/// Links an identity with an account, so that the person can sign in at the provider.
///
/// The administrator vouches that both are the same person, who gets a notice. If they are linked
/// already, nothing changes.
public func linkIdentity(
  _ link: IdentityLink, to id: AccountID, rules: AccountEditingRules, in world: World
) async throws(Refusal) -> IdentityEntry {
  let now = world.clock.now()
  let notice = NoticeSending(at: now, in: world)
  let provider = world.providers?.provider(link.provider)
  let issuer = provider?.settings.identityIssuer ?? ""
  let subjects = [.account(id), rules.subject] + [.identity(issuer: issuer, subject: link.subject)]
  defer { world.messageRecorded() }
  return try await world.decide(about: subjects) {
    (transaction: any AccountRecords & EventRecords & IdentityRecords & OutboxRecords) throws in
    let account = try transaction.account(id, changedBy: rules, needing: .administrator)
    // A stolen session must not make its access permanent.
    if rules.administrator == id { throw Refusal.ownAccount }
    guard let provider, try rules.permission(transaction).mayLink(at: provider) else {
      throw Refusal.invalidRequest("provider is not configured")
    }
    let identity = Identity(
      issuer: issuer, subject: link.subject, account: id, provider: provider.name, linkedAt: now,
      lastUsedAt: nil)
    if let known = try transaction.identity(issuer: issuer, subject: link.subject) {
      guard known.account == id else {
        throw Refusal.identityExists
      }
      return known.entry
    }
    guard try transaction.identities(of: id).count < Identity.limit else {
      throw Refusal.invalidRequest("an account has at most \(Identity.limit) identities")
    }
    try transaction.insert(identity)
    try transaction.record(.identityLinked, about: id, at: provider.name, by: rules, at: now)
    try notice.send(
      .identityLinked(provider: provider.settings.label), to: account,
      of: world.clientWithTextNotices(for: account), transaction)
    return identity.entry
  }
}

/// Removes the link between an account and an identity, and ends the account's sessions.
///
/// The person can no longer sign in at the provider, and gets a notice.
public func unlinkIdentity(
  _ identity: String, of id: AccountID, rules: AccountEditingRules, in world: World
) async throws(Refusal) -> Bool {
  let now = world.clock.now()
  let notice = NoticeSending(at: now, in: world)
  defer { world.messageRecorded() }
  return try await world.decide(about: [.account(id), rules.subject]) {
    (transaction: any OutboxRecords & UnlinkingRecords) throws in
    let account = try transaction.account(id, changedBy: rules, needing: .support)
    guard let removed = try transaction.unlink(identity, of: id) else {
      throw Refusal.noSuchIdentity
    }
    try transaction.record(.identityUnlinked, about: id, at: removed.provider, by: rules, at: now)
    let label = world.providers?.provider(removed.provider)?.settings.label ?? removed.provider
    try notice.send(
      .identityUnlinked(provider: label), to: account,
      of: world.clientWithTextNotices(for: account), transaction)
    try transaction.signOut(
      id, from: .everything, because: .revoked, by: rules.caller, at: now)
    return true
  }
}

/// Removes one of the account's own identities, and ends all other sessions of the account.
///
/// The last usable one of an account without a password or without a phone number cannot be
/// removed, because the person could not sign in any more. A session that is limited to an
/// organization removes only an identity at its providers, and ends only sessions in it.
public func unlinkOwnIdentity(
  _ identity: String, _ access: Access, peer: String?, in world: World
) async throws(Refusal) -> Bool {
  let id = access.account.id
  let (caller, now) = (access.caller(peer: peer), world.clock.now())
  let limit = world.limit(of: access.session, access.account)
  return try await world.decide(about: [.account(id)]) {
    (transaction: any UnlinkingRecords) throws in
    let identities = try transaction.identities(of: id)
    guard let own = identities.first(where: { $0.handle == identity }),
      world.shows(own, within: limit)
    else {
      throw Refusal.noSuchIdentity
    }
    let others = identities.filter { other in
      other.handle != identity && world.providers?.provider(other.provider) != nil
    }
    if others.isEmpty {
      guard let account = try transaction.account(id), account.passwordHash != nil,
        account.phone != nil
      else {
        throw Refusal.lastIdentity
      }
    }
    let removed = try transaction.unlink(identity, of: id)
    try transaction.record(
      .identityUnlinked, about: id, detail: removed?.provider, by: caller, at: now)
    // Another person may have signed in with this identity.
    let extent = try world.extent(
      .everythingExcept(access.session), of: id, within: limit, except: access.session, transaction)
    try transaction.signOut(id, from: extent, because: .revoked, by: caller, at: now)
    return true
  }
}

extension Permission {
  /// Whether an administrator may link identities of this provider.
  ///
  /// The people of a provider that belongs to an organization are linked by its administrators. A
  /// provider of all organizations needs a permission in all of them: otherwise an administrator of
  /// one could link the identity of a person elsewhere, who would then sign in to another account.
  /// The organization of the accounts that a provider creates does not say to whom it belongs.
  fileprivate func mayLink(at provider: IdentityProvider) -> Bool {
    guard let owner = provider.settings.administeredBy else { return hasEverywhere(.administrator) }
    return has(.administrator, in: owner)
  }
}

extension IdentityRecords {
  /// Removes the link; nil if the account has no such identity.
  fileprivate func unlink(
    _ handle: String, of account: AccountID
  ) throws(StoreFault) -> Identity? {
    guard let found = try identities(of: account).first(where: { $0.handle == handle }) else {
      return nil
    }
    try removeIdentity(issuer: found.issuer, subject: found.subject)
    return found
  }
}

extension EventRecords {
  /// The detail continues with the name of the provider.
  fileprivate func record(
    _ code: SecurityEvent.Code, about account: AccountID, at provider: String,
    by rules: AccountEditingRules, at now: Instant
  ) throws(StoreFault) {
    try record(
      code, about: account, detail: "\(rules.name) \(provider)", by: rules.caller, at: now)
  }
}

extension World {
  /// The app of this account whose policy sends notices by text message; nil if there is none.
  ///
  /// An administrator's action belongs to no app of the person.
  fileprivate func clientWithTextNotices(for account: Account) -> AppRegistration? {
    clients.values.filter { $0.sendsNoticesBySMS && $0.roles.contains(account.role) }
      .min { $0.id.text < $1.id.text }
  }
}

extension Identity {
  /// The name of the identity in paths.
  ///
  /// The subject itself may be a national number, which must not be in a path.
  var handle: String {
    Base64URL.encode(Array(SHA256Digest.of(issuer + "\n" + subject).prefix(16)))
  }

  var entry: IdentityEntry {
    IdentityEntry(
      id: handle, provider: provider, issuer: issuer, subject: subject, linkedAt: linkedAt,
      lastUsedAt: lastUsedAt)
  }
}

import Cryptography
public import SignInModel
public import SignInWire

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
public func listOwnIdentities(
  _ access: Access, in world: World
) async -> Outcome<[IdentityEntry]> {
  let id = access.account.id
  return await world.read { (transaction) throws(StoreFault) in
    .success(try transaction.identities(of: id).map(\.entry))
  }
}

/// The identities of an account, in the order of their links.
public func listIdentities(
  of id: AccountID, rules: AccountEditingRules, in world: World
) async -> Outcome<[IdentityEntry]> {
  await world.read { (transaction) throws(StoreFault) in
    if case .refusal(let refusal) = try transaction.account(id, readBy: rules) {
      return .refusal(refusal)
    }
    return .success(try transaction.identities(of: id).map(\.entry))
  }
}

/// Links an identity with an account, so that the person can sign in at the provider.
///
/// The administrator vouches that both are the same person. If they are linked already, nothing
/// changes.
public func linkIdentity(
  _ link: IdentityLink, to id: AccountID, rules: AccountEditingRules, in world: World
) async -> Outcome<IdentityEntry> {
  let now = world.clock.now()
  return await world.decide { (transaction) throws(StoreFault) in
    let found = try transaction.account(id, changedBy: rules, needing: .administrator)
    if case .refusal(let refusal) = found { return .refusal(refusal) }
    guard let provider = world.providers?.provider(link.provider),
      try rules.permission(transaction).mayLink(at: provider)
    else { return .refusal(ErrorAnswer(.invalidRequest, "provider is not configured")) }
    let identity = Identity(
      issuer: provider.settings.identityIssuer, subject: link.subject, account: id,
      provider: provider.name, linkedAt: now, lastUsedAt: nil)
    if let known = try transaction.identity(issuer: identity.issuer, subject: link.subject) {
      return known.account == id
        ? .success(known.entry)
        : .refusal(ErrorAnswer(.identityExists, "this identity belongs to another account"))
    }
    guard try transaction.identities(of: id).count < Identity.limit else {
      return .refusal(
        ErrorAnswer(.invalidRequest, "an account has at most \(Identity.limit) identities"))
    }
    try transaction.insert(identity)
    try transaction.record(.identityLinked, about: id, by: rules, at: now)
    return .success(identity.entry)
  }
}

/// Removes the link between an account and an identity, and ends the account's sessions.
///
/// The person can no longer sign in at the provider.
public func unlinkIdentity(
  _ identity: String, of id: AccountID, rules: AccountEditingRules, in world: World
) async -> Outcome<Bool> {
  let now = world.clock.now()
  return await world.decide { (transaction) throws(StoreFault) in
    let found = try transaction.account(id, changedBy: rules, needing: .support)
    if case .refusal(let refusal) = found { return .refusal(refusal) }
    guard try transaction.unlink(identity, of: id) else { return .refusal(.noSuchIdentity) }
    try transaction.record(.identityUnlinked, about: id, by: rules, at: now)
    // A code of an earlier sign-in must not begin a session after this.
    try transaction.removeSignInAttempts(of: id)
    try transaction.forgetDevices(of: id, except: nil)
    try endSessions(of: id, because: .revoked, by: rules.caller, at: now, transaction)
    return .success(true)
  }
}

/// Removes one of the account's own identities, and ends all other sessions of the account.
///
/// The last usable one of an account without a password or without a phone number cannot be
/// removed, because the person could not sign in any more.
public func unlinkOwnIdentity(
  _ identity: String, _ access: Access, peer: String?, in world: World
) async -> Outcome<Bool> {
  let id = access.account.id
  let (caller, now) = (access.caller(peer: peer), world.clock.now())
  return await world.decide { (transaction) throws(StoreFault) in
    let identities = try transaction.identities(of: id)
    guard identities.contains(where: { $0.handle == identity }) else {
      return .refusal(.noSuchIdentity)
    }
    let others = identities.filter { other in
      other.handle != identity && world.providers?.provider(other.provider) != nil
    }
    if others.isEmpty {
      guard let account = try transaction.account(id), account.passwordHash != nil,
        account.phone != nil
      else {
        return .refusal(
          ErrorAnswer(
            .lastIdentity, "without another identity, this account needs a password and a number"))
      }
    }
    _ = try transaction.unlink(identity, of: id)
    try transaction.record(.identityUnlinked, about: id, by: caller, at: now)
    // Another person may have signed in with this identity.
    try transaction.removeSignInAttempts(of: id)
    let ownKey = access.session.proofKeyThumbprint
    try transaction.forgetDevices(of: id, except: ownKey)
    for session in try transaction.openSessions(of: id) where session.id != access.session.id {
      try end(session, because: .revoked, by: caller, at: now, transaction)
    }
    return .success(true)
  }
}

extension Permission {
  /// Whether an administrator may link identities of this provider.
  ///
  /// The people of a provider that belongs to an organization are linked by its administrators.
  fileprivate func mayLink(at provider: IdentityProvider) -> Bool {
    guard let organization = provider.settings.newAccounts?.organization else { return true }
    return has(.administrator, in: organization)
  }
}

extension IdentityRecords {
  /// Returns false if the account has no such identity.
  fileprivate func unlink(_ handle: String, of account: AccountID) throws(StoreFault) -> Bool {
    guard let found = try identities(of: account).first(where: { $0.handle == handle }) else {
      return false
    }
    try removeIdentity(issuer: found.issuer, subject: found.subject)
    return true
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

extension ErrorAnswer {
  fileprivate static var noSuchIdentity: ErrorAnswer {
    ErrorAnswer(.identityNotFound, "no such identity of this account")
  }
}

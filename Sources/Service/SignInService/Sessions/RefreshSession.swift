import JSONText
public import SignInModel
import SignInRules
public import SignInWire

/// A refresh token and the key that it is bound to.
public struct RefreshRequest: Sendable {
  public let client: AppRegistration
  public let refreshToken: Secret
  public let proofKeyThumbprint: String
  /// The organization to switch to; nil to stay in the current one (S-05).
  public let organization: OrganizationID?
  /// The network address of the sender; nil for a call that did not use a network.
  public let peer: String?
  /// The API that the access token is for (RFC 8707); nil for this server and every API of the app.
  public var resource: String?
  /// Whether the answer has an ID token, if the session has the scope `openid`.
  ///
  /// Most apps do not read one again, and a signature is much of the cost of a renewal (OpenID
  /// Connect Core, section 12.2).
  public var includesIDToken = false

  public init(
    client: AppRegistration, refreshToken: Secret, proofKeyThumbprint: String,
    organization: OrganizationID? = nil, peer: String? = nil
  ) {
    self.client = client
    self.refreshToken = refreshToken
    self.proofKeyThumbprint = proofKeyThumbprint
    self.organization = organization
    self.peer = peer
  }

  var caller: Caller {
    Caller(client: client.id, peer: peer, proofKeyThumbprint: proofKeyThumbprint)
  }
}

/// Renews a session's tokens.
///
/// If an answer was lost, a repeated request gets the same successor (L-10).
///
/// With another organization than the session's, a new session begins there and the old one ends,
/// in one transaction (S-05). That answer can also be repeated.
public func refreshSession(_ request: RefreshRequest, in world: World) async throws(Refusal)
  -> TokenAnswer
{
  guard let audiences = request.client.audiences(for: request.resource, issuer: world.issuer)
  else { throw Refusal.invalidTarget }
  guard
    let token = RefreshToken(parsing: request.refreshToken.revealed, keyring: world.keyring)
  else { throw Refusal.invalidGrant("unknown refresh token") }
  let now = world.clock.now()
  let renewal = Renewal(
    request: request, token: token,
    freshID: SessionID(world.timeOrderedHandle(bytes: 16, at: now)), now: now, world: world
  )
  let outcome: Renewed = try await world.decide(about: [.session(token.session)]) {
    (transaction: any Renewal.Records) throws in
    try renewal.decide(transaction)
  }
  let renewed = outcome
  var grant = TokenGrant(
    session: renewed.session, client: renewed.client, claims: renewed.claims,
    audiences: audiences
  )
  grant.includesIDToken = request.includesIDToken
  return tokenAnswer(for: grant, at: now, in: world)
}

private struct Renewed: Sendable {
  let session: Session
  /// The app, with the policy that applies to the session.
  let client: AppRegistration
  let claims: [JSONMember]
}

/// One refresh with a presented token, decided in one transaction.
private struct Renewal: Sendable {
  typealias Records = PolicyRecords & RefusalRecords & SignOut.Records

  let request: RefreshRequest
  let token: RefreshToken
  /// The identifier for the session that a switch begins.
  let freshID: SessionID
  let now: Instant
  let world: World

  func decide(_ transaction: any Records) throws -> Renewed {
    let session = try renewed(transaction)
    switch try world.use(of: session, in: request.client, at: now, transaction) {
    case .ends(let reason):
      throw Refusal.invalidGrant("the session has ended", reason)
    case .continues(let current):
      let claims = world.claims(of: current.account, in: current.session, of: current.app)
      return Renewed(session: current.session, client: current.app, claims: claims)
    }
  }

  private func renewed(_ transaction: any Records) throws -> Session {
    // This server wrote the token, and only sessions that ended long ago are deleted.
    guard let session = try transaction.session(token.session) else {
      throw Refusal.invalidGrant("the session has ended", .expired)
    }
    guard session.client == request.client.id,
      UnboundDevice.isOwner(request.proofKeyThumbprint, of: session.proofKeyThumbprint)
    else {
      try refuse(.sessionForeignDevice, about: session, transaction)
      throw Refusal.invalidGrant("not this app's or key's refresh token")
    }
    if let successor = session.successor { return try follow(session, successor, transaction) }
    if let refusal = try refusal(of: session, transaction) { throw refusal }

    let presented = token.generation
    switch RefreshRotation.verdict(presented: presented, newest: session.refreshGeneration) {
    case .unknown: throw Refusal.invalidGrant("unknown refresh token")
    case .reuse: throw try reuse(of: session, transaction)
    case .advance(let generation):
      return try renew(session, to: generation, isRepeated: false, transaction)
    case .repeatSuccessor where !session.isBound:
      // Without a key, the sender of a repeated token may have copied it (RFC 9700, 4.14.2).
      throw try reuse(of: session, transaction)
    case .repeatSuccessor(let generation):
      return try renew(session, to: generation, isRepeated: true, transaction)
    }
  }

  private func renew(
    _ session: Session, to generation: Int64, isRepeated: Bool, _ transaction: any Records
  ) throws -> Session {
    if let organization = request.organization, organization != session.organization {
      let newest = RefreshRotation.newestAfterSwitch(presented: token.generation)
      return try change(session, countedAs: newest, to: organization, transaction)
    }
    var session = session
    session.refreshGeneration = generation
    session.lastUsedAt = now
    let renewals = isRepeated ? nil : session.countRenewal(at: now)
    try transaction.update(session)
    if let renewals { try transaction.report(renewals, of: session, at: now) }
    if isRepeated { try record(.refreshRepeated, about: session, transaction) }
    return session
  }

  /// The reason why this session gives no tokens, or nil if it gives some.
  private func refusal(
    of session: Session,
    _ transaction: any AccountRecords & EventRecords & PolicyRecords & SessionRecords
  ) throws(StoreFault) -> Refusal? {
    let reason: EndReason
    switch try world.use(of: session, in: request.client, at: now, transaction) {
    // No lockout and no stop pauses a session with a proved token and key (L-40).
    case .continues(let current) where current.session.has(.offlineAccess): return nil
    // The app may no longer have refresh tokens.
    case .continues: reason = MissingRight.scope.endReason
    case .ends(let found): reason = found
    }
    try end(session.id, because: reason, by: request.caller, at: now, transaction)
    return .invalidGrant("the session has ended", reason)
  }

  private func reuse(
    of session: Session, _ transaction: any SignOut.Records
  ) throws(StoreFault) -> Refusal {
    try record(.reuseDetected, about: session, transaction)
    let account = try transaction.account(session.account)
    let limit = account.flatMap { world.limit(of: session, $0) }
    try transaction.signOut(
      session.account, from: world.ending([session], within: limit), because: .reuseDetected,
      by: request.caller, at: now)
    return .invalidGrant("a refresh token was used twice", .reuseDetected)
  }

  private func record(
    _ code: SecurityEvent.Code, about session: Session, _ transaction: any EventRecords
  ) throws(StoreFault) {
    try transaction.record(code, about: session, by: request.caller, at: now)
  }
}

extension Renewal {
  private func refuse(
    _ code: SecurityEvent.Code, about session: Session,
    _ transaction: any EventRecords & RefusalRecords
  ) throws(StoreFault) {
    try transaction.recordRefusal(
      code, about: session.account, session: session.id, by: request.caller, at: now
    )
  }
}

// MARK: - Organizations

extension Renewal {
  /// Handles a token of a session that switched to another organization.
  ///
  /// The token gives the tokens of the session that followed, as long as that session's own token
  /// is unused.
  private func follow(
    _ left: Session, _ successor: SessionID, _ transaction: any Records
  ) throws -> Session {
    let ended = Refusal.invalidGrant("the session has ended", .expired)
    guard var next = try transaction.session(successor) else { throw ended }
    var isUsed = false
    switch RefreshRotation.verdict(
      presented: token.generation, newest: left.refreshGeneration,
      successorNewest: next.refreshGeneration
    ) {
    case .unknown: throw Refusal.invalidGrant("unknown refresh token")
    case .reuse: isUsed = true
    case .follow: break
    }
    while let further = next.successor {
      guard let after = try transaction.session(further) else { throw ended }
      isUsed = isUsed || after.refreshGeneration > 0
      next = after
    }
    if let refusal = try refusal(of: next, transaction) { throw refusal }
    if isUsed || !next.isBound { throw try reuse(of: next, transaction) }
    if let organization = request.organization, organization != next.organization {
      // The session's own token was never used, so the switch does not use up a generation.
      return try change(next, countedAs: next.refreshGeneration, to: organization, transaction)
    }
    next.lastUsedAt = now
    try transaction.update(next)
    try record(.refreshRepeated, about: next, transaction)
    return next
  }

  /// Ends the session and begins another one in its place.
  ///
  /// The new session expires no later than the old one, and no later than the policy of its
  /// organization allows.
  private func change(
    _ left: Session, countedAs newest: Int64, to organization: OrganizationID,
    _ transaction: any Records
  ) throws -> Session {
    guard let account = try transaction.account(left.account),
      world.organizations(of: account).contains(organization),
      left.provider.flatMap({ world.names.owners[$0] }).map({ $0 == organization }) ?? true
    else {
      try refuse(.refusedNotAMember, about: left, transaction)
      throw Refusal.notAMember
    }
    let there = try world.registration(of: request.client, for: organization, transaction)
    let longest = now.adding(seconds: there.policy[.session])
    var begun = Session(
      id: freshID, account: left.account, client: left.client,
      proofKeyThumbprint: left.proofKeyThumbprint, scope: left.scope, organization: organization,
      authenticationMethods: left.authenticationMethods, startedAt: left.startedAt,
      expiresAt: min(left.expiresAt, longest), lastUsedAt: now, refreshGeneration: 0, end: nil
    )
    begun.provider = left.provider
    begun.assurance = left.assurance
    begun.authenticatedAt = left.authenticatedAt
    begun.device = left.device
    begun.place = left.place
    var left = left
    left.refreshGeneration = newest
    left.successor = begun.id
    try transaction.insert(begun)
    try transaction.update(left)
    try end(left.id, because: .signedOut, by: request.caller, at: now, transaction)
    try transaction.record(
      .sessionSwitched, about: begun, detail: organization.text, by: request.caller, at: now)
    return begun
  }
}

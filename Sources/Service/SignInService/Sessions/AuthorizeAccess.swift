public import SignInModel
public import SignInWire

/// The account, the session and the app of a request for data of the apps.
public struct Access: Sendable {
  public let account: Account
  /// The session with the scopes that it has now.
  public let session: Session
  public let client: AppRegistration

  /// Whether a request with this access may use the routes of `scope`.
  func has(_ scope: Scope) -> Bool { session.has(scope) }
}

/// The session that an access token names.
///
/// The session may have ended already.
public struct SessionClaim: Sendable {
  public let session: SessionID
  public let client: ClientID
  let account: AccountID
  let organization: OrganizationID?
}

/// The session, the scope and the permission that a request needs, after its token and its proof
/// were checked.
///
/// Only a read of the session shows whether the request may have them. It shares its transaction
/// with the read of what the request asks for.
public struct AccessClaim: Sendable {
  public let session: SessionClaim
  let scope: Scope
  let need: Permission.Need?

  func access(
    at now: Instant, in world: World,
    _ transaction: any AccountRecords & PolicyRecords & SessionRecords
  ) throws -> Access {
    guard let stored = try transaction.session(session.session),
      stored.account == session.account, stored.organization == session.organization,
      case .continues(let current) = try world.use(
        of: stored, in: world.clients[session.client], at: now, transaction)
    else { throw Refusal.tokenOfEndedSession }
    let account = current.account
    let access = Access(account: account, session: current.session, client: current.app)
    guard access.has(scope) else {
      throw Refusal.insufficientScope(scope.rawValue)
    }
    if let need, !account.permission.meets(need) { throw Refusal.permissionDenied }
    return access
  }
}

/// Checks an access token, its proof, its session and the session's scope.
///
/// If a route of administration names a permission, that is checked, too. Its use case checks the
/// permission again for the record in question.
///
/// `authorization` must have exactly one `Authorization` field.
public func authorizeAccess(
  authorization: [String], proof: DPoPClaim, scope: Scope, need: Permission.Need? = nil,
  in world: World
) async throws(Refusal) -> Access {
  let claim = try await claimAccess(
    authorization: authorization, proof: proof, scope: scope, need: need, in: world)
  return try await claim.read(in: world) { _, _ in }.access
}

/// Checks an access token and its proof, for a route that reads with the claim.
public func claimAccess(
  authorization: [String], proof: DPoPClaim, scope: Scope, need: Permission.Need? = nil,
  in world: World
) async throws(Refusal) -> AccessClaim {
  AccessClaim(
    session: try await authorizeSession(authorization: authorization, proof: proof, in: world),
    scope: scope, need: need)
}

/// Checks an access token and its proof without reading the store.
public func authorizeSession(
  authorization: [String], proof: DPoPClaim, in world: World
) async throws(Refusal) -> SessionClaim {
  let presented = try readAccessToken(authorization, in: world)
  let token = presented.token
  if !presented.isBearer {
    let needsNonce = presented.client?.requiresProofNonce ?? false
    let thumbprint = try await checkProof(
      proof, accessToken: presented.text, needsNonce: needsNonce, in: world)
    guard thumbprint == token.proofKeyThumbprint else {
      throw Refusal.invalidToken("the token is bound to another key")
    }
  }
  return SessionClaim(
    session: token.session, client: token.client, account: token.account,
    organization: token.organization
  )
}

/// The access token of a request, before its proof was checked.
package struct PresentedToken: Sendable {
  let token: AccessToken
  /// Nil if the app is no longer configured, so that its session has ended.
  let client: AppRegistration?
  let text: String
  /// Whether the token is bound to no key, and its app needs none.
  let isBearer: Bool
}

/// Reads the `Authorization` fields and checks the access token in them.
package func readAccessToken(
  _ authorization: [String], in world: World
) throws(Refusal) -> PresentedToken {
  func refused(_ why: String) -> Refusal { Refusal.invalidToken(why) }

  guard authorization.count == 1 else { throw refused("exactly one access token is needed") }
  guard let field = AuthorizationField(authorization), ["dpop", "bearer"].contains(field.scheme)
  else { throw refused("the token must be sent with the DPoP scheme") }
  let text = field.token
  guard let token = AccessToken(checking: text, at: world.clock.now(), in: world) else {
    throw refused("unknown or expired token")
  }
  let client = world.clients[token.client]

  // A token that is bound to a key must be refused as Bearer (RFC 9449, section 7.2). A token that
  // is bound to none is refused, too, if its app requires proofs.
  let isBearer = token.proofKeyThumbprint == nil && client?.requiresDPoP != true
  guard (field.scheme == "bearer") == isBearer else {
    throw refused("the token must be sent with the \(isBearer ? "Bearer" : "DPoP") scheme")
  }
  return PresentedToken(token: token, client: client, text: text, isBearer: isBearer)
}

public import SignInModel
public import SignInWire

/// A token whose session the app gives up (RFC 7009).
public struct RevocationRequest: Sendable {
  public let client: AppClient
  public let token: Secret
  /// The network address the call came from, nil when no network was between.
  public let peer: String?

  public init(client: AppClient, token: Secret, peer: String? = nil) {
    self.client = client
    self.token = token
    self.peer = peer
  }

  /// No key is proved here.
  var caller: Caller { Caller(client: client.id, peer: peer, proofKeyThumbprint: nil) }
}

/// Ends the session a token belongs to; a token nobody knows is answered the same (RFC 7009, 2.2).
///
/// Holding the token is proof enough to give it up: a device must be able to sign out even when its
/// key is gone. A window that has not heard of a change of organization gives up what came of it.
public func revokeToken(_ request: RevocationRequest, in world: World) async -> Outcome<Bool> {
  let now = world.clock.now()
  let text = request.token.revealed
  let session: SessionID
  if let refresh = RefreshToken(parsing: text, keyring: world.keyring) {
    session = refresh.session
  } else if let access = AccessToken(checking: text, for: .any, at: now, in: world) {
    session = access.session
  } else {
    return .success(false)
  }
  return await world.decide { (transaction) throws(StoreFault) in
    guard var found = try transaction.session(session), found.client == request.client.id else {
      return .success(false)
    }
    while let successor = found.successor, let next = try transaction.session(successor) {
      found = next
    }
    try end(found.id, because: .signedOut, by: request.caller, at: now, transaction)
    return .success(true)
  }
}

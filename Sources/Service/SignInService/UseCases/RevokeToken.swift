public import SignInModel
public import SignInWire

/// A token of a session that the app ends (RFC 7009).
public struct RevocationRequest: Sendable {
  public let client: AppClient
  public let token: Secret
  /// The network address of the sender; nil for a call that did not use a network.
  public let peer: String?

  public init(client: AppClient, token: Secret, peer: String? = nil) {
    self.client = client
    self.token = token
    self.peer = peer
  }

  /// A revocation proves no key.
  var caller: Caller { Caller(client: client.id, peer: peer, proofKeyThumbprint: nil) }
}

/// Ends the session of a token.
///
/// For an unknown token the answer is the same (RFC 7009, 2.2).
///
/// The token alone is enough to end its session, because a device must be able to sign out even
/// without its key. If the session switched to another organization, the session that followed
/// ends. A tab may not have noticed the switch.
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

public import SignInModel
public import SignInWire

/// A token of a session that the app ends (RFC 7009).
public struct RevocationRequest: Sendable {
  public let client: AppRegistration
  public let token: Secret
  /// The network address of the sender; nil for a call that did not use a network.
  public let peer: String?

  public init(client: AppRegistration, token: Secret, peer: String? = nil) {
    self.client = client
    self.token = token
    self.peer = peer
  }

  /// A revocation proves no key.
  var caller: Caller { Caller(client: client.id, peer: peer, proofKeyThumbprint: nil) }
}

/// What a sign-out did.
public struct SignOutAnswer: Equatable, Sendable {
  /// Whether the token had a session.
  public let isKnown: Bool
  /// Where the person signs out of the identity provider too; nil if there is no such address.
  public let providerAddress: String?
}

/// Ends the session of a token.
///
/// For an unknown token the status is the same (RFC 7009, 2.2).
///
/// The token alone is enough to end its session, because a device must be able to sign out even
/// without its key. If the session switched to another organization, the session that followed
/// ends. A tab may not have noticed the switch.
///
/// If the configuration says so, the answer has the address at which the person signs out of the
/// provider (OpenID Connect RP-Initiated Logout).
public func revokeToken(
  _ request: RevocationRequest, in world: World
) async throws(Refusal) -> SignOutAnswer {
  switch try await endSession(request, in: world) {
  case .unknown: return SignOutAnswer(isKnown: false, providerAddress: nil)
  case .ended(let provider):
    let address = await world.signOutAddress(at: provider, from: request.client)
    return SignOutAnswer(isKnown: true, providerAddress: address)
  }
}

private enum Revoked: Sendable {
  case unknown
  case ended(provider: String?)
}

private func endSession(
  _ request: RevocationRequest, in world: World
) async throws(Refusal) -> Revoked {
  let now = world.clock.now()
  let text = request.token.revealed
  let session: SessionID
  if let refresh = RefreshToken(parsing: text, keyring: world.keyring) {
    session = refresh.session
  } else if let access = AccessToken(checking: text, for: .any, at: now, in: world) {
    session = access.session
  } else {
    return .unknown
  }
  return try await world.decide(about: [.session(session)]) {
    (transaction: any EventRecords & SessionRecords) throws in
    guard var found = try transaction.session(session), found.client == request.client.id else {
      return .unknown
    }
    while let successor = found.successor, let next = try transaction.session(successor) {
      found = next
    }
    try end(found.id, because: .signedOut, by: request.caller, at: now, transaction)
    return .ended(provider: found.provider)
  }
}

extension World {
  /// The sign-out page of a provider, with the way back to a page of this server.
  ///
  /// There is no `id_token_hint`, because ID tokens are not stored. The provider may ask the person
  /// to confirm. `state` names the app to which the page of this server links.
  fileprivate func signOutAddress(at name: String?, from client: AppRegistration) async -> String? {
    guard let directory = providers, let provider = name.flatMap({ directory.provider($0) }),
      provider.settings.endsSession,
      let endpoint = await directory.storedMetadata(of: provider)?.endSessionEndpoint
    else { return nil }
    return endpoint.addingQuery(
      Form([
        .init("client_id", provider.settings.clientID),
        .init("post_logout_redirect_uri", issuer + Endpoint.signedOut.path),
        .init("state", client.id.text),
      ]))
  }
}

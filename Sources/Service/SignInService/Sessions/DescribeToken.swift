public import JSONText
public import SignInModel
public import SignInWire

/// Describes an access token for a service account (RFC 7662).
///
/// It also reads the session, so that a session that has ended is visible at once. Every text that
/// is not a valid token is described as not active: an unknown text, an expired token, a token of
/// an ended session, and a token of another organization than the service account's. Refresh tokens
/// are not described.
public func describeToken(
  _ token: Secret, for asking: ServiceAccount, in world: World
) async throws(Refusal) -> JSON {
  guard asking.scopes.contains(.introspect) else {
    throw Refusal.unauthorizedClient("the scope \(ServiceScope.introspect.rawValue) is needed")
  }
  let inactive = JSON.members([JSONMember(.active, false)])
  let now = world.clock.now()
  let text = token.revealed
  guard let claims = AccessToken.claims(of: text, for: .any, at: now, in: world),
    asking.organization == nil || claims[.org]?.text == asking.organization?.text
  else { return inactive }
  let isBound = claims[.cnf] != nil
  let active = JSON.members(
    [JSONMember(.active, true), JSONMember(.tokenType, isBound ? "DPoP" : "Bearer")]
      + (claims.objectMembers ?? []))
  if claims[.sid] == nil {
    guard let token = ServiceToken(checking: text, for: .any, at: now, in: world) else {
      return inactive
    }
    return token.described(active, issuer: world.issuer) ?? inactive
  }
  guard let access = AccessToken(checking: text, for: .any, at: now, in: world) else {
    return inactive
  }
  return try await world.read {
    (transaction: any AccountRecords & PolicyRecords & SessionRecords) throws in
    guard let session = try transaction.session(access.session),
      session.organization == access.organization
    else { return inactive }
    switch try world.use(
      of: session, in: world.clients[access.client], at: now, transaction)
    {
    case .continues(let current):
      return access.described(active, of: current, in: world) ?? inactive
    case .ends: return inactive
    }
  }
}

extension AccessToken {
  /// The description with the scopes, audiences and additional claims that apply now.
  ///
  /// It is nil if none of the token's audiences or none of its scopes is left.
  fileprivate func described(
    _ description: JSON, of current: CurrentSession, in world: World
  ) -> JSON? {
    let words = scope.split(separator: " ")
    let left = current.session.scope.split(separator: " ").filter { words.contains($0) }
    guard let audiences = description.audiences(of: current.app.audiences, issuer: world.issuer),
      !left.isEmpty || words.isEmpty
    else { return nil }
    // A claim that was removed from the configuration is left out. The others have today's values.
    let standard = (description.objectMembers ?? []).filter {
      TokenClaim.reservedNames.contains($0.key) && !$0.isNamed(.aud) && !$0.isNamed(.scope)
    }
    return .members(
      standard + [
        JSONMember(.aud, TokenAudience.claim(audiences)),
        JSONMember(.scope, left.joined(separator: " ")),
      ] + world.claims(of: current.account, in: current.session, of: current.app))
  }
}

extension JSON {
  /// The audiences of a described token that are this server or configured now; nil if none is.
  fileprivate func audiences(of configured: [String], issuer: String) -> [String]? {
    let audience = self[.aud]
    let named = audience?.elements?.compactMap(\.text) ?? [audience?.text].compactMap { $0 }
    let allowed = [issuer] + configured
    let left = named.filter { name in allowed.contains { $0.utf8.elementsEqual(name.utf8) } }
    return left.isEmpty ? nil : left
  }
}

extension ServiceToken {
  /// The description with the current scopes and audiences of the account.
  ///
  /// It is nil if none of the token's audiences is left.
  fileprivate func described(_ description: JSON, issuer: String) -> JSON? {
    let members = description.objectMembers ?? []
    guard let left = description.audiences(of: account.audiences, issuer: issuer) else {
      return nil
    }
    return .members(
      members.filter { !$0.isNamed(.aud) && !$0.isNamed(.scope) } + [
        JSONMember(.aud, TokenAudience.claim(left)),
        JSONMember(.scope, scopes.map(\.rawValue).joined(separator: " ")),
      ])
  }
}

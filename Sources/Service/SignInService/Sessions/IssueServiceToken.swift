import SignInModel
public import SignInWire

/// The request of an authenticated service account for a token.
public struct ServiceTokenRequest: Sendable {
  public let account: ServiceAccount
  /// The `scope` of the request; nil for every scope of the account.
  public let scope: String?
  /// The one API that the token is for (RFC 8707); nil for this server.
  public let resource: String?
  /// The thumbprint of the key that the request proved; nil for a token that is bound to none.
  public let proofKeyThumbprint: String?
  public let peer: String?

  public init(
    account: ServiceAccount, scope: String?, resource: String? = nil,
    proofKeyThumbprint: String?, peer: String?
  ) {
    self.account = account
    self.scope = scope
    self.resource = resource
    self.proofKeyThumbprint = proofKeyThumbprint
    self.peer = peer
  }
}

/// Gives a service account an access token (RFC 6749, section 4.4).
///
/// A scope that the account does not have leads to `invalid_scope`, so that a program learns of a
/// missing scope here and not at its first write. A resource that is not one of the account's
/// audiences leads to `invalid_target`.
public func issueServiceToken(
  _ request: ServiceTokenRequest, in world: World
) async throws(Refusal) -> ServiceTokenAnswer {
  let (account, now) = (request.account, world.clock.now())
  var scopes = account.scopes
  if let asked = request.scope {
    let words = asked.split(separator: " ").map(String.init)
    guard !words.isEmpty, words.allSatisfy({ word in scopes.contains { $0.rawValue == word } })
    else {
      throw Refusal.invalidScope
    }
    scopes = scopes.filter { words.contains($0.rawValue) }
  }
  // A token is for one API only, because each API could otherwise use it at the others.
  guard
    let audiences = TokenAudience.chosen(
      for: request.resource ?? world.issuer, of: account.audiences, issuer: world.issuer)
  else { throw Refusal.invalidTarget }
  let token = ServiceToken(
    account: account, scopes: scopes, proofKeyThumbprint: request.proofKeyThumbprint)
  let answer = ServiceTokenAnswer(
    accessToken: Secret(token.text(for: audiences, at: now, in: world)),
    tokenType: request.proofKeyThumbprint == nil ? "Bearer" : "DPoP",
    expiresIn: ServiceAccount.tokenSeconds,
    scope: scopes.map(\.rawValue).joined(separator: " ")
  )
  let caller = Caller(
    client: account.id, peer: request.peer, proofKeyThumbprint: request.proofKeyThumbprint
  )
  return try await world.decide(about: []) { (transaction: any EventRecords) throws in
    try transaction.record(
      .serviceTokenIssued, about: nil, detail: audiences.joined(separator: " "), by: caller,
      at: now)
    return answer
  }
}

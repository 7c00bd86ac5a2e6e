import JSONText
import SignInModel
import SignInWire

/// The access token of a service account (RFC 9068).
///
/// It belongs to no session. So it has no `sid`, which is the difference to a person's token.
struct ServiceToken {
  let account: ServiceAccount
  let scopes: [ServiceScope]
  /// The thumbprint of the key that the token is bound to; nil if it is bound to none.
  let proofKeyThumbprint: String?

  /// The signed token for these audiences.
  func text(for audiences: [String], at now: Instant, in world: World) -> String {
    let claims = JSON.members([
      JSONMember(.iss, world.issuer),
      JSONMember(.sub, account.id.text),
      JSONMember(.aud, TokenAudience.claim(audiences)),
      JSONMember(.clientID, account.id.text),
      JSONMember(.iat, now.seconds),
      JSONMember(.exp, now.adding(seconds: ServiceAccount.tokenSeconds).seconds),
      JSONMember(.jti, world.handle(bytes: 16)),
      JSONMember(.scope, scopes.map(\.rawValue).joined(separator: " ")),
      JSONMember(.org, ifPresent: account.organization?.text),
      proofKeyThumbprint.map { JSONMember(.cnf, .members([JSONMember(.jkt, $0)])) },
    ])
    return world.signed(claims, as: AccessToken.type, at: now)
  }
}

extension ServiceToken {
  /// Nil if the token is not ours, is of another kind, or has expired.
  ///
  /// It is also nil if the account is no longer configured or belongs to another organization now.
  init?(
    checking text: String, for audience: AccessToken.Audience = .thisServer, at now: Instant,
    in world: World
  ) {
    guard let claims = AccessToken.claims(of: text, for: audience, at: now, in: world),
      claims[.sid] == nil,
      let id = claims[.sub]?.text, claims[.clientID]?.text == id,
      let account = world.serviceAccounts[ClientID(id)],
      account.organization?.text == claims[.org]?.text
    else { return nil }
    let binding = claims[.cnf]
    guard binding == nil || binding?[.jkt]?.text != nil else { return nil }
    self.account = account
    // A scope that the account has lost is removed from its tokens, too.
    let words = (claims[.scope]?.text ?? "").split(separator: " ").map(String.init)
    scopes = account.scopes.filter { words.contains($0.rawValue) }
    proofKeyThumbprint = binding?[.jkt]?.text
  }
}

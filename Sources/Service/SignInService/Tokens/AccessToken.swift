import Cryptography
import JSONText
import SignInModel

/// What an access token says (RFC 9068), read back from one we signed.
struct AccessToken {
  let account: AccountID
  let session: SessionID
  let client: ClientID
  let scope: String
  /// Whose data it opens; nil where the session has no organization.
  let organization: OrganizationID?
  /// The thumbprint of the key it is bound to; nil where it is bound to none.
  let proofKeyThumbprint: String?

  static func mint(for session: Session, lifeSeconds: Int64, at now: Instant, in world: World)
    -> String
  {
    let key = world.keyring.signing.current(at: now)
    let header = JSON.members([
      JSONMember("typ", "at+jwt"), JSONMember("alg", "ES256"), JSONMember("kid", key.id),
    ])
    let claims = JSON.members([
      JSONMember("iss", world.issuer),
      JSONMember("sub", session.account.text),
      JSONMember("aud", world.issuer),
      JSONMember("client_id", session.client.text),
      JSONMember("iat", now.seconds),
      JSONMember("exp", now.adding(seconds: lifeSeconds).seconds),
      JSONMember("jti", world.handle(bytes: 16)),
      JSONMember("scope", session.scope),
      JSONMember("sid", session.id.text),
      JSONMember("auth_time", session.startedAt.seconds),
      JSONMember("amr", .array(session.authenticationMethods.map { JSON.string($0) })),
      JSONMember("org", ifPresent: session.organization?.text),
      session.isBound
        ? JSONMember("cnf", .members([JSONMember("jkt", session.proofKeyThumbprint)])) : nil,
    ])
    return CompactJWS.sign(header: header, claims: claims, with: key.signing)
  }

  /// Nil for a token that is not ours, is of another kind, or is over.
  init?(checking text: String, at now: Instant, in world: World) {
    guard let jws = CompactJWS(parsing: text),
      jws.header["typ"]?.text == "at+jwt", jws.header["alg"]?.text == "ES256",
      let name = jws.header["kid"]?.text,
      let key = world.keyring.signing.accepted(named: name, at: now),
      world.keyring.checkedTokens.isSigned(
        text, check: { jws.isSigned(by: key.signing.publicKey) }),
      jws.claims["iss"]?.text == world.issuer, jws.claims["aud"]?.text == world.issuer,
      let expiry = jws.claims["exp"]?.unixSeconds, now.seconds < expiry,
      let account = jws.claims["sub"]?.text, let session = jws.claims["sid"]?.text,
      let client = jws.claims["client_id"]?.text, let scope = jws.claims["scope"]?.text
    else { return nil }
    let binding = jws.claims["cnf"]
    guard binding == nil || binding?["jkt"]?.text != nil else { return nil }
    self.account = AccountID(account)
    self.session = SessionID(session)
    self.client = ClientID(client)
    self.scope = scope
    organization = jws.claims["org"]?.text.map { OrganizationID($0) }
    proofKeyThumbprint = binding?["jkt"]?.text
  }
}

/// The ID token (OpenID Connect Core, section 2).
enum IDToken {
  static func mint(
    for session: Session, nonce: String?, lifeSeconds: Int64, at now: Instant, in world: World
  ) -> String {
    let key = world.keyring.signing.current(at: now)
    let header = JSON.members([
      JSONMember("typ", "JWT"), JSONMember("alg", "ES256"), JSONMember("kid", key.id),
    ])
    let claims = JSON.members([
      JSONMember("iss", world.issuer),
      JSONMember("sub", session.account.text),
      JSONMember("aud", session.client.text),
      JSONMember("iat", now.seconds),
      JSONMember("exp", now.adding(seconds: lifeSeconds).seconds),
      JSONMember("auth_time", session.startedAt.seconds),
      JSONMember("nonce", ifPresent: nonce),
      JSONMember("sid", session.id.text),
      JSONMember("amr", .array(session.authenticationMethods.map { JSON.string($0) })),
    ])
    return CompactJWS.sign(header: header, claims: claims, with: key.signing)
  }
}

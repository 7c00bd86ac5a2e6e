import Cryptography
import JSONText
import SignInModel
import SignInWire

/// A session, with the other content of its tokens.
struct TokenGrant: Sendable {
  let session: Session
  /// The app, with the policy that applies to the session.
  let client: AppRegistration
  /// The additional claims of the configuration, with their values filled in.
  let claims: [JSONMember]
  /// The APIs that may accept the access token.
  let audiences: [String]
  /// The nonce of the sign-in (OpenID Connect Core, section 2).
  ///
  /// It is nil in tokens of a refresh.
  var nonce: String?
  /// Whether an ID token was asked for.
  ///
  /// A sign-in asks for one with its scope `openid`.
  var includesIDToken = true
}

/// The content of an access token (RFC 9068) that this server signed.
struct AccessToken {
  let account: AccountID
  let session: SessionID
  let client: ClientID
  let scope: String
  /// The organization of the session; nil if the session has none.
  let organization: OrganizationID?
  /// The thumbprint of the key that the token is bound to; nil if it is bound to none.
  let proofKeyThumbprint: String?

  /// The media type of RFC 9068.
  static let type = "at+jwt"

  static func mint(
    for grant: TokenGrant, lifeSeconds: Int64, at now: Instant, in world: World
  ) -> String {
    let session = grant.session
    let claims = JSON.members(
      [
        JSONMember(.iss, world.issuer),
        JSONMember(.sub, session.account.text),
        JSONMember(.aud, TokenAudience.claim(grant.audiences)),
        JSONMember(.clientID, session.client.text),
        JSONMember(.iat, now.seconds),
        JSONMember(.exp, now.adding(seconds: lifeSeconds).seconds),
        JSONMember(.jti, world.handle(bytes: 16)),
        JSONMember(.scope, session.scope),
        JSONMember(.sid, session.id.text),
        JSONMember(.authTime, session.authenticationTime.seconds),
        JSONMember(.amr, .array(session.authenticationMethods.map { JSON.string($0) })),
        JSONMember(.acr, ifPresent: session.assurance),
        JSONMember(.org, ifPresent: session.organization?.text),
        session.isBound
          ? JSONMember(.cnf, .members([JSONMember(.jkt, session.proofKeyThumbprint)])) : nil,
      ] + grant.claims)
    return world.signed(claims, as: Self.type, at: now)
  }

  /// The audience that a token must have.
  enum Audience {
    /// This server.
    ///
    /// A token for another API only is not accepted.
    case thisServer
    /// Any audience, because the token is only described or revoked.
    case any
  }

  /// Nil if the token is not ours, is of another kind, or has expired.
  init?(
    checking text: String, for audience: Audience = .thisServer, at now: Instant, in world: World
  ) {
    let mark = TokenMark(of: text)
    let entry: ParsedTokens.Entry
    if let known = world.parsedTokens[mark] {
      entry = known
    } else {
      guard let (claims, validity) = Self.verified(text, at: now, in: world),
        let token = AccessToken(claims)
      else { return nil }
      entry = ParsedTokens.Entry(token: token, validity: validity)
      world.parsedTokens.remember(entry, for: mark)
    }
    guard entry.validity.isValid(for: audience, at: now, keys: world.keyring.signing) else {
      return nil
    }
    self = entry.token
  }

  /// Nil if the claims are not those of a person's token.
  private init?(_ claims: JSON) {
    guard let account = claims[.sub]?.text, let session = claims[.sid]?.text,
      let client = claims[.clientID]?.text, let scope = claims[.scope]?.text
    else { return nil }
    let binding = claims[.cnf]
    guard binding == nil || binding?[.jkt]?.text != nil else { return nil }
    self.account = AccountID(account)
    self.session = SessionID(session)
    self.client = ClientID(client)
    self.scope = scope
    organization = claims[.org]?.text.map { OrganizationID($0) }
    proofKeyThumbprint = binding?[.jkt]?.text
  }

  /// The claims of an access token of a person or of a service account.
  ///
  /// - Returns: Nil if the text is not a token of ours, is of another kind, or has expired.
  static func claims(
    of text: String, for audience: Audience = .thisServer, at now: Instant, in world: World
  ) -> JSON? {
    guard let (claims, validity) = verified(text, at: now, in: world),
      validity.isValid(for: audience, at: now, keys: world.keyring.signing)
    else { return nil }
    return claims
  }

  /// What a token says that one of our accepted keys signed and that has not expired.
  ///
  /// Its audience is not checked.
  private static func verified(
    _ text: String, at now: Instant, in world: World
  ) -> (claims: JSON, validity: TokenValidity)? {
    guard let jws = CompactJWS(parsing: text),
      jws.header[.typ]?.text == Self.type, jws.header[.alg]?.text == "ES256",
      let name = jws.header[.kid]?.text,
      let key = world.keyring.signing.accepted(named: name, at: now),
      world.keyring.checkedTokens.isSigned(
        text, check: { jws.isSigned(by: key.signing.publicKey, in: world.signatureScheme) }),
      jws.claims[.iss]?.text == world.issuer,
      let expiry = jws.claims[.exp]?.unixSeconds, now.seconds < expiry
    else { return nil }
    let audiences = jws.claims[.aud]?.elements?.map(\.text) ?? [jws.claims[.aud]?.text]
    let validity = TokenValidity(
      keyID: key.id, expiry: expiry, isForThisServer: audiences.contains(world.issuer))
    return (jws.claims, validity)
  }
}

/// The ID token (OpenID Connect Core, section 2).
enum IDToken {
  static func mint(
    for grant: TokenGrant, lifeSeconds: Int64, at now: Instant, in world: World
  ) -> String {
    let session = grant.session
    let claims = JSON.members(
      [
        JSONMember(.iss, world.issuer),
        JSONMember(.sub, session.account.text),
        JSONMember(.aud, session.client.text),
        JSONMember(.iat, now.seconds),
        JSONMember(.exp, now.adding(seconds: lifeSeconds).seconds),
        JSONMember(.authTime, session.authenticationTime.seconds),
        JSONMember(.nonce, ifPresent: grant.nonce),
        JSONMember(.sid, session.id.text),
        JSONMember(.amr, .array(session.authenticationMethods.map { JSON.string($0) })),
        JSONMember(.acr, ifPresent: session.assurance),
      ] + grant.claims)
    return world.signed(claims, as: "JWT", at: now)
  }
}

extension World {
  /// A JWT of this type, signed with the current key.
  func signed(_ claims: JSON, as type: String, at now: Instant) -> String {
    let key = keyring.signing.current(at: now)
    let header = JSON.members([
      JSONMember(.typ, type), JSONMember(.alg, "ES256"), JSONMember(.kid, key.id),
    ])
    return CompactJWS.sign(
      header: header, claims: claims, with: key.signing, in: signatureScheme)
  }
}

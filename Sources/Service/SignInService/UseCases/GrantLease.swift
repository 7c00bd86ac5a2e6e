import JSONText
public import SignInModel
public import SignInWire

/// How long what is read now may be shown without seeing the server again: a signed token.
///
/// It lasts for `offline_seconds` of the policy that holds for the session, less the moment since
/// the same was last asked.
public func grantLease(
  of shelf: OfflineLease.Shelf, to access: Access, at now: Instant, in world: World
) -> String {
  let lease = OfflineLease(
    issuer: world.issuer, account: access.account.id, client: access.client.id,
    organization: access.session.organization, shelf: shelf.rawValue, session: access.session.id,
    issuedAt: now, expiresAt: now.adding(seconds: access.client.offlineSeconds)
  )
  return world.keyring.recentLeases.token(of: lease) {
    let key = world.keyring.signing.current(at: now)
    let header = JSON.members([
      JSONMember("typ", OfflineLease.type), JSONMember("alg", "ES256"), JSONMember("kid", key.id),
    ])
    return CompactJWS.sign(header: header, claims: lease.claims, with: key.signing)
  }
}

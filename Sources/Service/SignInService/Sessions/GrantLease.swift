import JSONText
public import SignInModel
public import SignInWire

/// A signed token with the period in which data that is read now may be shown offline.
///
/// The lease lasts for `offline_seconds` of the policy that applies to the session. A lease that
/// was signed in the last minute can be returned again. Then up to a minute less of it remains.
public func grantLease(
  of list: OfflineLease.List, to access: Access, at now: Instant, in world: World
) -> String {
  let lease = OfflineLease(
    issuer: world.issuer, account: access.account.id, client: access.client.id,
    organization: access.session.organization, list: list.rawValue, session: access.session.id,
    issuedAt: now, expiresAt: now.adding(seconds: access.client.policy[.offline])
  )
  return world.keyring.recentLeases.token(of: lease) {
    world.signed(lease.claims, as: OfflineLease.type, at: now)
  }
}

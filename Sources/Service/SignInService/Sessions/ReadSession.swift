import Cryptography
import JSONText
public import SignInModel
public import SignInWire

/// The information about its session that an open app gets.
public struct SessionUpdate: Sendable {
  public let answer: SessionEventsAnswer
  /// When the session ends if it is not used.
  public let endsAt: Instant
}

/// The terms of an open session, or the reason why it ended (`session_ended` with a `reason`).
public func readSession(_ claim: SessionClaim, in world: World) async throws(Refusal)
  -> SessionUpdate
{
  let now = world.clock.now()
  return try await world.read {
    (transaction: any PolicyRecords & AccountUpdateRecords & SessionRecords) throws in
    // A session that ended long ago is no longer stored.
    guard let stored = try transaction.session(claim.session) else {
      throw Refusal.sessionEnded(.expired)
    }
    let current: CurrentSession
    switch try world.use(of: stored, in: world.clients[claim.client], at: now, transaction) {
    case .continues(let found): current = found
    case .ends(let reason): throw Refusal.sessionEnded(reason)
    }
    let (session, app) = (current.session, current.app)
    let terms = app.terms(of: session)
    // Account updates require the scope `account`. A session can always read its own
    // terms.
    let hasAccountScope = session.hasAccountScope
    let update =
      hasAccountScope
      ? try transaction.update(for: session, at: now, in: world) : AccountUpdate()
    let content = terms.json.utf8 + JSON.object(update.members).utf8
    let version = Base64URL.encode(Array(SHA256Digest.of(content).prefix(9)))
    let idleEnd = session.lastUsedAt.adding(seconds: app.policy[.idle])
    return SessionUpdate(
      answer: SessionEventsAnswer(version: version, terms: terms, account: update),
      endsAt: min(session.expiresAt, idleEnd)
    )
  }
}

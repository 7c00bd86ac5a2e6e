import SignInModel

/// Sessions that ended on this device while the server has not confirmed their end yet (L-32).
///
/// They are stored with a session, or in its place after a sign-out. So the server learns of each
/// end as soon as it can be reached.
struct PendingRevocations: Equatable, Sendable {
  /// The most tokens that are stored.
  ///
  /// Each sign-out without a network adds one. A person is unlikely to sign out more often. If they
  /// do, the oldest session ends by its own time-out.
  static let limit = 8

  /// The tokens to revoke, the oldest first.
  ///
  /// A revocation needs only its token, not a signed-in account.
  private(set) var tokens: [Secret] = []
  /// A session with a token that can no longer be read.
  ///
  /// The same person ends it after the next sign-in.
  var unreadableSession: SessionID?

  init(_ tokens: [Secret] = [], unreadableSession: SessionID? = nil) {
    self.unreadableSession = unreadableSession
    for token in tokens { add(token) }
  }

  var isEmpty: Bool { tokens.isEmpty && unreadableSession == nil }

  /// Adds later revocations.
  ///
  /// Only one unreadable session is stored, the latest one.
  mutating func add(_ later: PendingRevocations) {
    for token in later.tokens { add(token) }
    unreadableSession = later.unreadableSession ?? unreadableSession
  }

  /// Adds the revocations of a session that this device has replaced.
  mutating func addReplaced(_ replaced: PendingRevocations) {
    let own = unreadableSession
    add(replaced)
    unreadableSession = own ?? unreadableSession
  }

  mutating func add(_ token: Secret) {
    guard !tokens.contains(token) else { return }
    tokens.append(token)
    if tokens.count > Self.limit { tokens.removeFirst() }
  }

  /// Removes the token, because the server has answered its revocation.
  mutating func confirm(_ token: Secret) { tokens.removeAll { $0 == token } }
}

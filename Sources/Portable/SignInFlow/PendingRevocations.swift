import SignInModel

/// The pending revocations of this device, the latest one last.
///
/// Each sign-out without a network adds one. The next session that begins takes them over.
struct PendingRevocations: Equatable, Sendable {
  /// The most revocations that are stored.
  ///
  /// A person is unlikely to sign out more often without a network. If they do, the oldest session
  /// ends by its own time-out.
  static let limit = 8

  private var unconfirmed: [PendingRevocation] = []
  /// The text that storage contains in place of a session, as far as it is known.
  private var storedText: Secret?
  /// A session with a token that cannot be read.
  ///
  /// The next person to sign in ends it, if it is theirs.
  var unreadableSession: SessionID?

  var tokens: [Secret] { unconfirmed.compactMap { $0.token } }

  mutating func take(_ tokens: [Secret]) {
    for token in tokens where !self.tokens.contains(token) {
      unconfirmed.append(PendingRevocation(token))
    }
    if unconfirmed.count > Self.limit { unconfirmed.removeFirst(unconfirmed.count - Self.limit) }
  }

  /// Takes over a revocation that storage contains.
  mutating func take(_ stored: PendingRevocation) {
    take(stored.tokens)
    unreadableSession = stored.unreadableSession ?? unreadableSession
    storedText = stored.text
  }

  /// Adds the revocation of a session that ends, and returns the text to store in its place.
  mutating func leave(_ revocation: PendingRevocation) -> Secret {
    take(revocation.earlierTokens)
    let earlierTokens = tokens.filter { $0 != revocation.token }
    take(revocation.tokens)
    unreadableSession = revocation.unreadableSession ?? unreadableSession
    return updatedText(revocation.token, earlierTokens: earlierTokens)
  }

  private mutating func updatedText(_ token: Secret?, earlierTokens: [Secret]) -> Secret {
    let text = PendingRevocation(
      token, earlierTokens: earlierTokens, unreadableSession: unreadableSession
    ).text
    storedText = text
    return text
  }

  /// Adds more tokens to revoke, and updates storage if it still contains a revocation.
  mutating func add(_ more: PendingRevocation) -> [Effect] {
    let known = (tokens, unreadableSession)
    take(more.tokens)
    unreadableSession = unreadableSession ?? more.unreadableSession
    guard let old = storedText, (tokens, unreadableSession) != known else { return [] }
    return [.replaceSession(old, with: updatedText(tokens.last, earlierTokens: tokens.dropLast()))]
  }

  mutating func send(_ context: inout FlowContext) -> [Effect] {
    var effects: [Effect] = []
    for index in unconfirmed.indices { effects += unconfirmed[index].send(&context) }
    return effects
  }

  func isFor(_ id: RequestID) -> Bool { unconfirmed.contains { $0.request == id } }

  /// Handles the answer to a revocation.
  ///
  /// Every answer with a status below 500 confirms it. Otherwise the revocation stays pending.
  ///
  /// - Returns: The confirmed token and the changes of storage; `nil` if the revocation stays
  ///   pending.
  mutating func answered(_ id: RequestID, _ answer: Answer) -> (token: Secret, effects: [Effect])? {
    guard let index = unconfirmed.firstIndex(where: { $0.request == id }),
      let token = unconfirmed[index].token
    else { return nil }
    guard let status = answer.status, status < 500 else {
      unconfirmed[index].request = nil
      return nil
    }
    unconfirmed.remove(at: index)
    // The stored revocation is the only record of the unreadable session until a person signs in.
    guard unconfirmed.isEmpty, unreadableSession == nil, let storedText else { return (token, []) }
    self.storedText = nil
    return (token, [.eraseSessionIfUnchanged(storedText)])
  }
}

import SignInModel

/// The sessions this device has left and the server has not been told of, the latest last.
///
/// There is one for every sign-out without a network; whoever signs in meanwhile takes them on.
struct Farewells: Equatable, Sendable {
  /// More than anybody signs out without a network; the oldest then ends by its own time-out.
  static let limit = 8

  private var untold: [Farewell] = []
  /// What storage holds in place of a session, as far as is known.
  private var tombstone: Secret?
  /// To be ended by whoever signs in next, if it is theirs.
  var leftBehind: SessionID?

  var tokens: [Secret] { untold.compactMap { $0.token } }

  mutating func take(_ tokens: [Secret]) {
    for token in tokens where !self.tokens.contains(token) { untold.append(Farewell(token)) }
    if untold.count > Self.limit { untold.removeFirst(untold.count - Self.limit) }
  }

  /// One that storage holds.
  mutating func take(_ stored: Farewell) {
    take(stored.tokens)
    leftBehind = stored.leftBehind ?? leftBehind
    tombstone = stored.text
  }

  /// Leaves a session: what is to be stored in its place.
  mutating func leave(_ farewell: Farewell) -> Secret {
    take(farewell.owed)
    let owed = tokens.filter { $0 != farewell.token }
    take(farewell.tokens)
    leftBehind = farewell.leftBehind ?? leftBehind
    return stand(farewell.token, owed: owed)
  }

  private mutating func stand(_ token: Secret?, owed: [Secret]) -> Secret {
    let text = Farewell(token, owed: owed, leftBehind: leftBehind).text
    tombstone = text
    return text
  }

  /// More that is to end: what storage holds says so as well, if it is still a farewell.
  mutating func add(_ more: Farewell) -> [Effect] {
    let known = (tokens, leftBehind)
    take(more.tokens)
    leftBehind = leftBehind ?? more.leftBehind
    guard let old = tombstone, (tokens, leftBehind) != known else { return [] }
    return [.replaceSession(old, with: stand(tokens.last, owed: tokens.dropLast()))]
  }

  mutating func tell(_ context: inout FlowContext) -> [Effect] {
    var effects: [Effect] = []
    for index in untold.indices { effects += untold[index].tell(&context) }
    return effects
  }

  func isFor(_ id: RequestID) -> Bool { untold.contains { $0.request == id } }

  /// An answer of any kind ends the matter; silence does not.
  ///
  /// - Returns: The token the server knows of now, and what to do with storage; nil when it is to
  ///   be told again.
  mutating func told(_ id: RequestID, _ answer: Answer) -> (token: Secret, effects: [Effect])? {
    guard let index = untold.firstIndex(where: { $0.request == id }),
      let token = untold[index].token
    else { return nil }
    guard let status = answer.status, status < 500 else {
      untold[index].request = nil
      return nil
    }
    untold.remove(at: index)
    // A session left behind is remembered by the farewell until somebody signs in over it.
    guard untold.isEmpty, leftBehind == nil, let tombstone else { return (token, []) }
    self.tombstone = nil
    return (token, [.eraseIfStill(tombstone)])
  }
}

internal import JSONText
internal import SignInEngine
internal import SignInModel
internal import SignInRules
internal import SignInWire

/// The sessions of one account at the server, with the production rules of refresh tokens.
///
/// A token is the number of its session and its generation. So two orders of events that lead to
/// the same sessions lead to equal values.
struct ExploredServer: Hashable {
  struct Session: Hashable {
    let organization: String
    /// The newest generation of refresh tokens that the session has given out.
    var newest: Int64 = 0
    var end: EndReason?
    /// The session that replaced this one after a switch to another organization.
    var successor: Int?
  }

  static let accessSeconds: Int64 = 90
  static let accountName = "Kari"

  var sessions = [Session(organization: "north")]

  // MARK: Tokens

  /// The answer with the tokens of this generation.
  func tokens(of index: Int, _ generation: Int64, at now: Instant) -> TokenAnswer {
    TokenAnswer(
      accessToken: Secret("a.\(index).\(now.seconds + Self.accessSeconds)"), tokenType: "DPoP",
      expiresIn: Self.accessSeconds, refreshToken: Secret("r.\(index).\(generation)"),
      idToken: nil, scope: "openid offline_access", session: terms(of: index))
  }

  func terms(of index: Int) -> TokenAnswer.SessionTerms {
    TokenAnswer.SessionTerms(
      id: Self.id(of: index), expiresAt: ExploredWorld.start.adding(seconds: 86_400),
      idleTimeout: 43_200, backgroundTimeout: 43_200, unlock: "none",
      organization: OrganizationID(sessions[index].organization))
  }

  static func id(of index: Int) -> SessionID { SessionID("s\(index)") }

  static func index(of id: SessionID) -> Int? { Int(id.text.dropFirst()) }

  /// The session and the number in a token.
  static func read(_ token: Secret) -> (index: Int, number: Int64)? {
    let parts = token.revealed.split(separator: ".")
    guard parts.count == 3, let index = Int(parts[1]), let number = Int64(parts[2]) else {
      return nil
    }
    return (index, number)
  }

  /// Whether a request with this refresh token would get tokens.
  func accepts(_ token: Secret, _ defect: ExploredDefect? = nil) -> Bool {
    var copy = self
    return copy.refresh(token, organization: nil, at: ExploredWorld.start, defect).success
  }

  // MARK: Requests

  mutating func answer(_ call: Call, at now: Instant, _ defect: ExploredDefect?) -> Answer {
    if case .proofWithToken(let token) = call.authorization {
      if let refusal = refusal(of: token, at: call.path == Endpoint.sessionEvents.path ? nil : now)
      {
        return answer(401, refusal.json, at: now)
      }
      return answer(200, account(of: token).json, at: now)
    }
    guard let form = call.form else { return answer(404, .null, at: now) }
    if call.path == Endpoint.revoke.path {
      if let token = RevocationForm(form).token { revoke(token) }
      return answer(200, .members([]), at: now)
    }
    let request = TokenForm(form)
    guard let token = request.refreshToken else { return answer(400, .null, at: now) }
    return refresh(token, organization: request.organization, at: now, defect).answer
  }

  /// Whether the server leaves the request open.
  func holds(_ call: Call) -> Bool {
    guard call.path == Endpoint.sessionEvents.path,
      case .proofWithToken(let token) = call.authorization
    else { return false }
    return refusal(of: token, at: nil) == nil
  }

  /// The answer to an open request when nothing has changed.
  func unchanged(_ call: Call, at now: Instant) -> Answer {
    guard case .proofWithToken(let token) = call.authorization,
      let index = Self.read(token)?.index
    else { return .timedOut }
    let body = JSON.members([
      JSONMember("version", "1"), JSONMember("session", terms(of: index).json),
    ])
    return answer(200, body, at: now)
  }

  private func answer(_ status: Int64, _ body: JSON, at now: Instant) -> Answer {
    .received(status: status, body: body, serverSeconds: now.seconds)
  }

  private func account(of token: Secret) -> AccountAnswer {
    let index = Self.read(token)?.index ?? 0
    return AccountAnswer(
      id: AccountID("a1"), name: Self.accountName, email: nil, phone: nil, role: "technician",
      organizations: ["north", "south"].map { OrganizationEntry(id: OrganizationID($0), name: $0) },
      session: terms(of: index))
  }

  /// Why an access token is refused; `nil` if it is accepted.
  ///
  /// Without `now`, its expiry is not checked.
  private func refusal(of token: Secret, at now: Instant?) -> Refusal? {
    guard let (index, expiry) = Self.read(token), sessions.indices.contains(index) else {
      return .invalidToken("unknown token")
    }
    if let end = sessions[index].end { return .sessionEnded(end) }
    if sessions[index].successor != nil {
      return .sessionEnded(.signedOut)
    }
    if let now, expiry <= now.seconds { return .invalidToken("the token has expired") }
    return nil
  }

  /// Ends the session of the token, and the sessions that replaced it.
  private mutating func revoke(_ token: Secret) {
    var next = Self.read(token)?.index
    while let index = next, sessions.indices.contains(index) {
      end(index, .signedOut)
      next = sessions[index].successor
    }
  }

  private mutating func end(_ index: Int, _ reason: EndReason) {
    if sessions[index].end == nil { sessions[index].end = reason }
  }

  private mutating func refresh(
    _ token: Secret, organization: String?, at now: Instant, _ defect: ExploredDefect?
  ) -> (answer: Answer, success: Bool) {
    guard let (index, presented) = Self.read(token), sessions.indices.contains(index) else {
      return refused(nil, at: now)
    }
    if let end = sessions[index].end { return refused(end, at: now) }
    let newest = sessions[index].newest
    if let successor = sessions[index].successor {
      let verdict = RefreshRotation.verdict(
        presented: presented, newest: newest, successorNewest: sessions[successor].newest)
      switch verdict {
      case .follow where defect != .lostSwitchEndsSession:
        if let end = sessions[successor].end { return refused(end, at: now) }
        return granted(successor, 0, at: now)
      case .follow, .unknown: return refused(.signedOut, at: now)
      case .reuse:
        end(successor, .reuseDetected)
        return refused(.reuseDetected, at: now)
      }
    }
    let next: Int64
    switch RefreshRotation.verdict(presented: presented, newest: newest) {
    case .advance(let generation): next = generation
    case .repeatSuccessor(let generation) where defect != .lostAnswerEndsSession:
      next = generation
    case .reuse where defect == .oldTokenIsAccepted: next = newest
    case .reuse, .repeatSuccessor:
      end(index, .reuseDetected)
      return refused(.reuseDetected, at: now)
    case .unknown: return refused(nil, at: now)
    }
    guard let organization, organization != sessions[index].organization else {
      sessions[index].newest = next
      return granted(index, next, at: now)
    }
    sessions[index].newest = RefreshRotation.newestAfterSwitch(presented: presented)
    sessions[index].successor = sessions.count
    sessions.append(Session(organization: organization))
    return granted(sessions.count - 1, 0, at: now)
  }

  private func granted(
    _ index: Int, _ generation: Int64, at now: Instant
  ) -> (answer: Answer, success: Bool) {
    (answer(200, tokens(of: index, generation, at: now).json, at: now), true)
  }

  private func refused(
    _ reason: EndReason?, at now: Instant
  ) -> (answer: Answer, success: Bool) {
    (answer(400, Refusal.invalidGrant(nil, reason).json, at: now), false)
  }
}

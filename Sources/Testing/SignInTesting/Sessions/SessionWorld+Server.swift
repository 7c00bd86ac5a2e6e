internal import Cryptography
internal import JSONText
internal import SignInFlow
internal import SignInModel
internal import SignInService
internal import SignInWire

// The unreliable network, and the server's own use cases behind it.
extension SessionWorld {
  func transmit(_ call: Call, as id: RequestID, from tab: SessionTab) {
    tab.awaited.insert(id)
    if call.path.hasPrefix(Endpoint.sessionEvents.path) { tab.watch = id }
    let isLost = !areFaultsOver && chance.isOne(in: 15)
    if tab.device.isOffline || isLost {
      return plan(.answer(tab.number, run: tab.run, id, .unreachable), in: 5...500)
    }
    plan(.request(tab.number, run: tab.run, id, call), in: 5...200)
  }

  func arrived(
    _ call: Call, as id: RequestID, from tab: SessionTab, run: Int
  ) async {
    // A request for account updates is answered when there is an update.
    if call.path.hasPrefix(Endpoint.sessionEvents.path), refusal(of: call) == nil { return }
    noteExpired()
    let (status, body) = await answer(call, from: tab.device)
    expectNoTheft()
    if tab.device.isOffline || (!areFaultsOver && chance.isOne(in: 12)) {
      note("answer lost", tab.number)
      return plan(.answer(tab.number, run: run, id, .timedOut), in: 500...30_000)
    }
    let said = Answer.received(
      status: status, body: body, serverSeconds: clock.now().seconds)
    plan(.answer(tab.number, run: run, id, said), in: 5...300)
  }

  private func answer(_ call: Call, from device: SessionDevice) async -> (Int64, JSON) {
    let form = call.form ?? Form()
    switch call.path {
    case Endpoint.challenge.path: return await challenge(form, device)
    case Endpoint.token.path: return await token(form, device)
    case Endpoint.revoke.path:
      if defect == .signOutNotSent { return (200, .null) }
      if let id = LawBook.session(of: form[.token] ?? "") { toldToEnd.insert(id) }
      let request = RevocationRequest(client: client, token: Secret(form[.token] ?? ""))
      _ = await result(try await revokeToken(request, in: world))
      return (200, .null)
    default: return read(call)
    }
  }

  /// Authentication is not the subject of this world, so that every answer is accepted.
  private func challenge(_ form: Form, _ device: SessionDevice) async -> (Int64, JSON) {
    if let challenge = form[.codeChallenge] { device.pkceChallenge = challenge }
    guard form[.otp] != nil else {
      let prompt = CodePrompt(
        destination: "***", digits: 6, expiresAt: clock.now().adding(seconds: 300),
        resendAt: clock.now().adding(seconds: 60), attemptsLeft: 5
      )
      let refusal = Refusal.insufficientAuthorization("attempt", prompt)
      return (Int64(refusal.code.status), refusal.json)
    }
    signIns += 1
    let code = "code-\(signIns)"
    let attempt = SignInAttempt(
      digest: SHA256Digest.of("attempt " + code), account: AccountID("person-\(device.person)"),
      client: client.id, proofKeyThumbprint: device.key, pkceChallenge: device.pkceChallenge,
      scope: "offline_access activities", nonce: nil, organization: nil, startedAt: clock.now(),
      expiresAt: clock.now().adding(seconds: 600),
      progress: .proved(
        codeDigest: SHA256Digest.of(code), expiresAt: clock.now().adding(seconds: 60))
    )
    await write { (transaction) throws(StoreFault) in try transaction.insert(attempt) }
    return (200, .members([JSONMember("authorization_code", code)]))
  }

  private func token(_ form: Form, _ device: SessionDevice) async -> (Int64, JSON) {
    do throws(Refusal) {
      guard let token = form[.refreshToken] else {
        let redemption = CodeRedemption(
          client: client, code: form[.code] ?? "", verifier: form[.codeVerifier] ?? "",
          proofKeyThumbprint: device.key)
        guard case .tokens(let answer) = try await redeemCode(redemption, in: world) else {
          preconditionFailure("a redeemed code led to another code")
        }
        return (200, answer.json)
      }
      note("refresh of \(token.prefix(14))", device.number)
      let request = RefreshRequest(
        client: client, refreshToken: Secret(token), proofKeyThumbprint: device.key,
        organization: form[.organization].map { OrganizationID($0) })
      return (200, try await refreshSession(request, in: world).json)
    } catch {
      var refusal = error
      if defect == .endReasonAlwaysExpired, refusal.reason != nil {
        refusal.reason = "password_changed"
      }
      note("refused for \(refusal.reason ?? refusal.code.rawValue)", device.number)
      return (Int64(refusal.code.status), refusal.json)
    }
  }

  // MARK: Data

  /// The refusal of a request for the session's data, or `nil`.
  private func refusal(of call: Call) -> (Int64, JSON)? {
    guard case .proofWithToken(let token) = call.authorization,
      let jws = CompactJWS(parsing: token.revealed), let id = jws.claims["sid"]?.text,
      let expiresAt = jws.claims["exp"]?.number, expiresAt > clock.now().seconds
    else { return (401, .members([JSONMember("code", "invalid_token")])) }
    guard let end = end(of: SessionID(id)) else { return nil }
    let wireReason = end == .replaced ? Session.End.signedOut.rawValue : end.rawValue
    let reason = defect == .endReasonAlwaysExpired ? "password_changed" : wireReason
    return (401, .members([JSONMember("code", "session_ended"), JSONMember("reason", reason)]))
  }

  private func read(_ call: Call) -> (Int64, JSON) {
    if let refusal = refusal(of: call) { return refusal }
    guard case .proofWithToken(let token) = call.authorization,
      let id = LawBook.session(of: token.revealed), let session = store.tables.sessions[id]
    else { return (401, .null) }
    let organization = session.organization?.text ?? "none"
    switch (call.method, call.path) {
    case (.delete, _):
      let other = SessionID(String(call.path.dropFirst(Endpoint.sessions.path.utf8.count + 1)))
      guard store.tables.sessions[other]?.account == session.account else { return (404, .null) }
      if defect == .lockedSessionNotRevoked { return (204, .null) }
      toldToEnd.insert(other)
      if end(of: other) == nil { store.tables.sessions[other]?.end = .revoked }
      return (204, .null)
    case (_, Endpoint.me.path): return (200, account(of: session).json)
    case (_, Endpoint.activities.path):
      let other = organization == "north" ? "south" : "north"
      let said = defect == .answersForOtherOrganization ? other : organization
      let entries = (1...2).map { activity("\(said)-\($0)", said, notes: "") }
      return (200, .members([JSONMember("activities", .array(entries.map { $0.json }))]))
    default:
      let id = String(call.path.split(separator: "/").last ?? "")
      return (200, activity(id, organization, notes: "saved in \(organization)").json)
    }
  }

  private func account(of session: Session) -> AccountAnswer {
    AccountAnswer(
      id: session.account, name: "Person", email: nil, phone: "***", role: "mentor",
      organizations: Self.organizations.map {
        OrganizationEntry(id: OrganizationID($0), name: $0)
      },
      session: TokenAnswer.SessionTerms(
        id: session.id, expiresAt: session.expiresAt, idleTimeout: client.policy[.idle],
        backgroundTimeout: client.policy[.background], unlock: client.policy.unlock.rawValue,
        organization: session.organization
      )
    )
  }

  private func activity(_ id: String, _ organization: String, notes: String) -> ActivityEntry {
    ActivityEntry(
      id: id, title: "of " + organization, startsAt: clock.now(), endsAt: clock.now(),
      place: "", companion: "", status: "planned", notes: notes
    )
  }

  // MARK: State for the laws

  /// The true end of a session, or `nil` if it is valid.
  func end(of id: SessionID) -> Session.End? {
    guard let session = store.tables.sessions[id] else { return .expired }
    if let end = session.end { return end }
    let idle = session.lastUsedAt.adding(seconds: client.policy[.idle])
    return clock.now() >= session.expiresAt || clock.now() >= idle ? .expired : nil
  }

  /// The true ends of a session and of the sessions that replaced it after changes of organization.
  ///
  /// The server answers for the last of them.
  func ends(of id: SessionID) -> Set<Session.End?> {
    var ends: Set<Session.End?> = []
    var next: SessionID? = id
    while let id = next {
      ends.insert(end(of: id))
      if expired.contains(id) { ends.insert(.expired) }
      next = store.tables.sessions[id]?.successor
    }
    return ends
  }

  /// Records the sessions that have expired by their idle time, because they may also be ended
  /// later.
  private func noteExpired() {
    for id in store.tables.sessions.keys where end(of: id) == .expired { expired.insert(id) }
  }

  /// Ends a session as an administrator does, or as the person does on another device.
  func endAtServer(_ id: SessionID) {
    guard end(of: id) == nil else { return }
    note("ended at the server", 0)
    store.tables.sessions[id]?.end = .revoked
    for tab in tabs where tab.isOpen && !tab.device.isOffline {
      guard let watch = tab.watch, tab.signedIn?.renewingSession.record.terms.id == id else {
        continue
      }
      let body = JSON.members([
        JSONMember("code", "session_ended"), JSONMember("reason", "revoked"),
      ])
      plan(
        .answer(
          tab.number, run: tab.run, watch,
          .received(status: 401, body: body, serverSeconds: clock.now().seconds)), in: 5...500)
    }
  }
}

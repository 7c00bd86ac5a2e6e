internal import JSONText
internal import SignInModel
internal import SignInService
internal import SignInWire

// The planted defects between the network and the real server, and in its store.
extension Simulation {
  /// The answer of a defect in place of the server, or `nil`.
  func misdirected(_ request: WireRequest) -> WireAnswer? {
    let status: Int64
    switch (request.kind, defect) {
    case (.revoke, .signOutNotSent): status = 200
    case (.endSession, .lockedSessionNotRevoked): status = 204
    default: return nil
    }
    return WireAnswer(status: status, body: .null, serverSeconds: clock.now().seconds)
  }

  /// The key that signs the proof of a request, if a defect ignores the key of the sender.
  func signer(of request: WireRequest) -> DeviceKey? {
    let id: SessionID?
    switch (request.kind, defect) {
    case (.refresh(let token), .refreshWithAnyKey): id = LawBook.session(of: token)
    case (.read, .accessWithAnyKey): id = request.token.flatMap { LawBook.session(of: $0) }
    default: return nil
    }
    let thumbprint = id.flatMap { server.store.tables.sessions[$0] }?.proofKeyThumbprint
    return SimulatedKeys.devices.first { $0.thumbprint == thumbprint }
  }

  func damagedBody(of answer: WireAnswer, _ operation: SimulatedOperation) -> JSON {
    let body = answer.body
    switch (operation.kind, defect) {
    case (_, .endReasonAlwaysPassword) where body["reason"] != nil:
      return body.replacing("reason", by: EndReason.passwordChanged.rawValue)
    case (.read, .answersForOtherOrganization):
      return body["activities"] == nil ? body : body.withOrganizationsExchanged
    case (.refresh(let token), .repeatedRefreshGivesOtherToken):
      guard laws.successors[token] != nil, body["refresh_token"] != nil else { return body }
      return body.replacing("refresh_token", by: "another.0.token")
    case (.passwordSignIn(let username), .unknownAccountRevealed):
      let accounts = server.store.tables.accounts.values
      return accounts.contains { $0.email?.text == username }
        ? body : Refusal.accountNotRegistered.json
    default: return body
    }
  }

  /// The damage of sessions that continues when all faults are over.
  func damageEnds(_ before: MemoryTables, _ after: inout MemoryTables) {
    switch defect {
    case .unusedSuccessorTakenForReuse:
      for (id, session) in after.sessions {
        let earlier = before.sessions[id]?.refreshGeneration ?? session.refreshGeneration
        if session.refreshGeneration > earlier { after.sessions[id]?.refreshGeneration += 1 }
      }
    case .reuseKeepsSession:
      for (id, session) in after.sessions where session.end == .reuseDetected {
        after.sessions[id]?.end = nil
      }
    case .administratorsEndNotRecorded:
      guard case .administration(_, .endSessions)? = SimulatedOperation.current?.kind else {
        return
      }
      after.sessions = before.sessions
    default: return
    }
  }
}

extension JSON {
  fileprivate func replacing(_ key: String, by text: String) -> JSON {
    let members = (objectMembers ?? []).map { $0.key == key ? JSONMember(key, text) : $0 }
    return .object(members)
  }

  /// The same list with the names of the two organizations exchanged.
  fileprivate var withOrganizationsExchanged: JSON {
    switch self {
    case .string(let text):
      if text.contains("north") { return .string(text.replacing("north", with: "south")) }
      return .string(text.replacing("south", with: "north"))
    case .array(let elements): return .array(elements.map(\.withOrganizationsExchanged))
    case .object(let members):
      return .object(
        members.map { JSONMember($0.key, $0.value.withOrganizationsExchanged) })
    default: return self
    }
  }
}

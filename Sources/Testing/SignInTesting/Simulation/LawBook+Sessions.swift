internal import JSONText
internal import SignInModel
internal import SignInRules
internal import SignInService

extension LawBook {
  func attemptsChanged(
    _ before: MemoryTables, _ after: MemoryTables, _ operation: SimulatedOperation
  ) {
    for (digest, attempt) in after.attempts where before.attempts[digest] == nil {
      guard after.accounts[attempt.account]?.role == .technician else { continue }
      let isProved =
        operation.provedPassword == attempt.account
        && operation.provedHash == before.accounts[attempt.account]?.passwordHash
      expect(
        isProved, .bothFactorsRequired,
        "a sign-in of \(attempt.account.text) began without its password"
      )
      provedPassword.insert(digest)
    }
  }

  func sessionsChanged(
    _ before: MemoryTables, _ after: MemoryTables, _ operation: SimulatedOperation
  ) {
    for (id, session) in after.sessions where before.sessions[id] != session {
      guard let earlier = before.sessions[id] else {
        began(session, before, operation)
        continue
      }
      if let end = session.end {
        if earlier.end == nil { ended(earlier, because: end, before, operation) }
        expect(earlier.end ?? end == end, .nothingIsLost, "\(id.text) ended for another reason")
      } else {
        expect(earlier.end == nil, .nothingIsLost, "\(id.text) is valid again after its end")
        moved(earlier, to: session, before, operation)
      }
    }
    for (id, session) in before.sessions where after.sessions[id] == nil {
      removed.insert(id)
      expect(
        session.expiresAt < operation.readClock, .endsWithCause, "\(id.text) was removed too early"
      )
    }
  }

  private func began(_ session: Session, _ before: MemoryTables, _ operation: SimulatedOperation) {
    guard case .redeem(let code) = operation.kind,
      let attempt = before.attempts.values.first(where: { attempt in
        if case .proved(code, _) = attempt.progress { true } else { false }
      })
    else {
      return broken(.bothFactorsRequired, "a session began without an unused authorization code")
    }
    expect(
      provedCode.contains(attempt.digest) && attempt.account == session.account,
      .bothFactorsRequired,
      "a session of \(session.account.text) began without its code"
    )
    expect(
      before.accounts[session.account]?.status == .active, .activeOnly,
      "a session of \(session.account.text) began"
    )
    expectUnlocked(session.account, before, operation, "began a session")
  }

  private func moved(
    _ earlier: Session, to session: Session, _ before: MemoryTables, _ operation: SimulatedOperation
  ) {
    expect(
      before.accounts[session.account]?.status == .active, .activeOnly,
      "a session of \(session.account.text) continued"
    )
    let step = session.refreshGeneration - earlier.refreshGeneration
    guard case .refresh(let token) = operation.kind else {
      return expect(step == 0, .rotationCounts, "a session advanced without a refresh token")
    }
    let presented = Self.generation(of: token)
    let isKept = step == 0 || (step == 1 && presented == earlier.refreshGeneration)
    expect(isKept, .rotationCounts, "generation \(presented) advanced the session by \(step)")
  }

  private func ended(
    _ session: Session, because end: Session.End, _ before: MemoryTables,
    _ operation: SimulatedOperation
  ) {
    let now = operation.readClock
    let idle = SimulatedPeople.idleSeconds
    let hasCause: Bool
    switch end {
    case .revoked where operation.kind.isAdministration(of: session.account, by: .endSessions):
      hasCause = true
    case .signedOut:
      if case .revoke(let token) = operation.kind {
        hasCause = Self.session(of: token) == session.id
      } else {
        hasCause = false
      }
    case .revoked:
      // A person may send the request again while the first one is in progress. That also uses the
      // code twice.
      if case .redeem(let code) = operation.kind {
        let isRepeated = redemptions[code] ?? 0 > 1
        hasCause = !operation.isFromApp || isRepeated || acknowledgedSessions[session.id] == nil
      } else {
        hasCause = false
      }
    case .expired:
      hasCause = now >= session.expiresAt || now >= session.lastUsedAt.adding(seconds: idle)
    case .accountDeactivated:
      hasCause =
        before.accounts[session.account]?.status != .active
        || operation.kind.isAdministration(of: session.account, by: .status(.deactivate))
    case .reuseDetected:
      if case .refresh(let token) = operation.kind {
        let isOld = Self.generation(of: token) < session.refreshGeneration - 1
        hasCause = isOld && !operation.isFromApp
      } else {
        hasCause = false
      }
    case .sessionLimit:
      let open = before.sessions.values.filter { $0.account == session.account && $0.end == nil }
      hasCause = open.count >= SignInLimits.sessionsPerAccount
    case .replaced:
      // The cause must be a sign-in on the session's own device.
      if case .redeem = operation.kind {
        hasCause = session.proofKeyThumbprint == operation.device
      } else {
        hasCause = false
      }
    case .passwordChanged:
      if case .reset(let digest, _) = operation.kind {
        hasCause = before.resets[digest]?.account == session.account
      } else {
        hasCause = operation.kind.isAdministration(of: session.account, by: .reset)
      }
    }
    expect(
      hasCause, .endsWithCause, "\(session.id.text) ended: \(end.rawValue), by \(operation.kind)")
  }

  /// The generation in the second part of a refresh token.
  static func generation(of token: String) -> Int64 {
    token.split(separator: ".").dropFirst().first.flatMap { Int64($0) } ?? -1
  }

  /// The session in the first part of a refresh token, or in an access token's `sid`.
  static func session(of token: String) -> SessionID? {
    if let jws = CompactJWS(parsing: token) { return jws.claims["sid"]?.text.map { SessionID($0) } }
    return token.split(separator: ".").first.map { SessionID(String($0)) }
  }
}

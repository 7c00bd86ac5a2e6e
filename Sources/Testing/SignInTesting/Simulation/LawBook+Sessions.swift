internal import JSONText
internal import SignInModel
internal import SignInRules
internal import SignInService

extension LawBook {
  func attemptsChanged(_ before: MemoryTables, _ after: MemoryTables, _ errand: Errand) {
    for (digest, attempt) in after.attempts where before.attempts[digest] == nil {
      guard after.accounts[attempt.account]?.role == .technician else { continue }
      let isProved =
        errand.provedPassword == attempt.account
        && errand.provedHash == before.accounts[attempt.account]?.passwordHash
      expect(
        isProved, .provedTwice, "a sign-in of \(attempt.account.text) began without its password"
      )
      provedPassword.insert(digest)
    }
  }

  func sessionsChanged(_ before: MemoryTables, _ after: MemoryTables, _ errand: Errand) {
    for (id, session) in after.sessions where before.sessions[id] != session {
      guard let earlier = before.sessions[id] else {
        began(session, before, errand)
        continue
      }
      if let end = session.end {
        if earlier.end == nil { ended(earlier, because: end, before, errand) }
        expect(earlier.end ?? end == end, .nothingIsLost, "\(id.text) ended for another reason")
      } else {
        expect(earlier.end == nil, .nothingIsLost, "\(id.text) came back from its end")
        moved(earlier, to: session, before, errand)
      }
    }
    for (id, session) in before.sessions where after.sessions[id] == nil {
      removed.insert(id)
      expect(
        session.expiresAt < errand.readClock, .endsWithCause, "\(id.text) vanished before its time"
      )
    }
  }

  private func began(_ session: Session, _ before: MemoryTables, _ errand: Errand) {
    guard case .redeem(let code) = errand.kind,
      let attempt = before.attempts.values.first(where: { attempt in
        if case .proved(code, _) = attempt.progress { true } else { false }
      })
    else { return broken(.provedTwice, "a session began without an unused authorization code") }
    expect(
      provedCode.contains(attempt.digest) && attempt.account == session.account, .provedTwice,
      "a session of \(session.account.text) began without its code"
    )
    expect(
      before.accounts[session.account]?.status == .active, .activeOnly,
      "a session of \(session.account.text) began"
    )
    expectUnlocked(session.account, before, errand, "began a session")
  }

  private func moved(
    _ earlier: Session, to session: Session, _ before: MemoryTables, _ errand: Errand
  ) {
    expect(
      before.accounts[session.account]?.status == .active, .activeOnly,
      "a session of \(session.account.text) went on"
    )
    let step = session.refreshGeneration - earlier.refreshGeneration
    guard case .refresh(let token) = errand.kind else {
      return expect(step == 0, .rotationCounts, "a session moved on with no refresh token")
    }
    let presented = Self.generation(of: token)
    let isKept = step == 0 || (step == 1 && presented == earlier.refreshGeneration)
    expect(isKept, .rotationCounts, "generation \(presented) moved the session by \(step)")
  }

  private func ended(
    _ session: Session, because end: Session.End, _ before: MemoryTables, _ errand: Errand
  ) {
    let now = errand.readClock
    let idle = SimulatedPeople.idleSeconds
    let hasCause: Bool
    switch end {
    case .revoked where errand.kind.isAdministration(of: session.account, by: .endSessions):
      hasCause = true
    case .signedOut:
      if case .revoke(let token) = errand.kind {
        hasCause = Self.session(of: token) == session.id
      } else {
        hasCause = false
      }
    case .revoked:
      // A person may ask again while the first request is still on its way: that is twice too.
      if case .redeem(let code) = errand.kind {
        let isRepeated = redemptions[code] ?? 0 > 1
        hasCause = !errand.isFromApp || isRepeated || toldSessions[session.id] == nil
      } else {
        hasCause = false
      }
    case .expired:
      hasCause = now >= session.expiresAt || now >= session.lastUsedAt.adding(seconds: idle)
    case .accountDeactivated:
      hasCause =
        before.accounts[session.account]?.status != .active
        || errand.kind.isAdministration(of: session.account, by: .status(.deactivate))
    case .reuseDetected:
      if case .refresh(let token) = errand.kind {
        let isOld = Self.generation(of: token) < session.refreshGeneration - 1
        hasCause = isOld && !errand.isFromApp
      } else {
        hasCause = false
      }
    case .sessionLimit:
      let open = before.sessions.values.filter { $0.account == session.account && $0.end == nil }
      hasCause = open.count >= SignInLimits.sessionsPerAccount
    case .replaced:
      // By a sign-in on the device that the session belongs to, and by nothing else.
      if case .redeem = errand.kind {
        hasCause = session.proofKeyThumbprint == errand.device
      } else {
        hasCause = false
      }
    case .passwordChanged:
      if case .reset(let digest, _) = errand.kind {
        hasCause = before.resets[digest]?.account == session.account
      } else {
        hasCause = errand.kind.isAdministration(of: session.account, by: .reset)
      }
    }
    expect(
      hasCause, .endsWithCause, "\(session.id.text) ended: \(end.rawValue), by \(errand.kind)")
  }

  /// The generation a refresh token's second part names.
  static func generation(of token: String) -> Int64 {
    token.split(separator: ".").dropFirst().first.flatMap { Int64($0) } ?? -1
  }

  /// The session a refresh token's first part names, or an access token's `sid`.
  static func session(of token: String) -> SessionID? {
    if let jws = CompactJWS(parsing: token) { return jws.claims["sid"]?.text.map { SessionID($0) } }
    return token.split(separator: ".").first.map { SessionID(String($0)) }
  }
}

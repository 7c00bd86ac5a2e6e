internal import JSONText
internal import SignInModel
internal import SignInRules
internal import SignInService
internal import SignInWire

extension LawBook {
  func attemptsChanged(
    _ before: MemoryTables, _ after: MemoryTables, _ operation: SimulatedOperation
  ) {
    for (digest, attempt) in after.attempts where before.attempts[digest] == nil {
      guard after.accounts[attempt.account]?.role != .rider else { continue }
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
        began(session, before, after, operation)
        continue
      }
      if let end = session.end {
        if earlier.end == nil {
          // The erasure of the account has its own law.
          if after.accounts[earlier.account] != nil {
            ended(earlier, because: end, before, after, operation)
          }
          endSerials[id] = serial
        }
        expect(earlier.end ?? end == end, .nothingIsLost, "\(id.text) ended for another reason")
      } else {
        expect(earlier.end == nil, .nothingIsLost, "\(id.text) is valid again after its end")
        var reported = earlier
        reported.renewals = nil
        // A report of old renewals changes nothing else.
        if reported == session { continue }
        moved(earlier, to: session, before, operation)
      }
    }
    for (id, session) in before.sessions where after.sessions[id] == nil {
      removed.insert(id)
      // An erasure removes the ended sessions of its account at once.
      if after.accounts[session.account] == nil { continue }
      expect(
        session.expiresAt < operation.readClock, .endsWithCause, "\(id.text) was removed too early"
      )
    }
  }

  private func began(
    _ session: Session, _ before: MemoryTables, _ after: MemoryTables,
    _ operation: SimulatedOperation
  ) {
    let left = after.sessions.values.first { $0.successor == session.id }
    if case .refresh = operation.kind, let left, let earlier = before.sessions[left.id] {
      return switched(from: earlier, to: session, before, operation)
    }
    guard case .redeem(let code) = operation.kind, let attempt = before.attempt(provedBy: code)
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

  /// A session of another organization began in place of `earlier`.
  private func switched(
    from earlier: Session, to session: Session, _ before: MemoryTables,
    _ operation: SimulatedOperation
  ) {
    expectRenewable(earlier, operation)
    expect(
      before.accounts[session.account]?.status == .active && earlier.account == session.account,
      .activeOnly, "a session of \(session.account.text) changed its organization")
    expect(
      session.proofKeyThumbprint == earlier.proofKeyThumbprint, .ownKeyOnly,
      "\(session.id.text) began with another key")
    if stolen.contains(earlier.id) { stolen.insert(session.id) }
  }

  /// Checks a session whose tokens are renewed.
  private func expectRenewable(_ session: Session, _ operation: SimulatedOperation) {
    let idleEnd = session.lastUsedAt.adding(seconds: idleSeconds)
    expect(
      operation.readClock < min(session.expiresAt, idleEnd), .expiryIsFinal,
      "\(session.id.text) continued after its expiry")
    expect(
      session.proofKeyThumbprint == operation.device, .ownKeyOnly,
      "\(session.id.text) was renewed with another key")
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
    expectRenewable(earlier, operation)
    let presented = Self.generation(of: token)
    let isKept = step == 0 || (step == 1 && presented == earlier.refreshGeneration)
    expect(isKept, .rotationCounts, "generation \(presented) advanced the session by \(step)")
  }

  private func ended(
    _ session: Session, because end: EndReason, _ before: MemoryTables, _ after: MemoryTables,
    _ operation: SimulatedOperation
  ) {
    let now = operation.readClock
    let hasCause: Bool
    switch end {
    case .revoked where operation.kind.isAdministration(of: session.account, by: .endSessions):
      hasCause = true
    case .revoked where operation.kind.endsOtherSessions: hasCause = true
    case .signedOut:
      switch operation.kind {
      case .revoke(let token):
        // A tab may not have noticed that the session changed its organization.
        hasCause = Self.session(of: token).map { before.last(from: $0) } == session.id
      case .endSession(let id): hasCause = id == session.id
      case .refresh: hasCause = after.sessions[session.id]?.successor != nil
      default: hasCause = false
      }
    case .revoked:
      if case .endSession(let id) = operation.kind {
        hasCause = id == session.id
        break
      }
      // A person may send it again while the first one is in progress, which uses the code twice.
      if case .redeem(let code) = operation.kind {
        let isRepeated = redemptions[code] ?? 0 > 1
        hasCause = !operation.isFromApp || isRepeated || acknowledgedSessions[session.id] == nil
      } else {
        hasCause = false
      }
    case .expired:
      hasCause = now >= session.expiresAt || now >= session.lastUsedAt.adding(seconds: idleSeconds)
    case .accountDeactivated:
      hasCause =
        before.accounts[session.account]?.status != .active
        || operation.kind.isAdministration(of: session.account, by: .status(.deactivate))
    case .reuseDetected: hasCause = isReuse(of: session, operation)
    // Nothing in a world takes a right from an app.
    case .noRights: hasCause = false
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

  /// Whether a request used a replaced token: an older one, or one of a session that this one has
  /// replaced.
  private func isReuse(of session: Session, _ operation: SimulatedOperation) -> Bool {
    guard case .refresh(let token) = operation.kind else { return false }
    let isReuse =
      Self.session(of: token) != session.id
      || Self.generation(of: token) < session.refreshGeneration - 1
    expect(
      !isReuse || !operation.isFromApp || stolen.contains(session.id)
        || destroyed.contains(session.id),
      .noFalseReuseDetection, "\(session.id.text) counted as stolen")
    return isReuse
  }

  /// A write that was interrupted destroyed what this device has stored.
  func destroyedSessions(of device: DeviceKey, _ tables: MemoryTables) {
    for session in tables.sessions.values
    where session.proofKeyThumbprint == device.thumbprint && session.end == nil {
      destroyed.insert(session.id)
    }
  }

  // MARK: Answers

  /// A request was answered with success.
  func succeeded(_ body: JSON, _ operation: SimulatedOperation, _ tables: MemoryTables) {
    expectNewProof(operation)
    switch operation.kind {
    case .refresh(let token): renewed(by: token, body)
    case .read, .endSession:
      guard let id = operation.accessToken.flatMap({ session(ofAccessToken: $0) }),
        let session = tables.sessions[id]
      else { return }
      expect(
        session.proofKeyThumbprint == operation.device, .ownKeyOnly,
        "an access token of \(id.text) worked with another key")
      // An end during the request may come too late for its answer.
      expect(
        endSerials[id].map { operation.begunAfter < $0 } ?? true, .endedSessionGivesNothing,
        "\(id.text) had ended and gave data")
    case .passwordSignIn, .phoneSignIn, .verify, .resend, .redeem, .revoke, .forgot, .reset,
      .registration, .background, .administration, .ownAccount:
      break
    }
  }

  private func expectNewProof(_ operation: SimulatedOperation) {
    // A revocation needs no proof, so the server does not check one.
    if case .revoke = operation.kind { return }
    guard !operation.device.isEmpty, !operation.proofID.isEmpty else { return }
    expect(
      acceptedProofs.insert(operation.proofID).inserted, .proofAcceptedOnce,
      "one proof was accepted for two requests")
  }

  /// The session that an access token names.
  private func session(ofAccessToken token: String) -> SessionID? {
    if let known = accessSessions[token] { return known }
    let session = Self.session(of: token)
    accessSessions[token] = session
    return session
  }

  private func renewed(by token: String, _ body: JSON) {
    guard let answer = TokenAnswer(json: body), let given = answer.refreshToken?.revealed else {
      return
    }
    let id = answer.session.id
    let earlier = successors[token]?[id]
    expect(
      earlier ?? given == given, .oneSuccessor, "\(token.prefix(14)) gave two refresh tokens")
    successors[token, default: [:]][id] = given
  }

  /// A thief uses a copy of this refresh token.
  func stolenTokenUsed(_ token: String, _ tables: MemoryTables) {
    var next = Self.session(of: token)
    while let id = next {
      stolen.insert(id)
      next = tables.sessions[id]?.successor
    }
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

extension MemoryTables {
  /// The complete attempt whose authorization code has this digest.
  func attempt(provedBy code: [UInt8]) -> SignInAttempt? {
    attempts.values.first { attempt in
      if case .proved(code, _) = attempt.progress { true } else { false }
    }
  }

  /// The last of the sessions that replaced this one after changes of organization.
  func last(from id: SessionID) -> SessionID {
    var last = id
    while let next = sessions[last]?.successor { last = next }
    return last
  }
}

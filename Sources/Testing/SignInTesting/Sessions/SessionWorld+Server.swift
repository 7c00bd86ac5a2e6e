internal import SignInModel
internal import SignInService
internal import SignInWire

// The real server and its surroundings.
extension SessionWorld {
  func makeServer() -> SimulatedServer {
    let reference = WorldReference(world: self)
    let store = MemoryStore(committing: { before, after in
      let world = reference.world
      world.damage(before, &after)
      for (id, session) in before.sessions where after.sessions[id] == nil {
        world.removedEnds[id] = session.end
      }
      world.laws.committed(before, after, at: world.clock.now())
    })
    return SimulatedServer(store: store, executor: executor, clock: clock) { [unowned self] life in
      var simulated = SimulatedStore(store: store, life: life, laws: laws)
      if defect == .endedSessionKeepsAccess {
        simulated.damageReading = { tables in
          for id in tables.sessions.keys { tables.sessions[id]?.end = nil }
        }
      }
      return ServerPorts(
        clients: [client], store: simulated,
        clock: SimulatedServerClock(clock: clock, timers: timers, life: life, isLate: false),
        randomness: randomness, passwords: SessionPasswords(passwords: passwords, laws: laws),
        signatureScheme: signatureScheme, messenger: SessionMessenger(sessionWorld: reference))
    }
  }

  /// A text message was handed over.
  fileprivate func texted(_ message: TextMessage) {
    laws.handedOver(message, isRepeatable: true)
    guard message.kind == .code, let phone = message.to.phone,
      let person = SessionPeople.person(with: phone)
    else { return }
    plan(.texted(person, code: String(message.text.revealed.prefix(6))), in: 500...4000)
  }

  /// The server crashes, loses every request, and starts again.
  func restartServer() {
    note("the server crashes", server.life.number)
    server.crash()
    server.restart()
    laws.checkAcknowledged(server.store.tables)
  }

  /// An administrator ends the person's sessions.
  func endAtServer(_ id: SessionID) {
    guard end(of: id) == nil, let account = server.store.tables.sessions[id]?.account else {
      return
    }
    note("ended at the server", 0)
    let operation = SimulatedOperation(
      .administration(account, .endSessions), in: server.life, isFromApp: false, at: clock.now())
    let (reference, world) = (WorldReference(world: self), server.world)
    let open = server.store.tables.sessions.values.filter {
      $0.account == account && self.end(of: $0.id) == nil
    }.map(\.id)
    server.perform(operation) {
      do throws(Refusal) {
        _ = try await endSessions(of: account, rules: .operatorCommand, in: world)
        guard !operation.life.isOver else { return }
        reference.world.laws.endedSessions(open, reference.world.server.store.tables)
      } catch {
        // The server crashed before the decision.
        return
      }
    }
  }

  // MARK: State for the laws

  /// The true end of a session, or `nil` if it is valid.
  func end(of id: SessionID) -> EndReason? {
    guard let session = server.store.tables.sessions[id] else {
      return removedEnds[id] ?? .expired
    }
    if let end = session.end { return end }
    let idle = session.lastUsedAt.adding(seconds: client.policy[.idle])
    return clock.now() >= session.expiresAt || clock.now() >= idle ? .expired : nil
  }

  /// The true ends of a session and of the sessions that replaced it after changes of organization.
  ///
  /// The server answers for the last of them.
  func ends(of id: SessionID) -> Set<EndReason?> {
    var ends: Set<EndReason?> = []
    var next: SessionID? = id
    while let id = next {
      ends.insert(end(of: id))
      if expired.contains(id) || server.store.tables.sessions[id] == nil { ends.insert(.expired) }
      next = server.store.tables.sessions[id]?.successor
    }
    return ends
  }

  /// Records the sessions that have expired by their idle time, because they may also be ended
  /// later.
  func noteExpired() {
    for id in server.store.tables.sessions.keys
    where !expired.contains(id) && end(of: id) == .expired {
      expired.insert(id)
    }
  }
}

/// Compares passwords and reports each comparison to the laws.
private struct SessionPasswords: PasswordHashing {
  let passwords: FastPasswordHashing
  let laws: LawBook

  func hash(_ password: Secret) async throws(PasswordHashingFault) -> String {
    try await passwords.hash(password)
  }

  func verify(
    _ password: Secret, against encoded: String
  ) async throws(PasswordHashingFault) -> Bool {
    await Task.yield()
    laws.calledOtherSystem("the hashing of passwords")
    let isRight = try await passwords.verify(password, against: encoded)
    if let operation = SimulatedOperation.current {
      laws.passwordCompared(encoded, isRight: isRight, operation)
    }
    return isRight
  }
}

/// A reliable provider of text messages.
private struct SessionMessenger: TextMessenger {
  let name = "simulated"
  let deduplicatesMessages = true
  let sessionWorld: WorldReference<SessionWorld>

  func send(_ message: TextMessage) async throws(TextMessengerFault) -> Acceptance {
    await Task.yield()
    sessionWorld.world.texted(message)
    return Acceptance(reference: "provider-" + message.id)
  }
}

internal import JSONText
internal import ShellContract
internal import SignInEngine
internal import SignInModel
internal import SignInWire

/// The members of the stored text that the laws need.
struct StoredText {
  let session: SessionID?
  let accessToken: Secret?
  let refreshToken: Secret?
  /// The sessions that the text says are signed out.
  let revoked: [SessionID]

  init(_ text: Secret) {
    let json: JSON
    do throws(JSONMalformed) { json = try JSONReader.read(Array(text.revealed.utf8)) } catch {
      json = .null
    }
    session = json["session"]?["id"]?.text.map { SessionID($0) }
    accessToken = json["access_token"]?.text.map { Secret($0) }
    refreshToken = json["refresh_token"]?.text.map { Secret($0) }
    let tokens = [json["revoke"]] + (json["owed"]?.elements ?? [])
    let texts = tokens.compactMap { $0?.text }
    revoked = texts.compactMap { ExploredServer.read(Secret($0)) }.map { token in
      ExploredServer.id(of: token.index)
    }
  }
}

extension ExploredWorld.Tab {
  enum Place: Hashable {
    case closed, opening, unreadable, out
    case confirming(SessionID)
    case signedIn(SessionID)
  }

  var session: RenewingSession? {
    switch flow.stage {
    case .signedIn(let signedIn): signedIn.renewingSession
    case .confirming(let confirming): confirming.renewingSession
    default: nil
    }
  }

  var place: Place {
    guard isOpen else { return .closed }
    switch flow.stage {
    case .starting, .readingStorage: return .opening
    case .storageUnreadable: return .unreadable
    case .signedIn(let signedIn): return .signedIn(signedIn.renewingSession.record.terms.id)
    case .confirming(let confirming):
      return .confirming(confirming.renewingSession.record.terms.id)
    default: return .out
    }
  }
}

extension ExploredWorld {
  var storedRecord: StoredText? { shell.disk.session.map { StoredText(Secret($0)) } }

  /// Checks the laws of every state, after a step from these places of the tabs.
  mutating func judge(before: [Tab.Place]) {
    guard violation == nil else { return }
    violation = brokenLaw(before: before)
  }

  private func brokenLaw(before: [Tab.Place]) -> ExploredLaw? {
    if renewals > 1 { return .oneRenewal }
    if let claimant = shell.renewing, !usesClaim(claimant) { return .claimHasRequest }
    let falseTheft = server.sessions.contains { $0.end == .reuseDetected } && !hasThiefActed
    if falseTheft { return .noFalseTheft }
    if let record = storedRecord, let id = record.session {
      if givenUp.contains(id) { return .signedOutStaysOut }
      if let token = record.refreshToken, isOpenAtServer(id), !hasThiefActed,
        !server.accepts(token)
      {
        return .storedTokenIsAccepted
      }
    }
    for (tab, place) in zip(tabs, before) {
      if let law = brokenLaw(tab, from: place) { return law }
    }
    return nil
  }

  private func brokenLaw(_ tab: Tab, from before: Tab.Place) -> ExploredLaw? {
    if case .signedIn(let signedIn) = tab.flow.stage, tab.isOpen,
      let account = signedIn.account.value,
      account.session.id != signedIn.renewingSession.record.terms.id
    {
      return .sessionsApart
    }
    switch tab.place {
    case .signedIn(let id) where before != .signedIn(id) && givenUp.contains(id):
      return .signedOutStaysOut
    case .out where before != .out:
      let hasEnd = server.sessions.contains { $0.end != nil }
      return hasEnd || hasSignedOut ? nil : .signedOutWithCause
    default: return nil
    }
  }

  /// Whether a person has signed out in any tab.
  private var hasSignedOut: Bool {
    !givenUp.isEmpty || shell.tabs.contains { $0.tasks.contains(where: \.isSignOut) }
  }

  private var renewals: Int {
    messages.count { $0.call.path == Endpoint.token.path }
  }

  /// Whether the tab waits for the answer to a renewal, or one of its tasks starts the renewal or
  /// releases the claim.
  private func usesClaim(_ tab: Int) -> Bool {
    messages.contains { $0.tab == tab && $0.call.path == Endpoint.token.path }
      || shell.tabs[tab].tasks.contains(where: \.usesClaim)
  }

  /// Whether the session, or the one that replaced it, is still active.
  private func isOpenAtServer(_ id: SessionID) -> Bool {
    var next = ExploredServer.index(of: id)
    while let index = next {
      if server.sessions[index].end != nil { return false }
      next = server.sessions[index].successor
    }
    return true
  }

  // MARK: When nothing is left to do

  /// How many times the access tokens expire until every pending retry was made.
  private static let settlingRounds = 6

  /// Lets everything complete without further faults.
  ///
  /// Returns the first law that is broken then.
  func settled(_ defect: ExploredDefect?) -> ExploredLaw? {
    var world = self
    world.budget = Budget()
    if world.tabs.allSatisfy({ !$0.isOpen }) { world.perform(.open(0), defect) }
    for _ in 0..<Self.settlingRounds {
      world.finish(defect)
      world.budget.clockSteps = 1
      world.perform(.passTime, defect)
    }
    world.finish(defect)
    return world.violation ?? world.brokenFinalLaw(defect)
  }

  mutating func finish(_ defect: ExploredDefect?) {
    while violation == nil {
      if let tab = shell.tabs.firstIndex(where: { !$0.tasks.isEmpty }) {
        perform(.work(tab), defect)
      } else if let answered = messages.firstIndex(where: { $0.answer != nil }) {
        perform(.answer(answered), defect)
      } else if let request = messages.firstIndex(where: { !server.holds($0.call) }) {
        perform(.arrive(request), defect)
      } else if let tab = tabs.firstIndex(where: { $0.place == .unreadable }) {
        happen(.intent(.session(.tryAgain)), tab, defect)
      } else {
        return
      }
    }
  }

  private func brokenFinalLaw(_ defect: ExploredDefect?) -> ExploredLaw? {
    let record = storedRecord
    for id in givenUp {
      if isOpenAtServer(id) { return .serverIsInformed }
    }
    if let token = stolen, hasThiefActed, server.accepts(token, defect) { return .theftEndsSession }
    for tab in tabs where tab.isOpen {
      switch tab.place {
      case .signedIn(let id):
        guard record?.session == id else { return .tabsAgree }
      case .out:
        guard record?.session == nil else { return .tabsAgree }
      case .closed: break
      case .opening, .unreadable, .confirming: return .tabsAgree
      }
    }
    return nil
  }
}

extension ExploredWorld {
  /// A hash of the parts that differ most.
  ///
  /// Equal worlds have equal hashes.
  var fingerprint: Int {
    var hasher = Hasher()
    hasher.combine(shell.disk.session)
    hasher.combine(shell.disk.seen)
    hasher.combine(server)
    hasher.combine(budget)
    hasher.combine(now.milliseconds)
    hasher.combine(shell.renewing)
    hasher.combine(shell.waiting)
    hasher.combine(stolen?.revealed)
    for message in messages {
      hasher.combine(message.tab)
      hasher.combine(message.id)
      hasher.combine(message.call.path)
      hasher.combine(message.answer == nil)
    }
    for tab in shell.tabs { hasher.combine(tab.tasks.count) }
    for tab in tabs {
      hasher.combine(tab.place)
      hasher.combine(tab.session?.record.accessToken.revealed)
      hasher.combine(tab.session?.wantedOrganization?.text)
    }
    return hasher.finalize()
  }
}

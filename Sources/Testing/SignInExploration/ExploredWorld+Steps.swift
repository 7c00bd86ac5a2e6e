internal import JSONText
internal import ShellContract
internal import SignInEngine
internal import SignInModel
internal import SignInWire

extension ExploredWorld {
  /// Longer than an access token is valid, and than any pause before a retry.
  static let clockStepSeconds: Int64 = ExploredServer.accessSeconds + 1

  // MARK: Possible steps

  var actions: [ExploredAction] {
    var actions: [ExploredAction] = []
    for index in tabs.indices { actions += steps(ofTab: index) }
    for index in messages.indices { actions += steps(ofMessage: index) }
    // A request is answered or lost before the next access token expires.
    if budget.clockSteps > 0, isNetworkQuiet { actions.append(.passTime) }
    if budget.thefts > 0 {
      if stolen == nil, storedRecord?.refreshToken != nil { actions.append(.steal) }
      if stolen != nil { actions.append(.useStolenToken) }
    }
    return actions
  }

  private func steps(ofTab index: Int) -> [ExploredAction] {
    let tab = tabs[index]
    guard tab.isOpen else { return [.open(index)] }
    var actions: [ExploredAction] = []
    if let task = shell.tabs[index].tasks.first {
      actions.append(.work(index))
      if budget.refusedWrites > 0, task.changesSession { actions.append(.refuseWrite(index)) }
      if budget.unreadableReads > 0, task.reads { actions.append(.refuseRead(index)) }
    }
    if budget.closedTabs > 0 { actions.append(.close(index)) }
    if tab.session != nil, budget.signOuts > 0 { actions.append(.signOut(index)) }
    if case .signedIn(let signedIn) = tab.flow.stage {
      if budget.switches > 0, signedIn.renewingSession.wantedOrganization == nil {
        actions.append(.switchOrganization(index))
      }
    }
    return actions
  }

  private func steps(ofMessage index: Int) -> [ExploredAction] {
    let message = messages[index]
    guard let answer = message.answer else {
      if server.holds(message.call) { return [] }
      return [.arrive(index)] + (budget.lostMessages > 0 ? [.loseRequest(index)] : [])
    }
    let isLost = answer == .timedOut
    return [.answer(index)] + (budget.lostMessages > 0 && !isLost ? [.loseAnswer(index)] : [])
  }

  /// Whether only requests are under way that the server leaves open.
  var isNetworkQuiet: Bool {
    messages.allSatisfy { $0.answer == nil && server.holds($0.call) }
  }

  /// Whether nothing happens without a person, a fault or the clock.
  var isQuiet: Bool { isNetworkQuiet && shell.tabs.allSatisfy(\.tasks.isEmpty) }

  // MARK: One step

  mutating func perform(_ action: ExploredAction, _ defect: ExploredDefect?) {
    let places = tabs.map(\.place)
    shell.defect = defect?.ofShell
    switch action {
    case .open(let tab): open(tab)
    case .close(let tab):
      budget.closedTabs -= 1
      close(tab, defect)
    case .work(let tab): work(tab, .none, defect)
    case .refuseWrite(let tab):
      budget.refusedWrites -= 1
      work(tab, .write, defect)
    case .refuseRead(let tab):
      budget.unreadableReads -= 1
      work(tab, .read, defect)
    case .arrive(let index): arrive(index, defect)
    case .loseRequest(let index), .loseAnswer(let index):
      budget.lostMessages -= 1
      messages[index].answer = .timedOut
    case .answer(let index): deliver(index, defect)
    case .passTime:
      budget.clockSteps -= 1
      passTime()
    case .signOut(let tab):
      budget.signOuts -= 1
      happen(.intent(.session(.signOut)), tab, defect)
    case .switchOrganization(let tab):
      budget.switches -= 1
      let present = tabs[tab].session?.record.terms.organization?.text
      let other = OrganizationID(present == "north" ? "south" : "north")
      happen(.intent(.session(.switchOrganization(other))), tab, defect)
    case .steal:
      budget.thefts -= 1
      stolen = storedRecord?.refreshToken
    case .useStolenToken:
      budget.thefts -= 1
      useStolenToken(defect)
    }
    judge(before: places)
  }

  mutating func happen(_ event: AppEvent<NoPage>, _ index: Int, _ defect: ExploredDefect?) {
    let effects = tabs[index].flow.handle(event, at: now, steady: now.milliseconds)
      .compactMap { $0.ofEngine }
    for effect in effects {
      switch effect {
      case .startTicking: tabs[index].isTicking = true
      case .stopTicking: tabs[index].isTicking = false
      // At once, because a task of its own would only add states.
      case .saveLastSeen(let text):
        if shell.disk.session != nil { shell.disk.seen = text.revealed }
      case .releaseRenewal where defect == .timeoutKeepsClaim && event.isTimeout: break
      case .call, .readSession, .saveSession, .replaceSession, .savePendingRevocation,
        .eraseSession, .eraseSessionIfUnchanged, .claimRenewal, .releaseRenewal, .cancelCall:
        _ = shell.accept(effect, from: index)
      // The explored app has no lock, no home screen and no sign-in.
      case .makeVerifier, .setLock, .removeLock, .saveAccountSummary, .saveScreenState,
        .readScreenState, .eraseScreenState, .lock, .unlock, .saveLanguage, .saveProviderMenu,
        .savePendingSignIn, .erasePendingSignIn, .saveUsername, .saveLockouts, .openBrowser,
        .openSignOutPage, .report, .offlineCopy:
        break
      }
    }
  }

  private mutating func open(_ index: Int) {
    tabs[index] = Tab(isOpen: true)
    happen(.started(utcOffsetSeconds: 0, app: Self.app), index, nil)
  }

  /// Closes the tab.
  ///
  /// Its requests have reached the server by now, or never will. A refresh that arrives after two
  /// later ones would look like a theft, because the rules know no times.
  private mutating func close(_ index: Int, _ defect: ExploredDefect?) {
    tabs[index] = Tab()
    messages.removeAll { $0.tab == index }
    shell.close(index)
  }

  // MARK: The network

  private mutating func arrive(_ index: Int, _ defect: ExploredDefect?) {
    messages[index].answer = server.answer(messages[index].call, at: now, defect)
  }

  private mutating func deliver(_ index: Int, _ defect: ExploredDefect?) {
    let message = messages.remove(at: index)
    guard let answer = message.answer else { return }
    happen(.answered(message.id, answer), message.tab, defect)
  }

  private mutating func passTime() {
    now = now.adding(seconds: Self.clockStepSeconds)
    for index in messages.indices where messages[index].answer == nil {
      // The server answers an open request after a while, so that it does not look lost.
      messages[index].answer = server.unchanged(messages[index].call, at: now)
    }
    for index in tabs.indices where tabs[index].isOpen && tabs[index].isTicking {
      shell.enqueue(.event(.ticked), in: index)
    }
  }

  private mutating func useStolenToken(_ defect: ExploredDefect?) {
    guard let token = stolen else { return }
    let form = TokenForm(clientID: Self.app.clientID, refreshToken: token)
    let call = Call.post(.token, form.form, .proof)
    hasThiefActed = true
    if case .received(200, let body, _) = server.answer(call, at: now, defect) {
      stolen = TokenAnswer(json: body)?.refreshToken
    } else {
      stolen = nil
    }
  }

  // MARK: The shell

  private enum Fault { case none, write, read }

  private mutating func work(_ index: Int, _ fault: Fault, _ defect: ExploredDefect?) {
    var faults = SimulatedShell.Faults()
    if fault == .write { faults.write = .refused }
    if fault == .read {
      faults.reading = defect == .unreadableLooksEmpty ? .absent : .temporarilyUnreadable
    }
    noteSaved(shell.tabs[index].tasks.first)
    for outcome in shell.work(index, faults) {
      switch outcome {
      case .event(let event):
        if let event = event.withoutPage { happen(event, index, defect) }
      case .send(let id, let call): send(id, call, index, defect)
      case .cancel(let id): messages.removeAll { $0.tab == index && $0.id == id }
      case .stored: stored(by: index)
      case .writeRefused, .writeLost: break
      }
    }
  }

  private mutating func send(
    _ id: RequestID, _ call: Call, _ index: Int, _ defect: ExploredDefect?
  ) {
    if defect == .revocationNotSent, call.path == Endpoint.revoke.path { return }
    if case .proofWithToken(let token) = call.authorization, !saved.contains(token.revealed) {
      violation = violation ?? .savedBeforeUse
    }
    messages.append(Message(tab: index, id: id, call: call))
  }

  private mutating func stored(by index: Int) {
    if let record = storedRecord { givenUp.formUnion(record.revoked) }
    for other in tabs.indices where other != index && tabs[other].isOpen {
      if !shell.tabs[other].tasks.contains(.readChange) { shell.enqueue(.readChange, in: other) }
    }
  }

  private mutating func noteSaved(_ task: SimulatedShell.Task?) {
    switch task {
    case .effect(.saveSession(let text)), .effect(.replaceSession(_, let text)): note(text)
    default: break
    }
  }

  /// Records the tokens that the shell was asked to store.
  mutating func note(_ text: Secret) {
    let record = StoredText(text)
    for token in [record.accessToken, record.refreshToken] {
      if let token { saved.insert(token.revealed) }
    }
  }
}

extension AppEvent<NoPage> {
  fileprivate var isTimeout: Bool {
    if case .answered(_, .timedOut) = self { true } else { false }
  }
}

extension SimulatedShell.Task {
  /// Whether it gets a claim, starts the request of a renewal, or releases the claim.
  var usesClaim: Bool {
    switch self {
    case .claimed, .effect(.releaseRenewal): true
    case .effect(.call(_, let call)): call.path == Endpoint.token.path
    case .effect, .readChange, .event: false
    }
  }

  var isSignOut: Bool {
    if case .effect(.savePendingRevocation) = self { true } else { false }
  }
}

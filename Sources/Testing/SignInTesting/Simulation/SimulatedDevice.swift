internal import ShellContract
internal import SignInEngine
internal import SignInFlow
internal import SignInModel

/// One device of a person: its shell with the storage, its key and its clocks.
///
/// Storage may report something else than it has.
final class SimulatedDevice {
  let number: Int
  let person: SimulatedPeople.Person
  /// Whether it can recognize its owner.
  let hasSensor: Bool
  /// Whether the platform has a monotonic clock.
  let hasSteadyClock: Bool
  var shell = SimulatedShell()
  /// The contents of the disk before the last write, for storage that loses writes.
  var before = SimulatedShell.Contents()
  /// Storage neither reads nor writes, as on a locked phone.
  var isStorageLocked = false
  var isOffline = false
  /// The error of the device's clock.
  ///
  /// People set clocks in both directions.
  var clockErrorMilliseconds: Int64
  /// The time that its clocks have lost.
  var stoppedMilliseconds: Int64 = 0

  /// The key of its proofs.
  var key: DeviceKey { SimulatedKeys.devices[number] }
  var disk: SimulatedShell.Contents { shell.disk }
  var enrolment: Int { shell.enrolment }

  // MARK: State for the laws

  /// Sessions that this device ended itself.
  var ended: Set<SessionID> = []
  /// Sessions whose end is stored on this device.
  var givenUp: Set<SessionID> = []
  /// Sessions that were signed out and that the device must report to the server.
  var earlierTokens: Set<SessionID> = []
  /// The last time when a tab showed data of each session.
  var lastShown: [SessionID: Instant] = [:]
  /// The last time when the person used each session in a tab.
  var lastUsed: [SessionID: Instant] = [:]
  /// The time of the last write of presence, and the last such time that storage has accepted.
  ///
  /// A kill loses the writes between them.
  var seenAsked = Simulation.start
  var seenKept = Simulation.start
  /// The time of the last clock change.
  ///
  /// Absences across it cannot be measured.
  var clockSetAt = Simulation.start

  init(number: Int, person: SimulatedPeople.Person, _ chance: inout Chance) {
    self.number = number
    self.person = person
    hasSensor = !chance.isOne(in: 3)
    hasSteadyClock = !chance.isOne(in: 3)
    clockErrorMilliseconds = chance.isOne(in: 3) ? chance.between(-4_000_000...4_000_000) : 0
  }
}

/// One tab: the real client engine and the data of one run.
final class SimulatedTab {
  let number: Int
  let device: SimulatedDevice
  /// The number among the tabs of its device.
  let place: Int
  private var app: any SimulatedApp
  /// The number of the current run.
  ///
  /// Events of an earlier run are ignored.
  private(set) var run = 0
  private(set) var isOpen = false
  var isHidden = false
  var isTicking = false
  var isBusy = false
  private var lastAttempt = 0
  private var awaited: [Int: RequestID] = [:]
  private var closedAt = Simulation.start
  /// The time when the person acts next.
  var actsAt = Simulation.start

  // MARK: State for the laws

  /// The times of the pending writes of presence.
  var seenTimes: [Instant] = []
  /// The time when this tab was last visible, and when it last received use of the app.
  var lastSeen = Simulation.start
  var lastUsed = Simulation.start
  /// The time when another tab last showed the session that this tab entered while hidden.
  ///
  /// It ends an absence. It does not count as use of the app.
  var lastShownElsewhere = Simulation.start
  /// The time of the last answer in this run, and of the last one before the last use.
  ///
  /// Without a monotonic clock, a change of the device's clock makes the known time of the server
  /// wrong until the next answer.
  private var lastAnswered = Simulation.start
  private var lastAnsweredAtUse = Simulation.start
  var lastSession: SessionID?
  /// The session that this tab entered while hidden, until the tab is visible.
  var enteredHidden: SessionID?

  init(number: Int, device: SimulatedDevice) {
    self.number = number
    self.device = device
    place = device.shell.addTab()
    app = Self.app(of: device.person)
  }

  private static func app(of person: SimulatedPeople.Person) -> any SimulatedApp {
    switch person.app {
    case .rider: AppFlow<DashboardHome>()
    case .mentor: AppFlow<ActivitiesHome>()
    case .technician, .product, .console: AppFlow<JobsHome>()
    }
  }

  /// What the app shows its user.
  var stage: SimulatedStage { app.shownStage }
  var session: ShownSession? { app.shownSession }
  /// What a sign-in form reports.
  var notice: Notice? {
    switch stage {
    case .signedOut(let form): form.notice
    case .riderSignedOut(let form): form.notice
    case .opening, .storageUnreadable, .atProvider, .locked, .confirming, .signedIn: nil
    }
  }

  /// The time from which an absence of the person is measured.
  var lastPresence: Instant { max(lastSeen, lastUsed, lastShownElsewhere) }
  /// The time from which a change of the device's clock can make a measured time wrong.
  var measuredSince: Instant { min(lastSeen, lastUsed, lastAnsweredAtUse) }

  var tasks: [SimulatedShell.Task] { device.shell.tabs[place].tasks }
  /// The enrolment whose key this tab has in memory.
  var unlocked: Int? { device.shell.tabs[place].unlocked }

  func open(at now: Instant) {
    run += 1
    app = Self.app(of: device.person)
    isOpen = true
    (isHidden, isTicking, isBusy) = (false, false, false)
    (seenTimes, awaited) = ([], [:])
    (lastSeen, lastUsed, lastShownElsewhere) = (now, now, now)
    (lastAnswered, lastAnsweredAtUse) = (now, now)
    (lastSession, enteredHidden) = (nil, nil)
  }

  /// Records use of the app by the person.
  func use(at now: Instant) {
    (lastUsed, lastAnsweredAtUse) = (now, lastAnswered)
    if case .signedIn(let id) = stage { device.lastUsed[id] = now }
  }

  func close(at now: Instant) {
    isOpen = false
    closedAt = now
    (seenTimes, awaited, isBusy) = ([], [:], false)
    device.shell.close(place)
  }

  // MARK: Requests

  /// The number of a new request.
  ///
  /// A repeated request gets a new number too.
  func nextAttempt(of id: RequestID) -> Int {
    lastAttempt += 1
    awaited[lastAttempt] = id
    return lastAttempt
  }

  /// The identifier of a request at its first answer.
  ///
  /// Further copies are ignored.
  func answered(_ attempt: Int) -> RequestID? { awaited.removeValue(forKey: attempt) }

  /// Whether a request can still arrive at the server.
  ///
  /// A delayed request is lost with its connection: at a time-out, or shortly after the app closes.
  func isConnected(for attempt: Int, at now: Instant) -> Bool {
    isOpen ? awaited[attempt] != nil : now <= closedAt.adding(milliseconds: 400)
  }

  func cancel(_ id: RequestID) { awaited = awaited.filter { $0.value != id } }

  func handle(_ event: Event, at now: Instant) -> [Effect] {
    if case .answered(_, .received) = event { lastAnswered = now }
    let ticked = now.adding(milliseconds: -device.stoppedMilliseconds)
    return app.effects(
      of: event, at: ticked.adding(milliseconds: device.clockErrorMilliseconds),
      steady: device.hasSteadyClock ? ticked.milliseconds : nil)
  }
}

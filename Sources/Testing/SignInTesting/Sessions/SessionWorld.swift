internal import SignInFlow
internal import SignInModel
internal import SignInRules
internal import SignInService
internal import SignInWire

/// Devices with the real client engine over unreliable storage, and the real server.
///
/// Storage is locked, slow, full or damaged, or it acknowledges writes that it has lost. Tabs are
/// killed at any moment, clocks are set, time jumps, and fingers are enrolled again. One tab signs
/// out, locks or changes organization while another is in use. The network loses and repeats
/// requests, the server crashes, and thieves use copies of refresh tokens.
///
/// The laws check what people see, independently of the engine's decisions, and what the server
/// stores. The seed determines everything random. Everything runs on the caller's thread.
///
/// `@unchecked Sendable`: its tasks run on `executor`, on the one thread that created it.
public final class SessionWorld: @unchecked Sendable {
  public struct Report: Sendable {
    public let seed: UInt64
    public var steps = 0
    public var counts: [String: Int] = [:]
    /// The first violation of a law, or `nil`.
    public var violation: Violation?
    /// The last steps in words.
    public var scenario: [String] = []
  }

  enum Happening {
    case event(Int, run: Int, Event)
    case answer(Int, run: Int, RequestID, Answer, to: WireRequest?)
    case request(Int, run: Int, RequestID, Call)
    case work(Int, run: Int)
    case tick(Int, run: Int)
    case open(Int)
    case person(Int)
    case texted(Int, code: String)
    case faults
    case jump
    case thief
    case changed(Int, run: Int)
  }

  static let organizations = ["north", "south"]
  static let idleSeconds: Int64 = 40 * 60
  static let backgroundSeconds: Int64 = 5 * 60
  static let patienceMilliseconds: Int64 = 30_000
  static let stepLimit = 700
  static let scenarioLimit = 80

  /// The server answers a request within this time, unless something happens before.
  static let serverMilliseconds: Int64 = 250

  let executor = SeededExecutor()
  let clock = SimulatedClock()
  /// The pauses of the server's own tasks.
  let timers = SimulatedClock()
  let signatureScheme: any SignatureScheme
  let randomness: SeededRandomness
  let passwords = FastPasswordHashing()
  let client: AppRegistration
  let laws: LawBook
  let defect: PlantedDefect?
  private(set) lazy var server = makeServer()
  var chance: Chance
  var plannedEvents = PlannedEvents<Happening>()
  var devices: [SessionDevice] = []
  var tabs: [SessionTab] = []
  var thieves: [SessionThief] = []
  var report: Report
  var areFaultsOver = false
  /// The newest code that each person has received and not used yet.
  var codes: [Int: ReceivedCode] = [:]
  /// The number of written and of linked events when open requests were last checked.
  private var checkedEvents = 0
  /// The sessions that a device asked the server to end, open or not.
  var toldToEnd: Set<SessionID> = []
  /// The sessions that had expired before they were ended in another way.
  var expired: Set<SessionID> = []
  /// The ends of sessions that the server has removed since.
  var removedEnds: [SessionID: EndReason] = [:]

  init(seed: UInt64, defect: PlantedDefect?) {
    self.defect = defect
    chance = Chance(seed: seed)
    randomness = SeededRandomness(seed: seed)
    report = Report(seed: seed)
    signatureScheme = KeyedHashScheme.forWorld(of: seed)
    client = Self.app(locks: chance.isOne(in: 2))
    laws = LawBook(
      idleSeconds: Self.idleSeconds, messagesPerNumber: client.policy[.numberHourly])
  }

  /// The app.
  ///
  /// Limits of messages are the subject of other worlds, so they are high.
  private static func app(locks: Bool) -> AppRegistration {
    var client = AppRegistration(
      id: ClientID(AppName.mentor.rawValue), name: "Mentors", home: .activities,
      signIn: .passwordAndCode, roles: [.mentor],
      scopes: ["openid", "offline_access", "activities"])
    client.policy[.accessToken] = 90
    client.policy[.idle] = idleSeconds
    client.policy[.session] = 4 * 60 * 60
    client.policy[.background] = backgroundSeconds
    client.policy[.numberHourly] = 1000
    client.policy[.numberDaily] = 1000
    client.policy[.deviceSends] = 1000
    client.policy[.addressSends] = 1000
    if locks { client.policy.unlock = .biometric }
    return client
  }

  public static func run(seed: UInt64, defect: PlantedDefect? = nil) -> Report {
    let world = SessionWorld(seed: seed, defect: defect)
    world.populate()
    while world.report.steps < stepLimit, world.laws.violation == nil { world.step() }
    if world.laws.violation == nil { world.endFaults() }
    world.server.end()
    world.report.violation = world.laws.violation
    return world.report
  }

  // MARK: Reporting

  func note(_ what: String, _ subject: Int, _ words: String = "") {
    report.counts[what, default: 0] += 1
    let elapsed = clock.now().milliseconds - 1_893_456_000_000
    report.scenario.append("\(Double(elapsed) / 1000) s  \(what) \(subject) \(words)")
    if report.scenario.count > Self.scenarioLimit { report.scenario.removeFirst() }
  }

  func expect(_ isKept: Bool, _ law: Law, _ detail: @autoclosure () -> String) {
    laws.expect(isKept, law, detail())
  }

  func plan(_ happening: Happening, in milliseconds: ClosedRange<Int64>) {
    plannedEvents.plan(
      happening, at: clock.now().adding(milliseconds: chance.between(milliseconds)))
  }

  // MARK: Running

  private func populate() {
    for number in 0..<(1 + chance.below(2)) {
      insert(person: number)
      let device = SessionDevice(
        number: number, person: number, hasSensor: !chance.isOne(in: 3), at: clock.now())
      if chance.isOne(in: 3) {
        device.clockErrorMilliseconds = chance.between(-4_000_000...4_000_000)
      }
      devices.append(device)
      for _ in 0..<(chance.isOne(in: 2) ? 2 : 1) {
        let tab = SessionTab(number: tabs.count, device: device)
        tabs.append(tab)
        plan(.open(tab.number), in: 1...3000)
        plan(.person(tab.number), in: 3000...6000)
      }
    }
    plan(.faults, in: 5000...60_000)
    plan(.jump, in: 60_000...200_000)
    if chance.isOne(in: 3) { plan(.thief, in: 20_000...200_000) }
  }

  private func insert(person: Int) {
    let account = SessionPeople.account(person, organizations: Self.organizations, at: clock.now())
    var tables = server.store.tables
    tables.accounts[account.id] = account
    for activity in SessionPeople.activities(of: account, at: clock.now()) {
      tables.activities[activity.id] = activity
    }
    server.store.tables = tables
  }

  func step() {
    let ready = executor.readyCount
    if ready > 0, !chance.isOne(in: 4) || isServerFirst {
      return executor.run(chance.below(ready))
    }
    if ready == 0, clock.sleeperCount > 0 {
      return move(to: clock.now().adding(milliseconds: SignInLimits.waitMilliseconds))
    }
    guard let (due, happening) = plannedEvents.next() else { return }
    report.steps += 1
    move(to: due)
    happen(happening, due: due)
    wakeTimers()
  }

  private var isServerFirst: Bool {
    guard let due = plannedEvents.nextDue else { return true }
    return due > clock.now().adding(milliseconds: Self.serverMilliseconds)
  }

  private func move(to moment: Instant) {
    guard moment > clock.now() else { return }
    clock.set(moment)
    noteExpired()
  }

  /// Ends the due pauses of the server's own tasks, mostly only if they have something to do.
  private func wakeTimers() {
    // An event is news twice: when a decision writes it, and when it is linked.
    let tables = server.store.tables
    let events = tables.events.count + Int(tables.lastUnlinkedEvent)
    let hasNews = events > checkedEvents && server.hasOpenRequests
    guard hasNews || chance.isOne(in: server.hasOpenRequests ? 4 : 20) else { return }
    checkedEvents = events
    timers.set(clock.now())
  }

  private func happen(_ happening: Happening, due: Instant) {
    switch happening {
    case .event(let number, let run, let event): deliver(event, to: number, run: run)
    case .answer(let number, let run, let id, let answer, let request):
      let tab = tabs[number]
      guard tab.isOpen, tab.run == run, tab.awaited.remove(id) != nil else { return }
      // A device that slept gives up requests from before the sleep.
      let isOld = clock.now() > due.adding(milliseconds: Self.patienceMilliseconds)
      if !isOld { noteReceived(answer, to: request) }
      happen(.answered(id, isOld ? .timedOut : answer), in: tab)
    case .request(let number, let run, let id, let call):
      arrived(call, as: id, from: tabs[number], run: run)
    case .work(let number, let run):
      if tabs[number].isOpen, tabs[number].run == run { work(tabs[number]) }
    case .tick(let number, let run): tick(tabs[number], run: run)
    case .open(let number): open(tabs[number])
    case .person(let number): act(at: tabs[number])
    case .texted(let person, let code): codes[person] = ReceivedCode(text: code)
    case .faults: faults()
    case .jump: jump()
    case .thief: actAsThief()
    case .changed(let number, let run):
      let tab = tabs[number]
      if tab.isOpen, tab.run == run { readChange(tab) }
    }
  }

  private func deliver(_ event: Event, to number: Int, run: Int) {
    let tab = tabs[number]
    if tab.isOpen, tab.run == run { happen(event, in: tab) }
  }

  func open(_ tab: SessionTab) {
    guard !tab.isOpen else { return }
    note("opened", tab.number)
    tab.open(at: clock.now())
    happen(
      .started(utcOffsetSeconds: 0, app: .mentor, page: "p\(tab.number)-\(tab.run)"),
      in: tab)
    happen(.session(.lockSupportChecked(tab.device.hasSensor)), in: tab)
  }

  func kill(_ tab: SessionTab) {
    guard tab.isOpen else { return }
    note("killed", tab.number)
    interrupt(tab)
    tab.close()
    scheduleWork(on: tab.device)
    plan(.open(tab.number), in: 500...20_000)
  }

  private func tick(_ tab: SessionTab, run: Int) {
    guard tab.isOpen, tab.run == run, tab.isTicking else { return }
    happen(.ticked, in: tab)
    guard tab.isOpen, tab.isTicking else { return }
    plan(.tick(tab.number, run: run), in: areFaultsOver ? 2000...4000 : 1000...40_000)
  }
}

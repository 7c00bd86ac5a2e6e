internal import Cryptography
internal import SignInFlow
internal import SignInHTTP
internal import SignInModel
internal import SignInService
internal import SignInWire

/// Devices with the real client engine over unreliable storage.
///
/// Storage is locked, slow, full or damaged, or it acknowledges writes that it has lost. Tabs are
/// killed at any moment, clocks are set, time jumps, and fingers are enrolled again. One tab signs
/// out, locks or changes organization while another is in use. The server's use cases are the real
/// ones.
///
/// The laws check what people see, independently of the engine's decisions. The seed determines
/// everything random.
public final class SessionWorld {
  public struct Report: Sendable {
    public let seed: UInt64
    public var steps = 0
    public var counts: [String: Int] = [:]
    public var broken: SessionLaw?
    public var detail = ""
    /// The last steps in words.
    public var scenario: [String] = []
  }

  enum Happening {
    case event(Int, run: Int, Event)
    case answer(Int, run: Int, RequestID, Answer)
    case request(Int, run: Int, RequestID, Call)
    case work(Int, run: Int)
    case tick(Int, run: Int)
    case open(Int)
    case person(Int)
    case faults
    case jump
    case changed(Int, run: Int)
  }

  static let organizations = ["north", "south"]
  static let idleSeconds: Int64 = 40 * 60
  static let backgroundSeconds: Int64 = 5 * 60
  static let patienceMilliseconds: Int64 = 30_000
  static let stepLimit = 700
  static let scenarioLimit = 80

  let clock = SimulatedClock()
  let world: World
  let client: AppRegistration
  let store: MemoryStore
  let defect: SessionDefect?
  var chance: Chance
  var plannedEvents = PlannedEvents<Happening>()
  var devices: [SessionDevice] = []
  var tabs: [SessionTab] = []
  var report: Report
  var areFaultsOver = false
  var signIns = 0
  /// The sessions that a device asked the server to end, open or not.
  var toldToEnd: Set<SessionID> = []
  /// The sessions that had expired before they were ended in another way.
  var expired: Set<SessionID> = []

  init(seed: UInt64, defect: SessionDefect?) {
    self.defect = defect
    chance = Chance(seed: seed)
    report = Report(seed: seed)
    var client = AppRegistration(
      id: ClientID("mentor-app"), name: "Mentors", home: .activities, signIn: .passwordAndCode,
      roles: [.mentor], scopes: ["openid", "offline_access", "activities"]
    )
    client.policy[.accessToken] = 90
    client.policy[.idle] = Self.idleSeconds
    client.policy[.session] = 4 * 60 * 60
    client.policy[.background] = Self.backgroundSeconds
    if chance.isOne(in: 2) { client.policy.unlock = .biometric }
    self.client = client
    store = MemoryStore { before, after in
      if after.events.count > 1, let last = after.events.last { after.events = [last] }
      if defect == .retryTakenForReuse {
        for (id, session) in after.sessions {
          let earlier = before.sessions[id]?.refreshGeneration ?? session.refreshGeneration
          if session.refreshGeneration > earlier { after.sessions[id]?.refreshGeneration += 1 }
        }
      }
    }
    world = World(
      issuer: SimulatedKeys.issuer, clients: [client], keyring: SimulatedKeys.keyring,
      store: store, clock: clock, randomness: SeededRandomness(seed: seed),
      passwords: FastPasswordHashing(), proofs: MemoryProofLedger(), messageRecorded: {},
      reportFault: { _ in }
    )
  }

  public static func run(seed: UInt64, defect: SessionDefect? = nil) async -> Report {
    let world = SessionWorld(seed: seed, defect: defect)
    await world.populate()
    while world.report.steps < stepLimit, world.report.broken == nil { await world.step() }
    if world.report.broken == nil { await world.endFaults() }
    return world.report
  }

  // MARK: Reporting

  func note(_ what: String, _ subject: Int) {
    report.counts[what, default: 0] += 1
    let elapsed = clock.now().milliseconds - 1_893_456_000_000
    report.scenario.append("\(Double(elapsed) / 1000) s  \(what) \(subject)")
    if report.scenario.count > Self.scenarioLimit { report.scenario.removeFirst() }
  }

  func expect(_ isKept: Bool, _ law: SessionLaw, _ detail: @autoclosure () -> String) {
    guard !isKept, report.broken == nil else { return }
    report.broken = law
    report.detail = detail()
  }

  func plan(_ happening: Happening, in milliseconds: ClosedRange<Int64>) {
    plannedEvents.plan(
      happening, at: clock.now().adding(milliseconds: chance.between(milliseconds)))
  }

  // MARK: Running

  private func populate() async {
    for number in 0..<(1 + chance.below(2)) {
      await insert(person: number)
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
  }

  private func insert(person: Int) async {
    let phone: PhoneNumber
    do throws(Malformed) { phone = try PhoneNumber(parsing: "+4790000\(100 + person)") } catch {
      preconditionFailure("a made-up number is malformed")
    }
    let account = Account(
      id: AccountID("person-\(person)"), email: nil, phone: phone, name: "Person \(person)",
      role: .mentor, status: .active, passwordHash: nil,
      organizations: Self.organizations.map { OrganizationID($0) }, createdAt: clock.now()
    )
    await write { (transaction) throws(StoreFault) in try transaction.insert(account) }
  }

  func write(
    _ change: @escaping @Sendable (any Transaction) throws(StoreFault) -> Void
  ) async {
    do throws(StoreFault) { try await store.transact(change) } catch {
      preconditionFailure("a store in memory takes what is new: \(error)")
    }
  }

  func step() async {
    guard let (due, happening) = plannedEvents.next() else { return }
    report.steps += 1
    if due > clock.now() { clock.set(due) }
    switch happening {
    case .event(let number, let run, let event): await deliver(event, to: number, run: run)
    case .answer(let number, let run, let id, let answer):
      let tab = tabs[number]
      guard tab.isOpen, tab.run == run, tab.awaited.remove(id) != nil else { return }
      // A device that slept gives up requests from before the sleep.
      let isOld = clock.now() > due.adding(milliseconds: Self.patienceMilliseconds)
      await happen(.answered(id, isOld ? .timedOut : answer), in: tab)
    case .request(let number, let run, let id, let call):
      await arrived(call, as: id, from: tabs[number], run: run)
    case .work(let number, let run):
      if tabs[number].isOpen, tabs[number].run == run { await work(tabs[number]) }
    case .tick(let number, let run): await tick(tabs[number], run: run)
    case .open(let number): await open(tabs[number])
    case .person(let number): await act(at: tabs[number])
    case .faults: await faults()
    case .jump: jump()
    case .changed(let number, let run):
      let tab = tabs[number]
      if tab.isOpen, tab.run == run { enqueue(.readChange, in: tab) }
    }
  }

  private func deliver(_ event: Event, to number: Int, run: Int) async {
    let tab = tabs[number]
    if tab.isOpen, tab.run == run { await happen(event, in: tab) }
  }

  func open(_ tab: SessionTab) async {
    guard !tab.isOpen else { return }
    note("opened", tab.number)
    tab.open(at: clock.now())
    await happen(
      .started(utcOffsetSeconds: 0, app: .mentor, page: "p\(tab.number)-\(tab.run)"),
      in: tab)
    await happen(.session(.lockSupportChecked(tab.device.hasSensor)), in: tab)
  }

  func kill(_ tab: SessionTab) {
    guard tab.isOpen else { return }
    note("killed", tab.number)
    interrupt(tab)
    tab.close()
    grantRenewal(on: tab.device)
    plan(.open(tab.number), in: 500...20_000)
  }

  private func tick(_ tab: SessionTab, run: Int) async {
    guard tab.isOpen, tab.run == run, tab.isTicking else { return }
    await happen(.ticked, in: tab)
    guard tab.isOpen, tab.isTicking else { return }
    plan(.tick(tab.number, run: run), in: areFaultsOver ? 900...1100 : 1000...40_000)
  }
}

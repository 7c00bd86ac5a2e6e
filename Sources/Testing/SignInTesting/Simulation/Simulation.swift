internal import SignInFlow
public import SignInModel
internal import SignInRules
internal import SignInService
internal import SignInWire

/// One simulated world: people with the real client engine, other senders, an unreliable network,
/// the real server over a store that survives its crashes, an outbox, an administrator, and clocks
/// that jump.
///
/// Everything runs on the caller's thread. The same seed gives the same world in every step.
///
/// `@unchecked Sendable`: its tasks run on `executor`, on the one thread that created it.
public final class Simulation: @unchecked Sendable {
  public static let start = Instant(seconds: 1_800_000_000)
  static let steps: ClosedRange<Int64> = 200...600
  /// An event further in the future than this rarely comes before a task that can continue, because
  /// machines seldom stall.
  static let patienceMilliseconds: Int64 = 5000

  /// A code that arrived on a phone, and its purpose.
  struct ReceivedCode {
    let text: String
    let purpose: CodeChallenge.Purpose
  }

  enum Happening {
    case request(WireRequest, Caller)
    /// A second copy of the same bytes. Copies belong to a connection and end with this run of the
    /// server.
    case copy(WireRequest, Caller, ServerLife)
    case answer(WireRequest?, WireAnswer?, Caller)
    case timeout(Caller)
    case event(Int, run: Int, Event)
    case tick(Int, run: Int)
    case open(Int)
    case person(Int)
    case rawClient(Int)
    case texted(PhoneNumber, ReceivedCode)
    case report(DeliveryReport)
    case timers
    case crash
    case restart
    case clockSet(Int)
    case jump
    case administrator
  }

  let seed: UInt64
  let defect: PlantedDefect?
  let executor = SeededExecutor()
  let clock = SimulatedClock(Simulation.start)
  /// The pauses of the server's own tasks.
  let timers = SimulatedClock(Simulation.start)
  let signatureScheme: any SignatureScheme
  /// Whether all senders have one network address.
  let hasOneAddress: Bool
  /// Whether the messenger recognises a repeated message.
  let messengerDeduplicates: Bool
  let randomness: SeededRandomness
  let passwords = FastPasswordHashing()
  let laws = LawBook(
    idleSeconds: SimulatedPeople.idleSeconds,
    messagesPerNumber: SimulatedPeople.technicians.policy[.numberHourly])
  var chance: Chance
  var trace: SimulationTrace
  private(set) var plannedEvents = PlannedEvents<Happening>()

  private(set) lazy var server = makeServer()
  private(set) var tabs: [SimulatedTab] = []
  var rawClients: [SimulatedRawClient] = []
  var inboxes: [PhoneNumber: [ReceivedCode]] = [:]
  private(set) var isLossy = false
  var areFaultsOver = false
  var openRequests = 0
  var hashCount = 0
  /// The passwords that were set in this world, by their hashes.
  var chosenPasswords: [String: String] = [:]
  /// The events of decisions that are not durable yet.
  var lateEvents: [UnlinkedEvent] = []
  /// The greatest number of an event that was linked.
  var lastLinkedEvent: Int64 = 0
  /// The stored tables before each of the last transactions, for a store that loses them.
  var earlier: [MemoryTables] = []

  init(seed: UInt64, defect: PlantedDefect?, isNarrated: Bool) {
    self.seed = seed
    self.defect = defect
    signatureScheme = KeyedHashScheme.forWorld(of: seed)
    hasOneAddress = seed % 5 == 0
    messengerDeduplicates = seed % 3 != 0
    chance = Chance(seed: seed)
    randomness = SeededRandomness(seed: seed ^ 0x5EED)
    trace = SimulationTrace(isNarrated: isNarrated)
    populate()
  }

  func note(
    _ what: StaticString, _ subject: Int = 0, _ figure: Int64 = 0,
    _ words: @autoclosure () -> String = ""
  ) {
    trace.note(what, subject, figure, at: clock.now(), words())
  }

  func request(
    _ call: Call, from key: DeviceKey, isFromApp: Bool = false
  ) -> WireRequest {
    WireRequest(
      call: call, key: key, proofID: Base64URL.encode(randomness.bytes(9)),
      peer: "192.0.2.\(hasOneAddress ? 1 : key.number + 1)", isFromApp: isFromApp
    )
  }

  func plan(_ happening: Happening, in milliseconds: ClosedRange<Int64>) {
    plannedEvents.plan(
      happening, at: clock.now().adding(milliseconds: chance.between(milliseconds)))
  }
}

// MARK: - Running

extension Simulation {
  func run() {
    let limit = Int(chance.between(Self.steps))
    for _ in 0..<limit where laws.violation == nil { step() }
    if laws.violation == nil { endFaults() }
    end()
  }

  private func step() {
    let ready = executor.readyCount
    if ready > 0, !chance.isOne(in: 4) || isPatient { return runTask(of: ready) }
    if ready == 0, clock.sleeperCount > 0 {
      return clock.advance(milliseconds: SignInLimits.waitMilliseconds)
    }
    guard let next = plannedEvents.next() else { return }
    if next.due > clock.now() { clock.set(next.due) }
    happen(next.happening)
  }

  private var isPatient: Bool {
    guard let due = plannedEvents.nextDue, !chance.isOne(in: 60) else { return false }
    return due > clock.now().adding(milliseconds: Self.patienceMilliseconds)
  }

  func runTask(of ready: Int) {
    let index = chance.below(ready)
    trace.count(UInt64(ready) << 32 | UInt64(index))
    executor.run(index)
  }

  private func happen(_ happening: Happening) {
    switch happening {
    case .request(let request, let caller): arrived(request, from: caller)
    case .copy(let request, let caller, let life):
      if life === server.life { arrived(request, from: caller) }
    case .answer(let request, let answer, let caller): received(request, answer, by: caller)
    case .timeout(let caller): timedOut(caller)
    case .event(let number, let run, let event):
      let tab = tabs[number]
      if tab.isOpen, tab.run == run { happen(event, in: tab) }
    case .tick(let number, let run): tick(tabs[number], run: run)
    case .open(let number): open(tabs[number])
    case .person(let number): act(at: tabs[number])
    case .rawClient(let number): move(number)
    case .texted(let phone, let code):
      note("text arrived", 0, Int64(phone.e164.utf8.count))
      inboxes[phone, default: []].append(code)
    case .report(let report): reported(report)
    case .timers: wakeTimers()
    case .crash: crash()
    case .restart: restart()
    case .clockSet(let number): setClock(of: tabs[number].device)
    case .jump: jump()
    case .administrator: administrate()
    }
  }

  /// Runs every task of a stopped server to its end, so that a world leaves no task behind.
  private func end() {
    areFaultsOver = true
    server.end()
  }

  // MARK: Populating

  private func makeServer() -> SimulatedServer {
    let reference = SimulationReference(world: self)
    let store = MemoryStore(committing: { before, after in
      let world = reference.world
      world.damage(before, &after)
      world.delayEvents(before, &after)
      if world.trace.isNarrated { world.reportCounters(before, after) }
      world.laws.committed(before, after, at: world.clock.now())
    })
    store.tables = Self.firstTables
    return SimulatedServer(store: store, executor: executor, clock: clock) { [unowned self] life in
      ports(of: life, over: store)
    }
  }

  private func ports(of life: ServerLife, over store: MemoryStore) -> ServerPorts {
    let reference = SimulationReference(world: self)
    var ports = ServerPorts(
      clients: SimulatedPeople.clients,
      store: SimulatedStore(store: store, life: life, laws: laws),
      clock: SimulatedServerClock(
        clock: clock, timers: timers, life: life, isLate: defect == .clockOneSecondLate),
      randomness: randomness,
      passwords: SimulatedPasswords(passwords: passwords, life: life, simulation: reference),
      signatureScheme: signatureScheme,
      messenger: SimulatedMessenger(
        deduplicatesMessages: messengerDeduplicates, life: life, simulation: reference)
    )
    if defect == .proofsNotRemembered { ports.proofs = ForgetfulProofLedger() }
    return ports
  }

  private func populate() {
    isLossy = !chance.isOne(in: 4)
    addWindows()
    addRawClients()
    plan(.timers, in: 1000...5000)
    plan(.jump, in: 20_000...200_000)
    plan(.clockSet(0), in: 30_000...300_000)
    if chance.isOne(in: 2) { plan(.crash, in: 1000...100_000) }
    let asha = SimulatedPeople.asha.account.id
    let isWaitedFor =
      rawClients.contains { $0.goal == .registers }
      || tabs.contains { $0.device.person.account.id == asha }
    if isWaitedFor || chance.isOne(in: 3) { plan(.administrator, in: 5000...200_000) }
  }

  private static let firstTables: MemoryTables = {
    var tables = MemoryTables()
    for person in SimulatedPeople.all { tables.accounts[person.account.id] = person.account }
    return tables
  }()

  private func addWindows() {
    let deviceCount = 1 + chance.below(2)
    for number in 0..<deviceCount {
      let person = chance.pick(
        number == 0 ? SimulatedPeople.atFirstDevice : SimulatedPeople.atSecondDevice)
      let error = chance.isOne(in: 3) ? chance.between(-4_000_000...4_000_000) : 0
      let device = SimulatedDevice(
        person: person, key: SimulatedKeys.devices[number], clockErrorMilliseconds: error)
      for _ in 0..<(chance.isOne(in: 4) ? 2 : 1) {
        let tab = SimulatedTab(number: tabs.count, device: device)
        tabs.append(tab)
        plan(.open(tab.number), in: 1...5000)
        plan(.person(tab.number), in: 5000...10_000)
      }
    }
  }

  private func addRawClients() {
    let count = chance.isOne(in: 3) ? 0 : 1 + chance.below(3)
    for number in 0..<count {
      let (person, goal): (SimulatedPeople.Person, SimulatedRawClient.Goal)
      switch chance.below(10) {
      case 0: (person, goal) = (SimulatedPeople.asha, .registers)
      case 1...3:
        (person, goal) = (SimulatedPeople.ravi, chance.pick(SimulatedRawClient.Goal.ofRiders))
      default:
        (person, goal) = (SimulatedPeople.tara, chance.pick(SimulatedRawClient.Goal.ofTechnicians))
      }
      let key = SimulatedKeys.devices[2 + number]
      rawClients.append(SimulatedRawClient(number: number, goal: goal, person: person, key: key))
      plan(.rawClient(number), in: 1000...30_000)
    }
  }
}

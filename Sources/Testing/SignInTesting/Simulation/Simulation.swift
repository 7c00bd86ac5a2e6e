internal import SignInEngine
internal import SignInFlow
public import SignInModel
internal import SignInService
internal import SignInWire

/// One simulated world: people with the real client engine on devices with unreliable storage,
/// thieves and other senders, an unreliable network, the real server over a store that survives its
/// crashes, an outbox, an administrator, and clocks that jump.
///
/// The laws check what people see, independently of the engine's decisions, and what the server
/// stores. `WorldProfile` says what happens in a world.
///
/// Everything runs on the caller's thread. The same seed gives the same world in every step.
///
/// `@unchecked Sendable`: its tasks run on `executor`, on the one thread that created it.
public final class Simulation: @unchecked Sendable {
  public static let start = Instant(seconds: 1_800_000_000)

  enum Happening {
    case request(WireRequest, Caller)
    /// A second copy of the same bytes. Copies belong to a connection and end with this run of the
    /// server.
    case copy(WireRequest, Caller, ServerLife)
    case answer(WireRequest?, WireAnswer?, Caller)
    case timeout(Caller)
    case event(Int, run: Int, Event)
    /// A tab runs its next task of storage.
    case work(Int, run: Int)
    /// Another tab has changed storage.
    case changed(Int, run: Int)
    case tick(Int, run: Int)
    case open(Int)
    case person(Int)
    case rawClient(Int)
    case thief
    case texted(PhoneNumber, ReceivedCode)
    case report(DeliveryReport)
    case crash
    case restart
    case clockSet(Int)
    case deviceFault
    case jump
    case administrator
  }

  let seed: UInt64
  let profile: WorldProfile
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
  let laws: LawBook
  var chance: Chance
  var trace: SimulationTrace
  private(set) var plannedEvents = PlannedEvents<Happening>()

  private(set) lazy var server = makeServer()
  private(set) var devices: [SimulatedDevice] = []
  private(set) var tabs: [SimulatedTab] = []
  var rawClients: [SimulatedRawClient] = []
  var thieves: [SimulatedThief] = []
  var inboxes: [PhoneNumber: [ReceivedCode]] = [:]
  var haveConditionsEnded = false
  var hashCount = 0
  /// The passwords that were set in this world, by their hashes.
  var chosenPasswords: [String: String] = [:]
  /// The events of decisions that are not durable yet.
  var lateEvents: [UnlinkedEvent] = []
  /// The greatest number of an event that was linked.
  var lastLinkedEvent: Int64 = 0
  /// The number of written and of linked events when open requests were last checked.
  var checkedEvents = 0
  /// The stored tables before each of the last transactions, for a store that loses them.
  var earlier: [MemoryTables] = []
  /// The refresh tokens with which people change their own accounts.
  var ownTokens: [AccountID: String] = [:]
  /// The ends of sessions, for the laws about screens.
  var ends = SessionEnds()

  init(seed: UInt64, defect: PlantedDefect?, isNarrated: Bool) {
    self.seed = seed
    self.defect = defect
    signatureScheme = KeyedHashScheme.forWorld(of: seed)
    hasOneAddress = seed % 5 == 0
    messengerDeduplicates = seed % 3 != 0
    chance = Chance(seed: seed)
    randomness = SeededRandomness(seed: seed ^ 0x5EED)
    trace = SimulationTrace(isNarrated: isNarrated)
    profile = WorldProfile(&chance)
    laws = LawBook(
      idleSeconds: profile.idleSeconds,
      messagesPerNumber: profile.clients[0].policy[.numberHourly])
    populate()
  }

  /// Whether a condition of the profile applies now.
  func may(_ condition: WorldProfile.Condition) -> Bool {
    !haveConditionsEnded && profile.has(condition)
  }

  func note(
    _ what: StaticString, _ subject: Int = 0, _ figure: Int64 = 0,
    _ words: @autoclosure () -> String = ""
  ) {
    trace.note(what, subject, figure, at: clock.now(), words())
  }

  func plan(_ happening: Happening, in milliseconds: ClosedRange<Int64>) {
    plannedEvents.plan(
      happening, at: clock.now().adding(milliseconds: chance.between(milliseconds)))
  }
}

// MARK: - Running

extension Simulation {
  /// A later event than this comes before a task that can continue only if the machine stalls.
  private static let patienceMilliseconds: Int64 = 250
  private static let stallMilliseconds: Int64 = 5000

  func run() {
    var steps = 0
    while steps < profile.steps, laws.violation == nil { if step() { steps += 1 } }
    if laws.violation == nil { endFaults() }
    end()
  }

  /// Runs a task of the server, or the next event.
  ///
  /// - Returns: Whether an event happened.
  @discardableResult
  func step() -> Bool {
    let ready = executor.readyCount
    if ready > 0, !chance.isOne(in: 4) || isServerFirst {
      runTask(of: ready)
      return false
    }
    if ready == 0, clock.sleeperCount > 0 {
      move(to: clock.now().adding(milliseconds: SignInLimits.waitMilliseconds))
      return false
    }
    guard let next = plannedEvents.next() else {
      preconditionFailure("nothing happens in this world any more")
    }
    move(to: next.due)
    happen(next.happening, due: next.due)
    wakeTimers()
    return true
  }

  private var isServerFirst: Bool {
    guard let due = plannedEvents.nextDue else { return true }
    guard may(.stalls) else {
      return due > clock.now().adding(milliseconds: Self.patienceMilliseconds)
    }
    return !chance.isOne(in: 60) && due > clock.now().adding(milliseconds: Self.stallMilliseconds)
  }

  func runTask(of ready: Int) {
    let index = chance.below(ready)
    trace.count(UInt64(ready) << 32 | UInt64(index))
    executor.run(index)
  }

  func move(to moment: Instant) {
    guard moment > clock.now() else { return }
    clock.set(moment)
    noteExpired()
  }

  private func happen(_ happening: Happening, due: Instant) {
    switch happening {
    case .request(let request, let caller): arrived(request, from: caller)
    case .copy(let request, let caller, let life):
      if life === server.life { arrived(request, from: caller) }
    case .answer(let request, let answer, let caller):
      received(request, answer, by: caller, due: due)
    case .timeout(let caller): timedOut(caller)
    case .event(let number, let run, let event):
      if let tab = openTab(number, run: run) { happen(event, in: tab) }
    case .work(let number, let run): if let tab = openTab(number, run: run) { work(tab) }
    case .changed(let number, let run):
      if let tab = openTab(number, run: run) { readChange(tab) }
    case .tick(let number, let run): if let tab = openTab(number, run: run) { tick(tab) }
    case .open(let number): open(tabs[number])
    case .person(let number): if tabs[number].actsAt == due { act(at: tabs[number]) }
    case .rawClient(let number): if rawClients[number].movesAt == due { move(number) }
    case .thief: actAsThief()
    case .texted(let phone, let code):
      note("text arrived", 0, Int64(phone.e164.utf8.count))
      inboxes[phone, default: []].append(code)
    case .report(let report): reported(report)
    case .crash: crash()
    case .restart: restart()
    case .clockSet(let number): setClock(of: devices[number])
    case .deviceFault: faultOfDevice()
    case .jump: jump()
    case .administrator: administrate()
    }
  }

  private func openTab(_ number: Int, run: Int) -> SimulatedTab? {
    let tab = tabs[number]
    return tab.isOpen && tab.run == run ? tab : nil
  }

  /// Runs every task of a stopped server to its end, so that a world leaves no task behind.
  private func end() {
    haveConditionsEnded = true
    server.end()
  }

  // MARK: Populating

  private func populate() {
    for owner in profile.owners { addDevice(of: owner) }
    if profile.has(.attackers) { addRawClients() }
    plan(.jump, in: 20_000...200_000)
    plan(.clockSet(0), in: 30_000...300_000)
    if profile.has(.devices) { plan(.deviceFault, in: 5000...60_000) }
    if profile.has(.thieves) { plan(.thief, in: 20_000...200_000) }
    if profile.has(.crashes) { plan(.crash, in: 1000...100_000) }
    let isWaitedFor =
      rawClients.contains { $0.goal == .registers } || profile.owners.contains(SimulatedPeople.asha)
    if isWaitedFor || profile.has(.administrator) { plan(.administrator, in: 5000...200_000) }
  }

  private func addDevice(of owner: SimulatedPeople.Person) {
    let device = SimulatedDevice(number: devices.count, person: owner, &chance)
    devices.append(device)
    for _ in 0..<(chance.isOne(in: profile.has(.devices) ? 2 : 4) ? 2 : 1) {
      let tab = SimulatedTab(number: tabs.count, device: device)
      tabs.append(tab)
      plan(.open(tab.number), in: 1...5000)
      planAct(at: tab, in: 5000...10_000)
    }
  }

  private func addRawClients() {
    for number in 0..<(1 + chance.below(3)) {
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
      planMove(of: number, in: 1000...30_000)
    }
  }

  /// Plans the next act of a person, in place of the one that was planned before.
  func planAct(at tab: SimulatedTab, in milliseconds: ClosedRange<Int64>) {
    tab.actsAt = clock.now().adding(milliseconds: chance.between(milliseconds))
    plannedEvents.plan(.person(tab.number), at: tab.actsAt)
  }

  /// Plans the next requests of a raw client, in place of those that were planned before.
  func planMove(of number: Int, in milliseconds: ClosedRange<Int64>) {
    rawClients[number].movesAt = clock.now().adding(milliseconds: chance.between(milliseconds))
    plannedEvents.plan(.rawClient(number), at: rawClients[number].movesAt)
  }
}

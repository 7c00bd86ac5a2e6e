internal import HTTPServer
internal import JSONText
internal import SignInHTTP
internal import SignInModel
internal import SignInRules
internal import SignInService

/// The apps and the ports of one run of a simulated server.
struct ServerPorts {
  let clients: [AppRegistration]
  let store: any Store
  let clock: any Clock
  let randomness: any Randomness
  let passwords: any PasswordHashing
  var proofs: any ProofLedger = MemoryProofLedger()
  let signatureScheme: any SignatureScheme
  let messenger: any TextMessenger
}

/// The real server over a store that survives its crashes.
///
/// The seed decides when it starts, stops and crashes. Every request goes through the handler, and
/// the outbox worker and the worker for open requests run as in production.
final class SimulatedServer {
  /// The parts of one run of the server.
  private struct Process {
    let life: ServerLife
    let world: World
    let handler: FieldpassHandler
    let reports: DeliveryReportQueue
    let worker: OutboxWorker
    let waiters: SessionWaiters
    let watch: SessionWatchWorker
    let linker: EventLinker
  }

  let store: MemoryStore
  private let executor: SeededExecutor
  private let clock: SimulatedClock
  private let ports: (ServerLife) -> ServerPorts
  private var process: Process

  init(
    store: MemoryStore, executor: SeededExecutor, clock: SimulatedClock,
    ports: @escaping (ServerLife) -> ServerPorts
  ) {
    self.store = store
    self.executor = executor
    self.clock = clock
    self.ports = ports
    process = Self.start(ServerLife(number: 0), executor, clock, ports)
  }

  var life: ServerLife { process.life }
  var world: World { process.world }
  /// The receipts that the messenger gets.
  var reports: DeliveryReportQueue { process.reports }
  var worker: OutboxWorker { process.worker }
  /// Whether it accepts requests.
  var isUp: Bool { !life.isOver && !life.isStopping }
  /// Whether a request waits for a change of its session.
  var hasOpenRequests: Bool { !process.waiters.isEmpty }

  /// Ends every task at its `await`.
  ///
  /// Only the store remains.
  func crash() {
    life.end()
    process.watch.answerWaiters()
  }

  /// Stops it in order: it accepts no more requests, answers the open ones, and waits for its
  /// hand-overs.
  ///
  /// A crash ends it earlier.
  func stop(then stopped: @escaping @Sendable () -> Void) {
    let (life, worker, linker) = (life, worker, process.linker)
    life.isStopping = true
    process.watch.answerWaiters()
    perform(SimulatedOperation(.background, in: life, isFromApp: false, at: clock.now())) {
      await worker.stop()
      await linker.stop()
      guard !life.isOver else { return }
      stopped()
      life.end()
    }
  }

  func restart() {
    process = Self.start(ServerLife(number: life.number + 1), executor, clock, ports)
  }

  /// Answers a request in a task of its own.
  func serve(
    _ request: WireRequest, as operation: SimulatedOperation,
    then deliver: @escaping @Sendable (WireAnswer) -> Void
  ) {
    let (handler, clock) = (process.handler, clock)
    perform(operation) {
      let (status, body) = await handler.answer(request)
      deliver(WireAnswer(status: status, body: body, serverSeconds: clock.now().seconds))
    }
  }

  /// Runs work of an operation in a task of its own.
  func perform(_ operation: SimulatedOperation, _ work: @escaping @Sendable () async -> Void) {
    Task(executorPreference: executor) {
      await SimulatedOperation.$current.withValue(operation) { await work() }
    }
  }

  /// Ends this run, and runs each of its tasks to its end.
  func end() {
    crash()
    finishTasks { executor.run(executor.readyCount - 1) }
  }

  /// Runs tasks by `runNext`, and ends their pauses, until none can continue.
  func finishTasks(_ runNext: () -> Void) {
    var rounds = 0
    while executor.readyCount > 0 || clock.sleeperCount > 0 {
      while executor.readyCount > 0 { runNext() }
      if clock.sleeperCount > 0 { clock.advance(milliseconds: SignInLimits.waitMilliseconds) }
      rounds += 1
      precondition(rounds < 10_000, "a task of this world never ends")
    }
  }

  // MARK: Starting

  private static func start(
    _ life: ServerLife, _ executor: SeededExecutor, _ clock: SimulatedClock,
    _ makePorts: (ServerLife) -> ServerPorts
  ) -> Process {
    let ports = makePorts(life)
    let (signal, reports, waiters) = (OutboxSignal(), DeliveryReportQueue(), SessionWaiters())
    let router = MessengerRouter([MessengerRouter.Entry(ports.messenger)])
    let world = World(
      issuer: SimulatedKeys.issuer, clients: ports.clients,
      organizations: SimulatedPeople.organizations.map {
        Configuration.Organization(id: OrganizationID($0), name: $0)
      },
      keyring: SimulatedKeys.keyring,
      store: ports.store, clock: ports.clock, randomness: ports.randomness,
      passwords: ports.passwords, proofs: ports.proofs, signatureScheme: ports.signatureScheme,
      router: router, messageRecorded: { signal.wake() }, reportFault: { _ in })
    let handler = FieldpassHandler(
      world: world, assets: WebAssets(files: [:]), development: nil, waiters: waiters,
      log: { _ in })
    let startTask: OutboxSender.TaskStart = { work in
      start(work, in: life, executor, at: clock.now())
    }
    let worker = OutboxWorker(
      router: router, signal: signal, reports: reports, world: world, startTask: startTask)
    let watch = SessionWatchWorker(SessionWatch(waiters), world: world, startTask: startTask)
    let linker = EventLinker(world: world, startTask: startTask)
    return Process(
      life: life, world: world, handler: handler, reports: reports, worker: worker,
      waiters: waiters, watch: watch, linker: linker)
  }

  /// Starts a task of the server's own work, which ends with this run of the server.
  private static func start(
    _ work: @escaping @Sendable () async -> Void, in life: ServerLife, _ executor: SeededExecutor,
    at now: Instant
  ) -> Task<Void, Never> {
    let operation = SimulatedOperation(.background, in: life, isFromApp: false, at: now)
    let task = Task(executorPreference: executor) {
      await SimulatedOperation.$current.withValue(operation) { await work() }
    }
    life.tasks.append(task)
    return task
  }
}

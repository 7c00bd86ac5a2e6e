internal import HTTPServer
internal import SignInHTTP
internal import SignInModel
internal import SignInService

/// The real server over a store that survives its crashes.
///
/// The seed decides when it starts, stops and crashes. Every request goes through the handler, and
/// the outbox worker runs as in production.
final class SimulatedServer {
  /// The parts of one run of the server.
  private struct Process {
    let life: ServerLife
    let world: World
    let handler: FieldpassHandler
    let reports: DeliveryReportQueue
    let worker: OutboxWorker
  }

  let store: MemoryStore
  private let simulation: SimulationReference
  private var process: Process

  init(_ simulation: SimulationReference, store: MemoryStore) {
    self.simulation = simulation
    self.store = store
    process = Self.start(ServerLife(number: 0), store, simulation)
  }

  var life: ServerLife { process.life }
  var world: World { process.world }
  var handler: FieldpassHandler { process.handler }
  /// The receipts that the messenger gets.
  var reports: DeliveryReportQueue { process.reports }
  var worker: OutboxWorker { process.worker }
  /// Whether it accepts requests.
  var isUp: Bool { !life.isOver && !life.isStopping }

  /// Ends every task at its `await`.
  ///
  /// Only the store remains.
  func crash() { life.end() }

  func restart() {
    process = Self.start(ServerLife(number: life.number + 1), store, simulation)
  }

  private static func start(
    _ life: ServerLife, _ store: MemoryStore, _ simulation: SimulationReference
  ) -> Process {
    let (signal, reports) = (OutboxSignal(), DeliveryReportQueue())
    let messenger = SimulatedMessenger(
      deduplicatesMessages: simulation.world.messengerDeduplicates, life: life,
      simulation: simulation)
    let router = MessengerRouter([MessengerRouter.Entry(messenger)])
    let world = world(life, store, router, signal, simulation)
    let handler = FieldpassHandler(
      world: world, assets: WebAssets(files: [:]), development: nil, log: { _ in })
    let worker = OutboxWorker(
      router: router, signal: signal, reports: reports, world: world,
      startTask: { work in simulation.world.start(in: life, work) }
    )
    return Process(life: life, world: world, handler: handler, reports: reports, worker: worker)
  }

  private static func world(
    _ life: ServerLife, _ store: MemoryStore, _ router: MessengerRouter, _ signal: OutboxSignal,
    _ simulation: SimulationReference
  ) -> World {
    let outside = simulation.world
    return World(
      issuer: SimulatedKeys.issuer, clients: SimulatedPeople.clients,
      keyring: SimulatedKeys.keyring,
      store: SimulatedStore(store: store, life: life, simulation: simulation),
      clock: SimulatedServerClock(
        clock: outside.clock, timers: outside.timers, life: life,
        isLate: outside.defect == .clockOneSecondLate),
      randomness: outside.randomness,
      passwords: SimulatedPasswords(
        passwords: outside.passwords, life: life, simulation: simulation),
      proofs: MemoryProofLedger(), signatureScheme: outside.signatureScheme, router: router,
      messageRecorded: { signal.wake() }, reportFault: { _ in }
    )
  }
}

extension Simulation {
  /// Starts a task of the server's own work, which ends with this run of the server.
  func start(
    in life: ServerLife, _ work: @escaping @Sendable () async -> Void
  ) -> Task<Void, Never> {
    let operation = SimulatedOperation(.background, in: life, isFromApp: false, at: clock.now())
    let task = Task(executorPreference: executor) {
      await SimulatedOperation.$current.withValue(operation) { await work() }
    }
    life.tasks.append(task)
    return task
  }
}

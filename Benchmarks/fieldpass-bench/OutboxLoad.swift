import Cryptography
import Glibc
import SQLStore
import SignInModel
import SignInService
import Synchronization
import Threads

/// Codes through the outbox with one durable store, and with messengers that answer at once or
/// never.
struct OutboxLoad {
  static let codes = 5000
  /// The number of parallel recorders, like parallel requests.
  static let recorders = 64
  /// The necessary operations of each code: it is recorded, leased and settled.
  static let operationsEach = 3.0
  static let arrivalsPerSecond = 100
  static let arrivalSeconds = 5
  static let hangingMilliseconds: Int64 = 4000

  /// Codes per second, from the first record to the last settlement.
  let rate: Double
  /// The time from the record of a message to the call of its messenger, at a hundred messages per
  /// second.
  let beginnings: Sample
  /// The same while every second message goes to a messenger that does not answer.
  let besideHanging: Sample

  static func measure(folder: String) throws(BenchFault) -> OutboxLoad {
    let store: SQLiteStore
    do throws(StoreFault) { store = try SQLiteStore(directory: folder + "/outbox") } catch {
      throw BenchFault("the outbox cannot be opened: \(error)")
    }
    defer { store.close() }
    let result = Mutex<OutboxLoad?>(nil)
    BlockingCall.run {
      let post = OutboxBenchmark(store: store)
      let load = OutboxLoad(
        rate: await post.pass(codes),
        beginnings: await post.arrivals(hanging: false),
        besideHanging: await post.arrivals(hanging: true)
      )
      result.withLock { $0 = load }
    }
    guard let load = result.withLock({ $0 }) else { throw BenchFault("the outbox gave no result") }
    return load
  }
}

/// One store and one world, and the measurements in it.
private final class OutboxBenchmark: Sendable {
  private let world: World
  private let store: SQLiteStore
  private let recorded = Mutex<[String: Double]>([:])
  private let sample = Mutex(Sample())

  init(store: SQLiteStore) {
    self.store = store
    world = World(
      issuer: "https://login.example.com", clients: [],
      keyring: Keyring(
        signing: SigningKey.generate(), master: SecureRandom.bytes(32), decoyPasswordHash: ""
      ),
      store: store, clock: BenchClock(), randomness: BenchRandomness(),
      passwords: NoPasswords(), proofs: NoProofs(), messageRecorded: {}, reportFault: { _ in }
    )
  }

  /// Records `count` messages, and hands them over with the server's worker.
  func pass(_ count: Int) async -> Double {
    let began = Stopwatch.seconds
    await withTaskGroup { group in
      for recorder in 0..<OutboxLoad.recorders {
        group.addTask {
          for number in stride(from: recorder, to: count, by: OutboxLoad.recorders) {
            await self.record("passing-\(number)")
          }
        }
      }
      group.addTask { await self.send(count) }
    }
    return Double(count) / (Stopwatch.seconds - began)
  }

  /// Sends messages with the server's own worker.
  ///
  /// It returns after `count` hand-overs are settled.
  private func send(_ count: Int) async {
    let handedOver = Mutex(0)
    let messenger = QuickMessenger(name: "quick") { _ in handedOver.withLock { $0 += 1 } }
    let (worker, signal) = start(MessengerRouter([.init(messenger)]))
    while handedOver.withLock({ $0 }) < count {
      signal.wake()
      await world.clock.pause(milliseconds: 1)
    }
    await worker.stop()
  }

  private func start(_ router: MessengerRouter) -> (OutboxWorker, OutboxSignal) {
    let signal = OutboxSignal()
    let worker = OutboxWorker(
      router: router, signal: signal, reports: DeliveryReportQueue(), world: world)
    return (worker, signal)
  }

  /// Records messages at a steady rate and returns the time until the call of each messenger.
  func arrivals(hanging: Bool) async -> Sample {
    sample.withLock { $0 = Sample() }
    let quick = QuickMessenger(name: "quick") { id in
      guard let since = self.recorded.withLock({ $0[id] }) else { return }
      self.sample.withLock { $0.add(Stopwatch.seconds - since) }
    }
    let (worker, signal) = start(
      MessengerRouter([
        .init(quick, countries: ["+47"]), .init(HangingMessenger(), countries: ["+91"]),
      ]))
    let count = OutboxLoad.arrivalsPerSecond * OutboxLoad.arrivalSeconds
    let prefix = hanging ? "beside" : "alone"
    await withTaskGroup { group in
      for number in 0..<count {
        let goesNowhere = hanging && number.isMultiple(of: 2)
        group.addTask {
          await self.record(
            "\(prefix)-\(number)", to: goesNowhere ? "+919812345678" : "+4790000001")
          signal.wake()
        }
        await world.clock.pause(milliseconds: 1000 / Int64(OutboxLoad.arrivalsPerSecond))
      }
    }
    await world.clock.pause(milliseconds: 500)
    let measured = sample.withLock { $0 }
    await worker.stop()
    return measured
  }

  private func record(_ id: String, to number: String = "+4790000001") async {
    recorded.withLock { $0[id] = Stopwatch.seconds }
    let now = world.clock.now()
    let sealed = world.keyring.outbox.seal(Array("123456 is your code.".utf8), context: id)
    do {
      let message = OutboxMessage(
        id: id, to: .phone(try PhoneNumber(parsing: number)), sealedText: sealed, createdAt: now,
        expiresAt: now.adding(seconds: 300), leasedUntil: now, tries: 0, state: .waiting
      )
      try await store.transact(about: []) { (transaction) throws(StoreFault) in
        try transaction.insert(message)
      }
    } catch {
      complain("a message was not recorded: \(error)", hint: "make room on the disk")
    }
  }
}

private struct QuickMessenger: TextMessenger {
  let name: String
  let asked: @Sendable (String) -> Void

  func send(_ message: TextMessage) async throws(TextMessengerFault) -> Acceptance {
    asked(message.id)
    return Acceptance(reference: message.id)
  }
}

private struct HangingMessenger: TextMessenger {
  let name = "hanging"

  func send(_ message: TextMessage) async throws(TextMessengerFault) -> Acceptance {
    await BenchClock().pause(milliseconds: OutboxLoad.hangingMilliseconds)
    throw .unclear("no answer in time")
  }
}

private struct BenchClock: Clock {
  func now() -> Instant {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Instant(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
  }

  func pause(milliseconds: Int64) async {
    do { try await Task.sleep(for: .milliseconds(milliseconds)) } catch {
      // A cancelled task wakes early, as the port requires.
      return
    }
  }
}

private struct BenchRandomness: Randomness {
  func bytes(_ count: Int) -> [UInt8] { SecureRandom.bytes(count) }
}

/// This measurement needs no sign-in.
private struct NoPasswords: PasswordHashing {
  func hash(_ password: Secret) async throws(PasswordHashingFault) -> String { "" }
  func verify(
    _ password: Secret, against encoded: String
  ) async throws(PasswordHashingFault) -> Bool { false }
}

private struct NoProofs: ProofLedger {
  func record(
    _ identifier: String, from source: ProofSource?, until expiry: Instant, now: Instant
  ) -> ProofVerdict { .repeated }
}

import Cryptography
import Glibc
import SQLiteStore
import SignInModel
import SignInService
import Synchronization

/// Codes through the outbox with one durable store, and messengers that take no time, or too much.
struct OutboxLoad {
  static let waiting = 5000
  static let arrivalsPerSecond = 100
  static let arrivalSeconds = 5
  static let hangingMilliseconds: Int64 = 4000

  /// Codes handed over per second, of many that wait.
  let rate: Double
  /// From the recording of a message to its messenger being asked, at a hundred a second.
  let beginnings: Sample
  /// The same while every other message goes to a messenger that does not answer.
  let besideHanging: Sample

  static func measure(folder: String) throws(BenchFault) -> OutboxLoad {
    let store: SQLiteStore
    do throws(StoreFault) { store = try SQLiteStore(directory: folder + "/outbox") } catch {
      throw BenchFault("the outbox cannot be opened: \(error)")
    }
    defer { store.close() }
    let result = Mutex<OutboxLoad?>(nil)
    wait {
      let post = PostOffice(store: store)
      let load = OutboxLoad(
        rate: await post.drain(waiting),
        beginnings: await post.arrivals(hanging: false),
        besideHanging: await post.arrivals(hanging: true)
      )
      result.withLock { $0 = load }
    }
    guard let load = result.withLock({ $0 }) else { throw BenchFault("the outbox said nothing") }
    return load
  }

  /// Runs asynchronous work from the main thread.
  private static func wait(_ work: @escaping @Sendable () async -> Void) {
    let done = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
    sem_init(done, 0, 0)
    nonisolated(unsafe) let semaphore = done
    Task.detached {
      await work()
      sem_post(semaphore)
    }
    while sem_wait(done) != 0 {}
    sem_destroy(done)
    done.deallocate()
  }
}

/// One store, one world, and what is measured in it.
private final class PostOffice: Sendable {
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
      passwords: NoPasswords(), proofs: NoProofs(), outboxRung: {}, faultSeen: { _ in }
    )
  }

  /// Hands over so many that wait already, as many at once as the server does.
  func drain(_ count: Int) async -> Double {
    for number in 0..<count { await record("waiting-\(number)") }
    let board = Switchboard([.init(QuickMessenger(name: "quick") { _ in })])
    let began = Stopwatch.seconds
    await withTaskGroup { group in
      var underWay = 0
      while true {
        let limit = min(OutboxLimits.batch, OutboxLimits.underWay - underWay)
        let taken = await takeUpMessages(limit: limit, over: board, in: world)
        for message in taken {
          underWay += 1
          group.addTask { _ = await handOver(message, over: board, in: self.world) }
        }
        if taken.isEmpty, underWay == 0 { break }
        if taken.isEmpty || underWay >= OutboxLimits.underWay {
          _ = await group.next()
          underWay -= 1
        }
      }
    }
    return Double(count) / (Stopwatch.seconds - began)
  }

  /// Messages at an even pace; answers how long each waited until its messenger was asked.
  func arrivals(hanging: Bool) async -> Sample {
    sample.withLock { $0 = Sample() }
    let quick = QuickMessenger(name: "quick") { id in
      guard let since = self.recorded.withLock({ $0[id] }) else { return }
      self.sample.withLock { $0.add(Stopwatch.seconds - since) }
    }
    let board = Switchboard([
      .init(quick, countries: ["+47"]), .init(HangingMessenger(), countries: ["+91"]),
    ])
    let count = OutboxLoad.arrivalsPerSecond * OutboxLoad.arrivalSeconds
    let prefix = hanging ? "beside" : "alone"
    await withTaskGroup { group in
      for number in 0..<count {
        let goesNowhere = hanging && number.isMultiple(of: 2)
        group.addTask {
          await self.record(
            "\(prefix)-\(number)", to: goesNowhere ? "+919812345678" : "+4790000001")
          for message in await takeUpMessages(
            limit: OutboxLimits.batch, over: board, in: self.world)
          {
            Task.detached { _ = await handOver(message, over: board, in: self.world) }
          }
        }
        await world.clock.pause(milliseconds: 1000 / Int64(OutboxLoad.arrivalsPerSecond))
      }
    }
    await world.clock.pause(milliseconds: 500)
    return sample.withLock { $0 }
  }

  private func record(_ id: String, to number: String = "+4790000001") async {
    recorded.withLock { $0[id] = Stopwatch.seconds }
    let now = world.clock.now()
    let sealed = world.keyring.outbox.seal(Array("123456 is your code.".utf8), context: id)
    do {
      let message = OutboxMessage(
        id: id, to: try PhoneNumber(parsing: number), sealedText: sealed, createdAt: now,
        expiresAt: now.adding(seconds: 300), leasedUntil: now, tries: 0, state: .waiting
      )
      try await store.transact { (transaction) throws(StoreFault) in
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

  func send(_ message: TextMessage) async throws(TextMessengerFault) -> Charge {
    asked(message.id)
    return Charge(reference: message.id)
  }
}

private struct HangingMessenger: TextMessenger {
  let name = "hanging"

  func send(_ message: TextMessage) async throws(TextMessengerFault) -> Charge {
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
      // A cancelled task wakes early, as the port promises.
      return
    }
  }
}

private struct BenchRandomness: Randomness {
  func bytes(_ count: Int) -> [UInt8] { SecureRandom.bytes(count) }
}

/// Nobody signs in here.
private struct NoPasswords: PasswordHashing {
  func hash(_ password: Secret) async throws(PasswordHashingFault) -> String { "" }
  func verify(
    _ password: Secret, against encoded: String
  ) async throws(PasswordHashingFault) -> Bool { false }
}

private struct NoProofs: ProofLedger {
  func record(_ identifier: String, until expiry: Instant, now: Instant) -> Bool { false }
}

import Cryptography
import Glibc
import SQLiteStore
import SignInModel
import SignInService
import Synchronization
import Threads

/// Codes through the outbox with one durable store, and messengers that take no time, or too much.
struct OutboxLoad {
  static let codes = 5000
  /// How many are recorded at once, as by so many requests.
  static let recorders = 64
  /// What each code cannot do without: it is recorded, leased and settled.
  static let operationsEach = 3.0
  static let arrivalsPerSecond = 100
  static let arrivalSeconds = 5
  static let hangingMilliseconds: Int64 = 4000

  /// Codes per second from the first that is recorded to the last that is settled.
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
    Blocking.run {
      let post = PostOffice(store: store)
      let load = OutboxLoad(
        rate: await post.pass(codes),
        beginnings: await post.arrivals(hanging: false),
        besideHanging: await post.arrivals(hanging: true)
      )
      result.withLock { $0 = load }
    }
    guard let load = result.withLock({ $0 }) else { throw BenchFault("the outbox said nothing") }
    return load
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

  /// Records so many and hands them over meanwhile, as many at once as the server does.
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

  /// Takes up as much as there is room for and waits for no hand-over, as the server does; returns
  /// once so many were handed over.
  private func send(_ count: Int) async {
    let board = Switchboard([.init(QuickMessenger(name: "quick") { _ in })])
    let underWay = UnderWay()
    await withTaskGroup { group in
      var begun = 0
      while begun < count {
        let limit = min(OutboxLimits.batch, OutboxLimits.underWay - underWay.count.withLock { $0 })
        let taken =
          limit > 0 ? await takeUpMessages(limit: limit, over: board, in: world) : []
        begun += taken.count
        underWay.count.withLock { $0 += taken.count }
        for message in taken {
          group.addTask {
            _ = await handOver(message, over: board, in: self.world)
            underWay.count.withLock { $0 -= 1 }
          }
        }
        if taken.isEmpty { await world.clock.pause(milliseconds: 1) }
      }
    }
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
        id: id, to: .phone(try PhoneNumber(parsing: number)), sealedText: sealed, createdAt: now,
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

/// Hand-overs that are not settled yet.
private final class UnderWay: Sendable {
  let count = Mutex(0)
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
  func record(
    _ identifier: String, from source: ProofSource?, until expiry: Instant, now: Instant
  ) -> ProofVerdict { .repeated }
}

import Cryptography
import Glibc
import SignInModel
import SignInRules
import SignInService
import Synchronization

/// The machine's time: the wall clock without its jumps, as in `SteadiedTime`.
final class MachineClock: Clock {
  /// If more time passes between the two readings, the thread was interrupted and the readings
  /// cannot be compared.
  private static let readingMilliseconds: Int64 = 5

  private let followed: Mutex<SteadiedTime>
  /// The milliseconds by which a development server's clock was moved forward.
  ///
  /// 0 in production.
  private let advanced = Atomic<Int64>(0)
  private let jumps = Atomic<Int64>(0)

  init() {
    followed = Mutex(
      SteadiedTime(wall: Self.read(CLOCK_REALTIME), steady: Self.read(CLOCK_BOOTTIME))
    )
  }

  func now() -> Instant {
    let steady = Self.read(CLOCK_BOOTTIME)
    let time = followed.withLock { $0.now(steady: steady) }
    return Instant(milliseconds: time.plusClamping(advanced.load(ordering: .relaxed)))
  }

  /// Compares the two clocks of the machine.
  ///
  /// Returns by how many milliseconds the wall clock was set since the last call, or `nil` if it
  /// was not set.
  func follow() -> Int64? {
    let steady = Self.read(CLOCK_BOOTTIME)
    let wall = Self.read(CLOCK_REALTIME)
    guard Self.read(CLOCK_BOOTTIME) - steady <= Self.readingMilliseconds else { return nil }
    let jump = followed.withLock { $0.compare(wall: wall, steady: steady) }
    if jump != nil { jumps.add(1, ordering: .relaxed) }
    return jump
  }

  /// How many times the wall clock was set.
  var jumpCount: Int64 { jumps.load(ordering: .relaxed) }

  /// The difference between the time that decisions use and the wall clock.
  var differenceMilliseconds: Int64 {
    let steady = Self.read(CLOCK_BOOTTIME)
    let remaining = followed.withLock { $0.remaining(steady: steady) }
    return abs(remaining.clamped(to: -Int64.max...Int64.max))
  }

  /// The current wall clock, for log lines that do not belong to a server.
  static var wallClock: Instant { Instant(milliseconds: read(CLOCK_REALTIME)) }

  func pause(milliseconds: Int64) async {
    do { try await Task.sleep(for: .milliseconds(milliseconds)) } catch {
      // A cancelled task wakes early, as the documentation of the port says.
      return
    }
  }

  func advance(seconds: Int64) { advanced.add(seconds * 1000, ordering: .relaxed) }

  private static func read(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }
}

struct SystemRandomness: Randomness {
  func bytes(_ count: Int) -> [UInt8] { SecureRandom.bytes(count) }
}

/// Argon2id in its own thread pool, because hashing would block an event loop.
final class PooledPasswordHashing: PasswordHashing {
  /// The largest number of waiting calls for each thread.
  ///
  /// Further ones are refused. A full queue takes about one second.
  static let queueLimitPerThread = 40

  private let pool: HashingPool
  private let threads: Int

  init(threads: Int) {
    self.threads = threads
    pool = HashingPool(threads: threads, queueLimit: threads * Self.queueLimitPerThread)
  }

  var use: HashingUse? {
    HashingUse(threads: threads, busyMilliseconds: Int64(pool.busy / .milliseconds(1)))
  }

  func hash(_ password: Secret) async throws(PasswordHashingFault) -> String {
    try await run { () throws(PasswordHashFault) in try PasswordHash.make(password.revealed) }
  }

  func verify(_ password: Secret, against encoded: String) async throws(PasswordHashingFault)
    -> Bool
  {
    try await run { () throws(PasswordHashFault) in
      try PasswordHash.matches(password.revealed, encoded)
    }
  }

  func verify(
    _ password: Secret, against encoded: String, evenWith kinds: Set<PasswordHashKind>
  ) async throws(PasswordHashingFault) -> Bool {
    try await run { () throws(PasswordHashFault) in
      try PasswordHash.matches(password.revealed, encoded, evenWith: kinds)
    }
  }

  func needsRehash(_ encoded: String) -> Bool { PasswordHash.needsRehash(encoded) }

  private func run<Answer: Sendable>(
    _ work: @escaping @Sendable () throws(PasswordHashFault) -> Answer
  ) async throws(PasswordHashingFault) -> Answer {
    let outcome: Result<Answer, PasswordHashFault>
    do throws(HashingPoolFull) {
      outcome = try await pool.run {
        do throws(PasswordHashFault) { return .success(try work()) } catch {
          return .failure(error)
        }
      }
    } catch {
      throw .overloaded(retrySeconds: 1)
    }
    switch outcome {
    case .success(let answer): return answer
    case .failure(.outOfMemory): throw .outOfMemory
    }
  }
}

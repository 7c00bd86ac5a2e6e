import Glibc
public import SignInModel
import SignInRules
public import SignInService
import Synchronization

/// The machine's time: the wall clock without its jumps, as in `SteadiedTime`.
public final class MachineClock: Clock {
  /// If more time passes between the two readings, the thread was interrupted and the readings
  /// cannot be compared.
  private static let readingMilliseconds: Int64 = 5

  private let followed: Mutex<SteadiedTime>
  /// The milliseconds by which a development server's clock was moved forward.
  ///
  /// 0 in production.
  private let advanced = Atomic<Int64>(0)
  private let jumps = Atomic<Int64>(0)

  public init() {
    followed = Mutex(
      SteadiedTime(wall: Self.read(CLOCK_REALTIME), steady: Self.read(CLOCK_BOOTTIME))
    )
  }

  public func now() -> Instant {
    unmovedNow().adding(milliseconds: advanced.load(ordering: .relaxed))
  }

  public func unmovedNow() -> Instant {
    let steady = Self.read(CLOCK_BOOTTIME)
    return Instant(milliseconds: followed.withLock { $0.now(steady: steady) })
  }

  /// Compares the two clocks of the machine.
  ///
  /// Returns by how many milliseconds the wall clock was set since the last call, or `nil` if it
  /// was not set.
  public func follow() -> Int64? {
    let steady = Self.read(CLOCK_BOOTTIME)
    let wall = Self.read(CLOCK_REALTIME)
    guard Self.read(CLOCK_BOOTTIME) - steady <= Self.readingMilliseconds else { return nil }
    let jump = followed.withLock { $0.compare(wall: wall, steady: steady) }
    if jump != nil { jumps.add(1, ordering: .relaxed) }
    return jump
  }

  /// How many times the wall clock was set.
  public var jumpCount: Int64 { jumps.load(ordering: .relaxed) }

  /// The difference between the time that decisions use and the wall clock.
  public var differenceMilliseconds: Int64 {
    let steady = Self.read(CLOCK_BOOTTIME)
    let remaining = followed.withLock { $0.remaining(steady: steady) }
    return abs(remaining.clamped(to: -Int64.max...Int64.max))
  }

  /// The current wall clock, for log lines that do not belong to a server.
  public static var wallClock: Instant { Instant(milliseconds: read(CLOCK_REALTIME)) }

  public func pause(milliseconds: Int64) async {
    do { try await Task.sleep(for: .milliseconds(milliseconds)) } catch {
      // A cancelled task wakes early, as the documentation of the port says.
      return
    }
  }

  public func advance(seconds: Int64) { advanced.add(seconds * 1000, ordering: .relaxed) }

  private static func read(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }
}

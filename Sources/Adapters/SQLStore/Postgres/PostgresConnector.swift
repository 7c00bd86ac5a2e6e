internal import Glibc
internal import SignInService
internal import Synchronization

/// Makes connections to one database.
///
/// After a connection could not be made, calls fail at once for a moment. Otherwise each of them
/// would wait for the connection.
final class PostgresConnector: Sendable {
  private let server: PostgresServer
  private let limits: PostgresLimits
  private let damage: DamageLog
  private let deadlines: PostgresDeadlines
  /// Until when no new connection is tried, and why the last one failed.
  private let outage = Mutex<(until: Int64, fault: StoreFault)?>(nil)

  init(_ server: PostgresServer, limits: PostgresLimits, damage: DamageLog) {
    self.server = server
    self.limits = limits
    self.damage = damage
    deadlines = PostgresDeadlines(limits)
    deadlines.start()
  }

  /// The channel of the notifications that a server has linked events.
  var channel: String { server.schema + "_events" }

  /// Call it after the connections are closed.
  func close() { deadlines.close() }

  func connect() throws(StoreFault) -> PostgresConnection {
    let known = outage.withLock { $0 }
    if let known, Self.milliseconds() < known.until { throw known.fault }
    do throws(StoreFault) {
      let connection = try PostgresConnection(
        server, limits: limits, damage: damage, deadlines: deadlines)
      outage.withLock { $0 = nil }
      return connection
    } catch {
      let until = Self.milliseconds() + limits.outageMilliseconds
      outage.withLock { $0 = (until, error) }
      throw error
    }
  }

  /// The time since some moment, on a clock that cannot be set.
  static func milliseconds() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }
}

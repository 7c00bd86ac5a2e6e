internal import CPostgres
internal import Glibc
internal import SignInService
internal import Synchronization
internal import Threads

/// Waits on a connection of its own for the notification that a server has linked events.
///
/// A notification can be lost with its connection. So its receiver also reads the log
/// regularly.
final class PostgresListener: Sendable {
  private let connector: PostgresConnector
  private let limits: PostgresLimits
  private let act: @Sendable () -> Void
  private let isClosed = Atomic(false)
  private let thread = Mutex<WorkerThread?>(nil)

  /// Calls `act` on its own thread after each notification.
  init(
    _ connector: PostgresConnector, limits: PostgresLimits, _ act: @escaping @Sendable () -> Void
  ) {
    self.connector = connector
    self.limits = limits
    self.act = act
  }

  func start() {
    let thread = WorkerThread { self.run() }
    self.thread.withLock { $0 = thread }
  }

  /// Ends the thread and closes the connection.
  func close() {
    isClosed.store(true, ordering: .relaxed)
    let thread = thread.withLock { thread in
      defer { thread = nil }
      return thread
    }
    thread?.join()
  }

  private func run() {
    var connection: PostgresConnection?
    while !isClosed.load(ordering: .relaxed) {
      if let current = connection {
        if !wait(on: current) { connection = nil }
        continue
      }
      connection = listening()
      if connection != nil {
        // Notifications from before this moment were missed.
        act()
      } else {
        usleep(UInt32(clamping: limits.listenMilliseconds * 1000))
      }
    }
  }

  private func listening() -> PostgresConnection? {
    do throws(StoreFault) {
      let connection = try connector.connect()
      try connection.execute("LISTEN \(connector.channel)")
      return connection
    } catch {
      // The decisions of this server report that the database cannot be reached.
      return nil
    }
  }

  /// Waits for a limited time, so that `close` does not wait for a notification.
  ///
  /// - Returns: `false` if the connection was lost.
  private func wait(on connection: PostgresConnection) -> Bool {
    var socket = pollfd(fd: PQsocket(connection.handle), events: Int16(POLLIN), revents: 0)
    let found = poll(&socket, 1, Int32(clamping: limits.listenMilliseconds))
    guard found > 0 else { return found == 0 || errno == EINTR }
    guard PQconsumeInput(connection.handle) == 1 else { return false }
    var isNotified = false
    while let notification = PQnotifies(connection.handle) {
      isNotified = true
      PQfreemem(notification)
    }
    if isNotified { act() }
    return !connection.isLost
  }
}

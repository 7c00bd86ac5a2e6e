internal import Glibc
internal import Threads

/// Ends connections on which the database does not answer in time.
///
/// The database limits each statement itself. If its machine or the network stops without an error,
/// no answer comes, and libpq waits without a limit. `tcp_user_timeout` does not help if a proxy
/// confirms the bytes.
final class PostgresDeadlines: Sendable {
  private struct Calls {
    /// The end of each call, by its socket.
    var ends: [Int32: Int64] = [:]
    var isClosed = false
    var thread: WorkerThread?
  }

  private let milliseconds: Int64
  private let checkMilliseconds: Int64
  private let calls = Monitor(Calls())

  init(_ limits: PostgresLimits) {
    milliseconds = limits.answerMilliseconds
    checkMilliseconds = max(1, limits.answerMilliseconds / 30)
  }

  func start() {
    let thread = WorkerThread { while self.check() {} }
    calls.withLock { $0.thread = thread }
  }

  /// Ends the thread.
  func close() {
    let thread = calls.withLock { calls in
      defer { calls.thread = nil }
      calls.isClosed = true
      return calls.thread
    }
    calls.wakeAll()
    thread?.join()
  }

  /// Runs a call that waits for the database.
  ///
  /// If it takes too long, its connection is lost.
  func limit<Answer, Fault: Error>(
    _ socket: Int32, _ call: () throws(Fault) -> Answer
  ) throws(Fault) -> Answer {
    let end = PostgresConnector.milliseconds() + milliseconds
    calls.withLock { $0.ends[socket] = end }
    // The number of a closed socket can be given to another one, so it is removed before.
    defer { calls.withLock { $0.ends[socket] = nil } }
    return try call()
  }

  /// Returns `false` after `close`.
  private func check() -> Bool {
    let isClosed = calls.wait(milliseconds: checkMilliseconds) { $0.isClosed ? true : nil }
    if isClosed == true { return false }
    let now = PostgresConnector.milliseconds()
    calls.withLock { calls in
      for (socket, end) in calls.ends where end <= now {
        shutdown(socket, Int32(SHUT_RDWR))
        calls.ends[socket] = nil
      }
    }
    return true
  }
}

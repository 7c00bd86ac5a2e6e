internal import Synchronization
internal import Threads

/// Calls the servers of others, with a bound on everything: calls under way, time, and bytes.
///
/// It keeps connections, verifies certificates with the machine's authorities, follows no redirect,
/// and keeps neither cookies nor answers. Its work is done on a thread of its own, never on those
/// that serve requests; a call that waits for its answer costs nothing.
public final class OutboundCalls: Sendable {
  /// An answer longer than this is given up.
  public static let answerByteLimit = 1 << 20
  /// Connections to one server.
  public static let connectionLimit = 64

  private let loop: CallLoop
  private let thread: WorkerThread
  private let underWay = Mutex(0)
  private let callLimit: Int

  /// - Parameter callLimit: Calls under way; one more is turned away at once.
  public init(callLimit: Int = 512) {
    self.callLimit = callLimit
    let loop = CallLoop()
    self.loop = loop
    thread = WorkerThread { loop.run() }
  }

  deinit { stop() }

  public func send(
    _ request: OutboundRequest
  ) async throws(OutboundFault) -> OutboundAnswer {
    try await run { OutboundTransfer(request, $0) }
  }

  /// Hands a message to a mail server; the answer's status is the server's last reply.
  public func send(_ mail: OutboundMail) async throws(OutboundFault) -> OutboundAnswer {
    try await run { OutboundTransfer(mail, $0) }
  }

  private func run(
    _ transfer: @Sendable (@escaping OutboundTransfer.Completion) -> OutboundTransfer
  ) async throws(OutboundFault) -> OutboundAnswer {
    let isAdmitted = underWay.withLock { count in
      guard count < callLimit else { return false }
      count += 1
      return true
    }
    guard isAdmitted else { throw .notSent("too many calls are under way") }
    defer { underWay.withLock { $0 -= 1 } }
    let result = await withUnsafeContinuation { continuation in
      loop.begin(transfer { continuation.resume(returning: $0) })
    }
    return try result.get()
  }

  /// How often the thread woke to do something.
  var turns: Int { loop.turns.load(ordering: .relaxed) }

  /// Ends every call and gives the thread back.
  public func stop() {
    if loop.stop() { thread.join() }
  }
}

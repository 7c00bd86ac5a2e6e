internal import Synchronization
internal import Threads

/// Calls other servers, with limits on parallel calls, time and bytes.
///
/// It reuses connections, verifies certificates with the machine's authorities, follows no
/// redirects, and stores neither cookies nor answers. Its work runs on its own thread, never on
/// threads that serve requests. A call that waits for its answer uses no thread.
public final class OutboundCalls: Sendable {
  /// The maximum length of an answer.
  ///
  /// A longer one is a fault.
  public static let answerByteLimit = 1 << 20
  /// The maximum number of connections to one server.
  public static let connectionLimit = 64

  private let loop: CallLoop
  private let thread: WorkerThread
  private let openCalls = Mutex(0)
  private let callLimit: Int
  private let addresses: PeerAddresses

  /// - Parameters:
  ///   - callLimit: The maximum number of parallel calls. A further call is refused at once.
  ///   - addresses: The addresses to connect to. A proxy of the environment is not used if private
  ///     networks are not among them, because it would resolve the names.
  public init(callLimit: Int = 512, addresses: PeerAddresses = .all) {
    self.callLimit = callLimit
    self.addresses = addresses
    let loop = CallLoop()
    self.loop = loop
    thread = WorkerThread { loop.run() }
  }

  deinit { stop() }

  public func send(
    _ request: OutboundRequest
  ) async throws(OutboundFault) -> OutboundAnswer {
    try await run { OutboundTransfer(request, addresses: addresses, $0) }
  }

  /// Sends a message to a mail server.
  ///
  /// The answer's status is the server's last reply.
  public func send(_ mail: OutboundMail) async throws(OutboundFault) -> OutboundAnswer {
    try await run { OutboundTransfer(mail, $0) }
  }

  private func run(
    _ transfer: @Sendable (@escaping OutboundTransfer.Completion) -> OutboundTransfer
  ) async throws(OutboundFault) -> OutboundAnswer {
    let isAdmitted = openCalls.withLock { count in
      guard count < callLimit else { return false }
      count += 1
      return true
    }
    guard isAdmitted else { throw .notSent("too many open requests") }
    defer { openCalls.withLock { $0 -= 1 } }
    let result = await withUnsafeContinuation { continuation in
      loop.begin(transfer { continuation.resume(returning: $0) })
    }
    return try result.get()
  }

  /// The number of times the thread woke with work to do.
  var turns: Int { loop.turns.load(ordering: .relaxed) }

  /// Ends every call and the thread.
  public func stop() {
    if loop.stop() { thread.join() }
  }
}

internal import CLinux
internal import Glibc
internal import Synchronization

/// A small, strict HTTP/1.1 server: one thread per loop, built-in TLS, no dependency but OpenSSL.
///
///     let server = try HTTPServer(configuration, handler: routes)
///     server.start()
///     …
///     await server.stop()
///
/// `RequestParser` documents which requests reach the handler. `HTTPServerConfiguration.Limits`
/// documents how long a peer may make us wait.
public final class HTTPServer: Sendable {
  private enum State {
    case bound
    case running
    case stopping(loopsLeft: Int, waiting: [CheckedContinuation<Void, Never>])
    case stopped
  }

  /// The bound port, even if the system chose it.
  public let port: UInt16
  private let loops: [EventLoop]
  private let tls: TLSContexts?
  private let state = Mutex(State.bound)

  /// Binds the address and reads the TLS files.
  ///
  /// It answers no requests before `start`.
  public convenience init(
    _ configuration: HTTPServerConfiguration,
    handler: any HTTPHandler
  ) throws(HTTPServerFault) {
    try self.init(configuration) { _ in handler }
  }

  /// The same for a handler that needs the port.
  public init(
    _ configuration: HTTPServerConfiguration,
    handlerForPort: (UInt16) -> any HTTPHandler
  ) throws(HTTPServerFault) {
    fp_prepare_process()
    let tls: TLSContexts? =
      if let settings = configuration.tls { TLSContexts(try TLSContext(settings)) } else { nil }
    self.tls = tls
    let listeners = try Self.listeners(configuration)
    let port = listeners.first.map(SocketAddress.boundPort) ?? 0
    let handler = handlerForPort(port)
    self.port = port
    let addresses = AddressTally(configuration.limits)
    loops = listeners.map { listener in
      EventLoop(
        configuration, tls: tls, listener: listener, addresses: addresses, handler: handler
      )
    }
  }

  private static func listeners(
    _ configuration: HTTPServerConfiguration
  ) throws(HTTPServerFault) -> [Int32] {
    let isShared = configuration.loops > 1
    var port = configuration.port
    var listeners: [Int32] = []
    if isShared, port != 0 {
      // On a shared port, another server would not be noticed later.
      let address = try SocketAddress(parsing: configuration.address, port: port)
      close(try address.listen(isShared: false))
    }
    do {
      for _ in 0..<max(1, configuration.loops) {
        let address = try SocketAddress(parsing: configuration.address, port: port)
        let listener = try address.listen(isShared: isShared)
        listeners.append(listener)
        port = SocketAddress.boundPort(of: listener)
      }
    } catch {
      for listener in listeners { close(listener) }
      throw error
    }
    return listeners
  }

  /// Reads the TLS files again.
  ///
  /// New connections use them.
  ///
  /// Open connections continue. If it throws, nothing has changed. A server without TLS ignores the
  /// call.
  public func reload(_ settings: HTTPServerConfiguration.TLS) throws(HTTPServerFault) {
    guard let tls else { return }
    tls.replace(with: try TLSContext(settings))
  }

  /// The end of the current certificate's validity in Unix seconds, or `nil` without TLS.
  public var certificateValidThrough: Int64? { tls?.current.validThrough }

  /// Starts to answer requests.
  ///
  /// A second start, or a start after `stop`, does nothing.
  public func start() {
    let starts = state.withLock { state in
      guard case .bound = state else { return false }
      state = .running
      return true
    }
    guard starts else { return }
    for loop in loops { Self.spawn(loop) }
  }

  private static func spawn(_ loop: EventLoop) {
    var thread = pthread_t()
    let retained = Unmanaged.passRetained(loop).toOpaque()
    let status = pthread_create(&thread, nil, runLoop, retained)
    precondition(status == 0, "the system has no thread left for an event loop")
    pthread_detach(thread)
  }

  /// Stops accepting, and finishes requests in progress with `Connection: close`.
  ///
  /// It returns after the last connection is closed or `stopSeconds` have passed.
  public func stop() async {
    await withCheckedContinuation { continuation in
      let (begins, isOver) = state.withLock { state in begin(continuation, &state) }
      if isOver { continuation.resume() }
      guard begins else { return }
      for loop in loops {
        Task(executorPreference: loop.executor) {
          loop.stop { [self] in loopStopped() }
        }
      }
    }
  }

  private func begin(
    _ continuation: CheckedContinuation<Void, Never>,
    _ state: inout sending State
  ) -> (begins: Bool, isOver: Bool) {
    switch state {
    case .bound, .stopped:
      state = .stopped
      return (false, true)
    case .running:
      state = .stopping(loopsLeft: loops.count, waiting: [continuation])
      return (true, false)
    case .stopping(let loopsLeft, let waiting):
      state = .stopping(loopsLeft: loopsLeft, waiting: waiting + [continuation])
      return (false, false)
    }
  }

  private func loopStopped() {
    let waiting: [CheckedContinuation<Void, Never>] = state.withLock { state in
      guard case .stopping(let loopsLeft, let waiting) = state else { return [] }
      guard loopsLeft == 1 else {
        state = .stopping(loopsLeft: loopsLeft - 1, waiting: waiting)
        return []
      }
      state = .stopped
      return waiting
    }
    for continuation in waiting { continuation.resume() }
  }
}

/// The body of a loop's thread.
///
/// It is at file level so that no actor isolates it.
private func runLoop(_ loop: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  if let loop { Unmanaged<EventLoop>.fromOpaque(loop).takeRetainedValue().run() }
  return nil
}

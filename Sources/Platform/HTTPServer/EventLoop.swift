internal import CLinux
internal import Glibc

/// One thread that accepts, reads, answers and closes its own connections.
///
/// `@unchecked Sendable`: its state belongs to its thread. Other threads reach it only through jobs
/// on `executor`.
final class EventLoop: @unchecked Sendable {
  /// The number of bytes and seconds that a peer may still send after its last answer.
  ///
  /// After a refusal the time is longer, because the peer may be in the middle of its body.
  static let lingerBytes = 4 << 20
  static let lingerSeconds = 1
  static let refusedLingerSeconds = 5
  private static let readBufferBytes = 64 << 10
  private static let eventsPerPoll = 256
  private static let acceptsPerPoll = 64
  private static let listenerTag = UInt64.max
  private static let wakeTag = UInt64.max - 1

  let executor = LoopExecutor()
  let handler: any HTTPHandler
  let limits: HTTPServerConfiguration.Limits
  let readBuffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: readBufferBytes)
  var writer = ResponseWriter()
  /// The answers that are collected for the current connection.
  ///
  /// It is empty between events.
  var scratch: [UInt8] = []
  /// The connection whose requests are being parsed.
  var parsing: Connection?
  var now = 0
  private(set) var isStopping = false
  /// The number of requests in progress whose connection is closed.
  ///
  /// They count as connections. Otherwise a peer could have any number of requests in progress by
  /// disconnecting after each.
  var orphanCount = 0

  let unixSeconds: @Sendable () -> Int64
  private let addresses: AddressTally
  private let isUnlimitedPeer: @Sendable (String) -> Bool
  private let tls: TLSContexts?
  private let poll: Int32
  private var listener: Int32
  private var isAcceptingPaused = false
  private var connections: [Connection?] = []
  private var connectionCount = 0
  /// The number of connections that send a body larger than most paths allow.
  private(set) var largeBodyCount = 0
  private var generation: UInt32 = 0
  private var stopDeadline = Int.max
  private var onStopped: (@Sendable () -> Void)?

  /// Creates a loop for `listener`, a listening socket, and owns it.
  init(
    _ configuration: HTTPServerConfiguration,
    tls: TLSContexts?,
    listener: Int32,
    addresses: AddressTally,
    handler: any HTTPHandler
  ) {
    self.handler = handler
    self.addresses = addresses
    isUnlimitedPeer = configuration.isUnlimitedPeer
    self.tls = tls
    self.listener = listener
    limits = configuration.limits
    unixSeconds = configuration.unixSeconds
    poll = epoll_create1(Int32(EPOLL_CLOEXEC))
    precondition(poll >= 0 && executor.wakeDescriptor >= 0, "no descriptor left for a loop")
    watch(listener, EPOLL_CTL_ADD, EPOLLIN.rawValue, tag: Self.listenerTag)
    watch(executor.wakeDescriptor, EPOLL_CTL_ADD, EPOLLIN.rawValue, tag: Self.wakeTag)
  }

  deinit {
    if listener >= 0 { Glibc.close(listener) }
    Glibc.close(poll)
    readBuffer.deallocate()
  }

  private func watch(_ descriptor: Int32, _ operation: Int32, _ events: UInt32, tag: UInt64) {
    _ = fp_watch(poll, operation, descriptor, events, tag)
  }

  // MARK: Running

  /// Runs until the loop is stopped and the last request is answered.
  func run() {
    executor.bindToCurrentThread()
    let events = UnsafeMutableBufferPointer<epoll_event>.allocate(capacity: Self.eventsPerPoll)
    defer { events.deallocate() }
    tick()
    while !(isStopping && connectionCount == 0 && orphanCount == 0) {
      // Without connections there is no deadline, so that an idle server does not wake.
      let isQuiet = connectionCount == 0 && !isStopping && !isAcceptingPaused
      let wait: Int32 = executor.hasWork ? 0 : isQuiet ? -1 : 1000
      let count = epoll_wait(poll, events.baseAddress, Int32(events.count), wait)
      tick()
      for index in 0..<max(0, Int(count)) {
        handle(tag: events[index].data.u64, events: events[index].events)
      }
      executor.run()
    }
    reportStopped()
    executor.end()
  }

  private func handle(tag: UInt64, events: UInt32) {
    switch tag {
    case Self.listenerTag: accept()
    case Self.wakeTag: executor.collect()
    default:
      let index = Int(UInt32(truncatingIfNeeded: tag))
      guard index < connections.count, let connection = connections[index],
        connection.tag == tag
      else { return }
      if events & EPOLLOUT.rawValue != 0 { writable(connection) }
      if connection.isClosed { return }
      // Both directions are closed. A request in progress continues, because its commit stays.
      if events & (EPOLLHUP.rawValue | EPOLLERR.rawValue) != 0 { return close(connection) }
      if events & EPOLLIN.rawValue != 0 { readable(connection) }
    }
    executor.run()
  }

  /// Handles the date, the deadlines and a stop order, once a second.
  private func tick() {
    let second = fp_monotonic_seconds()
    guard second != now else { return }
    now = second
    writer.setDate(unixSeconds: unixSeconds())
    if isAcceptingPaused {
      isAcceptingPaused = false
      watch(listener, EPOLL_CTL_MOD, EPOLLIN.rawValue, tag: Self.listenerTag)
    }
    // Seconds are whole numbers. A connection has certainly had its time only after its deadline.
    let isStopOverdue = now > stopDeadline
    for case .some(let connection) in connections {
      if isStopOverdue {
        close(connection)
      } else if now > connection.deadline {
        expire(connection)
      }
    }
    if isStopOverdue { reportStopped() }
  }

  /// The deadline after `seconds`.
  ///
  /// A limit without an end gives a deadline that never comes.
  func time(after seconds: Int) -> Int {
    let (time, overflow) = now.addingReportingOverflow(seconds)
    return overflow ? .max : time
  }

  // MARK: Connections

  private func accept() {
    for _ in 0..<Self.acceptsPerPoll {
      var address = sockaddr_storage()
      let descriptor = withUnsafeMutablePointer(to: &address) { pointer in
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          fp_accept(listener, $0, &length)
        }
      }
      if descriptor < 0 {
        // Without free descriptors the listener would stay readable and the loop would be busy. So
        // accepting pauses until the next tick.
        if errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS {
          isAcceptingPaused = true
          watch(listener, EPOLL_CTL_MOD, 0, tag: Self.listenerTag)
        }
        return
      }
      open(descriptor, address)
    }
  }

  private func open(_ descriptor: Int32, _ address: sockaddr_storage) {
    let peer = SocketAddress.text(of: address)
    let network = isUnlimitedPeer(peer) ? nil : PeerNetwork(address)
    guard connectionCount + orphanCount < limits.connections,
      network.map({ addresses.connections.enter($0) }) ?? true
    else { return Connection.discard(descriptor, nil) }
    let session = tls?.current.session(on: descriptor)
    guard tls == nil || session != nil else {
      if let network { addresses.connections.leave(network) }
      return Connection.discard(descriptor, nil)
    }
    var one: Int32 = 1
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(4))
    generation &+= 1
    let connection = Connection(
      descriptor: descriptor,
      generation: generation,
      parser: RequestParser(peer: peer),
      network: network,
      session: session,
      deadline: time(after: limits.headSeconds),
      watched: EPOLLIN.rawValue
    )
    let index = Int(descriptor)
    while index >= connections.count {
      connections.append(contentsOf: repeatElement(nil, count: max(64, connections.count)))
    }
    connections[index] = connection
    connectionCount += 1
    watch(descriptor, EPOLL_CTL_ADD, EPOLLIN.rawValue, tag: connection.tag)
  }

  /// Closes an idle connection.
  func dismiss(_ connection: Connection) {
    connection.finishWriting()
    close(connection)
  }

  func close(_ connection: Connection) {
    guard !connection.isClosed else { return }
    connections[Int(connection.descriptor)] = nil
    connectionCount -= 1
    uncountLargeBody(of: connection)
    if connection.isAnswering { orphanCount += 1 } else { uncount(connection) }
    connection.close()
  }

  /// Counts a connection with a large body, or returns false if the loop or the address has its
  /// maximum.
  func countLargeBody(of connection: Connection) -> Bool {
    guard largeBodyCount < limits.largeBodies,
      connection.network.map({ addresses.largeBodies.enter($0) }) ?? true
    else { return false }
    connection.sendsLargeBody = true
    largeBodyCount += 1
    return true
  }

  func uncountLargeBody(of connection: Connection) {
    guard connection.sendsLargeBody else { return }
    connection.sendsLargeBody = false
    largeBodyCount -= 1
    if let network = connection.network { addresses.largeBodies.leave(network) }
  }

  /// Stops counting the connection for its address, after its last request.
  ///
  /// Otherwise a peer could disconnect early and exceed the limit.
  func uncount(_ connection: Connection) {
    if let network = connection.network { addresses.connections.leave(network) }
  }

  /// Tells epoll what the connection waits for, if that has changed.
  func updateWatch(_ connection: Connection, reads: Bool) {
    guard !connection.isClosed else { return }
    var events = reads ? EPOLLIN.rawValue : 0
    if connection.wantsToWrite { events |= EPOLLOUT.rawValue }
    guard events != connection.watched else { return }
    connection.watched = events
    watch(connection.descriptor, EPOLL_CTL_MOD, events, tag: connection.tag)
  }

  // MARK: Stopping

  /// Stops accepting, closes idle connections, and lets the others finish within `stopSeconds`.
  func stop(onStopped: @escaping @Sendable () -> Void) {
    self.onStopped = onStopped
    guard !isStopping else { return reportStopped() }
    accept()
    isStopping = true
    stopDeadline = time(after: limits.stopSeconds)
    watch(listener, EPOLL_CTL_DEL, 0, tag: Self.listenerTag)
    Glibc.close(listener)
    listener = -1
    for case .some(let connection) in connections {
      // Received bytes that were not parsed yet are also a request in progress.
      if connection.canParse, !connection.isShakingHands { readable(connection) }
      if connection.canParse, connection.parser.stage == .untouched {
        dismiss(connection)
      }
    }
  }

  private func reportStopped() {
    onStopped?()
    onStopped = nil
  }
}

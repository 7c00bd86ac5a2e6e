internal import CLinux

/// The loop's work with one connection: read, parse, answer, write, close.
extension EventLoop {
  /// The limit of answers that are collected before sending, so that many pipelined requests do not
  /// fill the memory.
  private static let gatheredBytes = 64 << 10

  // MARK: Reading

  func readable(_ connection: Connection) {
    if connection.phase == .lingering { return discard(connection) }
    if connection.isShakingHands {
      switch connection.shakeHands() {
      case .moved: break
      case .blocked: return updateWatch(connection, reads: true)
      case .ended: return close(connection)
      }
      updateWatch(connection, reads: true)
    }
    repeat {
      // Back-pressure costs a system call only if the peer sends more while it waits for an answer.
      guard connection.canParse else { return updateWatch(connection, reads: false) }
      switch connection.receive(into: readBuffer) {
      case .moved(let count):
        let used = parse(connection, UnsafeBufferPointer(rebasing: readBuffer[..<count]).span)
        if used < count, !connection.isClosing {
          connection.pending.append(contentsOf: readBuffer[used..<count])
        }
      case .blocked: return
      case .ended: return close(connection)
      }
    } while connection.hasDecryptedInput
  }

  /// Parses and answers as many bytes as possible.
  ///
  /// The result is their number.
  private func parse(_ connection: Connection, _ bytes: Span<UInt8>) -> Int {
    parsing = connection
    var index = 0
    repeat {
      while index < bytes.count, connection.canParse, scratch.count < Self.gatheredBytes {
        step(connection, bytes, &index)
      }
      flush(connection)
    } while index < bytes.count && connection.canParse
    parsing = nil
    settle(connection)
    return index
  }

  private func step(_ connection: Connection, _ bytes: Span<UInt8>, _ index: inout Int) {
    do {
      if let parsed = try connection.parser.next(in: bytes, from: &index, limits: limits) {
        uncountLargeBody(of: connection)
        answer(connection, parsed)
      } else if connection.parser.isLarge(limits), !connection.sendsLargeBody {
        guard countLargeBody(of: connection) else { return refuse(connection, 503) }
        if connection.parser.takeExpectation() { sayContinue() }
      } else if connection.parser.takeExpectation() {
        sayContinue()
      }
    } catch {
      refuse(connection, error.status)
    }
  }

  private func sayContinue() {
    scratch.append(contentsOf: "HTTP/1.1 100 Continue\r\n\r\n".utf8)
  }

  private func discard(_ connection: Connection) {
    switch connection.receivePlain(into: readBuffer) {
    case .moved(let count):
      connection.lingerBytesLeft -= count
      if connection.lingerBytesLeft <= 0 { close(connection) }
    case .blocked: break
    case .ended: close(connection)
    }
  }

  // MARK: Answering

  private func answer(_ connection: Connection, _ parsed: ParsedRequest) {
    connection.isAnswering = true
    connection.phase = .answering
    connection.deadline = .max
    let handler = handler
    // The task is never cancelled: between a commit and its answer a single-use token would be
    // lost.
    Task.immediate(executorPreference: executor) { [self] in
      let response = await handler.answer(parsed.request)
      answered(connection, parsed, response)
    }
  }

  private func answered(
    _ connection: Connection,
    _ parsed: ParsedRequest,
    _ response: HTTPResponse
  ) {
    connection.isAnswering = false
    guard !connection.isClosed else {
      // The peer has disconnected, so that the answer is discarded.
      orphanCount -= 1
      uncount(connection)
      return
    }
    connection.isClosing = !parsed.keepsAlive || isStopping
    // Clients learn the time from this field, so that it must follow every change of the clock.
    writer.setDate(unixSeconds: unixSeconds())
    writer.write(
      response,
      to: &scratch,
      answersHead: parsed.request.method == .head,
      closes: connection.isClosing
    )
    // `parse` continues by itself.
    if parsing !== connection { resume(connection) }
  }

  private func refuse(_ connection: Connection, _ status: Int) {
    connection.isClosing = true
    connection.isRefused = true
    uncountLargeBody(of: connection)
    writer.write(
      handler.refusal(status: status, to: connection.parser.partial),
      to: &scratch,
      answersHead: false,
      closes: true
    )
  }

  /// Sends the collected answers and continues with the bytes that arrived in the meantime.
  private func resume(_ connection: Connection) {
    let pending = connection.pending
    let rest = pending.span.extracting(connection.pendingStart..<pending.count)
    connection.pendingStart += parse(connection, rest)
    if connection.pendingStart >= pending.count || connection.isClosing {
      connection.pending = []
      connection.pendingStart = 0
    }
    guard connection.canParse else { return }
    updateWatch(connection, reads: true)
    if connection.hasDecryptedInput { readable(connection) }
  }

  // MARK: Writing

  func writable(_ connection: Connection) {
    if connection.isShakingHands { return readable(connection) }
    let start = connection.outputStart
    flush(connection)
    if connection.isClosed || connection.hasOutput {
      if connection.outputStart > start {
        connection.deadline = min(
          time(after: limits.writeStallSeconds), connection.writeDeadline
        )
      }
      return
    }
    resume(connection)
  }

  /// Sends the collected answers as far as the peer reads them.
  private func flush(_ connection: Connection) {
    if connection.isClosed { return scratch.removeAll(keepingCapacity: true) }
    if connection.hasOutput {
      connection.output.append(contentsOf: scratch)
      scratch.removeAll(keepingCapacity: true)
    } else {
      swap(&connection.output, &scratch)
    }
    guard connection.sendOutput() != .ended else {
      scratch.removeAll(keepingCapacity: true)
      return close(connection)
    }
    if connection.hasOutput { return }
    // The buffer is reused, unless a very large answer has made it large.
    swap(&connection.output, &scratch)
    connection.output = []
    connection.outputStart = 0
    if scratch.capacity > 4 * Self.gatheredBytes { scratch = [] }
    scratch.removeAll(keepingCapacity: true)
  }

  // MARK: Phases

  /// Determines what the connection waits for now.
  ///
  /// A new phase has a new deadline.
  private func settle(_ connection: Connection) {
    if connection.isClosed { return }
    if connection.hasOutput {
      beginWriting(connection)
      return updateWatch(connection, reads: false)
    }
    if connection.isClosing { return linger(connection) }
    if connection.isAnswering {
      // A write may have just finished. A socket that stays watched for writing wakes the loop
      // without end.
      return updateWatch(connection, reads: connection.watched & EPOLLIN.rawValue != 0)
    }
    switch connection.parser.stage {
    case .untouched:
      if isStopping { return linger(connection) }
      enter(.idle, connection, seconds: limits.idleSeconds)
    case .head:
      // The time of the first head started at the accept.
      if connection.phase == .opening { return }
      enter(.head, connection, seconds: limits.headSeconds)
    case .body: enter(.body, connection, seconds: limits.bodySeconds)
    }
  }

  /// Without this deadline, a peer that reads a few bytes at a time could delay an answer without
  /// end.
  private func beginWriting(_ connection: Connection) {
    guard connection.phase != .writing else { return }
    let seconds = connection.outputCount / limits.writeBytesPerSecond
    connection.writeDeadline = time(after: limits.writeStallSeconds + seconds)
    enter(.writing, connection, seconds: limits.writeStallSeconds)
  }

  private func enter(_ phase: Connection.Phase, _ connection: Connection, seconds: Int) {
    guard connection.phase != phase else { return }
    connection.phase = phase
    connection.deadline = time(after: seconds)
  }

  private func linger(_ connection: Connection) {
    enter(
      .lingering,
      connection,
      seconds: connection.isRefused ? Self.refusedLingerSeconds : Self.lingerSeconds
    )
    connection.isClosing = true
    connection.finishWriting()
    updateWatch(connection, reads: true)
  }

  /// Closes a connection after its deadline.
  ///
  /// Half a request is answered with 408.
  func expire(_ connection: Connection) {
    let hasBegun = connection.parser.stage != .untouched && !connection.isShakingHands
    switch connection.phase {
    case .opening where hasBegun, .head, .body:
      refuse(connection, 408)
      flush(connection)
      settle(connection)
    case .idle: dismiss(connection)
    case .opening, .answering, .writing, .lingering: close(connection)
    }
  }
}

internal import CLinux

/// What the loop does with one connection: read, parse, answer, write, cut.
extension EventLoop {
  /// Answers gathered before they are sent, lest a pipeline of small requests fill the memory.
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
      // Lazy back-pressure: only a peer that sends on while it waits costs a system call.
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

  /// Parses and answers as many bytes as it can, and tells how many.
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
        countLargeBody(of: connection, false)
        answer(connection, parsed)
      } else if connection.parser.isLarge(limits), !connection.sendsLargeBody {
        guard largeBodyCount < limits.largeBodies else { return refuse(connection, 503) }
        countLargeBody(of: connection, true)
        if connection.parser.takeExpectation() { sayContinue() }
      } else if connection.parser.takeExpectation() {
        sayContinue()
      }
    } catch {
      countLargeBody(of: connection, false)
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
    // Never cancelled: between a commit and its answer a single-use token would be lost.
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
      // The peer left: the answer has nobody to go to.
      orphanCount -= 1
      uncount(connection)
      return
    }
    connection.isClosing = !parsed.keepsAlive || isStopping
    // Clients learn the time from this field, so it may not lag behind a clock that was moved.
    writer.setDate(unixSeconds: unixSeconds())
    writer.write(
      response,
      to: &scratch,
      answersHead: parsed.request.method == .head,
      closes: connection.isClosing
    )
    // In the midst of `parse`, that goes on by itself.
    if parsing !== connection { resume(connection) }
  }

  private func refuse(_ connection: Connection, _ status: Int) {
    connection.isClosing = true
    connection.isRefused = true
    writer.write(
      handler.refusal(status: status),
      to: &scratch,
      answersHead: false,
      closes: true
    )
  }

  /// Sends what is gathered and goes on with what came meanwhile.
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

  /// Sends what is gathered, as far as the peer takes it.
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
    // The buffer goes back for the next one, unless one great answer has made it great.
    swap(&connection.output, &scratch)
    connection.output = []
    connection.outputStart = 0
    if scratch.capacity > 4 * Self.gatheredBytes { scratch = [] }
    scratch.removeAll(keepingCapacity: true)
  }

  // MARK: Phases

  /// Finds what the connection waits for now; a new phase has a new deadline.
  private func settle(_ connection: Connection) {
    if connection.isClosed { return }
    if connection.hasOutput {
      beginWriting(connection)
      return updateWatch(connection, reads: false)
    }
    if connection.isClosing { return linger(connection) }
    if connection.isAnswering {
      // It may just have written, and a socket watched for nothing never stops being writable.
      return updateWatch(connection, reads: connection.watched & EPOLLIN.rawValue != 0)
    }
    switch connection.parser.stage {
    case .untouched:
      if isStopping { return linger(connection) }
      enter(.idle, connection, seconds: limits.idleSeconds)
    case .head:
      // The first head has been timed since the accept.
      if connection.phase == .opening { return }
      enter(.head, connection, seconds: limits.headSeconds)
    case .body: enter(.body, connection, seconds: limits.bodySeconds)
    }
  }

  /// A peer that reads a few bytes now and then would else hold an answer for ever.
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

  /// Cuts a connection whose deadline has passed; half a request is answered 408.
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

/// The reason why a request is refused, as a status.
package struct RequestFault: Error, Equatable {
  package let status: Int

  static let malformed = RequestFault(status: 400)
}

package struct ParsedRequest: Sendable {
  package let request: HTTPRequest
  package let keepsAlive: Bool
}

/// Reads requests from fragments of any size, each byte once (RFC 9112).
///
///     requestLine ─▶ fields ─┬───────────────────────────────▶ complete
///                            ├─▶ fixedBody ──────────────────▶ complete
///                            └─▶ chunkSize ─0─▶ end of chunks ▶ complete
///                                 ▲      ▼
///                            chunkEnd ◀─ chunkData
///
/// A request that another parser could read differently is refused and not repaired, because
/// different readings make request smuggling possible. The result for a byte depends only on the
/// bytes before it, never on the fragments in which they arrive.
package struct RequestParser {
  package enum Stage { case untouched, head, body }

  private enum State {
    case requestLine
    case fields
    case fixedBody(Int)
    case chunkSize
    case chunkData(Int)
    case chunkEnd
    case endOfChunks
  }

  /// The maximum length of the line: sixteen hexadecimal digits and the line's end.
  private static let chunkSizeLineBytes = 18

  private let peer: String
  private var state = State.requestLine
  /// The beginning of a line that is not complete.
  private var line: [UInt8] = []
  private var head = RequestHead()
  private var headBytes = 0
  private var body: [UInt8] = []
  /// The maximum bytes of the body of the current request.
  private var bodyLimit = 0
  private var awaitsContinue = false
  /// Whether the current line has the space that ends its method.
  private var hasMethod = false

  package init(peer: String) { self.peer = peer }

  package var stage: Stage {
    switch state {
    case .requestLine: headBytes == 0 && line.isEmpty ? .untouched : .head
    case .fields: .head
    case .fixedBody, .chunkSize, .chunkData, .chunkEnd, .endOfChunks: .body
    }
  }

  /// The path of the current request; empty before the request line is complete.
  package var path: String { head.path }

  /// The request as far as its head was read, without a body.
  var partial: HTTPRequest {
    HTTPRequest(
      method: head.method, path: head.path, query: head.query, fields: head.fields, peer: peer)
  }

  /// Whether the body that is being received is larger than most paths allow.
  package func isLarge(_ limits: HTTPServerConfiguration.Limits) -> Bool {
    switch state {
    case .requestLine, .fields: false
    case .fixedBody(let left), .chunkData(let left): body.count + left > limits.bodyBytes
    case .chunkSize, .chunkEnd, .endOfChunks: body.count > limits.bodyBytes
    }
  }

  /// Whether the client waits for `100 Continue`.
  ///
  /// It is true at most once per request.
  package mutating func takeExpectation() -> Bool {
    defer { awaitsContinue = false }
    return awaitsContinue
  }

  /// Reads from `index` to the end of the next request, and moves `index`.
  ///
  /// It returns `nil` if all bytes were read and the request is not complete. After an error the
  /// parser must not be used again.
  package mutating func next(
    in bytes: Span<UInt8>,
    from index: inout Int,
    limits: HTTPServerConfiguration.Limits
  ) throws(RequestFault) -> ParsedRequest? {
    while index < bytes.count {
      switch state {
      case .fixedBody(let left):
        let missing = takeBody(left, in: bytes, from: &index)
        if missing == 0 { return complete() }
        state = .fixedBody(missing)
      case .chunkData(let left):
        let missing = takeBody(left, in: bytes, from: &index)
        state = missing == 0 ? .chunkEnd : .chunkData(missing)
      case .requestLine, .fields, .chunkSize, .chunkEnd, .endOfChunks:
        if try takeLine(in: bytes, from: &index, limits: limits) { return complete() }
      }
    }
    return nil
  }

  private mutating func complete() -> ParsedRequest {
    let request = HTTPRequest(
      method: head.method,
      path: head.path,
      query: head.query,
      fields: head.fields,
      body: body,
      peer: peer
    )
    let parsed = ParsedRequest(request: request, keepsAlive: head.keepsAlive)
    self = RequestParser(peer: peer)
    return parsed
  }

  // MARK: Body

  /// Reads the available part of `left` bytes.
  ///
  /// It returns the number of missing bytes.
  private mutating func takeBody(
    _ left: Int,
    in bytes: Span<UInt8>,
    from index: inout Int
  ) -> Int {
    let count = min(left, bytes.count - index)
    body.append(copying: bytes.extracting(index..<(index + count)))
    index += count
    awaitsContinue = false
    return left - count
  }

  private mutating func beginBody(
    _ limits: HTTPServerConfiguration.Limits
  ) throws(RequestFault) -> Bool {
    let framing = try head.framing()
    // Once for a request, because a body can have many chunks.
    bodyLimit = limits.bodyAllowance(of: head.path)
    switch framing {
    case .none:
      return true
    case .length(let count):
      guard count <= bodyLimit else { throw RequestFault(status: 413) }
      state = .fixedBody(count)
    case .chunked:
      state = .chunkSize
    }
    awaitsContinue = head.expectsContinue
    return false
  }

  /// RFC 9112 section 7.1.
  ///
  /// Extensions are refused, because only smuggling attempts use them.
  private mutating func beginChunk(
    _ text: Span<UInt8>,
    _ limits: HTTPServerConfiguration.Limits
  ) throws(RequestFault) {
    guard text.count > 0 else { throw .malformed }
    var size = 0
    var isLarge = false
    for index in text.indices {
      guard let digit = hexadecimalValue(text[index]) else { throw .malformed }
      isLarge = isLarge || size > Int.max >> 4
      if !isLarge { size = size << 4 | digit }
      isLarge = isLarge || size > bodyLimit - body.count
    }
    if isLarge { throw RequestFault(status: 413) }
    awaitsContinue = false
    state = size == 0 ? .endOfChunks : .chunkData(size)
  }

  // MARK: Lines

  /// Reads bytes up to the line's end.
  ///
  /// It returns true if that line ended the request.
  private mutating func takeLine(
    in bytes: Span<UInt8>,
    from index: inout Int,
    limits: HTTPServerConfiguration.Limits
  ) throws(RequestFault) -> Bool {
    let allowance = max(0, lineAllowance(limits) - line.count)
    let end = index + min(allowance, bytes.count - index)
    var cursor = index
    while cursor < end, bytes[cursor] != ASCII.lineFeed { cursor += 1 }
    let fragment = bytes.extracting(index..<cursor)
    guard cursor < end else {
      if case .requestLine = state { try checkMethod(fragment) }
      line.append(copying: fragment)
      index = end
      if line.count >= lineAllowance(limits) { throw overlongLine }
      return false
    }
    index = cursor + 1
    // A usual request arrives in one fragment and is read without a copy.
    if line.isEmpty { return try endLine(fragment, limits) }
    line.append(copying: fragment)
    let whole = line
    line = []
    return try endLine(whole.span, limits)
  }

  /// Refuses an incomplete request line as soon as it cannot begin with a method.
  ///
  /// Another protocol, such as a TLS hello on a plain port, is refused at its first bytes, not
  /// after the time limit of a head. Each byte is read once.
  private mutating func checkMethod(_ fragment: Span<UInt8>) throws(RequestFault) {
    var index = 0
    while index < fragment.count, !hasMethod {
      let byte = fragment[index]
      let place = line.count + index
      // One empty line may come before a request. Then its line feed follows and ends it.
      let isEmptyLine = byte == ASCII.carriageReturn && place == 0 && headBytes == 0
      let followsReturn = place > 0 && (line.first ?? fragment[0]) == ASCII.carriageReturn
      if byte == ASCII.space, place > 0, !followsReturn {
        hasMethod = true
      } else if followsReturn || !ASCII.isToken(byte) && !isEmptyLine {
        throw .malformed
      }
      index += 1
    }
  }

  private func lineAllowance(_ limits: HTTPServerConfiguration.Limits) -> Int {
    switch state {
    case .requestLine, .fields: limits.headBytes - headBytes
    case .chunkSize: Self.chunkSizeLineBytes
    case .chunkEnd, .endOfChunks, .fixedBody, .chunkData: 2
    }
  }

  private var overlongLine: RequestFault {
    switch state {
    case .requestLine: RequestFault(status: 414)
    case .fields: RequestFault(status: 431)
    case .chunkSize, .chunkEnd, .endOfChunks, .fixedBody, .chunkData: .malformed
    }
  }

  /// Reads a line without its line feed.
  ///
  /// A carriage return must be before the line feed.
  ///
  /// It returns true if that line ended the request.
  private mutating func endLine(
    _ raw: Span<UInt8>,
    _ limits: HTTPServerConfiguration.Limits
  ) throws(RequestFault) -> Bool {
    guard raw.count > 0, raw[raw.count - 1] == ASCII.carriageReturn else { throw .malformed }
    let text = raw.extracting(0..<(raw.count - 1))
    switch state {
    case .requestLine:
      let isFirstLine = headBytes == 0
      headBytes += raw.count + 1
      hasMethod = false
      // One empty line before a request is allowed (RFC 9112 section 2.2).
      if text.isEmpty, isFirstLine { return false }
      try head.takeRequestLine(text, limits)
      state = .fields
    case .fields:
      headBytes += raw.count + 1
      if text.isEmpty { return try beginBody(limits) }
      try head.takeField(text, limits)
    case .chunkSize:
      try beginChunk(text, limits)
    case .chunkEnd:
      guard text.isEmpty else { throw .malformed }
      state = .chunkSize
    case .endOfChunks:
      // A trailer would be a field without any check, so it is refused.
      guard text.isEmpty else { throw .malformed }
      return true
    case .fixedBody, .chunkData:
      throw .malformed
    }
    return false
  }
}

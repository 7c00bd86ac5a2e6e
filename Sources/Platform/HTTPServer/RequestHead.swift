/// The request line and fields of one request, checked as each line arrives.
struct RequestHead {
  enum Framing: Equatable { case none, length(Int), chunked }

  private(set) var method = HTTPMethod.get
  private(set) var path = ""
  private(set) var query: String?
  private(set) var fields: [HTTPField] = []
  private(set) var keepsAlive = true
  private(set) var expectsContinue = false

  private var isVersion10 = false
  private var hasHost = false
  private var isChunked = false
  /// The host and port of a target in absolute form, which replace the `Host` field.
  private var authority: String?
  /// The first fault of the target or the host.
  ///
  /// It is thrown after the fields, because they say whether a person needs a page.
  private var postponed: RequestFault?
  private var contentLength: Int?

  /// How the body is delimited (RFC 9112 section 6.3), once every field is known.
  func framing() throws(RequestFault) -> Framing {
    if let postponed { throw postponed }
    guard hasHost || isVersion10 else { throw .malformed }
    if isChunked {
      guard contentLength == nil, !isVersion10 else { throw .malformed }
      return .chunked
    }
    guard let contentLength, contentLength > 0 else { return .none }
    return .length(contentLength)
  }

  private mutating func postpone(_ fault: RequestFault) {
    if postponed == nil { postponed = fault }
  }

  // MARK: Request line

  mutating func takeRequestLine(
    _ line: Span<UInt8>,
    _ limits: HTTPServerConfiguration.Limits
  ) throws(RequestFault) {
    guard let first = line.firstIndex(of: ASCII.space) else { throw .malformed }
    // A target with a space is refused after the fields.
    var last = line.count - 1
    while line[last] != ASCII.space { last -= 1 }
    guard last > first else { throw .malformed }
    let method = line.extracting(0..<first)
    let target = line.extracting((first + 1)..<last)
    guard method.isToken else { throw .malformed }
    // The version is checked first, so that the preface of HTTP/2 gets 505 and not 400.
    try takeVersion(line.extracting((last + 1)..<line.count))
    guard let known = HTTPMethod(rawValue: method.text) else { throw RequestFault(status: 501) }
    self.method = known
    guard target.count <= limits.targetBytes else { return postpone(RequestFault(status: 414)) }
    try takeTarget(target)
  }

  private mutating func takeVersion(_ version: Span<UInt8>) throws(RequestFault) {
    guard version.count == 8, version.extracting(0..<5).equals("HTTP/"),
      ASCII.isDigit(version[5]), version[6] == ASCII.dot, ASCII.isDigit(version[7])
    else { throw .malformed }
    switch (version[5], version[7]) {
    case (0x31, 0x31): break
    case (0x31, 0x30):
      isVersion10 = true
      keepsAlive = false
    default: throw RequestFault(status: 505)
    }
  }

  /// Accepts the origin form and the absolute form (RFC 9112 sections 3.2.1 and 3.2.2).
  private mutating func takeTarget(_ target: Span<UInt8>) throws(RequestFault) {
    guard target.count > 0 else { throw .malformed }
    let start = target[0] == ASCII.slash ? 0 : try takeAuthority(target)
    let origin = target.extracting(start..<target.count)
    let mark = origin.firstIndex(of: ASCII.question)
    let path = origin.extracting(0..<(mark ?? origin.count))
    let query = origin.extracting(min((mark ?? origin.count) + 1, origin.count)..<origin.count)
    guard path.isPath, query.isQuery else {
      return postpone(.malformed)
    }
    self.path = path.isEmpty ? "/" : path.text
    if mark != nil { self.query = query.text }
  }

  /// Reads scheme and authority of the absolute form.
  ///
  /// - Returns: Where the path begins.
  private mutating func takeAuthority(_ target: Span<UInt8>) throws(RequestFault) -> Int {
    let start = target.hasPrefix("http://") ? 7 : target.hasPrefix("https://") ? 8 : 0
    guard start > 0 else { throw .malformed }
    var end = start
    while end < target.count, target[end] != ASCII.slash, target[end] != ASCII.question { end += 1 }
    let name = target.extracting(start..<end)
    guard name.isHost else { throw .malformed }
    authority = name.text
    return end
  }

  // MARK: Fields

  mutating func takeField(
    _ line: Span<UInt8>,
    _ limits: HTTPServerConfiguration.Limits
  ) throws(RequestFault) {
    guard fields.count < limits.fieldCount else { throw RequestFault(status: 431) }
    // Requiring a token as the name excludes folded lines and spaces before the colon.
    guard let colon = line.firstIndex(of: ASCII.colon), line.extracting(0..<colon).isToken
    else { throw .malformed }
    let name = line.extracting(0..<colon)
    let value = line.extracting(line.trimmed((colon + 1)..<line.count))
    guard var text = value.fieldText else { throw .malformed }
    if name.equals("host"), hasHost || !value.isHost { return postpone(.malformed) }
    try interpret(name, value)
    if let authority, name.equals("host") { text = authority }
    if fields.isEmpty { fields.reserveCapacity(min(limits.fieldCount, 12)) }
    fields.append(HTTPField(name.text, text))
  }

  /// Stores the fields that the server itself uses: framing, host, persistence, expectation.
  private mutating func interpret(
    _ name: Span<UInt8>,
    _ value: Span<UInt8>
  ) throws(RequestFault) {
    switch name.count {
    case 4 where name.equals("host"):
      hasHost = true
    case 6 where name.equals("expect"):
      expectsContinue = !isVersion10 && value.equals("100-continue")
    case 10 where name.equals("connection"):
      if value.listContains("close") { keepsAlive = false }
    case 14 where name.equals("content-length"):
      guard contentLength == nil else { throw .malformed }
      contentLength = try Self.length(value)
    case 17 where name.equals("transfer-encoding"):
      guard !isChunked else { throw .malformed }
      // RFC 9112 section 6.1: an unknown coding is answered with 501.
      guard value.equals("chunked") else { throw RequestFault(status: 501) }
      isChunked = true
    default: break
    }
  }

  /// Reads digits only.
  ///
  /// A number that does not fit becomes one that is too large to accept.
  private static func length(_ value: Span<UInt8>) throws(RequestFault) -> Int {
    guard value.count > 0 else { throw .malformed }
    var length = 0
    for index in value.indices {
      guard ASCII.isDigit(value[index]) else { throw .malformed }
      let (tens, overflow) = length.multipliedReportingOverflow(by: 10)
      let (sum, carry) = tens.addingReportingOverflow(Int(value[index]) - 0x30)
      length = overflow || carry ? .max : sum
    }
    return length
  }
}

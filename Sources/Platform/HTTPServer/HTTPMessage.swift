/// The methods that this server knows.
///
/// Every other method is answered with 501.
public enum HTTPMethod: String, Sendable, CaseIterable {
  case get = "GET"
  case head = "HEAD"
  case post = "POST"
  case put = "PUT"
  case patch = "PATCH"
  case delete = "DELETE"
  case options = "OPTIONS"
}

public struct HTTPField: Equatable, Sendable {
  /// The name as it was sent.
  ///
  /// Compare it without ASCII case.
  public let name: String
  public let value: String

  public init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

/// One complete request: head and body, checked against every limit.
public struct HTTPRequest: Equatable, Sendable {
  public let method: HTTPMethod
  /// The path as it was sent, with its percent-encoding.
  ///
  /// It begins with `/`.
  public let path: String
  /// The text after `?` as it was sent, or `nil`.
  public let query: String?
  public let fields: [HTTPField]
  public let body: [UInt8]
  /// The peer's network address without its port.
  public let peer: String

  public init(
    method: HTTPMethod,
    path: String,
    query: String? = nil,
    fields: [HTTPField] = [],
    body: [UInt8] = [],
    peer: String = "127.0.0.1"
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.fields = fields
    self.body = body
    self.peer = peer
  }

  /// The values of all fields with this name, without ASCII case, in the order in which they were
  /// sent.
  public func values(of name: StaticString) -> [String] {
    var values: [String] = []
    for field in fields where field.isNamed(name) { values.append(field.value) }
    return values
  }
}

extension HTTPField {
  /// Whether this field has this name.
  ///
  /// The name is given in lower case.
  public func isNamed(_ name: StaticString) -> Bool {
    guard self.name.utf8.count == name.utf8CodeUnitCount else { return false }
    var index = 0
    for byte in self.name.utf8 {
      let lower = byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
      if lower != name.utf8Start[index] { return false }
      index += 1
    }
    return true
  }
}

/// An answer to a request.
///
/// The server adds `Date`, `Content-Length` and `Connection`.
public struct HTTPResponse: Sendable {
  public var status: Int
  public var fields: [HTTPField]
  public var body: [UInt8]
  /// Stable codes for the handler's own log.
  ///
  /// They are not sent.
  public var code: String?
  public var reason: String?

  public init(
    status: Int, fields: [HTTPField] = [], body: [UInt8] = [], code: String? = nil
  ) {
    self.status = status
    self.fields = fields
    self.body = body
    self.code = code
  }
}

/// Answers requests.
///
/// It never throws. Every failure is an answer too.
public protocol HTTPHandler: Sendable {
  /// Answers one request. It runs on the connection's event loop, so it must not block.
  func answer(_ request: HTTPRequest) async -> HTTPResponse

  /// Answers a request that was refused before it was complete (400, 408, 413, 414, 431, 501, 503,
  /// 505).
  ///
  /// `path` is empty if the request line was not complete.
  func refusal(status: Int, path: String) -> HTTPResponse

  /// The same with the part of the head that has arrived.
  func refusal(status: Int, to request: HTTPRequest) -> HTTPResponse
}

extension HTTPHandler {
  public func refusal(status: Int, to request: HTTPRequest) -> HTTPResponse {
    refusal(status: status, path: request.path)
  }
}

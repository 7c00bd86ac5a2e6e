/// One call to somebody else's server.
public struct OutboundRequest: Sendable {
  public enum Method: String, Sendable {
    case get = "GET"
    case post = "POST"
    case put = "PUT"
    case patch = "PATCH"
    case delete = "DELETE"
  }

  public let method: Method
  public let url: String
  public var fields: [(name: String, value: String)]
  public var body: [UInt8]
  /// From the call to the last byte of the answer, whatever happens between.
  public var deadlineMilliseconds: Int64

  public init(
    _ method: Method, _ url: String, fields: [(name: String, value: String)] = [],
    body: [UInt8] = [], deadlineMilliseconds: Int64
  ) {
    self.method = method
    self.url = url
    self.fields = fields
    self.body = body
    self.deadlineMilliseconds = deadlineMilliseconds
  }
}

/// A whole answer; a redirect is an answer like any other and is never followed.
public struct OutboundAnswer: Equatable, Sendable {
  public let status: Int
  public let body: [UInt8]
  private let fields: [String: String]

  init(status: Int, fields: [String: String], body: [UInt8]) {
    self.status = status
    self.fields = fields
    self.body = body
  }

  /// The value of a header, whatever the case of its name.
  public func value(of name: String) -> String? { fields[name.lowercased()] }

  /// A server that asks for more is asked again after this time.
  public static let longestRetryAfterSeconds: Int64 = 24 * 60 * 60

  /// Seconds to wait as the answer asks for, if it does (RFC 9110, section 10.2.3).
  ///
  /// No more than the longest; a date counts as nothing said.
  public var retryAfterSeconds: Int64? {
    guard let digits = value(of: "retry-after")?.utf8, !digits.isEmpty else { return nil }
    var seconds: Int64 = 0
    for byte in digits {
      guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
      seconds = min(seconds * 10 + Int64(byte - UInt8(ascii: "0")), Self.longestRetryAfterSeconds)
    }
    return seconds
  }
}

/// Why there is no answer, in words without anything of the request.
public enum OutboundFault: Error, Equatable, Sendable {
  /// The request surely never reached the server.
  case notSent(String)
  /// The server may have read the request; no whole answer came.
  case unanswered(String)
  /// No whole answer came in time; the server may have read the request if it was sent.
  case late(isSent: Bool)
}

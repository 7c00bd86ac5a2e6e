/// One request to another server.
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
  /// The time from the call to the last byte of the answer, for all steps together.
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

/// A complete answer.
///
/// A redirect is an ordinary answer and is never followed.
public struct OutboundAnswer: Equatable, Sendable {
  public let status: Int
  public let body: [UInt8]
  /// The header fields, with names in lower case.
  public let fields: [String: String]

  init(status: Int, fields: [String: String], body: [UInt8]) {
    self.status = status
    self.fields = fields
    self.body = body
  }

  /// The value of a header field.
  ///
  /// The case of the name does not matter.
  public func value(of name: String) -> String? { fields[name.lowercased()] }

  /// A longer requested wait is shortened to this time.
  public static let longestRetryAfterSeconds: Int64 = 24 * 60 * 60

  /// The wait in seconds that the answer requests, if any (RFC 9110, section 10.2.3).
  ///
  /// It is at most the longest wait. A date is ignored.
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

/// The reason why there is no answer.
///
/// The text contains no part of the request.
public enum OutboundFault: Error, Equatable, Sendable {
  /// The request certainly did not reach the server.
  case notSent(String)
  /// The server may have read the request, but no complete answer arrived.
  case unanswered(String)
  /// No complete answer arrived in time. If the request was sent, the server may have read it.
  case late(isSent: Bool)
}

package import HTTPServer

/// The result of reading a byte stream: the requests and the end.
package struct RequestReading: Equatable, Sendable {
  package enum End: Equatable, Sendable {
    case betweenRequests
    case inHead
    case inBody
    case refused(Int)
  }

  package private(set) var requests: [HTTPRequest] = []
  /// Whether the connection stays open after each request.
  package private(set) var keepsAlive: [Bool] = []
  package private(set) var end = End.betweenRequests

  /// Feeds a parser with `bytes` in fragments.
  ///
  /// `cuts` has their boundaries in rising order.
  package init(
    _ bytes: [UInt8],
    cuts: [Int] = [],
    limits: HTTPServerConfiguration.Limits = .init()
  ) {
    var parser = RequestParser(peer: "192.0.2.1")
    var start = 0
    for cut in cuts + [bytes.count] {
      let fragment = Array(bytes[start..<cut])
      start = cut
      do throws(RequestFault) {
        try feed(&parser, fragment, limits)
      } catch {
        end = .refused(error.status)
        return
      }
    }
    switch parser.stage {
    case .untouched: end = .betweenRequests
    case .head: end = .inHead
    case .body: end = .inBody
    }
  }

  package init(_ text: String, limits: HTTPServerConfiguration.Limits = .init()) {
    self.init(Array(text.utf8), limits: limits)
  }

  private mutating func feed(
    _ parser: inout RequestParser,
    _ fragment: [UInt8],
    _ limits: HTTPServerConfiguration.Limits
  ) throws(RequestFault) {
    var index = 0
    while index < fragment.count {
      guard let parsed = try parser.next(in: fragment.span, from: &index, limits: limits)
      else { return }
      requests.append(parsed.request)
      keepsAlive.append(parsed.keepsAlive)
    }
  }
}

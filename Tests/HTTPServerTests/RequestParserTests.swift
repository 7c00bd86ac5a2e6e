import HTTPFuzzing
import Testing

@testable import HTTPServer

@Suite("Request parser")
struct RequestParserTests {
  private static let post = """
    POST /v1/otp?a=1&b=%20 HTTP/1.1\r
    Host: example.no:8443\r
    Content-Type: application/json\r
    Content-Length: 7\r
    \r
    {"a":1}
    """
  private static let chunked = """
    \r
    PUT /chunks HTTP/1.1\r
    Host: [::1]:80\r
    Transfer-Encoding: Chunked\r
    X-Name:  \u{E6}\u{F8}\u{E5} \t\r
    \r
    5\r
    hello\r
    00a\r
    0123456789\r
    0\r
    \r

    """
  private static let get = "GET / HTTP/1.1\r\nhost: x\r\nConnection: a, Close\r\n\r\n"

  @Test("a complete request is read")
  func whole() throws {
    let reading = RequestReading(Self.post)
    let request = try #require(reading.requests.first)

    #expect(request.method == .post)
    #expect(request.path == "/v1/otp")
    #expect(request.query == "a=1&b=%20")
    #expect(request.values(of: "content-type") == ["application/json"])
    #expect(request.body == Array(#"{"a":1}"#.utf8))
    #expect(request.peer == "192.0.2.1")
    #expect(reading.keepsAlive == [true])
  }

  @Test("chunks are joined, spaces around a value are removed, UTF-8 stays")
  func chunks() throws {
    let reading = RequestReading(Self.chunked)
    let request = try #require(reading.requests.first)

    #expect(request.body == Array("hello0123456789".utf8))
    #expect(request.values(of: "x-name") == ["\u{E6}\u{F8}\u{E5}"])
  }

  @Test("pipelined requests are read in order, and every method is known")
  func pipeline() {
    let all = HTTPMethod.allCases
    let text = all.map { "\($0.rawValue) /\($0.rawValue) HTTP/1.1\r\nHost: x\r\n\r\n" }.joined()

    let reading = RequestReading(text + Self.post + Self.chunked + Self.get)

    #expect(reading.requests.map(\.method) == all + [.post, .put, .get])
    #expect(reading.keepsAlive == all.map { _ in true } + [true, true, false])
    #expect(reading.end == .betweenRequests)
  }

  @Test("An HTTP/1.0 connection closes after one answer and needs no Host")
  func version10() {
    let reading = RequestReading("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")

    #expect(reading.keepsAlive == [false])
  }

  @Test("fragments of any size give the same result")
  func cuts() {
    let streams = [
      Self.post + Self.chunked + Self.get,
      Self.chunked + "GET / HTTP/1.1\r\nHost : x\r\n\r\n",
      Self.post + "GET /\u{1} HTTP/1.1\r\nHost: x\r\n\r\n",
      Self.get + "PUT / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nabc",
    ]
    for stream in streams.map({ Array($0.utf8) }) {
      let whole = RequestReading(stream)

      for cut in 0...stream.count {
        #expect(RequestReading(stream, cuts: [cut]) == whole, "cut at \(cut)")
      }
      #expect(RequestReading(stream, cuts: Array(0...stream.count)) == whole)
    }
  }

  @Test("100 Continue is sent once, and only before the body begins")
  func expectation() throws {
    let head = Array(
      "PUT / HTTP/1.1\r\nHost: x\r\nExpect: 100-Continue\r\nContent-Length: 2\r\n\r\n".utf8
    )
    var parser = RequestParser(peer: "")
    var index = 0

    _ = try parser.next(in: head.span, from: &index, limits: .init())
    let first = parser.takeExpectation()
    let second = parser.takeExpectation()

    #expect(first)
    #expect(!second)
  }

  @Test("no 100 Continue is sent after the body has begun")
  func expectationTooLate() throws {
    let bytes = Array(
      "PUT / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\na".utf8
    )
    var parser = RequestParser(peer: "")
    var index = 0

    _ = try parser.next(in: bytes.span, from: &index, limits: .init())
    let expects = parser.takeExpectation()

    #expect(!expects)
  }
}

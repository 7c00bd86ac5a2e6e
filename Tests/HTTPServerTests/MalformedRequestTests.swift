import HTTPFuzzing
import Testing

@testable import HTTPServer

@Suite("Malformed requests")
struct MalformedRequestTests {
  @Test(
    "L-13 request line",
    arguments: [
      "GET  / HTTP/1.1": 400,
      " GET / HTTP/1.1": 400,
      "GET / HTTP/1.1 ": 400,
      "GET /": 400,
      "GET": 400,
      "GET\t/\tHTTP/1.1": 400,
      "G@T / HTTP/1.1": 400,
      "get / HTTP/1.1": 501,
      "CONNECT x:443 HTTP/1.1": 501,
      "TRACE / HTTP/1.1": 501,
      "PROPFIND / HTTP/1.1": 501,
      "GET / HTTP/2.0": 505,
      "GET / HTTP/1.2": 505,
      "PRI * HTTP/2.0": 505,
      "GET / HTTP/1.10": 400,
      "GET / http/1.1": 400,
      "GET / HTTP/1,1": 400,
      "GET / HTTP/11": 400,
      "GET http://x@y/ HTTP/1.1": 400,
      "GET http:// HTTP/1.1": 400,
      "GET ftp://x/ HTTP/1.1": 400,
      "OPTIONS * HTTP/1.1": 400,
      "GET x HTTP/1.1": 400,
      "GET /\u{0} HTTP/1.1": 400,
      "GET /\u{7F} HTTP/1.1": 400,
      "GET /\u{E5} HTTP/1.1": 400,
      "GET /a#b HTTP/1.1": 400,
      "GET /a\\b HTTP/1.1": 400,
      "GET /?a#b HTTP/1.1": 400,
      "GET /?\u{1} HTTP/1.1": 400,
      "GET /% HTTP/1.1": 400,
      "GET /%4 HTTP/1.1": 400,
      "GET /%zz HTTP/1.1": 400,
    ]
  )
  func requestLine(line: String, status: Int) {
    #expect(RequestReading("\(line)\r\nHost: x\r\n\r\n").end == .refused(status))
  }

  @Test(
    "bytes that cannot begin a method are refused before the line ends, in any fragments",
    arguments: [
      "\u{16}\u{3}\u{1}", "\u{16}", "{", " ", "\r ", "\rG", "GE\u{0}", "GET\t", "GET\r", "(",
      "\u{E5}",
      "\r\n\r", "\r\n(",
    ]
  )
  func noMethod(beginning: String) {
    let bytes = Array(beginning.utf8)
    #expect(RequestReading(bytes).end == .refused(400))
    #expect(RequestReading(bytes, cuts: Array(1..<bytes.count)).end == .refused(400))
  }

  @Test(
    "bytes that may begin a method wait for more",
    arguments: ["G", "GET", "GET ", "GET /\u{0}", "PROPFIND", "\r", "\r\n", "\r\nGET", "!", "X-Y"]
  )
  func method(beginning: String) {
    let bytes = Array(beginning.utf8)
    #expect(RequestReading(bytes).end == .inHead)
    #expect(RequestReading(bytes, cuts: Array(1..<bytes.count)).end == .inHead)
  }

  @Test(
    "L-13 fields",
    arguments: [
      "Name : value", " folded", "\tfolded", "no colon", ": value", "Na me: value",
      "Name: a\u{0}b", "Name: a\u{7F}b", "Name: a\u{1B}b", "Name: a\rb", "Name\u{0}: b",
      "N\u{E5}me: b", "Host: x", "Host: y",
    ]
  )
  func fields(line: String) {
    #expect(RequestReading("GET / HTTP/1.1\r\nHost: x\r\n\(line)\r\n\r\n").end == .refused(400))
  }

  @Test(
    "L-13 bytes that are not UTF-8 are not repaired",
    arguments: [
      ("GET /", " HTTP/1.1\r\nHost: x\r\n\r\n"), ("GET / HTTP/1.1\r\nHost: x", "\r\n\r\n"),
      ("GET / HTTP/1.1\r\nHost: x\r\nName", ": value\r\n\r\n"),
    ]
  )
  func invalidUTF8(before: String, after: String) {
    let bytes = Array(before.utf8) + [0xC3] + Array(after.utf8)

    #expect(RequestReading(bytes).end == .refused(400))
  }

  @Test(
    "L-13 Host",
    arguments: [
      "", "a b", "a,b", "a/b", "user@a", "a:", "a:b", "a:123456", ":80", "a:80:80", "[::1", "[]",
      "[g::1]", "[::1]x", "[::1]:", "a\u{E5}", "a?b", "a\\b",
    ]
  )
  func host(value: String) {
    #expect(RequestReading("GET / HTTP/1.1\r\nHost: \(value)\r\n\r\n").end == .refused(400))
  }

  @Test("L-13 no Host")
  func noHost() {
    #expect(RequestReading("GET / HTTP/1.1\r\nAccept: */*\r\n\r\n").end == .refused(400))
  }

  @Test(
    "L-13 framing",
    arguments: [
      "Content-Length: 3\r\nContent-Length: 3": 400,
      "Content-Length: 3\r\nContent-Length: 4": 400,
      "Content-Length: 3\r\nTransfer-Encoding: chunked": 400,
      "Transfer-Encoding: chunked\r\nContent-Length: 3": 400,
      "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked": 400,
      "Content-Length: 3, 3": 400,
      "Content-Length: +3": 400,
      "Content-Length: -3": 400,
      "Content-Length: 0x3": 400,
      "Content-Length: 3 3": 400,
      "Content-Length: \u{FF13}": 400,
      "Content-Length:": 400,
      "Transfer-Encoding: gzip": 501,
      "Transfer-Encoding: gzip, chunked": 501,
      "Transfer-Encoding: chunked, chunked": 501,
      "Transfer-Encoding: xchunked": 501,
      "Transfer-Encoding: \u{B}chunked": 400,
      "Transfer-Encoding:": 501,
    ]
  )
  func framing(fields: String, status: Int) {
    #expect(
      RequestReading("POST / HTTP/1.1\r\nHost: x\r\n\(fields)\r\n\r\nabc").end == .refused(status)
    )
  }

  @Test("L-13 chunked in HTTP/1.0")
  func chunkedInVersion10() {
    let text = "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"

    #expect(RequestReading(text).end == .refused(400))
  }

  @Test(
    "L-13 chunks",
    arguments: [
      "5;name=value\r\nhello\r\n0\r\n\r\n", "5 \r\nhello\r\n0\r\n\r\n", " 5\r\nhello\r\n0\r\n\r\n",
      "\r\nhello\r\n0\r\n\r\n", "g\r\n", "-1\r\n", "0x5\r\nhello\r\n", "5\nhello\r\n0\r\n\r\n",
      "4\r\nhello\r\n0\r\n\r\n", "6\r\nhello\r\n0\r\n\r\n", "5\r\nhello0\r\n\r\n",
      "5\r\nhello\n0\r\n\r\n", "0\r\nTrailer: x\r\n\r\n", "0\r\n\n", "0\r\nxx",
      "00000000000000005\r\nhello\r\n",
    ]
  )
  func chunks(body: String) {
    let head = "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"

    #expect(RequestReading(head + body).end == .refused(400))
  }

  @Test(
    "L-13 line ends",
    arguments: [
      "GET / HTTP/1.1\nHost: x\r\n\r\n", "GET / HTTP/1.1\r\nHost: x\n\r\n",
      "GET / HTTP/1.1\r\nHost: x\r\n\n", "GET / HTTP/1.1\r\r\nHost: x\r\n\r\n",
      "\nGET / HTTP/1.1\r\nHost: x\r\n\r\n", "\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n",
      "GET / HTTP/1.1\rHost: x\r\n\r\n",
    ]
  )
  func lineEnds(text: String) {
    #expect(RequestReading(text).end == .refused(400))
  }
}

import HTTPFuzzing
import Testing

@testable import HTTPServer

@Suite("Request limits")
struct RequestLimitTests {
  private static let limits = {
    var limits = HTTPServerConfiguration.Limits()
    limits.headBytes = 400
    limits.fieldCount = 5
    limits.targetBytes = 100
    limits.bodyBytes = 50
    return limits
  }()
  private static let read: RequestReading.End = .betweenRequests

  @Test(
    "the head may be as long as its limit and not one byte longer",
    arguments: [(-1, read), (0, read)])
  func headKept(excess: Int, end: RequestReading.End) {
    #expect(head(excess) == end)
  }

  @Test("one byte beyond the limit of the head gets 431")
  func headExceeded() {
    #expect(head(1) == .refused(431))
  }

  private func head(_ excess: Int) -> RequestReading.End {
    let start = "GET / HTTP/1.1\r\nHost: x\r\nX: "
    let count = Self.limits.headBytes + excess - start.utf8.count - 4
    return RequestReading(
      start + String(repeating: "a", count: count) + "\r\n\r\n",
      limits: Self.limits
    ).end
  }

  @Test("the field count", arguments: [(-1, read), (0, read), (1, .refused(431))])
  func fieldCount(excess: Int, end: RequestReading.End) {
    let others = Self.limits.fieldCount + excess - 1
    let fields = "Host: x\r\n" + String(repeating: "A: b\r\n", count: others)

    let reading = RequestReading("GET / HTTP/1.1\r\n\(fields)\r\n", limits: Self.limits)

    #expect(reading.end == end)
  }

  @Test("the target", arguments: [(-1, read), (0, read), (1, .refused(414))])
  func target(excess: Int, end: RequestReading.End) {
    let target = "/" + String(repeating: "a", count: Self.limits.targetBytes + excess - 1)

    let reading = RequestReading(
      "GET \(target) HTTP/1.1\r\nHost: x\r\n\r\n",
      limits: Self.limits
    )

    #expect(reading.end == end)
  }

  @Test("a request line that fills the head without an end gets 414")
  func endlessRequestLine() {
    let line = "GET /" + String(repeating: "a", count: Self.limits.headBytes)

    #expect(RequestReading(line, limits: Self.limits).end == .refused(414))
  }

  @Test(
    "a stated length",
    arguments: [(-1, RequestReading.End.inBody), (0, .inBody), (1, .refused(413))]
  )
  func contentLength(excess: Int, end: RequestReading.End) {
    let length = Self.limits.bodyBytes + excess

    let reading = RequestReading(
      "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: \(length)\r\n\r\n",
      limits: Self.limits
    )

    #expect(reading.end == end)
  }

  @Test("the sum of chunks", arguments: [(-1, read), (0, read), (1, .refused(413))])
  func chunks(excess: Int, end: RequestReading.End) {
    let count = Self.limits.bodyBytes + excess - 10
    let chunk = String(count, radix: 16) + "\r\n" + String(repeating: "a", count: count)

    let reading = RequestReading(
      "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
        + "a\r\n0123456789\r\n\(chunk)\r\n0\r\n\r\n",
      limits: Self.limits
    )

    #expect(reading.end == end)
  }

  @Test("a length that no integer can represent exceeds the body limit, even without a limit")
  func enormousLengths() {
    var limits = Self.limits
    let length =
      "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: \(String(repeating: "9", count: 40))"
    let chunk =
      "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFF\r\n"

    #expect(RequestReading(length + "\r\n\r\n", limits: limits).end == .refused(413))
    #expect(RequestReading(chunk, limits: limits).end == .refused(413))
    limits.bodyBytes = .max
    #expect(RequestReading(chunk, limits: limits).end == .refused(413))
  }

  @Test(
    "a path for large bodies has its own limit, for a stated length and for chunks",
    arguments: [(-1, read), (0, read), (1, .refused(413))]
  )
  func largeBody(excess: Int, end: RequestReading.End) {
    var limits = Self.limits
    limits.largeBodyBytes = 90
    limits.largeBodyPaths = ["/large"]
    let count = limits.largeBodyBytes + excess
    let body = String(repeating: "a", count: count)
    let start = "POST /large HTTP/1.1\r\nHost: x\r\n"

    let stated = RequestReading(start + "Content-Length: \(count)\r\n\r\n\(body)", limits: limits)
    let chunked = RequestReading(
      start + "Transfer-Encoding: chunked\r\n\r\n\(String(count, radix: 16))\r\n\(body)\r\n"
        + "0\r\n\r\n", limits: limits)
    let other = RequestReading(
      "POST /larger HTTP/1.1\r\nHost: x\r\nContent-Length: \(count)\r\n\r\n", limits: limits)

    #expect(stated.end == end)
    #expect(chunked.end == end)
    #expect(other.end == .refused(413))
  }

  @Test(
    "a path with a segment that varies can have a larger limit of its own",
    arguments: [(-1, read), (0, read), (1, .refused(413))]
  )
  func largeBodyTemplate(excess: Int, end: RequestReading.End) {
    #expect(Self.end(of: "/items/a/photo", bytes: Self.photoBytes + excess) == end)
  }

  @Test(
    "only one segment may vary, and it is not empty",
    arguments: [
      "/items/photo", "/items//photo", "/item/a/photo", "/items/a/photos", "/items/a/b/photo",
      "/items/a//photo", "/items//a/photo",
    ])
  func otherPath(_ path: String) {
    #expect(Self.end(of: path, bytes: Self.photoBytes) == .refused(413))
  }

  private static let photoBytes = 90

  private static func end(of path: String, bytes: Int) -> RequestReading.End {
    var limits = limits
    limits.largeBodyBytes = 2 * photoBytes
    limits.largeBodyTemplates = [.init(before: "/items/", after: "/photo", bytes: photoBytes)]
    return RequestReading(
      "PUT \(path) HTTP/1.1\r\nHost: x\r\nContent-Length: \(bytes)\r\n\r\n"
        + String(repeating: "a", count: bytes), limits: limits
    ).end
  }
}

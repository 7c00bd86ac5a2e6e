import HTTPFuzzing
import Testing

@testable import HTTPServer

@Suite("Targets and fields that other programs change")
struct RequestTargetTests {
  private func read(_ target: String, _ fields: String = "") -> HTTPRequest? {
    let reading = RequestReading("GET \(target) HTTP/1.1\r\nHost: x\r\n\(fields)\r\n")
    return reading.end == .betweenRequests ? reading.requests.first : nil
  }

  @Test(
    "L-56 a query may have characters that RFC 3986 does not allow",
    arguments: ["utm=a|b", "q=100%", "q=%zz", "otp[]=1", "a=\"<>^`{}\\", "?", "", "å=ø"])
  func query(_ query: String) {
    let request = read("/app/?" + query)
    #expect(request?.path == "/app/" && request?.query == query)
  }

  @Test("L-56 a target in absolute form is served, and its host counts")
  func absoluteForm() {
    for (target, path, query) in [
      ("http://a.example:8080/b?c", "/b", "c"), ("HTTPS://a.example:8080/b", "/b", nil),
      ("http://a.example:8080", "/", nil), ("http://a.example:8080?c", "/", "c"),
    ] as [(String, String, String?)] {
      let request = read(target)
      #expect(request?.path == path && request?.query == query, "\(target)")
      #expect(request?.values(of: "host") == ["a.example:8080"])
    }
  }

  @Test("L-56 a field with a byte over 127 that is not UTF-8 is Latin-1")
  func latin() throws {
    var bytes = Array("GET / HTTP/1.1\r\nHost: x\r\nX-Name: ".utf8)
    bytes += [0x42, 0xF8, 0xFF] + Array("\r\nX-Other: \u{E5}\r\n\r\n".utf8)
    let request = try #require(RequestReading(bytes).requests.first)
    #expect(request.values(of: "x-name") == ["B\u{F8}\u{FF}"])
    #expect(request.values(of: "x-other") == ["\u{E5}"])
  }

  @Test("L-56 no number of bytes over 127 makes a request malformed, and none makes it slow")
  func manyForeignBytes() {
    let limit = ASCII.foreignByteLimit
    let mark = "\u{301}"
    let few = String(repeating: mark, count: limit / 2)
    #expect(read("/", "X-Name: \(few)\r\n")?.values(of: "x-name") == [few])
    let many = read("/", "X-Name: \(few + mark)\r\n")?.values(of: "x-name").first
    #expect(many?.unicodeScalars.count == limit + 2)
    #expect(many?.unicodeScalars.allSatisfy { $0.value < 0x100 } == true)
  }

  @Test(
    "L-56 a fault of the target or the host is answered after the fields, which say who asks",
    arguments: [
      ("/app/%zz", "x", 400), ("/app/x/?q=a b", "x", 400), ("/app/a b/", "x", 400),
      ("/app/x/?q=" + String(repeating: "a", count: 20_000), "x", 414), ("/app/", "a b", 400),
      ("/app/", "x\r\nHost: y", 400), ("/app/", "", 400),
    ])
  func fault(_ target: String, _ host: String, _ status: Int) throws {
    var parser = RequestParser(peer: "")
    var index = 0
    let text = "GET \(target) HTTP/1.1\r\nHost: \(host)\r\nAccept: text/html\r\n\r\n"
    let bytes = Array(text.utf8)
    #expect(throws: RequestFault(status: status)) {
      _ = try parser.next(in: bytes.span, from: &index, limits: .init())
    }
    #expect(parser.partial.values(of: "accept") == ["text/html"])
  }
}

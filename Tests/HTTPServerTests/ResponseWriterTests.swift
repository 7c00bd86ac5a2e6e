import Testing

@testable import HTTPServer

@Suite("Response writer")
struct ResponseWriterTests {
  private func write(
    _ response: HTTPResponse,
    answersHead: Bool = false,
    closes: Bool = false
  ) -> String {
    var writer = ResponseWriter()
    var bytes: [UInt8] = []
    writer.setDate(unixSeconds: 784_111_777)
    writer.write(response, to: &bytes, answersHead: answersHead, closes: closes)
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test("an answer has a date, its header fields and its length")
  func plain() {
    let text = write(
      HTTPResponse(status: 429, fields: [HTTPField("Retry-After", "45")], body: Array("no".utf8))
    )

    #expect(
      text == "HTTP/1.1 429 Too Many Requests\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\n"
        + "Retry-After: 45\r\nContent-Length: 2\r\n\r\nno"
    )
  }

  @Test("HEAD has the length and no body, 204 has neither")
  func bodiless() {
    let response = HTTPResponse(status: 200, body: Array("no".utf8))

    #expect(write(response, answersHead: true).hasSuffix("Content-Length: 2\r\n\r\n"))
    #expect(!write(HTTPResponse(status: 204)).contains("Content-Length"))
  }

  @Test("the last answer says that it is the last, and the server's own fields appear once")
  func serversOwn() {
    let fields = ["Connection", "DATE", "content-length", "Transfer-Encoding"]
      .map { HTTPField($0, "9") }

    let text = write(HTTPResponse(status: 200, fields: fields), closes: true)

    #expect(
      text == "HTTP/1.1 200 OK\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\nConnection: close\r\n"
        + "Content-Length: 0\r\n\r\n"
    )
  }

  @Test(
    "an answer that would break the framing becomes an empty 500",
    arguments: [
      HTTPField("Location", "/a\r\nSet-Cookie: b"), HTTPField("A", "\n"), HTTPField("A", "\u{0}"),
      HTTPField("A b", "c"), HTTPField("", "c"), HTTPField("A\r\n", "c"),
    ]
  )
  func unsound(field: HTTPField) {
    let text = write(HTTPResponse(status: 200, fields: [field], body: Array("secret".utf8)))

    #expect(text.hasPrefix("HTTP/1.1 500 Internal Server Error\r\n"))
    #expect(!text.contains("secret"))
    #expect(!text.contains("Cookie"))
  }

  @Test("an invalid status becomes 500", arguments: [Int.min, -1, 0, 100, 199, 600, Int.max])
  func status(status: Int) {
    #expect(write(HTTPResponse(status: status)).hasPrefix("HTTP/1.1 500 "))
  }

  @Test(
    "dates",
    arguments: [
      0: "Thu, 01 Jan 1970 00:00:00 GMT",
      951_782_400: "Tue, 29 Feb 2000 00:00:00 GMT",
      1_709_251_199: "Thu, 29 Feb 2024 23:59:59 GMT",
      1_798_761_600: "Fri, 01 Jan 2027 00:00:00 GMT",
      4_107_542_400: "Mon, 01 Mar 2100 00:00:00 GMT",
      Int64.max: "Fri, 31 Dec 9999 23:59:59 GMT",
      Int64.min: "Thu, 01 Jan 1970 00:00:00 GMT",
    ] as [Int64: String]
  )
  func dates(seconds: Int64, text: String) {
    #expect(HTTPDate.text(unixSeconds: seconds) == text)
  }
}

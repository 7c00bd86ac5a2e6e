import JSONText
import SignInModel
import SignInService
import Testing

@testable import TextMessengers

@Suite("Extreme numbers and hostile text from providers")
struct ExtremeReceiptTests {
  private let key = Array("secret".utf8)
  private let now = Instant(seconds: 1_800_000_000)

  private func read(_ body: String, signature: String? = nil) -> ReceiptReading {
    let bytes = Array(body.utf8)
    let proof = signature ?? HookSignature(key: key).value(for: bytes, at: now)
    let post = ReceiptPost(url: "https://x/", query: "", body: bytes, receivedAt: now) { _ in
      [proof]
    }
    return HookReceipts(signature: HookSignature(key: key)).read(post)
  }

  private func price(_ reading: ReceiptReading) -> Int64? {
    if case .reports(let reports) = reading { reports.first?.price } else { nil }
  }

  @Test(
    "L-36 a price is at most the highest possible one, and any other number is no price",
    arguments: [
      ("0", 0), ("1", 1), ("999999999999", 999_999_999_999),
      ("1000000000000", 1_000_000_000_000), ("1000000000001", nil), ("-1", nil),
      ("9223372036854775807", nil), ("-9223372036854775808", nil), ("1e400", nil), ("0.5", nil),
      (String(repeating: "9", count: 4000), nil),
    ] as [(String, Int64?)]
  )
  func prices(text: String, expected: Int64?) {
    let reading = read("{\"id\":\"m\",\"status\":\"delivered\",\"price\":\(text)}")

    #expect(reading != .malformed)
    #expect(price(reading) == expected)
    #expect(DeliveryReport(reference: "m", outcome: .delivered, price: .max).price == nil)
  }

  @Test(
    "L-36 a signature with any other time than now proves nothing",
    arguments: [
      "0", "-1", "9223372036854775807", "-9223372036854775808", "9223372036854775808",
      "253402300800", "1e400", "", String(repeating: "9", count: 4000),
    ]
  )
  func signatureTimes(time: String) {
    #expect(read("{}", signature: "t=\(time),v1=00") == .unproved)
  }

  @Test("L-36 any moment can be written")
  func moments() {
    #expect(CalendarTime(Instant.earliest).httpDate == "Thu, 01 Jan 1970 00:00:00 GMT")
    #expect(CalendarTime(Instant.latest).httpDate == "Fri, 31 Dec 9999 23:59:59 GMT")
  }

  @Test("L-35 fields of a receipt are sorted in linear time, before it is proved")
  func hostileFields() throws {
    // Each run has the maximum length, and the names differ only at their ends.
    let run = String(repeating: "\u{301}\u{323}", count: 15)
    let names = (0..<64).map { String(repeating: "a" + run, count: 15) + "\($0)" }
    let body = names.map { "\($0)=" }.joined(separator: "&")
    let post = ReceiptPost(
      url: "https://x/", query: "", body: Array(body.utf8), receivedAt: now
    ) { _ in ["signature"] }

    let took = ContinuousClock().measure {
      #expect(TwilioReceipts(token: key).read(post) == .unproved)
    }

    #expect(took < .seconds(2))
  }
}

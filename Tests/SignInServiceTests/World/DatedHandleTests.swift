import Cryptography
import SignInModel
import Testing

@testable import SignInService

@Suite("Handles that begin with their date")
struct DatedHandleTests {
  private static func handle(at now: Instant, filledWith byte: UInt8) -> String {
    let random = [UInt8](repeating: byte, count: TimeOrderedHandle.randomBytes)
    return Base64URL.encode(TimeOrderedHandle.date(of: now) + random)
  }

  @Test("handles of one moment have neighbouring digests, in the order of time")
  func order() {
    let now = Instant(milliseconds: 1_700_000_000_255)
    let later = now.adding(milliseconds: 1)
    let digests = [
      TimeOrderedHandle.digest(of: Self.handle(at: now, filledWith: 7)),
      TimeOrderedHandle.digest(of: Self.handle(at: now, filledWith: 9)),
      TimeOrderedHandle.digest(of: Self.handle(at: later, filledWith: 1)),
    ]

    #expect(digests[0].prefix(6) == digests[1].prefix(6))
    #expect(digests[0] != digests[1])
    #expect(digests[1].lexicographicallyPrecedes(digests[2]))
    #expect(Array(digests[0].prefix(6)) == [0x01, 0x8B, 0xCF, 0xE5, 0x68, 0xFF])
  }

  @Test("the digest of the whole handle follows the date, so the date alone finds no handle")
  func whole() {
    let handle = Self.handle(at: Instant(milliseconds: 1_700_000_000_255), filledWith: 7)

    #expect(Array(TimeOrderedHandle.digest(of: handle).dropFirst(6)) == SHA256Digest.of(handle))
  }

  @Test(
    "any other text has its SHA-256 digest alone",
    arguments: [
      "", "x", String(repeating: "A", count: 43), String(repeating: "A", count: 50),
      String(repeating: "A", count: 52), String(repeating: "*", count: 51),
      String(repeating: "é", count: 25) + "A",
    ])
  func others(_ text: String) {
    #expect(TimeOrderedHandle.digest(of: text) == SHA256Digest.of(text))
  }
}

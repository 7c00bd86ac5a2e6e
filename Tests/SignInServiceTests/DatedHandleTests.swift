import Cryptography
import SignInModel
import Testing

@testable import SignInService

@Suite("Handles that begin with their date")
struct DatedHandleTests {
  private static func handle(at now: Instant, filledWith byte: UInt8) -> String {
    let random = [UInt8](repeating: byte, count: DatedHandle.randomBytes)
    return Base64URL.encode(DatedHandle.date(of: now) + random)
  }

  @Test("handles of one moment are kept side by side, in the order of time")
  func order() {
    let now = Instant(milliseconds: 1_700_000_000_255)
    let later = now.adding(milliseconds: 1)
    let digests = [
      DatedHandle.digest(of: Self.handle(at: now, filledWith: 7)),
      DatedHandle.digest(of: Self.handle(at: now, filledWith: 9)),
      DatedHandle.digest(of: Self.handle(at: later, filledWith: 1)),
    ]

    #expect(digests[0].prefix(6) == digests[1].prefix(6))
    #expect(digests[0] != digests[1])
    #expect(digests[1].lexicographicallyPrecedes(digests[2]))
    #expect(Array(digests[0].prefix(6)) == [0x01, 0x8B, 0xCF, 0xE5, 0x68, 0xFF])
  }

  @Test("the digest of the whole is behind the date: nobody finds a handle by its date alone")
  func whole() {
    let handle = Self.handle(at: Instant(milliseconds: 1_700_000_000_255), filledWith: 7)

    #expect(Array(DatedHandle.digest(of: handle).dropFirst(6)) == SHA256Digest.of(handle))
  }

  @Test(
    "what is no such handle is known by its digest alone",
    arguments: [
      "", "x", String(repeating: "A", count: 43), String(repeating: "A", count: 50),
      String(repeating: "A", count: 52), String(repeating: "*", count: 51),
      String(repeating: "é", count: 25) + "A",
    ])
  func others(_ text: String) {
    #expect(DatedHandle.digest(of: text) == SHA256Digest.of(text))
  }
}

import SignInModel
import Testing

@testable import SignInService

@Suite("Refresh tokens")
struct RefreshTokenTests {
  private let keyring: Keyring
  private let text: String

  init() throws {
    keyring = try KeyringSample.keyring()
    text = RefreshToken(session: SessionID("s-1"), generation: 41).text(keyring: keyring)
  }

  private func read(_ text: String) -> RefreshToken? {
    RefreshToken(parsing: text, keyring: keyring)
  }

  @Test("A token is read as it was written, and each change of one byte is refused")
  func changes() throws {
    let token = try #require(read(text))
    #expect(token.session == SessionID("s-1"))
    #expect(token.generation == 41)

    for place in text.utf8.indices {
      var bytes = Array(text.utf8)
      bytes[text.utf8.distance(from: text.startIndex, to: place)] ^= 1
      #expect(read(String(decoding: bytes, as: UTF8.self)) == nil)
    }
  }

  @Test("Another form of the same token, or a part of it, is refused")
  func forms() {
    let parts = text.split(separator: ".").map(String.init)
    let mac = parts[2]
    let others = [
      "", ".", "..", "s-1.41", "s-1.41.", ".41.\(mac)", "s-1..\(mac)", "s-1.041.\(mac)",
      "s-1.+41.\(mac)", "s-1.41.\(mac)=", "s-1.41.\(mac).", ".\(text)", " \(text)", "\(text) ",
      "s-1.41.\(mac.dropLast())", "s-1.41.\(mac)AA",
    ]
    for other in others { #expect(read(other) == nil, "\(other)") }
  }

  @Test("A token of another key is refused")
  func otherKey() throws {
    let other = Keyring(
      signing: keyring.signing, master: [UInt8](repeating: 8, count: Keyring.masterByteCount),
      decoyPasswordHash: "")

    #expect(RefreshToken(parsing: text, keyring: other) == nil)
  }

  @Test(
    "The length and the generation of a token are limited",
    arguments: [(-1, true), (0, true), (1, false)])
  func limits(_ more: Int, _ isRead: Bool) {
    func written(_ session: Int, _ generation: Int64) -> String {
      RefreshToken(
        session: SessionID(String(repeating: "s", count: session)), generation: generation
      ).text(keyring: keyring)
    }

    let rest = written(0, 1).utf8.count
    let long = written(RefreshToken.lengthLimit - rest + more, 1)
    #expect((read(long) != nil) == isRead)
    let last = written(1, RefreshToken.generations.upperBound + Int64(more))
    #expect((read(last) != nil) == isRead)
  }
}

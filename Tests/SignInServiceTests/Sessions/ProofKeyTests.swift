import Cryptography
import JSONText
import SignInModel
import SignInWire
import Testing

@testable import SignInService

@Suite("Keys of recent proofs")
struct ProofKeyTests {
  /// The key of RFC 7515, appendix A.3.
  private static let x = "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU"
  private static let y = "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"

  private let start = Instant(seconds: 1_800_000_000)

  private func jwk(
    x: String = ProofKeyTests.x, y: String = ProofKeyTests.y, _ more: [JSONMember] = []
  ) -> JSON {
    .object(
      [
        JSONMember("kty", "EC"), JSONMember("crv", "P-256"), JSONMember("x", x), JSONMember("y", y),
      ] + more)
  }

  @Test("A key is remembered after a valid signature, with the same thumbprint")
  func remembered() throws {
    let keys = ProofKeys()
    let first = try #require(keys.entry(of: jwk(), at: start))
    #expect(!first.isRemembered)
    #expect(keys.entry(of: jwk(), at: start)?.isRemembered == false)

    keys.remember(first)

    let again = try #require(keys.entry(of: jwk(), at: start))
    #expect(again.isRemembered)
    #expect(again.key == first.key)
    #expect(again.thumbprint == first.key.thumbprint)
    #expect(keys.entry(of: SigningKey.generate().publicKey.jwk(keyID: ""), at: start) != nil)
  }

  @Test(
    "A key is imported again after an hour, and after a clock that was set back",
    arguments: [(0, true), (3599, true), (3600, false), (3601, false), (-1, false)]
      as [(Int64, Bool)])
  func end(_ seconds: Int64, _ isRemembered: Bool) throws {
    let keys = ProofKeys()
    keys.remember(try #require(keys.entry(of: jwk(), at: start)))

    let later = try #require(keys.entry(of: jwk(), at: start.adding(seconds: seconds)))

    #expect(later.isRemembered == isRemembered)
    #expect(ProofKeys.longestSeconds == 3600)
  }

  @Test("RFC 9449 another form of a remembered key is refused as before")
  func forms() throws {
    let keys = ProofKeys()
    keys.remember(try #require(keys.entry(of: jwk(), at: start)))

    // The Kelvin sign is equal to the letter K as a Swift string.
    let kelvin = Self.y.split(separator: "K").joined(separator: "\u{212A}")
    #expect(kelvin == Self.y)
    #expect(keys.entry(of: jwk(y: kelvin), at: start) == nil)
    #expect(keys.entry(of: jwk([JSONMember("d", "AA")]), at: start) == nil)
    #expect(keys.entry(of: jwk(x: Self.x + "="), at: start) == nil)
    #expect(keys.entry(of: jwk(x: Self.y, y: Self.x), at: start) == nil)
    #expect(keys.entry(of: .members([JSONMember("x", Self.x)]), at: start) == nil)
    #expect(keys.entry(of: nil, at: start) == nil)
  }

  @Test("Two generations of keys are remembered and not one more", arguments: [1, 2, 5])
  func limit(_ generation: Int) throws {
    let keys = ProofKeys(generationLimit: generation)
    keys.remember(try #require(keys.entry(of: jwk(), at: start)))
    func rememberOther() throws {
      let other = SigningKey.generate().publicKey.jwk(keyID: "")
      keys.remember(try #require(keys.entry(of: other, at: start)))
    }

    for _ in 1..<generation * 2 { try rememberOther() }
    #expect(keys.entry(of: jwk(), at: start)?.isRemembered == true)

    try rememberOther()
    #expect(keys.entry(of: jwk(), at: start)?.isRemembered == false)
    #expect(ProofKeys.generationLimit == 2048)
  }
}

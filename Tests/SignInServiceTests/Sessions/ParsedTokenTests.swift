import Cryptography
import JSONText
import SignInModel
import SignInTesting
import SignInWire
import Testing

@testable import SignInService

@Suite("Parsed tokens")
struct ParsedTokenTests {
  @Test("A token is parsed once, and only after its signature was verified")
  func once() async throws {
    let test = try await TestWorld()
    let text = try await test.signIn().accessToken.revealed
    let mark = TokenMark(of: text)
    let now = test.clock.now()
    #expect(test.world.parsedTokens[mark] == nil)

    let first = try #require(AccessToken(checking: text, at: now, in: test.world))

    #expect(test.world.parsedTokens[mark]?.token.session == first.session)
    let again = try #require(AccessToken(checking: text, at: now, in: test.world))
    #expect(again.session == first.session)
    #expect(again.account == AccountID("tara"))
    #expect(again.proofKeyThumbprint == "key")
    let forged = String(text.dropLast(4)) + "AAAA"
    #expect(AccessToken(checking: forged, at: now, in: test.world) == nil)
    #expect(test.world.parsedTokens[TokenMark(of: forged)] == nil)
  }

  @Test("A parsed token ends at its own end and not later", arguments: [-1, 0, 1] as [Int64])
  func end(_ more: Int64) async throws {
    let test = try await TestWorld()
    let text = try await test.signIn().accessToken.revealed
    let life = test.client.policy[.accessToken]
    let issuedAt = Instant(seconds: test.clock.now().seconds)
    #expect(AccessToken(checking: text, at: issuedAt, in: test.world) != nil)

    let later = issuedAt.adding(seconds: life).adding(milliseconds: more)

    #expect((AccessToken(checking: text, at: later, in: test.world) != nil) == (more < 0))
  }

  @Test("A parsed token of a key that was replaced or has ended is refused")
  func replacedKey() async throws {
    let test = try await TestWorld()
    let text = try await test.signIn().accessToken.revealed
    let keys = test.world.keyring.signing
    let now = test.clock.now()
    let old = keys.current(at: now)
    #expect(AccessToken(checking: text, at: now, in: test.world) != nil)

    let other = SigningKeys.Key(SigningKey.generate())
    keys.replace(with: [other])
    #expect(AccessToken(checking: text, at: now, in: test.world) == nil)

    keys.replace(with: [SigningKeys.Key(old.signing, signsUntil: now), other])
    #expect(AccessToken(checking: text, at: now, in: test.world) != nil)

    let ended = now.adding(seconds: -SigningKeys.overlapSeconds)
    keys.replace(with: [SigningKeys.Key(old.signing, signsUntil: ended), other])
    #expect(AccessToken(checking: text, at: now, in: test.world) == nil)
  }

  @Test("A token for another API stays refused here after it was described")
  func audience() async throws {
    let test = try await TestWorld()
    let now = test.clock.now()
    let claims = JSON.members([
      JSONMember(.iss, test.world.issuer), JSONMember(.aud, "https://api.example.com"),
      JSONMember(.sub, "tara"), JSONMember(.sid, "s"), JSONMember(.clientID, "technician-app"),
      JSONMember(.scope, "openid"), JSONMember(.exp, now.adding(seconds: 60).seconds),
    ])
    let text = test.world.signed(claims, as: AccessToken.type, at: now)

    for _ in 0..<2 {
      #expect(AccessToken(checking: text, for: .any, at: now, in: test.world) != nil)
      #expect(AccessToken(checking: text, at: now, in: test.world) == nil)
    }
  }

  @Test("Two generations of tokens are remembered and not one more")
  func limit() async throws {
    let test = try await TestWorld()
    let text = try await test.signIn().accessToken.revealed
    #expect(AccessToken(checking: text, at: test.clock.now(), in: test.world) != nil)
    let entry = try #require(test.world.parsedTokens[TokenMark(of: text)])
    let tokens = ParsedTokens()
    let first = TokenMark(of: "first")
    tokens.remember(entry, for: first)

    for number in 1..<ParsedTokens.generationLimit * 2 {
      tokens.remember(entry, for: TokenMark(of: "\(number)"))
    }
    #expect(tokens[first] != nil, "it is in the older generation")

    tokens.remember(entry, for: TokenMark(of: "one more"))
    #expect(tokens[first] == nil)
    #expect(tokens[TokenMark(of: "one more")] != nil)
  }
}

import Cryptography
import JSONText
import SignInModel
import SignInTesting
import SignInWire
import Testing

@testable import SignInService

@Suite("Signing keys and their rotation")
struct SigningKeysTests {
  private let first = SigningKey.generate()
  private let second = SigningKey.generate()
  private let switched = Instant(seconds: 1000)

  private var pair: SigningKeys {
    SigningKeys([
      SigningKeys.Key(second), SigningKeys.Key(first, signsUntil: switched),
    ])
  }

  @Test(
    "The old key signs until its last moment, the new one from then on",
    arguments: [(999_999, true), (1_000_000, false), (1_000_001, false)] as [(Int64, Bool)])
  func current(milliseconds: Int64, isFirst: Bool) {
    let now = Instant(milliseconds: milliseconds)

    let expected = isFirst ? first : second
    #expect(pair.current(at: now).id == expected.publicKey.thumbprint)
  }

  @Test("Both keys are published before the switch and for the longest life of a token after it")
  func published() {
    let names = [second.publicKey.thumbprint, first.publicKey.thumbprint]
    let end = switched.adding(seconds: SigningKeys.overlapSeconds)

    for now in [Instant(seconds: 0), switched, end.adding(milliseconds: -1)] {
      #expect(pair.accepted(at: now).map(\.id) == names)
    }
    for now in [end, end.adding(milliseconds: 1)] {
      #expect(pair.accepted(at: now).map(\.id) == [names[0]])
      #expect(pair.accepted(named: names[1], at: now) == nil)
    }
    #expect(SigningKeys.overlapSeconds == 3660)
  }

  @Test("One key under two names, as an interrupted rotation leaves it, counts as one key")
  func interrupted() {
    let keys = SigningKeys([
      SigningKeys.Key(first, signsUntil: switched), SigningKeys.Key(first),
    ])

    #expect(keys.accepted(at: Instant(seconds: 0)).count == 1)
    #expect(keys.current(at: switched).id == first.publicKey.thumbprint)
  }

  @Test("Tokens of the old key are accepted until they expire, and its sessions continue")
  func overlap() async throws {
    let test = try await TestWorld()
    let keys = test.world.keyring.signing
    let old = keys.current(at: test.clock.now())
    let tokens = try await test.signIn()
    let token = tokens.accessToken.revealed
    let life = test.client.policy[.accessToken]

    keys.replace(with: [
      SigningKeys.Key(old.signing, signsUntil: test.clock.now().adding(seconds: 1)),
      SigningKeys.Key(second),
    ])
    test.clock.advance(seconds: life - 1)
    let renewed = try #require(await success(try await test.refresh(tokens.refreshToken)))

    let now = test.clock.now()
    #expect(AccessToken(checking: token, at: now, in: test.world) != nil)
    #expect(AccessToken(checking: token, at: now.adding(seconds: 1), in: test.world) == nil)
    let text = renewed.accessToken.revealed
    #expect(AccessToken(checking: text, at: now, in: test.world) != nil)
    let jws = try #require(CompactJWS(parsing: text))
    #expect(jws.header["kid"]?.text == second.publicKey.thumbprint)
    #expect(jws.isSigned(by: second.publicKey))
  }

  @Test("Tokens of a distrusted key are refused at once, even if they were verified before")
  func distrust() async throws {
    let test = try await TestWorld()
    let tokens = try await test.signIn()
    let token = tokens.accessToken.revealed
    #expect(AccessToken(checking: token, at: test.clock.now(), in: test.world) != nil)

    test.world.keyring.signing.replace(with: [SigningKeys.Key(second)])

    #expect(AccessToken(checking: token, at: test.clock.now(), in: test.world) == nil)
    #expect(await success(try await test.refresh(tokens.refreshToken)) != nil)
  }
}

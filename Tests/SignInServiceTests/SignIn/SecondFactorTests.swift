import JSONText
import SignInModel
import SignInTesting
import SignInWire
import Testing

@testable import SignInService

@Suite("A code of this server after a sign-in at a provider")
struct SecondFactorTests {
  private static let needs: [(IdentityProvider.SecondFactor, [String], [String], String?, Bool)] = [
    (.never, [], ["pwd"], nil, false), (.always, [], ["mfa"], "high", true),
    (.unlessSeveral, [], ["pwd", "mfa"], nil, false), (.unlessSeveral, [], ["pwd"], nil, true),
    (.unlessSeveral, [], [], nil, true), (.unlessSeveral, [], ["MFA"], nil, true),
    // The class that the provider had to reach, and another one.
    (.unlessSeveral, [], ["pwd"], "high", false), (.unlessSeveral, [], ["pwd"], "low", true),
    // An own list replaces both.
    (.unlessSeveral, ["hwk", "gold"], ["hwk"], nil, false),
    (.unlessSeveral, ["hwk", "gold"], ["pwd"], "gold", false),
    (.unlessSeveral, ["hwk", "gold"], ["mfa"], "high", true),
  ]

  @Test("P-10 the policy of the provider decides whether a code follows", arguments: needs)
  func policy(
    _ factor: IdentityProvider.SecondFactor, _ proofs: [String], _ methods: [String],
    _ assurance: String?,
    _ isNeeded: Bool
  ) {
    var settings = ScriptedProvider.openID().settings
    settings.secondFactor = factor
    settings.factorProofs = proofs
    settings.assurances = ["high"]
    var claims = ProviderClaims(subject: "s")
    claims.methods = methods
    claims.assurance = assurance
    #expect(settings.needsCode(after: claims) == isNeeded)
  }

  private static func world(_ factor: IdentityProvider.SecondFactor = .always) async throws
    -> ProviderWorld
  {
    try await ProviderWorld { $0.secondFactor = factor }
  }

  /// The refusal of the first redemption.
  private static func challenged(_ world: ProviderWorld) async throws -> Refusal {
    let code = try #require(await world.finish(try await world.open())["code"])
    guard case .failure(let refusal) = await world.redeem(code) else {
      throw ProviderCallFault("the code gave tokens")
    }
    return refusal
  }

  @Test("P-10 the code of the browser gives a prompt, and the code of the message gives tokens")
  func whole() async throws {
    let world = try await Self.world()
    let code = try #require(await world.finish(try await world.open())["code"])
    guard case .failure(let refusal) = await world.redeem(code) else {
      Issue.record("a code must follow")
      return
    }
    #expect(refusal.code == .insufficientAuthorization)
    #expect(refusal.challenge?.destination.hasSuffix("1234") == true)
    #expect(try await world.sessions(of: "tara").isEmpty)
    // The code of the browser is used up.
    #expect(await world.redeem(code).refused == .invalidGrant)
    let sent = await world.sentCode()
    #expect(
      await world.enter(sent == "000000" ? "1" : "000000", refusal.authSession).refused
        == .invalidOTP)
    let proved = try await world.enter(sent, refusal.authSession).get()
    // The verifier of the device is still needed.
    let guess = String(repeating: "w", count: 43)
    #expect(await world.redeem(proved.revealed, verifier: guess).refused == .invalidGrant)
    let tokens = try await world.redeem(proved.revealed).get()
    #expect(world.account(of: tokens) == "tara")
    let methods = try await world.sessions(of: "tara").first?.authenticationMethods
    #expect(methods == ["fed", "otp", "sms", "mfa"])
  }

  @Test("P-10 L-18 the prompt belongs to the device that began")
  func foreignDevice() async throws {
    let world = try await Self.world()
    let refusal = try await Self.challenged(world)
    let code = await world.sentCode()
    #expect(await world.enter(code, refusal.authSession, key: "thief").refused == .invalidSession)
    #expect(await world.enter(code, refusal.authSession).refused == nil)
  }

  @Test("P-10 a refusal because of a limit sends nothing and leaves the code of the browser")
  func tooSoon() async throws {
    let world = try await Self.world()
    _ = try await Self.challenged(world)
    world.clock.advance(seconds: 30)
    let code = try #require(await world.finish(try await world.open())["code"])
    // The open prompt is shown again; no second message is sent during the cooldown.
    #expect(await world.redeem(code).refused == .insufficientAuthorization)
    await deliverMessages(through: [world.messenger], in: world.world)
    #expect(world.messenger.messages.count == 1)
    // Another device has no open prompt. Its code is still good after the cooldown.
    let other = try #require(await world.finish(try await world.open(key: "other"))["code"])
    #expect(await world.redeem(other, key: "other").refused == .resendTooSoon)
    world.clock.advance(seconds: 30)
    #expect(await world.redeem(other, key: "other").refused == .insufficientAuthorization)
  }

  @Test("L-09 a sign-in that is completed with a code does not count against an address")
  func throttled() async throws {
    let world = try await Self.world()
    for _ in 0..<40 {
      let refusal = try await Self.challenged(world)
      let code = try await world.enter(await world.sentCode(), refusal.authSession).get()
      _ = try await world.redeem(code.revealed).get()
      world.clock.advance(seconds: 1)
    }
  }

  @Test("P-10 an account without a number is refused with a reason of its own")
  func withoutNumber() async throws {
    let world = try await Self.world(.unlessSeveral)
    try await world.change("tara") { $0.phone = nil }
    let result = await world.finish(try await world.open())
    #expect(result["error"] == "access_denied")
    #expect(result["reason"] == "phone_missing")
    let several: [String: JSON?] = ["amr": .array([.string("mfa")])]
    let code = try #require(await world.finish(try await world.open(), claims: several)["code"])
    #expect(await world.redeem(code).refused == nil)
  }

  @Test("P-10 a number that is removed after the sign-in is a refusal without tokens")
  func removedNumber() async throws {
    let world = try await Self.world()
    let code = try #require(await world.finish(try await world.open())["code"])
    try await world.change("tara") { $0.phone = nil }
    #expect(await world.redeem(code).refused == .invalidGrant)
    #expect(try await world.sessions(of: "tara").isEmpty)
  }

  @Test("L-17 deactivation between the provider and the code stops the sign-in")
  func deactivated() async throws {
    let world = try await Self.world()
    let refusal = try await Self.challenged(world)
    let code = await world.sentCode()
    try await world.change("tara") { $0.status = .deactivated }
    #expect(await world.enter(code, refusal.authSession).refused == .accountDeactivated)
  }
}

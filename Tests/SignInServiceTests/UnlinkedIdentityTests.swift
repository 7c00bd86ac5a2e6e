import SignInModel
import SignInRules
import SignInTesting
import SignInWire
import Testing

@testable import SignInService

/// What remains of an identity after it was unlinked, and of a provider's answer after an attack.
@Suite("Unlinked identities")
struct UnlinkedIdentityTests {
  private static let tara = AccountID("tara")

  private func identity(_ world: ProviderWorld) async throws -> String {
    let found = await listIdentities(of: Self.tara, rules: .operatorCommand, in: world.world)
    return try #require(success(found)?.first?.id)
  }

  @Test("S-04 a code of an earlier sign-in begins no session after the identity was unlinked")
  func code() async throws {
    let world = try await ProviderWorld()
    let code = try #require(await world.finish(try await world.open())["code"])
    let removed = await unlinkIdentity(
      try await identity(world), of: Self.tara, rules: .operatorCommand, in: world.world)
    #expect(success(removed) == true)
    #expect(refusal(await world.redeem(code))?.code == .invalidGrant)
  }

  @Test(
    "L-08 wrong passwords of another person do not keep a person from signing in at the provider")
  func lockout() async throws {
    let world = try await ProviderWorld()
    let code = try #require(await world.finish(try await world.open())["code"])
    let now = world.clock.now()
    try await world.store.transact { (transaction) throws(StoreFault) in
      var counter = try transaction.failures(
        in: try transaction.failureBucket(of: Self.tara, device: "key", at: now))
      for _ in 0..<5 {
        _ = counter.reserve(at: now, under: TestWorld.technicians.lockout)
        _ = counter.settleWrong(at: now, under: TestWorld.technicians.lockout)
      }
      try transaction.save(
        counter, in: try transaction.failureBucket(of: Self.tara, device: "key", at: now))
    }
    #expect(success(await world.redeem(code)) != nil)
  }
}

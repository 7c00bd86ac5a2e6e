import SignInModel
import SignInRules
import SignInService
import SignInTesting
import SignInWire
import Testing

@Suite("Invitations")
struct InvitationTests {
  /// A world in which Tara has no password, and her invitation.
  private func invited() async throws -> (TestWorld, InvitationAnswer) {
    let world = try await TestWorld()
    _ = await resetAccount(
      AccountID("tara"), password: nil, rules: .operatorCommand, in: world.world)
    let made = await invite(AccountID("tara"), rules: .operatorCommand, in: world.world)
    return (world, try #require(success(made)))
  }

  private func accept(
    _ invitation: Secret?, _ password: String = "my very first one", in world: TestWorld
  ) async -> Outcome<Bool> {
    await acceptInvitation(
      InvitationUse(
        client: world.client, invitation: invitation?.revealed ?? "", password: Secret(password),
        proofKeyThumbprint: "key", peer: TestWorld.peer
      ), in: world.world
    )
  }

  @Test("An invitation sets the first password once, and the person signs in with it")
  func once() async throws {
    let (world, made) = try await invited()
    let app = "https://login.example.com/app/technician-app/"
    #expect(made.link?.revealed == app + "#invitation=\(made.invitation?.revealed ?? "")")
    #expect(success(await accept(made.invitation, in: world)) == true)
    #expect(await world.begin("my very first one").code == .insufficientAuthorization)
    let again = refusal(await accept(made.invitation, "another one of mine", in: world))
    #expect(again?.code == .invalidInvitation)
  }

  @Test("An invitation lasts seven days")
  func expiry() async throws {
    for (offset, isGood) in [(-1, true), (0, false), (1, false)] as [(Int64, Bool)] {
      let (world, made) = try await invited()
      world.clock.advance(seconds: Invitation.lifeSeconds + offset)
      let outcome = await accept(made.invitation, in: world)
      #expect((success(outcome) == true) == isGood)
    }
  }

  @Test("A refused password does not use up the invitation")
  func refusedPassword() async throws {
    let (world, made) = try await invited()
    let short = refusal(await accept(made.invitation, "short", in: world))
    #expect(short?.code == .passwordTooShort)
    #expect(success(await accept(made.invitation, in: world)) == true)
  }

  @Test("A second invitation replaces the first; an unknown one is refused")
  func second() async throws {
    let (world, first) = try await invited()
    let second = try #require(
      success(await invite(AccountID("tara"), rules: .operatorCommand, in: world.world)))
    #expect(refusal(await accept(first.invitation, in: world))?.code == .invalidInvitation)
    #expect(refusal(await accept(Secret("made up"), in: world))?.code == .invalidInvitation)
    #expect(success(await accept(second.invitation, in: world)) == true)
  }

  @Test("An account with a password, or one that is not active, gets no invitation")
  func refusals() async throws {
    let world = try await TestWorld()
    let tara = AccountID("tara")
    #expect(
      refusal(await invite(tara, rules: .operatorCommand, in: world.world))?.code
        == .passwordAlreadySet)
    #expect(
      refusal(await invite(AccountID("none"), rules: .operatorCommand, in: world.world))?.code
        == .accountNotFound)
    let (other, made) = try await invited()
    _ = await changeStatus(of: tara, by: .deactivate, rules: .operatorCommand, in: other.world)
    #expect(
      refusal(await invite(tara, rules: .operatorCommand, in: other.world))?.code
        == .illegalTransition)
    #expect(refusal(await accept(made.invitation, in: other))?.code == .invalidInvitation)
  }

  @Test("Unknown invitations are limited like wrong passwords from one network address")
  func guessing() async throws {
    let world = try await TestWorld()
    let limit = world.client.throttle.addressFailuresPerHour
    for number in 1...limit {
      let answer = refusal(await accept(Secret("guess \(number)"), in: world))
      #expect(answer?.code == .invalidInvitation)
    }
    #expect(refusal(await accept(Secret("one more"), in: world))?.code == .rateLimited)
  }
}

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
    _ = try await resetAccount(
      AccountID("tara"), password: nil, rules: .operatorCommand, in: world.world)
    let made = await result(
      try await invite(AccountID("tara"), rules: .operatorCommand, in: world.world))
    return (world, try #require(made.value))
  }

  private func accept(
    _ invitation: Secret?, _ password: String = "my very first one", in world: TestWorld
  ) async throws(Refusal) -> Bool {
    try await acceptInvitation(
      InvitationUse(
        client: world.client, invitation: invitation ?? Secret(""), password: Secret(password),
        proofKeyThumbprint: "key", peer: TestWorld.peer
      ), in: world.world
    )
  }

  @Test("An invitation sets the first password once, and the person signs in with it")
  func once() async throws {
    let (world, made) = try await invited()
    let app = "https://login.example.com/app/technician-app/"
    #expect(made.link?.revealed == app + "#invitation=\(made.invitation?.revealed ?? "")")
    #expect(await success(try await accept(made.invitation, in: world)) == true)
    #expect(await world.begin("my very first one").code == .insufficientAuthorization)
    let again = await refusal(try await accept(made.invitation, "another one of mine", in: world))
    #expect(again?.code == .invalidInvitation)
  }

  @Test("L-57 An invitation leads to an app with a page, also beside an earlier app without one")
  func appWithPage() async throws {
    let world = try await TestWorld()
    var own = TestWorld.technicians(named: "a-first-app")
    own.home = .none
    let unserved = TestWorld.technicians(named: "b-second-app")
    let made = try await invitation(
      to: [own, unserved, TestWorld.technicians], pages: ["technician-app", "console"], of: world)
    let page = "https://login.example.com/app/technician-app/"
    #expect(made.value?.link?.revealed.hasPrefix(page + "#invitation=") == true)
  }

  @Test("L-57 Without an app that has a page, no invitation is made, unless no link is needed")
  func noAppWithPage() async throws {
    let world = try await TestWorld()
    var own = TestWorld.technicians(named: "a-first-app")
    own.home = .none
    var codes = TestWorld.technicians(named: "codes-app")
    codes.signIn = .phoneCode
    var mentors = TestWorld.technicians(named: "mentor-app")
    mentors.roles = [.mentor]
    let apps = [own, codes, mentors]
    let pages: Set<String> = ["a-first-app", "codes-app", "mentor-app"]
    for delivery in [InvitationDelivery.shown, .sent(), .sent(byTextMessage: true)] {
      let made = try await invitation(delivery, to: apps, pages: pages, of: world)
      #expect(made.refusal?.code == .appPageMissing)
    }
    let bare = try await invitation(.shownWithoutLink, to: apps, pages: pages, of: world)
    #expect(bare.value?.invitation != nil && bare.value?.link == nil)
  }

  /// The answer to an invitation of Tara in a world of these apps.
  private func invitation(
    _ delivery: InvitationDelivery = .shown, to apps: [AppRegistration], pages: Set<String>,
    of world: TestWorld
  ) async throws -> Result<InvitationAnswer, Refusal> {
    let other = World(
      issuer: world.world.issuer, clients: apps, pages: pages, keyring: world.world.keyring,
      store: world.store, clock: world.clock, randomness: world.world.randomness,
      passwords: world.passwords, proofs: OnceLedger(), messageRecorded: {}, reportFault: { _ in })
    let tara = AccountID("tara")
    _ = try await resetAccount(tara, password: nil, rules: .operatorCommand, in: other)
    return await result(try await invite(tara, by: delivery, rules: .operatorCommand, in: other))
  }

  @Test("An invitation lasts seven days")
  func expiry() async throws {
    for (offset, isGood) in [(-1, true), (0, false), (1, false)] as [(Int64, Bool)] {
      let (world, made) = try await invited()
      world.clock.advance(seconds: Invitation.lifeSeconds + offset)
      let outcome = await result(try await accept(made.invitation, in: world))
      #expect((outcome.value == true) == isGood)
    }
  }

  @Test("A refused password does not use up the invitation")
  func refusedPassword() async throws {
    let (world, made) = try await invited()
    let short = await refusal(try await accept(made.invitation, "short", in: world))
    #expect(short?.code == .passwordTooShort)
    #expect(await success(try await accept(made.invitation, in: world)) == true)
  }

  @Test("A second invitation replaces the first; an unknown one is refused")
  func second() async throws {
    let (world, first) = try await invited()
    let second = try #require(
      await success(try await invite(AccountID("tara"), rules: .operatorCommand, in: world.world)))
    #expect(
      await refusal(try await accept(first.invitation, in: world))?.code == .invalidInvitation)
    #expect(
      await refusal(try await accept(Secret("made up"), in: world))?.code == .invalidInvitation)
    #expect(await success(try await accept(second.invitation, in: world)) == true)
  }

  @Test("An account with a password, or one that is not active, gets no invitation")
  func refusals() async throws {
    let world = try await TestWorld()
    let tara = AccountID("tara")
    #expect(
      await refusal(try await invite(tara, rules: .operatorCommand, in: world.world))?.code
        == .passwordAlreadySet)
    #expect(
      await refusal(try await invite(AccountID("none"), rules: .operatorCommand, in: world.world))?
        .code
        == .accountNotFound)
    let (other, made) = try await invited()
    _ = try await changeStatus(of: tara, by: .deactivate, rules: .operatorCommand, in: other.world)
    #expect(
      await refusal(try await invite(tara, rules: .operatorCommand, in: other.world))?.code
        == .illegalTransition)
    #expect(await refusal(try await accept(made.invitation, in: other))?.code == .invalidInvitation)
  }

  @Test("Unknown invitations are limited like wrong passwords from one network address")
  func guessing() async throws {
    let world = try await TestWorld()
    let limit = world.client.policy[.addressFailures]
    for number in 1...limit {
      let answer = await refusal(try await accept(Secret("guess \(number)"), in: world))
      #expect(answer?.code == .invalidInvitation)
    }
    #expect(await refusal(try await accept(Secret("one more"), in: world))?.code == .rateLimited)
  }
}

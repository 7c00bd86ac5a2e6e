import SignInModel
import SignInRules
import SignInService
import SignInTesting
import SignInWire
import Testing

@Suite("Organizations")
struct OrganizationTests {
  private let north = OrganizationID("north")
  private let south = OrganizationID("south")

  /// A world with a technician in two organizations.
  private func makeWorld() async throws -> TestWorld {
    let test = try await TestWorld()
    try await test.setOrganizations(["north", "south"])
    return test
  }

  @Test(
    "S-05 a session works for the requested organization, or else for the first",
    arguments: [(nil, "north"), ("north", "north"), ("south", "south")] as [(String?, String)]
  )
  func signIn(_ asked: String?, _ given: String) async throws {
    let test = try await makeWorld()

    let tokens = try await test.signIn(organization: asked)

    #expect(tokens.session.organization == OrganizationID(given))
  }

  @Test("S-05 a person cannot sign in to an organization of others, and no code is sent")
  func notAMember() async throws {
    let test = try await makeWorld()

    let answer = await test.begin(organization: "east")

    #expect(answer.code == .notAMember)
    #expect(answer.challenge == nil)
    #expect(await test.messageCount() == 0)
    #expect(await test.begin("wrong", organization: "east").code == .invalidCredentials)
  }

  @Test("S-05 a person who leaves an organization between code and token is not signed in to it")
  func leftBetween() async throws {
    let test = try await makeWorld()
    let session = await test.begin(organization: "south").authSession
    let code = try #require(await success(try await test.answer(await test.code(), session)))
      .revealed
    try await test.setOrganizations(["north"])

    #expect(await refusal(try await test.redeem(code))?.code == .notAMember)
  }

  @Test("S-05 a switch ends the old session and begins the new one in one decision")
  func switching() async throws {
    let test = try await makeWorld()
    let old = try await test.signIn()
    test.clock.advance(seconds: 1000)

    let new = try #require(
      await success(try await test.refresh(old.refreshToken, organization: "south")))

    #expect(new.session.organization == south)
    #expect(new.session.id != old.session.id)
    #expect(new.session.expiresAt == old.session.expiresAt)
    let left = try #require(try await test.session(old.session.id))
    #expect(left.end == .signedOut && left.successor == new.session.id)
    #expect(await success(try await test.refresh(new.refreshToken))?.session.organization == south)
  }

  @Test("S-05 a lost answer to a switch is repeated, with and without the organization")
  func lostAnswer() async throws {
    let test = try await makeWorld()
    let old = try await test.signIn().refreshToken
    let new = try #require(await success(try await test.refresh(old, organization: "south")))

    let again = await success(try await test.refresh(old, organization: "south"))
    let plain = await success(try await test.refresh(old))

    #expect(again?.refreshToken == new.refreshToken && again?.session.id == new.session.id)
    #expect(plain?.refreshToken == new.refreshToken && plain?.session.organization == south)
    #expect(await success(try await test.refresh(new.refreshToken)) != nil)
  }

  @Test("S-05 another switch after a lost answer leads to the organization requested last")
  func changedMind() async throws {
    let test = try await makeWorld()
    let old = try await test.signIn().refreshToken
    _ = try await test.refresh(old, organization: "south")

    let back = try #require(await success(try await test.refresh(old, organization: "north")))
    let again = await success(try await test.refresh(old, organization: "north"))

    #expect(back.session.organization == north)
    #expect(again?.session.id == back.session.id)
    #expect(await success(try await test.refresh(back.refreshToken)) != nil)
  }

  @Test("L-10 the old token after the first use of the new session is reuse and ends it")
  func theft() async throws {
    let test = try await makeWorld()
    let old = try await test.signIn().refreshToken
    let new = try #require(await success(try await test.refresh(old, organization: "south")))
      .refreshToken
    let used = try #require(await success(try await test.refresh(new))).refreshToken

    #expect(
      await refusal(try await test.refresh(old, organization: "south"))?.reason == "reuse_detected")
    #expect(await refusal(try await test.refresh(used))?.reason == "reuse_detected")
  }

  @Test("S-05 a switch with the parent of a lost answer works; an older token is reuse")
  func switchAfterLoss() async throws {
    let test = try await makeWorld()
    let first = try await test.signIn().refreshToken
    let lost = try #require(await success(try await test.refresh(first))).refreshToken

    let new = try #require(await success(try await test.refresh(first, organization: "south")))
    let late = await success(try await test.refresh(lost))

    #expect(late?.session.id == new.session.id)
    let other = try await makeWorld()
    let oldest = try await other.signIn().refreshToken
    let second = await success(try await other.refresh(oldest))?.refreshToken
    let third = await success(try await other.refresh(second))?.refreshToken
    #expect(
      await refusal(try await other.refresh(oldest, organization: "south"))?.reason
        == "reuse_detected")
    #expect(await refusal(try await other.refresh(third))?.reason == "reuse_detected")
  }

  @Test("S-05 a switch to an organization of others is refused and ends nothing")
  func refusedSwitch() async throws {
    let test = try await makeWorld()
    let old = try await test.signIn()

    let answer = await refusal(try await test.refresh(old.refreshToken, organization: "east"))

    #expect(answer?.code == .notAMember)
    #expect(try await test.session(old.session.id)?.end == nil)
    #expect(await success(try await test.refresh(old.refreshToken))?.session.id == old.session.id)
  }

  @Test("S-05 two tabs that switch at once get the same session")
  func together() async throws {
    let test = try await makeWorld()
    let old = try await test.signIn().refreshToken

    async let one = success(try await test.refresh(old, organization: "south"))
    async let two = success(try await test.refresh(old, organization: "south"))
    let ids = [await one?.session.id, await two?.session.id]

    #expect(ids[0] != nil && ids[0] == ids[1])
  }

  @Test("S-07 a switch to an organization with shorter sessions shortens this one")
  func shorter() async throws {
    let test = try await TestWorld(
      organizations: [try TestWorld.organization("north"), try TestWorld.organization("south")]
    )
    try await test.setOrganizations(["north", "south"])
    let old = try await test.signIn()
    try await test.changeOrganization(
      "south", #"{"policy": {"session_seconds": 3600, "idle_seconds": 3600}}"#
    )

    let new = try #require(
      await success(try await test.refresh(old.refreshToken, organization: "south")))

    #expect(new.session.expiresAt == test.clock.now().adding(seconds: 3600))
    #expect(new.session.idleTimeout == 3600)
  }

  @Test("S-05 a person removed from an organization is signed out of it")
  func takenOut() async throws {
    let test = try await makeWorld()
    let token = try await test.signIn(organization: "south").refreshToken
    try await test.setOrganizations(["north"])

    #expect(await refusal(try await test.refresh(token))?.reason == "revoked")
  }
}

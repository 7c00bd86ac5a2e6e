import JSONText
import SignInModel
import SignInRules
import SignInTesting
import SignInWire
import Testing

@testable import SignInService

@Suite("Effects of policy changes")
struct PolicyTests {
  @Test("A change of an app applies to the next answer, and null restores the configuration")
  func atOnce() async throws {
    let test = try await TestWorld()
    for _ in 0..<2 { #expect(await test.begin("wrong").code == .invalidCredentials) }

    try await test.changeClient(#"{"lockout": {"failures": 3}, "code": {"digits": 8}}"#)

    #expect(await test.begin("wrong").code == .accountLocked)
    test.clock.advance(seconds: 900)
    #expect(await test.begin().challenge?.digits == 8)
    let taken = try await test.changeClient(#"{"lockout": null, "code": {"digits": null}}"#)
    #expect(taken.json["changes"] == .object([]))
    #expect(try await test.registration() == test.client)
  }

  @Test("A code of another length is sent complete and opens the session")
  func length() async throws {
    let test = try await TestWorld()
    try await test.changeClient(
      #"{"code": {"digits": 7, "life_seconds": 120},"#
        + #" "texts": {"sign_in": "{code}: {minutes} min"}}"#
    )
    let session = await test.begin().authSession
    _ = await test.code()
    let text = try #require(test.messenger.messages.last?.text.revealed)

    let proved = await result(try await test.answer(String(text.prefix(7)), session))

    #expect(text.hasSuffix(": 2 min") && text.utf8.count == 14)
    #expect(proved.value != nil)
  }

  @Test("S-07 the organization of the session decides its times, configured or changed later")
  func sessionTerms() async throws {
    let north = try TestWorld.organization(
      "north", #"{"background_seconds": 60, "idle_seconds": 120, "unlock": "biometric"}"#
    )
    let test = try await TestWorld(organizations: [north, try TestWorld.organization("south")])
    try await test.insert("nina", phone: "+15550109998", organizations: ["north", "south"])

    let terms = try await signIn(test, at: nil).session
    #expect(terms.backgroundTimeout == 60 && terms.idleTimeout == 120)
    #expect(terms.unlock == "biometric" && terms.organization == OrganizationID("north"))
    test.clock.advance(seconds: 61)
    let other = try await signIn(test, at: "south").session
    #expect(other.backgroundTimeout == 300 && other.unlock == "none")
    try await test.changeOrganization("north", #"{"policy": {"background_seconds": 900}}"#)
    test.clock.advance(seconds: 61)
    #expect(try await signIn(test, at: "north").session.backgroundTimeout == 900)
  }

  @Test("S-07 a session idle longer than its organization allows has expired")
  func idle() async throws {
    let test = try await TestWorld(organizations: [try TestWorld.organization("north")])
    try await test.insert("nina", phone: "+15550109998", organizations: ["north"])
    let tokens = try await signIn(test, at: nil)
    try await test.changeOrganization("north", #"{"policy": {"idle_seconds": 60}}"#)

    test.clock.advance(seconds: 59)
    let early = try #require(await success(try await test.refresh(tokens.refreshToken)))
    test.clock.advance(seconds: 60)
    let late = await refusal(try await test.refresh(early.refreshToken))

    #expect(early.session.idleTimeout == 60)
    #expect(late?.code == .invalidGrant && late?.reason == "expired")
  }

  private func signIn(_ test: TestWorld, at organization: String?) async throws -> TokenAnswer {
    let first = await test.begin(
      username: "nina@example.com", at: organization, from: TestWorld.peer
    )
    let code = try #require(
      await success(try await test.answer(await test.code(), first.authSession)))
    return try #require(await success(try await test.redeem(code.revealed)))
  }

  @Test("L-12 before a secret is proved, no answer depends on the organization of an account")
  func concealed() async throws {
    let strict = #"{"lockout": {"failures": 3, "lock_seconds": 3600}, "code": {"digits": 8}}"#
    let test = try await TestWorld(organizations: [try TestWorld.organization("north", strict)])
    try await test.insert("nina", phone: "+15550109998", organizations: ["north"])

    var answers: [[Refusal]] = []
    for name in ["nina@example.com", "unknown@example.com"] {
      var seen: [Refusal] = []
      for _ in 0..<6 { seen.append(await test.begin("wrong", username: name)) }
      answers.append(seen)
    }

    #expect(answers[0] == answers[1])
    #expect(answers[0].map(\.code)[3...4] == [.invalidCredentials, .accountLocked])
    test.clock.advance(seconds: 900)
    let right = await test.begin(username: "nina@example.com")
    #expect(right.challenge?.digits == 8 && right.challenge?.attemptsLeft == 3)
  }

  @Test("The requested organization is equally strict with members and unknown accounts")
  func asked() async throws {
    let north = try TestWorld.organization("north", #"{"lockout": {"failures": 3}}"#)
    let test = try await TestWorld(organizations: [north])
    try await test.insert("nina", phone: "+15550109998", organizations: ["north"])

    for name in ["nina@example.com", "unknown@example.com", "tara@example.com"] {
      var codes: [ErrorCode] = []
      for _ in 0..<3 {
        codes.append(await test.begin("wrong", username: name, at: "north", from: nil).code)
      }
      #expect(codes == [.invalidCredentials, .invalidCredentials, .accountLocked])
    }
  }

  @Test("L-12 a concealed number gets the same policy whether it has an account or not")
  func concealedNumbers() async throws {
    let client = TestWorld.phoneApp(.concealed)
    let north = try TestWorld.organization("north", #"{"code": {"resend_seconds": 120}}"#)
    let test = try await TestWorld(client: client, organizations: [north])
    try await test.insert("nina", phone: "+15550109998", organizations: ["north"])

    for organization in [nil, "north"] {
      let known = try await test.beginPhone("+15550109998", at: organization)
      let unknown = try await test.beginPhone("+15550109997", at: organization)
      #expect(known.challenge?.resendAt == unknown.challenge?.resendAt)
      test.clock.advance(seconds: 120)
    }
  }

  @Test("L-16 an organization restricts the countries and has its own budget")
  func countries() async throws {
    let client = TestWorld.phoneApp(.disclosed) { $0.policy.countries = ["+1", "+47"] }
    let north = try TestWorld.organization(
      "north", #"{"countries": ["+47", "+91"], "messages": {"per_organization_per_day": 1}}"#
    )
    let test = try await TestWorld(client: client, organizations: [north])
    try await test.insert("nina", phone: "+15550109998", organizations: ["north"])
    try await test.insert("rani", phone: "+919812345678", organizations: ["north"])
    try await test.insert("nils", phone: "+4790000001", organizations: ["north"])
    try await test.insert("nora", phone: "+4790000002", organizations: ["north"])

    #expect(try await test.beginPhone("+15550109998").code == .rateLimited)
    #expect(try await test.beginPhone("+919812345678").code == .rateLimited)
    #expect(try await test.beginPhone(TestWorld.phone).challenge != nil)
    #expect(try await test.beginPhone("+4790000001").challenge != nil)
    #expect(try await test.beginPhone("+4790000002", key: "other").code == .rateLimited)
    try await test.changeOrganization(
      "north", #"{"policy": {"messages": {"per_organization_per_day": 2}}}"#
    )
    #expect(try await test.beginPhone("+4790000002", key: "other").challenge != nil)
  }

  @Test("A lower limit of messages also counts earlier messages")
  func lowered() async throws {
    let test = try await TestWorld()
    _ = await test.begin()
    try await test.changeClient(#"{"messages": {"per_number_per_hour": 1}}"#)
    test.clock.advance(seconds: 61)

    #expect(await test.begin().code == .rateLimited)
  }

  @Test("A longer wait applies from the next message on")
  func cooldown() async throws {
    let test = try await TestWorld()
    let session = await test.begin().authSession
    try await test.changeClient(#"{"code": {"resend_seconds": 200}}"#)

    test.clock.advance(seconds: 60)
    let resent = await test.resend(session)

    #expect(resent.challenge?.resendAt == test.clock.now().adding(seconds: 200))
    test.clock.advance(seconds: 199)
    #expect(await test.resend(session).retryIn == 1)
  }

  @Test("R-11 registration follows the current countries")
  func registration() async throws {
    let client = TestWorld.phoneApp(.disclosed) { $0.allowsRegistration = true }
    let test = try await TestWorld(client: client)
    try await test.changeClient(#"{"countries": ["+91"]}"#)

    let refused = await result(
      try await registerAccount(
        Registration(
          client: test.client, phone: try PhoneNumber(parsing: TestWorld.unknownPhone),
          name: try PersonName(parsing: "Rani"), proofKeyThumbprint: nil, peer: nil
        ), in: test.world
      ))

    #expect(refused.refusal?.code == .invalidRequest)
  }

  @Test("T-11 a reset follows the current policy")
  func reset() async throws {
    let test = try await TestWorld()
    try await test.changeClient(
      #"{"code": {"digits": 8}, "texts": {"password_reset": "{code} @{host}"}}"#
    )

    let asked = await result(
      try await requestPasswordReset(
        PasswordResetRequest(
          client: test.client, username: "tara@example.com", proofKeyThumbprint: nil, peer: nil
        ), in: test.world
      ))
    _ = await test.code()

    #expect(asked.value?.challenge.digits == 8)
    let text = try #require(test.messenger.messages.last?.text.revealed)
    let done = await result(
      try await resetPassword(
        PasswordResetAnswer(
          resetSession: asked.value?.resetSession ?? Secret(""),
          code: Secret(String(text.prefix(8))),
          password: Secret("another right one"), proofKeyThumbprint: nil, peer: nil
        ), in: test.world
      ))
    #expect(text.hasSuffix(" @login.example.com") && done.value == .changed)
  }
}

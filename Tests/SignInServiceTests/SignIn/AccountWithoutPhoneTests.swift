import SignInModel
import SignInRules
import SignInTesting
import Testing

@testable import SignInService
@testable import SignInWire

/// An account without a phone number belongs to a person who signs in at an identity provider.
@Suite("Accounts without a phone number")
struct AccountWithoutPhoneTests {
  private static let tara = AccountID("tara")

  /// A world in which tara's account has no number.
  private func world() async throws -> TestWorld {
    let world = try await TestWorld()
    try await world.store.transact { (transaction) throws(StoreFault) in
      guard var account = try transaction.account(Self.tara) else { throw .conflict }
      account.phone = nil
      try transaction.update(account)
    }
    return world
  }

  private func edit(
    _ world: TestWorld, _ change: (inout AccountChange) throws -> Void
  ) async throws -> AccountEntry {
    var wanted = AccountChange()
    try change(&wanted)
    return try await editAccount(Self.tara, wanted, rules: .operatorCommand, in: world.world)
  }

  @Test("T-02 T-03 only the right password learns that no code can be sent")
  func password() async throws {
    let test = try await world()
    #expect(await test.begin("wrong") == Refusal(.invalidCredentials))
    let refused = await test.begin()
    #expect(refused.code == .redirectToWeb)
    // The account has no identity, so only an administrator can help.
    #expect(refused.reason == "phone_missing")
    await deliverMessages(through: [test.messenger], in: test.world)
    #expect(test.messenger.messages.isEmpty)
    #expect(try await test.events().contains { $0.code == .refusedUndeliverable })
  }

  @Test("T-02 an account with an identity of the app is led there", arguments: [false, true])
  func linked(_ isOfApp: Bool) async throws {
    var client = TestWorld.technicians
    if isOfApp { client.providers = ["login"] }
    let test = try await TestWorld(client: client)
    try await link(test)
    try await test.store.transact { (transaction) throws(StoreFault) in
      guard var account = try transaction.account(Self.tara) else { throw .conflict }
      account.phone = nil
      try transaction.update(account)
    }
    let refused = await test.begin()
    #expect(refused.code == .redirectToWeb)
    #expect(refused.reason == (isOfApp ? nil : "phone_missing"))
  }

  @Test("T-11 Forgot Password answers like for an unknown account, and sends nothing")
  func reset() async throws {
    let test = try await world()
    let answer = try #require(await success(try await test.forget()))
    let unknown = try #require(await success(try await test.forget("unknown@example.com")))
    #expect(answer.challenge.digits == unknown.challenge.digits)
    #expect(answer.challenge.destination.utf8.count == unknown.challenge.destination.utf8.count)
    await deliverMessages(through: [test.messenger], in: test.world)
    #expect(test.messenger.messages.isEmpty)
  }

  @Test("L-37 wrong passwords before Forgot Password do not distinguish it from an unknown account")
  func resetAfterFailures() async throws {
    var seen: [[Int64?]] = []
    for username in ["unknown@example.com", "tara@example.com"] {
      let test = try await world()
      var left: [Int64?] = []
      for _ in 0..<5 {
        _ = await test.begin("wrong", username: username)
        test.clock.advance(seconds: 61)
        let answer = await result(try await test.forget(username))
        left.append(answer.value?.challenge.attemptsLeft ?? answer.refusal?.retryIn)
      }
      seen.append(left)
    }
    #expect(seen[0] == seen[1])
  }

  @Test("T-11 the prepared code is never right, so that a guess sets no password")
  func resetGuess() async throws {
    let test = try await world()
    let session = try #require(await success(try await test.forget())).resetSession
    let mac = test.world.keyring.mac(
      of: try OneTimeCode(parsing: "123456"), account: Self.tara, for: .passwordReset)
    try await test.store.transact { (transaction) throws(StoreFault) in
      let place = CodeChallenge.Key(
        account: Self.tara, purpose: .passwordReset, holder: .unknownDevices)
      guard let made = try transaction.codeChallenge(at: place) else { throw .conflict }
      try transaction.save(
        CodeChallenge.Draft(
          id: made.id, place: place, client: made.client,
          proofKeyThumbprint: made.proofKeyThumbprint, mac: mac
        ).sent(inPlaceOf: nil, at: TestWorld.start, under: test.client.policy.code))
    }
    let outcome = await result(try await test.reset(session, "123456"))
    #expect(outcome.refusal?.code == .invalidOTP)
  }

  @Test("T-16 a number is removed only from an account with an identity, and never from a rider's")
  func removed() async throws {
    let test = try await TestWorld()
    let refused = await refusal(try await edit(test) { $0.phone = .removed })
    #expect(refused?.code == .invalidRequest)
    #expect(refused?.mistakes.map(\.member) == ["phone_number"])
    try await link(test)
    // The server of this administrator has no provider, so the identity cannot be used.
    var removal = AccountChange()
    removal.phone = .removed
    let ada = try await test.administrator()
    let unusable = await result(
      try await editAccount(Self.tara, removal, rules: ada, in: test.world))
    #expect(unusable.refusal?.mistakes.map(\.member) == ["phone_number"])
    let rider = await refusal(
      try await edit(test) {
        $0.phone = .removed
        $0.role = .rider
      })
    #expect(rider?.mistakes.map(\.member) == ["phone_number"])

    let tokens = try await test.signIn()
    let changed = try #require(await success(try await edit(test) { $0.phone = .removed }))
    #expect(changed.phone == nil && changed.phoneUnverifiedSince == nil)
    #expect(await refusal(try await test.refresh(tokens.refreshToken))?.reason == "revoked")
    await deliverMessages(through: [test.messenger], in: test.world)
    let notified = test.messenger.messages.filter { $0.kind == .notice }.map(\.to.text)
    #expect(notified.contains("+15550101234"))
    #expect(
      try await test.events().last { $0.code == .accountChanged }?.detail == "shell phone_number")
    // Without a number there is nothing left to remove.
    #expect(await success(try await edit(test) { $0.phone = .removed })?.phone == nil)
  }

  @Test("T-06 a code that was sent before the number was removed is not right", arguments: [0, 61])
  func earlierCode(_ seconds: Int64) async throws {
    let test = try await TestWorld()
    try await link(test)
    _ = try await test.signIn()
    test.clock.advance(seconds: 61)
    let session = await test.begin().authSession
    let code = await test.code()
    _ = try await edit(test) { $0.phone = .removed }
    test.clock.advance(seconds: seconds)
    #expect(await success(try await test.answer(code, session)) == nil)
    #expect(await test.resend(session).code == .invalidSession)
    #expect(await test.status(session).code == .invalidSession)
  }

  @Test("T-06 a code is right only for the number to which it was sent")
  func sentElsewhere() async throws {
    let test = try await TestWorld()
    _ = await test.begin()
    let place = CodeChallenge.Key(account: Self.tara, purpose: .signIn, holder: .unknownDevices)
    let matches = try await test.store.read { (transaction) throws(StoreFault) in
      guard var account = try transaction.account(Self.tara),
        let challenge = try transaction.codeChallenge(at: place)
      else { throw .conflict }
      var found = [try transaction.wasSentToCurrentNumber(of: account, challenge)]
      account.phone = nil
      found.append(try transaction.wasSentToCurrentNumber(of: account, challenge))
      account.phoneChangedAt = TestWorld.start
      found.append(try transaction.wasSentToCurrentNumber(of: account, challenge))
      return found
    }
    #expect(matches == [true, false, false])
  }

  @Test("T-16 no invitation is made, because the person could not sign in with a password")
  func invitation() async throws {
    let test = try await world()
    _ = try await resetAccount(Self.tara, password: nil, rules: .operatorCommand, in: test.world)
    for delivery in [InvitationDelivery.shown, .sent()] {
      let refused = await refusal(
        try await invite(Self.tara, by: delivery, rules: .operatorCommand, in: test.world))
      #expect(refused?.code == .invalidRequest)
    }
    await deliverMessages(through: [test.messenger], in: test.world)
    #expect(!test.messenger.messages.contains { $0.to.phone != nil })
  }

  @Test(
    "P-10 people cannot unlink their last identity without a password and a number",
    arguments: [(true, true), (true, false), (false, true), (false, false)])
  func lastIdentity(_ hasPassword: Bool, _ hasPhone: Bool) async throws {
    let test = try await TestWorld()
    try await link(test)
    let tokens = try await test.signIn()
    try await test.store.transact { (transaction) throws(StoreFault) in
      guard var account = try transaction.account(Self.tara) else { throw .conflict }
      if !hasPassword { account.passwordHash = nil }
      if !hasPhone { account.phone = nil }
      try transaction.update(account)
    }
    let session = try #require(try await test.session(tokens.session.id))
    let account = try #require(
      try await test.store.read { (transaction) throws(StoreFault) in
        try transaction.account(Self.tara)
      })
    let access = Access(account: account, session: session, client: test.client)
    let identity = try #require(
      await success(try await listOwnIdentities(access, in: test.world))?.first)
    let outcome = await result(
      try await unlinkOwnIdentity(identity.id, access, peer: nil, in: test.world))
    #expect((outcome.value == true) == (hasPassword && hasPhone))
    #expect(outcome.refusal?.code == (hasPassword && hasPhone ? nil : .lastIdentity))
  }

  /// Gives tara's account an identity.
  private func link(_ test: TestWorld) async throws {
    try await test.store.transact { (transaction) throws(StoreFault) in
      try transaction.insert(
        Identity(
          issuer: "https://provider.example", subject: "tara", account: Self.tara,
          provider: "login", linkedAt: TestWorld.start, lastUsedAt: nil))
    }
  }

  @Test("T-16 an administrator adds a number, which then gets the codes")
  func added() async throws {
    let test = try await world()
    let number = try PhoneNumber(parsing: "+15550101999")
    let changed = try #require(await success(try await edit(test) { $0.phone = .set(number) }))
    #expect(changed.phone == number.e164)
    _ = try await test.signIn()
    #expect(test.messenger.messages.last?.to == .phone(number))
  }

  @Test("T-16 other members can change, but the account cannot become a rider's")
  func role() async throws {
    let test = try await world()
    let renamed = await result(try await edit(test) { $0.name = try PersonName(parsing: "Tara L") })
    #expect(renamed.value?.name == "Tara L" && renamed.value?.phone == nil)
    #expect(await refusal(try await edit(test) { $0.role = .rider })?.code == .invalidRequest)
  }

  @Test("T-16 an account without an address can be renamed, but no address can be removed")
  func email() async throws {
    let test = try await world()
    #expect(await refusal(try await edit(test) { $0.email = .removed })?.code == .invalidRequest)
    try await test.store.transact { (transaction) throws(StoreFault) in
      guard var account = try transaction.account(Self.tara) else { throw .conflict }
      account.email = nil
      try transaction.update(account)
    }
    #expect(await success(try await edit(test) { $0.name = try PersonName(parsing: "T") }) != nil)
  }
}

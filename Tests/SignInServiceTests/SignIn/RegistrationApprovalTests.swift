import JSONText
import SignInModel
import SignInRules
import SignInTesting
import SignInWire
import Testing

@testable import SignInService

@Suite("Who approves a registration")
struct RegistrationApprovalTests {
  private static let number = "+919800000001"

  private static func riders(_ approval: RegistrationApproval) -> AppRegistration {
    var client = RegistrationTests.riders
    client.policy.registrationApproval = approval
    return client
  }

  private func world(_ approval: RegistrationApproval, list: [String] = []) async throws
    -> TestWorld
  {
    var client = Self.riders(approval)
    for number in list { client.registrationNumbers.insert(try PhoneNumber(parsing: number)) }
    return try await TestWorld(client: client)
  }

  private func register(
    _ number: String = number, as name: String = "Asha Rao", key: String? = "key",
    in test: TestWorld
  ) async throws -> RegistrationAnswer {
    try await registerAccount(
      Registration(
        client: test.client, phone: try PhoneNumber(parsing: number),
        name: try PersonName(parsing: name), proofKeyThumbprint: key, peer: TestWorld.peer),
      in: test.world)
  }

  private func session(_ answer: RegistrationAnswer?) throws -> Secret {
    guard case .codeSent(let session, _)? = answer else { throw NoCode() }
    return session
  }

  private struct NoCode: Error {}

  private func verify(
    _ code: String, _ session: Secret, key: String? = "key", in test: TestWorld
  ) async throws(Refusal) -> AccountStatus {
    try await verifyRegistration(
      RegistrationCode(
        session: session, code: Secret(code), proofKeyThumbprint: key, peer: TestWorld.peer),
      in: test.world)
  }

  /// Registers and enters the code that was sent.
  private func prove(_ number: String = number, as name: String = "Asha Rao", in test: TestWorld)
    async throws -> Result<AccountStatus, Refusal>
  {
    let session = try session(await success(try await register(number, as: name, in: test)))
    let code = try await lastCode(test)
    return await result(try await verify(code, session, in: test))
  }

  private func lastCode(_ test: TestWorld) async throws -> String {
    await deliverMessages(through: [test.messenger], in: test.world)
    let message = try #require(test.messenger.messages.last)
    return String(message.text.revealed.prefix(6))
  }

  private func account(_ number: String = number, in test: TestWorld) async throws -> Account? {
    let phone = try PhoneNumber(parsing: number)
    return try await test.store.read { (transaction) throws(StoreFault) in
      try transaction.account(phone: phone, role: .rider)
    }
  }

  private func setStatus(_ status: AccountStatus, in test: TestWorld) async throws {
    let phone = try PhoneNumber(parsing: Self.number)
    try await test.store.transact { (transaction) throws(StoreFault) in
      guard var account = try transaction.account(phone: phone, role: .rider) else { return }
      account.status = status
      try transaction.update(account)
    }
  }

  private func ask(key: String = "key", in test: TestWorld) async throws -> ErrorCode {
    let terms = SignInTerms(
      client: test.client, scope: "openid", pkceChallenge: "c", nonce: nil, organization: nil,
      proofKeyThumbprint: key, peer: TestWorld.peer)
    let request = PhoneSignInRequest(terms: terms, phone: try PhoneNumber(parsing: Self.number))
    return await firstAnswer(try await beginPhoneSignIn(request, in: test.world)).code
  }

  @Test("R-11 a proved number is enough, and the log says that no administrator approved it")
  func number() async throws {
    let test = try await world(.number)
    let session = try session(await success(try await register(in: test)))
    #expect(try await account(in: test) == nil)

    let code = try await lastCode(test)
    #expect(await success(try await verify(code, session, in: test)) == .active)

    #expect(try await account(in: test)?.status == .active)
    // L-48: what is meant for the number may reach the account.
    #expect(try await account(in: test)?.phoneProof == .code)
    #expect(try await test.events().count { $0.code == .phoneVerified } == 1)
    let approved = try await test.events().first { $0.code == .accountApproved }
    #expect(approved?.detail == "number")
    #expect(try await ask(in: test) == .insufficientAuthorization)
  }

  @Test("R-11 a listed number needs no administrator, another one does", arguments: [true, false])
  func list(isListed: Bool) async throws {
    let test = try await world(.list, list: [isListed ? Self.number : "+919800000002"])
    let status = try await prove(in: test).value
    #expect(status == (isListed ? .active : .pending))
    #expect(try await account(in: test)?.status == status)
    let approvals = try await test.events().filter { $0.code == .accountApproved }
    #expect(approvals.map(\.detail) == (isListed ? ["list"] : []))
  }

  @Test("R-11 a pending person who proved the number reads that the account waits")
  func waits() async throws {
    let test = try await world(.administratorAfterCode)
    #expect(try await prove(in: test).value == .pending)

    #expect(try await ask(in: test) == .accountPending)
    // another device learns nothing, and no code is made.
    #expect(try await ask(key: "other", in: test) == .accountNotRegistered)
    let sent = test.messenger.messages.count
    await deliverMessages(through: [test.messenger], in: test.world)
    #expect(test.messenger.messages.count == sent)

    try await setStatus(.active, in: test)
    #expect(try await ask(in: test) == .insufficientAuthorization)
  }

  @Test(
    "R-11 a known number gets the same answer until it is proved, and then its own status",
    arguments: AccountStatus.allCases)
  func known(status: AccountStatus) async throws {
    let test = try await world(.administratorAfterCode)
    _ = try await prove(in: test)
    try await setStatus(status, in: test)
    test.clock.advance(seconds: 61)

    let answer = await success(try await register(as: "Somebody Else", in: test))
    guard case .codeSent(let session, let prompt)? = answer else { throw NoCode() }
    let phone = try PhoneNumber(parsing: Self.number)
    #expect(prompt.destination == phone.masked)
    let code = try await lastCode(test)
    let outcome = await result(try await verify(code, session, in: test))

    switch status {
    case .active, .pending: #expect(outcome.value == status)
    case .deactivated, .rejected: #expect(outcome.refused == .accountDeactivated)
    }
    #expect(try await account(in: test)?.status == status)
    // Only the name of an account that waits is the one that its owner typed last.
    let name = status == .pending ? "Somebody Else" : "Asha Rao"
    #expect(try await account(in: test)?.name == name)
  }

  @Test("R-11 wrong codes are counted and lock, a lost answer can be asked for again")
  func wrongCodes() async throws {
    let test = try await world(.number)
    let session = try session(await success(try await register(in: test)))
    let code = try await lastCode(test)
    let wrong = code == "000000" ? "111111" : "000000"
    for left in [4, 3, 2, 1] as [Int64] {
      let refused = await refusal(try await verify(wrong, session, in: test))
      #expect(refused?.code == .invalidOTP && refused?.attemptsLeft == left)
    }
    #expect(await success(try await verify(code, session, in: test)) == .active)
    #expect(await success(try await verify(code, session, in: test)) == .active)
    // A repeated answer tells the status of that moment, and creates nothing again.
    try await setStatus(.deactivated, in: test)
    #expect(await refusal(try await verify(code, session, in: test))?.code == .accountDeactivated)
    for _ in 1...5 { _ = await refusal(try await verify(wrong, session, in: test)) }
    #expect(await refusal(try await verify(code, session, in: test))?.code == .accountLocked)
    #expect(try await test.events().count { $0.code == .accountRegistered } == 1)
  }

  @Test("L-51 no number of wrong codes keeps a number from registering for good")
  func neverStopped() async throws {
    var client = Self.riders(.number)
    client.policy[.lockoutStop] = 10
    let test = try await TestWorld(client: client)
    for _ in 0..<3 {
      let session = try session(await success(try await register(in: test)))
      let code = try await lastCode(test)
      for _ in 0..<5 {
        _ = await refusal(
          try await verify(code == "000000" ? "111111" : "000000", session, in: test))
      }
      #expect(await refusal(try await verify(code, session, in: test))?.code == .accountLocked)
      test.clock.advance(seconds: 86_400)
    }
    #expect(try await prove(in: test).value == .active)
  }

  @Test("R-11 the session of a registration works with its key only, on this server, in its time")
  func session() async throws {
    let test = try await world(.number)
    let session = try session(await success(try await register(in: test)))
    let code = try await lastCode(test)
    #expect(
      await refusal(try await verify(code, session, key: "other", in: test))?.code
        == .invalidSession)
    #expect(
      await refusal(try await verify(code, Secret("made up"), in: test))?.code == .invalidSession)
    test.clock.advance(seconds: 300)
    #expect(await refusal(try await verify(code, session, in: test))?.code == .otpExpired)
    test.clock.advance(seconds: SignInLimits.attemptSeconds - 300)
    #expect(await refusal(try await verify(code, session, in: test))?.code == .invalidSession)
    #expect(try await account(in: test) == nil)
  }

  @Test("R-11 inside the cooldown the same device gets the open code, another one waits")
  func cooldown() async throws {
    let test = try await world(.number)
    _ = try session(await success(try await register(in: test)))
    let code = try await lastCode(test)
    let again = try session(await success(try await register(in: test)))
    let other = await refusal(try await register(key: "other", in: test))
    #expect(other?.code == .resendTooSoon)
    await deliverMessages(through: [test.messenger], in: test.world)
    #expect(test.messenger.messages.count == 1)
    #expect(await success(try await verify(code, again, in: test)) == .active)
  }

  @Test("R-11 with the policy `administrator` no code is sent and the number is not proved")
  func administrator() async throws {
    let test = try await world(.administrator)
    #expect(await success(try await register(in: test)) == .settled(.pending))
    await deliverMessages(through: [test.messenger], in: test.world)
    #expect(test.messenger.messages.isEmpty)
    #expect(try await account(in: test)?.phoneProof == nil)
    #expect(try await ask(in: test) == .accountNotRegistered)
  }

  @Test("R-11 a policy that approves now approves an account that waits, once its number is proved")
  func waitingAccount() async throws {
    let test = try await world(.administratorAfterCode)
    #expect(try await prove(in: test).value == .pending)
    let client = test.client.id
    try await test.store.transact { (transaction) throws(StoreFault) in
      let changes = JSON.object([JSONMember("registration_approval", .string("number"))])
      try transaction.save(PolicyChanges(changes), of: .client(client))
    }
    test.clock.advance(seconds: 61)

    #expect(try await prove(in: test).value == .active)
    #expect(try await test.events().count { $0.code == .accountRegistered } == 1)
  }

  @Test("L-12 in a concealed app, wrong codes of sign-ins do not show whether a number is known")
  func concealed() async throws {
    var client = Self.riders(.number)
    client.policy.disclosure = .concealed
    let test = try await TestWorld(client: client)
    let phone = try PhoneNumber(parsing: Self.number)
    let unknown = test.world.keyring.unknownAccount(.phone(phone, roles: client.roles))
    #expect(unknown != test.world.keyring.unknownAccount(.registration(phone, roles: client.roles)))
    let session = try session(await success(try await register(in: test)))
    let code = try await lastCode(test)
    let wrong = code == "000000" ? "111111" : "000000"
    for _ in 1...5 { _ = await refusal(try await verify(wrong, session, in: test)) }
    #expect(await refusal(try await register(in: test))?.code == .accountLocked)
    // The sign-in of the number is not locked.
    #expect(try await ask(in: test) == .insufficientAuthorization)
  }

  @Test("R-11 in a concealed app, only the device that proved the number reads that it waits")
  func concealedWaits() async throws {
    var client = Self.riders(.administratorAfterCode)
    client.policy.disclosure = .concealed
    let test = try await TestWorld(client: client)
    #expect(try await prove(in: test).value == .pending)
    #expect(try await ask(in: test) == .accountPending)
    #expect(try await ask(key: "other", in: test) == .insufficientAuthorization)
  }

  @Test("R-11 a newer code is told apart from the one before it")
  func superseded() async throws {
    let test = try await world(.number)
    _ = try session(await success(try await register(in: test)))
    let first = try await lastCode(test)
    test.clock.advance(seconds: 61)
    let session = try session(await success(try await register(in: test)))
    let second = try await lastCode(test)
    if first != second {
      let refused = await refusal(try await verify(first, session, in: test))
      #expect(refused?.code == .otpExpired && refused?.superseded == .byNewerCode)
    }
    #expect(await success(try await verify(second, session, in: test)) == .active)
  }

  @Test("L-16 codes of registrations have the limits of the number")
  func limits() async throws {
    let test = try await world(.number)
    for _ in 1...5 {
      _ = try session(await success(try await register(in: test)))
      test.clock.advance(seconds: 61)
    }
    #expect(await refusal(try await register(in: test))?.code == .rateLimited)
  }
}

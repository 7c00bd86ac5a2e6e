import SignInModel
import SignInRules
import SignInService
import SignInTesting
import SignInWire
import Testing

@Suite("Registration")
struct RegistrationTests {
  static let riders: AppRegistration = {
    var client = AppRegistration(
      id: ClientID("rider-app"), name: "Riders", home: .dashboard, signIn: .phoneCode,
      roles: [.rider], scopes: ["openid"]
    )
    client.policy.disclosure = .disclosed
    client.defaultCountry = "+91"
    client.allowsRegistration = true
    return client
  }()

  private func register(
    _ number: String, as name: String = "Asha Rao", in test: TestWorld
  ) async throws -> RegistrationAnswer {
    let registration = Registration(
      client: test.client, phone: try PhoneNumber(parsing: number),
      name: try PersonName(parsing: name), proofKeyThumbprint: nil, peer: TestWorld.peer
    )
    return try await registerAccount(registration, in: test.world)
  }

  private func ask(_ number: String, in test: TestWorld) async throws -> ErrorCode {
    let terms = SignInTerms(
      client: test.client, scope: "openid", pkceChallenge: "c", nonce: nil, organization: nil,
      proofKeyThumbprint: "key", peer: TestWorld.peer
    )
    let request = PhoneSignInRequest(terms: terms, phone: try PhoneNumber(parsing: number))
    return await firstAnswer(try await beginPhoneSignIn(request, in: test.world)).code
  }

  private func account(_ number: String, in test: TestWorld) async throws -> Account? {
    let phone = try PhoneNumber(parsing: number)
    return try await test.store.read { (transaction) throws(StoreFault) in
      try transaction.account(phone: phone, role: .rider)
    }
  }

  @Test("R-11 R-02 a rider registers, learns nothing until the approval, and then signs in")
  func whole() async throws {
    let test = try await TestWorld(client: Self.riders)
    let number = "+919800000001"
    #expect(try await ask(number, in: test) == .accountNotRegistered)

    #expect(await success(try await register(number, in: test)) == .settled(.pending))

    #expect(try await ask(number, in: test) == .accountNotRegistered)
    var made = try #require(try await account(number, in: test))
    #expect(made.status == .pending && made.name == "Asha Rao" && made.role == .rider)
    made.status = .active
    let approved = made
    try await test.store.transact { (transaction) throws(StoreFault) in
      try transaction.update(approved)
    }
    #expect(try await ask(number, in: test) == .insufficientAuthorization)
    #expect(
      try await test.events().map(\.code) == [
        .refusedUnregistered, .accountRegistered, .refusedUnregistered, .codeSent,
      ]
    )
  }

  @Test(
    "R-11 a second registration gets the same answer, changes nothing and causes as many events")
  func again() async throws {
    let test = try await TestWorld(client: Self.riders)
    let first = await success(try await register("+91 98000 00001", in: test))

    let second = await success(try await register("+919800000001", as: "Somebody Else", in: test))

    #expect(first == second)
    #expect(try await account("+919800000001", in: test)?.name == "Asha Rao")
    #expect(
      try await test.events().map(\.code) == [.accountRegistered, .registrationRepeated]
    )
  }

  @Test("R-11 numbers of other countries, and apps without registration, are refused")
  func refused() async throws {
    let test = try await TestWorld(client: Self.riders)
    #expect(await refusal(try await register("+4790000000", in: test))?.code == .invalidRequest)

    var closed = Self.riders
    closed.allowsRegistration = false
    let other = try await TestWorld(client: closed)
    #expect(
      await refusal(try await register("+919800000001", in: other))?.code == .unauthorizedClient)
    closed.allowsRegistration = true
    closed.signIn = .passwordAndCode
    let third = try await TestWorld(client: closed)
    #expect(
      await refusal(try await register("+919800000001", in: third))?.code == .unauthorizedClient)
    #expect(try await third.events().isEmpty)
  }

  @Test("R-11 two parallel registrations of one number create one account")
  func parallel() async throws {
    let test = try await TestWorld(client: Self.riders)

    let statuses = try await withThrowingTaskGroup(of: RegistrationAnswer?.self) { group in
      for _ in 0..<20 {
        group.addTask { await success(try await register("+919800000001", in: test)) }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }

    #expect(statuses.allSatisfy { $0 == .settled(.pending) })
    #expect(try await test.events().count { $0.code == .accountRegistered } == 1)
  }
}

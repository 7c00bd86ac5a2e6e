import SignInModel
import SignInRules
import SignInTesting
import SignInWire
import Testing

@testable import SignInService

/// The limits of codes to an address or a number that is new to the person.
@Suite("Limits of changes of the own address and number")
struct NewContactLimitTests {
  private typealias Own = OwnAccount

  private static func world(
    _ edit: (inout AppRegistration) -> Void = { _ in }
  ) async throws -> OwnAccount {
    var client = TestWorld.technicians
    edit(&client)
    return try await OwnAccount(client)
  }

  /// Signs in again on the same device.
  private func signIn(_ own: OwnAccount) async throws -> SessionID {
    own.test.clock.advance(seconds: 61)
    let id = try await own.test.signIn().session.id
    own.test.clock.advance(seconds: 61)
    return id
  }

  private func insertOther(_ own: OwnAccount) async throws {
    let other = Account(
      id: AccountID("tor"), email: try EmailAddress(parsing: Own.newEmail),
      phone: try PhoneNumber(parsing: Own.newPhone), name: "Tor", role: .technician,
      status: .active, passwordHash: nil, organizations: [], createdAt: TestWorld.start,
      emailProof: .code, phoneProof: .code)
    try await own.test.store.transact { (transaction) throws(StoreFault) in
      try transaction.insert(other)
    }
  }

  // MARK: Guesses

  @Test(
    "T-12 a sign-in between wrong codes gives no more tries, whether the value is free or taken",
    arguments: [OwnAccount.newPhone, OwnAccount.newEmail], [true, false])
  func guesses(_ value: String, _ isFree: Bool) async throws {
    let own = try await Self.world()
    if !isFree { try await insertOther(own) }
    func wrong() async throws -> String {
      guard isFree else { return "000000" }
      return try await own.code(to: value) == "000000" ? "000001" : "000000"
    }

    let first = try await own.begin(value).get()
    #expect(first.prompt.attemptsLeft == 5)
    let guess = try await wrong()
    for _ in 0..<4 {
      #expect(try await own.confirm(guess, first.session).refused == .invalidOTP)
    }
    let second = try await signIn(own)
    let again = try await own.begin(value, in: second).get()
    #expect(again.prompt.attemptsLeft == 1)
    let last = try await wrong()
    #expect(try await own.confirm(last, again.session, in: second).refused == .accountLocked)
    #expect(try await own.confirm(last, again.session, in: second).refused == .accountLocked)

    // The account is not locked, and another value has its own tries.
    let third = try await signIn(own)
    #expect(try await own.begin(value, in: third).refused == .accountLocked)
    #expect(try await own.begin("+15550101777", in: third).refused == nil)
    let refused = try await own.test.events().filter { $0.code == .codeRefused }
    #expect(refused.map(\.account) == Array(repeating: Own.tara, count: 5))
  }

  @Test(
    "L-51 no number of wrong codes keeps an address or a number from its owner for good",
    arguments: [OwnAccount.newPhone, OwnAccount.newEmail])
  func neverStopped(_ value: String) async throws {
    let own = try await Self.world { $0.policy[.lockoutStop] = 10 }
    for _ in 0..<3 {
      let id = try await signIn(own)
      let begun = try await own.begin(value, in: id).get()
      let right = try await own.code(to: value)
      for _ in 0..<5 {
        _ = try await own.confirm(right == "000000" ? "000001" : "000000", begun.session, in: id)
      }
      own.test.clock.advance(seconds: 86_400)
    }

    let id = try await signIn(own)
    let begun = try await own.begin(value, in: id).get()
    #expect(begun.prompt.channel == (value == Own.newPhone ? "sms" : "email"))
    _ = try await own.confirm(try await own.code(to: value), begun.session, in: id).get()
  }

  @Test("T-12 the right code removes the wrong ones for its address or number")
  func rightCode() async throws {
    let own = try await Self.world()
    let begun = try await own.begin().get()
    let right = try await own.code()
    let wrong = right == "000000" ? "000001" : "000000"
    for _ in 0..<4 { _ = try await own.confirm(wrong, begun.session) }
    _ = try await own.confirm(right, begun.session).get()
    own.test.clock.advance(seconds: 61)

    try await own.changed(to: "+15550101777")
    let again = try await own.begin().get()

    #expect(again.prompt.attemptsLeft == 5)
  }

  // MARK: Messages

  private func begin(
    _ value: String, as name: String = "tara", in id: SessionID, _ own: OwnAccount
  ) async throws -> ErrorCode? {
    let account = try await own.test.store.read { (transaction) throws(StoreFault) in
      try transaction.account(AccountID(name))
    }
    let access = Access(
      account: try #require(account), session: try #require(try await own.test.session(id)),
      client: own.test.client)
    let change = ContactChange(
      access: access, value: try Own.value(value), password: Secret("right"),
      peer: TestWorld.peer)
    return await result(try await beginContactChange(change, in: own.test.world)).refused
  }

  @Test(
    "L-16 all devices and accounts that want one number or address share its limit",
    arguments: [OwnAccount.newPhone, OwnAccount.newEmail])
  func shared(_ value: String) async throws {
    let own = try await Self.world { $0.policy[.numberHourly] = 3 }
    try await own.test.insert("una", phone: "+15550105555")
    let second = try await own.signIn(key: "second", as: Own.oldEmail)
    let una = try await own.signIn(key: "una", as: "una@example.com")
    own.test.clock.advance(seconds: 61)

    #expect(try await begin(value, in: own.session, own) == nil)
    #expect(try await begin(value, in: second, own) == nil)
    #expect(try await begin(value, as: "una", in: una, own) == nil)
    own.test.clock.advance(seconds: 61)
    #expect(try await begin(value, in: own.session, own) == .rateLimited)
    #expect(try await begin(value, in: second, own) == .rateLimited)
    #expect(try await begin(value, as: "una", in: una, own) == .rateLimited)

    let to = try Own.value(value)
    #expect(await own.sent().count { $0.to == to && $0.kind == .code } == 3)
    let details = try await own.details(.refusedTooOften)
    #expect(details.first == (value == Own.newPhone ? "number" : "email"))
    #expect(try await begin("+15550101777", in: own.session, own) == nil)
    own.test.clock.advance(seconds: 3_600)
    #expect(try await begin(value, in: second, own) == nil)
  }

  @Test("L-16 one device sends as many codes to one number as its limit, and not one more")
  func oneDevice() async throws {
    let own = try await Self.world { $0.policy[.numberHourly] = 2 }
    var answers: [ErrorCode?] = []
    for _ in 0..<3 {
      answers.append(try await own.begin().refused)
      own.test.clock.advance(seconds: 61)
    }
    #expect(answers == [nil, nil, .rateLimited])
  }

  @Test("L-16 people who want a number use up no code of its owner, and get the same answers")
  func owner() async throws {
    let own = try await Self.world { $0.policy[.numberHourly] = 1 }
    try await own.test.insert("tor", phone: Own.newPhone)

    #expect(try await own.begin().refused == nil)
    own.test.clock.advance(seconds: 61)
    #expect(try await own.begin().refused == .rateLimited)

    let answer = await own.test.begin(username: "tor@example.com", key: "tor")
    #expect(answer.code == .insufficientAuthorization)
  }

  @Test(
    "L-16 a known device may not go on if few codes to new numbers of one block are entered",
    arguments: [true, false])
  func conversion(_ isEntered: Bool) async throws {
    let own = try await Self.world {
      $0.policy[.conversionCheckedAfter] = 1
      $0.policy[.minimumConversion] = 50
    }
    let number = "+15550201000"
    let handle = try await own.begin(number).get().session
    if isEntered { _ = try await own.confirm(try await own.code(to: number), handle).get() }
    own.test.clock.advance(seconds: 61)

    #expect(try await own.begin("+15550201001").refused == (isEntered ? nil : .rateLimited))
  }

  @Test("L-16 codes by e-mail count in the daily budget of the app")
  func mailBudget() async throws {
    // The sign-in has used one message.
    let own = try await Self.world { $0.policy[.appDaily] = 2 }
    #expect(try await own.begin(Own.newEmail).refused == nil)
    own.test.clock.advance(seconds: 61)
    #expect(try await own.begin("tara.next@example.com").refused == .rateLimited)
    #expect(try await own.details(.refusedTooOften) == ["client"])
  }

  @Test(
    "L-16 without a list of countries, a new number has the calling code of the person's number",
    arguments: [
      ([], nil, "+15550101999", true), ([], nil, "+4790000001", false),
      ([], "+47", "+4790000001", true), ([], "+47", "+15550101999", false),
      (["+1", "+47"], nil, "+4790000001", true), (["+1"], nil, "+4790000001", false),
    ] as [([String], String?, String, Bool)])
  func countries(
    _ listed: [String], _ standard: String?, _ number: String, _ isSent: Bool
  ) async throws {
    let own = try await Self.world()
    let app = TestWorld.technicians {
      $0.policy.countries = listed
      $0.defaultCountry = standard
    }
    let phone = try PhoneNumber(parsing: number)
    let account = try await own.account()
    #expect((app.reasonNotToSend(to: phone, newFor: account) == nil) == isSent)
  }

  @Test("L-16 without a list of countries, a person without a number gets no code to a number")
  func noCountry() async throws {
    let own = try await Self.world()
    try await own.change { $0.phone = nil }
    let sent = await own.sent().count

    let refused = try await own.begin()

    #expect(refused.refused == .rateLimited)
    #expect(refused.refusal?.reason == "country_not_served")
    #expect(await own.sent().count == sent)
  }
}

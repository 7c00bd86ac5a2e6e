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
      isFree && (try await own.code(to: value)) == "000000" ? "000001" : "000000"
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
}

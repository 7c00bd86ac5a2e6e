import SignInModel
import SignInTesting
import SignInWire
import Testing

@testable import SignInService

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
  ) async throws -> Outcome<AccountEntry> {
    var wanted = AccountChange()
    try change(&wanted)
    return await editAccount(Self.tara, wanted, rules: .operatorCommand, in: world.world)
  }

  @Test("T-02 T-03 only the right password learns that no code can be sent")
  func password() async throws {
    let test = try await world()
    #expect(await test.begin("wrong") == ErrorAnswer(.invalidCredentials))
    #expect(await test.begin().code == .redirectToWeb)
    await deliverMessages(through: [test.messenger], in: test.world)
    #expect(test.messenger.messages.isEmpty)
    #expect(try await test.events().contains { $0.code == .refusedUndeliverable })
  }

  @Test("T-11 Forgot Password answers like for an unknown account, and sends nothing")
  func reset() async throws {
    let test = try await world()
    let answer = try #require(success(await test.forget()))
    let unknown = try #require(success(await test.forget("nobody@example.com")))
    #expect(answer.challenge.digits == unknown.challenge.digits)
    #expect(answer.challenge.destination.utf8.count == unknown.challenge.destination.utf8.count)
    await deliverMessages(through: [test.messenger], in: test.world)
    #expect(test.messenger.messages.isEmpty)
  }

  @Test("T-16 an administrator adds a number, which then gets the codes")
  func added() async throws {
    let test = try await world()
    let number = try PhoneNumber(parsing: "+15550101999")
    let changed = try #require(success(try await edit(test) { $0.phone = number }))
    #expect(changed.phone == number.e164)
    _ = try await test.signIn()
    #expect(test.messenger.messages.last?.to == .phone(number))
  }

  @Test("T-16 other members can change, but the account cannot become a rider's")
  func role() async throws {
    let test = try await world()
    let renamed = try await edit(test) { $0.name = try PersonName(parsing: "Tara L") }
    #expect(success(renamed)?.name == "Tara L" && success(renamed)?.phone == nil)
    #expect(refusal(try await edit(test) { $0.role = .rider })?.code == .invalidRequest)
  }

  @Test("T-16 an account without an address can be renamed, but no address can be removed")
  func email() async throws {
    let test = try await world()
    #expect(refusal(try await edit(test) { $0.email = .removed })?.code == .invalidRequest)
    try await test.store.transact { (transaction) throws(StoreFault) in
      guard var account = try transaction.account(Self.tara) else { throw .conflict }
      account.email = nil
      try transaction.update(account)
    }
    #expect(success(try await edit(test) { $0.name = try PersonName(parsing: "T") }) != nil)
  }
}

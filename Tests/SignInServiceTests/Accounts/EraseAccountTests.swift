import JSONText
import SignInModel
import SignInTesting
import SignInWire
import Testing

@testable import SignInService

@Suite("Erasing and exporting a person")
struct EraseAccountTests {
  private static let tara = AccountID("tara")

  @Test("Nothing of the person remains, the app learns it, and the log is still verified")
  func erased() async throws {
    let world = try await TestWorld()
    let tokens = try await world.signIn()
    let ada = try await world.administrator()

    #expect(await success(try await eraseAccount(Self.tara, rules: ada, in: world.world)) == true)

    #expect(
      await refusal(try await world.refresh(tokens.refreshToken))?.reason == "account_deactivated")
    #expect(
      await refusal(try await showAccount(Self.tara, rules: .operatorCommand, in: world.world))
        != nil)
    let left = try await world.store.read { (transaction) throws(StoreFault) in
      (
        try transaction.messages(of: Self.tara).count,
        try transaction.knownDevices(of: Self.tara).count
      )
    }
    #expect(left == (0, 0))
    let last = try #require(try await world.events().last)
    #expect(last.code == .accountErased && last.account == Self.tara && last.detail == "ada")
    guard case .unbroken = try await verifyEvents(in: world.store) else {
      Issue.record("the log is broken")
      return
    }
    #expect(await refusal(try await eraseAccount(Self.tara, rules: ada, in: world.world)) != nil)
    #expect(await world.begin().code == .invalidCredentials)
  }

  @Test("A message that is being sent when its account is erased leaves nothing")
  func active() async throws {
    let world = try await TestWorld()
    _ = await world.begin()
    let router = MessengerRouter([.init(world.messenger)])
    let taken = await leaseMessages(limit: 9, over: router, in: world.world)
    #expect(taken.count == 1)
    _ = try await eraseAccount(Self.tara, rules: .operatorCommand, in: world.world)

    for message in taken { _ = await handOver(message, over: router, in: world.world) }

    let left = try await world.store.read { (transaction) throws(StoreFault) in
      try transaction.messages(after: nil, limit: 9)
    }
    #expect(left == [])
  }

  @Test("A message about another person to a number of the erased one is removed")
  func others() async throws {
    let world = try await TestWorld()
    _ = await world.begin()
    let ada = try await world.administrator()
    let phone = Recipient.phone(try PhoneNumber(parsing: "+15550101234"))
    try await world.insert(administrator: "bea", .everything)
    try await world.store.transact { (transaction) throws(StoreFault) in
      guard var tara = try transaction.account(Self.tara),
        var bea = try transaction.account(AccountID("bea"))
      else { throw .conflict }
      (bea.phone, bea.phoneProof) = (tara.phone, .code)
      (tara.phone, tara.phoneProof) = (nil, nil)
      try transaction.update(tara)
      try transaction.update(bea)
    }
    let before = try await world.store.read { (transaction) throws(StoreFault) in
      try transaction.messages(of: Self.tara).map(\.to)
    }
    #expect(before == [phone])

    #expect(
      await success(try await eraseAccount(AccountID("bea"), rules: ada, in: world.world)) == true)

    let left = try await world.store.read { (transaction) throws(StoreFault) in
      try transaction.messages(of: Self.tara).map(\.to)
    }
    #expect(left == [])
  }

  @Test("An export has all stored data and is itself an event")
  func exported() async throws {
    let world = try await TestWorld()
    _ = try await world.signIn()
    let ada = try await world.administrator()

    let export = try #require(
      await success(try await exportAccount(Self.tara, rules: ada, in: world.world)))

    #expect(export["account"]?["email"]?.text == "tara@example.com")
    #expect(export["sessions"]?.elements?.count == 1)
    #expect(export["devices"]?.elements?.count == 1)
    #expect(export["messages"]?.elements?.first?["to"]?.text == "+15550101234")
    let codes = export["events"]?.elements?.compactMap { $0["code"]?.text } ?? []
    #expect(codes.contains("sign_in.completed"))
    #expect(try await world.events().last?.code == .accountExported)
  }

  @Test("L-52 an export has the addresses and numbers that the account had before")
  func formerContacts() async throws {
    let world = try await TestWorld()
    try await world.store.transact { (transaction) throws(StoreFault) in
      guard var account = try transaction.account(Self.tara) else { return }
      (account.email, account.phone) = (nil, nil)
      try transaction.update(account)
    }
    await removeExpiredRecords(in: world.world)

    let export = try #require(
      await success(
        try await exportAccount(Self.tara, rules: .operatorCommand, in: world.world)))

    let former = export["former_contacts"]?.elements ?? []
    #expect(former.map { $0["value"]?.text } == ["+15550101234", "tara@example.com"])
    #expect(former.allSatisfy { $0["at"]?.number == TestWorld.start.seconds })
  }

  @Test("Administrators cannot erase their own account")
  func own() async throws {
    let world = try await TestWorld()
    let ada = try await world.administrator()
    try await world.insert(administrator: "bea", .everything)
    let refused = await result(
      try await eraseAccount(AccountID("ada"), rules: ada, in: world.world))
    #expect(refused.refusal?.code == .ownAccount)
  }
}

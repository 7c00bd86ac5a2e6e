import SignInModel
import SignInTesting
import SignInWire
import Testing

@testable import SignInService

@Suite("Changing an account")
struct EditAccountTests {
  private static let tara = AccountID("tara")

  private func edit(
    _ world: TestWorld, rules: AccountEditingRules = .operatorCommand,
    _ change: (inout AccountChange) throws -> Void
  ) async throws -> AccountEntry {
    var wanted = AccountChange()
    try change(&wanted)
    return try await editAccount(Self.tara, wanted, rules: rules, in: world.world)
  }

  private func account(_ world: TestWorld) async throws -> Account? {
    try await world.store.read { (transaction) throws(StoreFault) in
      try transaction.account(Self.tara)
    }
  }

  @Test("A new number gets the codes, ends the sessions, and is proved by the first code")
  func phone() async throws {
    let world = try await TestWorld()
    let tokens = try await world.signIn()
    let number = try PhoneNumber(parsing: "+15550101999")

    let changed = try #require(await success(try await edit(world) { $0.phone = .set(number) }))

    #expect(changed.phone == number.e164 && changed.phoneUnverifiedSince == TestWorld.start)
    #expect(await refusal(try await world.refresh(tokens.refreshToken))?.reason == "revoked")
    #expect(
      try await world.events().last { $0.code == .accountChanged }?.detail == "shell phone_number")
    // The notice must go to the old number.
    await deliverMessages(through: [world.messenger], in: world.world)
    let notified = world.messenger.messages.filter { $0.kind == .notice }.map(\.to.text)
    #expect(notified.contains("+15550101234") && !notified.contains(number.e164))

    _ = try await world.signIn()
    #expect(world.messenger.messages.last?.to == .phone(number))
    #expect(try await account(world)?.phoneChangedAt == nil)
    #expect(try await world.events().contains { $0.code == .phoneVerified })
  }

  @Test("A number that is not proved cannot reset a password")
  func unproved() async throws {
    let world = try await TestWorld()
    let number = try PhoneNumber(parsing: "+15550101999")
    _ = try await edit(world) { $0.phone = .set(number) }

    _ = await result(try await world.forget(key: "key"))
    await deliverMessages(through: [world.messenger], in: world.world)

    #expect(!world.messenger.messages.contains { $0.to == .phone(number) })
  }

  @Test("A code sent to the old number no longer works")
  func oldCode() async throws {
    let world = try await TestWorld()
    let session = await world.begin().authSession
    let code = await world.code()
    let number = try PhoneNumber(parsing: "+15550101999")
    _ = try await edit(world) { $0.phone = .set(number) }

    #expect(await refusal(try await world.answer(code, session)) != nil)
    #expect(try await account(world)?.phoneChangedAt != nil)
  }

  @Test("Both addresses learn of a new address, and an open reset and invitation end")
  func email() async throws {
    let world = try await TestWorld()
    let address = try EmailAddress(parsing: "tara.new@example.com")
    let tokens = try await world.signIn()

    let changed = await result(try await edit(world) { $0.email = .set(address) })

    #expect(changed.value?.email == address.text)
    #expect(await success(try await world.refresh(tokens.refreshToken)) != nil)
    let messages = try await world.store.read { (transaction) throws(StoreFault) in
      try transaction.messages(of: Self.tara)
    }
    let notified = Set(messages.filter { $0.kind == .notice }.map(\.to.text))
    #expect(notified.isSuperset(of: ["tara@example.com", "tara.new@example.com"]))
    let removed = await result(try await edit(world) { $0.email = .removed })
    #expect(removed.refusal?.code == .invalidRequest)
  }

  @Test("An address or a number in use changes nothing, and neither does a forbidden change")
  func taken() async throws {
    let world = try await TestWorld()
    try await world.insert(administrator: "ada", .everything)
    let before = try await account(world)

    let refused = await result(
      try await edit(world) { change in
        change.name = try PersonName(parsing: "Other")
        change.email = .set(try EmailAddress(parsing: "ada@example.com"))
      })
    let illegal = await result(
      try await edit(world) { change in
        change.name = try PersonName(parsing: "Other")
        change.status = .rejected
      })

    #expect(refused.refusal?.code == .accountExists)
    #expect(illegal.refusal?.code == .illegalTransition)
    #expect(try await account(world) == before)
  }

  @Test("Another role, and removal from an organization, end sessions")
  func roles() async throws {
    let world = try await TestWorld(organizations: [
      try TestWorld.organization("north"), try TestWorld.organization("south"),
    ])
    try await world.setOrganizations(["north", "south"])
    let north = try await world.signIn(organization: "north")
    let south = try await world.signIn(key: "other", organization: "south")

    _ = try await edit(world) { $0.organizations = [OrganizationID("south")] }
    #expect(await refusal(try await world.refresh(north.refreshToken))?.reason == "revoked")
    let open = try #require(
      await success(try await world.refresh(south.refreshToken, key: "other")))

    _ = try await edit(world) { $0.role = .mentor }
    #expect(
      await refusal(try await world.refresh(open.refreshToken, key: "other"))?.reason == "revoked")
  }

  @Test("Administrators change only the name of their own account")
  func own() async throws {
    let world = try await TestWorld()
    let ada = try await world.administrator()
    try await world.insert(administrator: "bea", .everything)
    var phone = AccountChange()
    phone.phone = .set(try PhoneNumber(parsing: "+15550101999"))
    var name = AccountChange()
    name.name = try PersonName(parsing: "Ada Holm")

    let refused = await result(
      try await editAccount(AccountID("ada"), phone, rules: ada, in: world.world))
    let done = await result(
      try await editAccount(AccountID("ada"), name, rules: ada, in: world.world))

    #expect(refused.refusal?.code == .ownAccount)
    #expect(done.value?.name == "Ada Holm")
  }

  @Test("A local administrator removes an account only from their own organization")
  func leaving() async throws {
    let world = try await TestWorld(organizations: [
      try TestWorld.organization("north"), try TestWorld.organization("south"),
    ])
    try await world.setOrganizations(["north", "south"])
    let north = OrganizationID("north")
    try await world.insert(
      administrator: "nia", Permission([Permission.Grant(.administrator, in: north)]))
    let nia = AccountEditingRules(administrator: AccountID("nia"), caller: TestWorld.rules.caller)

    let name = await result(
      try await edit(world, rules: nia) { $0.name = try PersonName(parsing: "Other") })
    let other = await result(try await edit(world, rules: nia) { $0.organizations = [north] })
    let own = await result(
      try await edit(world, rules: nia) { $0.organizations = [OrganizationID("south")] })
    let removed = await result(try await edit(world, rules: nia) { $0.organizations = [] })

    #expect(name.refusal?.code == .permissionDenied)
    #expect(other.refusal?.code == .invalidRequest)
    #expect(own.value?.organizations == [OrganizationID("south")])
    #expect(removed.refusal?.code == .accountNotFound)
  }
}

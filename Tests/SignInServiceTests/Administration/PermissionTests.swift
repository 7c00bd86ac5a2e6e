import SignInModel
import SignInTesting
import SignInWire
import Testing

@testable import SignInService

@Suite("Permissions")
struct PermissionTests {
  private static let (north, south) = (OrganizationID("north"), OrganizationID("south"))

  private static func local(_ level: Permission.Level) -> Permission {
    Permission([Permission.Grant(level, in: north)])
  }

  @Test("The higher of a global and a local level applies, and levels are ordered")
  func levels() {
    let both = Permission([
      Permission.Grant(.viewer), Permission.Grant(.administrator, in: Self.north),
      Permission.Grant(.support, in: Self.north),
    ])
    #expect(both.level(in: Self.north) == .administrator)
    #expect(both.level(in: Self.south) == .viewer)
    #expect(Self.local(.support).level(in: Self.south) == nil)
    #expect(Permission.Level.allCases == Permission.Level.allCases.sorted())
    #expect(both.organizations(with: .viewer) == nil)
    #expect(both.organizations(with: .support) == [Self.north])
  }

  @Test("A permission covers every permission that is not higher or elsewhere")
  func covering() {
    let support = Self.local(.support)
    #expect(Permission.everything.covers(support) && support.covers(.none))
    #expect(support.covers(support) && support.covers(Self.local(.viewer)))
    #expect(!support.covers(Self.local(.administrator)))
    #expect(!support.covers(Permission([Permission.Grant(.viewer)])))
    #expect(!support.covers(Permission([Permission.Grant(.viewer, in: Self.south)])))
    #expect(Permission([Permission.Grant(.support)]).covers(support))
  }

  @Test("A permission is read from its own text, and other text is no permission")
  func words() throws {
    let permission = Permission([
      Permission.Grant(.support, in: Self.south), Permission.Grant(.viewer),
      Permission.Grant(.administrator, in: Self.north),
    ])
    #expect(permission.words == ["viewer", "administrator:north", "support:south"])
    #expect(Permission(words: permission.words) == permission)
    #expect(Permission(words: []) == Permission.none)
    for word in ["owner", "", "viewer north", ":north"] {
      #expect(Permission(words: [word]) == nil, "\(word)")
    }
  }

  @Test("A change needs the level in every organization of the account, and in at least one")
  func everyOrganization() throws {
    func account(_ organizations: [OrganizationID]) throws -> Account {
      Account(
        id: AccountID("a"), email: nil, phone: try PhoneNumber(parsing: "+15550101234"),
        name: "A", role: .rider, status: .active, passwordHash: nil,
        organizations: organizations, createdAt: TestWorld.start)
    }
    let support = Self.local(.support)
    #expect(try support.sees(account([Self.north, Self.south])))
    #expect(try !support.has(.support, over: account([Self.north, Self.south])))
    #expect(try support.has(.support, over: account([Self.north])))
    #expect(try !support.has(.administrator, over: account([Self.north])))
    #expect(try !support.sees(account([])) && !support.has(.viewer, over: account([])))
    #expect(try Permission.everything.has(.administrator, over: account([])))
  }

  @Test("An administrator grants only permissions that they have and changes no higher account")
  func granting() async throws {
    let world = try await TestWorld(organizations: [
      try TestWorld.organization("north"), try TestWorld.organization("south"),
    ])
    try await world.insert(administrator: "ada", .everything, organizations: ["north"])
    try await world.insert(
      administrator: "nia", Self.local(.administrator), organizations: ["north"])
    let nia = AccountEditingRules(administrator: AccountID("nia"), caller: TestWorld.rules.caller)
    func creation(_ permission: Permission?, _ organization: String) throws -> AccountCreation {
      AccountCreation(
        name: try PersonName(parsing: "New"), role: .administrator,
        email: try EmailAddress(parsing: "new@example.com"),
        phone: try PhoneNumber(parsing: "+15550101777"), password: nil,
        organizations: [OrganizationID(organization)], permission: permission)
    }

    let beyond = await result(
      try await createAccount(
        try creation(.everything, "north"), rules: nia, in: world.world))
    let elsewhere = await result(
      try await createAccount(try creation(nil, "south"), rules: nia, in: world.world))
    let above = await result(
      try await resetAccount(AccountID("ada"), password: nil, rules: nia, in: world.world))
    let same = await result(
      try await createAccount(try creation(nil, "north"), rules: nia, in: world.world))

    #expect(beyond.refusal?.code == .permissionDenied)
    #expect(elsewhere.refusal?.code == .invalidRequest)
    #expect(above.refusal?.code == .permissionDenied)
    #expect(
      same.value?.permissions
        == [PermissionEntry(level: "administrator", organization: Self.north)])
  }

  @Test("A removed permission takes effect in the next decision")
  func taken() async throws {
    let world = try await TestWorld()
    try await world.insert(administrator: "bea", .everything)
    let ada = try await world.administrator()
    var change = AccountChange()
    change.permission = Permission.none
    _ = try await editAccount(AccountID("ada"), change, rules: .operatorCommand, in: world.world)

    let refused = await result(
      try await unlockAccount(AccountID("tara"), rules: ada, in: world.world))

    #expect(refused.refusal?.code == .accountNotFound)
  }

  @Test(
    "The last global administrator is never demoted or erased, even by an operator's command"
  )
  func last() async throws {
    let world = try await TestWorld()
    _ = try await world.administrator()
    let ada = AccountID("ada")
    var demotion = AccountChange()
    demotion.permission = Permission([Permission.Grant(.support)])
    var role = AccountChange()
    role.role = .technician

    let codes = [
      await refusal(try await editAccount(ada, demotion, rules: .operatorCommand, in: world.world))?
        .code,
      await refusal(try await editAccount(ada, role, rules: .operatorCommand, in: world.world))?
        .code,
      await refusal(
        try await setStatus(of: ada, to: .deactivated, rules: .operatorCommand, in: world.world))?
        .code,
      await refusal(try await eraseAccount(ada, rules: .operatorCommand, in: world.world))?.code,
    ]
    #expect(codes == Array(repeating: .lastAdministrator, count: 4))

    try await world.insert(administrator: "bea", .everything)
    #expect(
      await success(try await eraseAccount(ada, rules: .operatorCommand, in: world.world)) == true)
  }
}

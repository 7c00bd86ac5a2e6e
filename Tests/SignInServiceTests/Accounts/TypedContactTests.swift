import JSONText
import SignInModel
import SignInTesting
import SignInWire
import Testing

@testable import SignInService

/// Tor's account has an address and a number that belong to another person.
@Suite("Addresses and numbers that were only typed")
struct TypedContactTests {
  private static let tor = AccountID("tor")
  private static let north = OrganizationID("north")
  private static let south = OrganizationID("south")
  private static let claims: [String: JSON?] = [
    "email": .string(OwnAccount.newEmail), "email_verified": .bool(true),
  ]

  private static func account(
    proof: ContactProof? = nil, status: AccountStatus = .active,
    organizations: [OrganizationID] = []
  ) throws -> Account {
    Account(
      id: tor, email: try EmailAddress(parsing: OwnAccount.newEmail),
      phone: try PhoneNumber(parsing: OwnAccount.newPhone), name: "Tor", role: .technician,
      status: status, passwordHash: nil, organizations: organizations,
      createdAt: TestWorld.start, emailProof: proof, phoneProof: proof)
  }

  private func insert(_ account: Account, into store: MemoryStore) async throws {
    try await store.transact { (transaction) throws(StoreFault) in
      try transaction.insert(account)
    }
  }

  @Test(
    "L-48 a code takes it from the account that never proved it, and ends what was sent there",
    arguments: [OwnAccount.newPhone, OwnAccount.newEmail])
  func code(_ value: String) async throws {
    let own = try await OwnAccount()
    let tor = try Self.account()
    let end = TestWorld.start.adding(seconds: 999_999)
    let session = Session(
      id: SessionID("of tor"), account: tor.id, client: own.test.client.id,
      proofKeyThumbprint: "tor", scope: "openid", organization: nil, authenticationMethods: [],
      startedAt: TestWorld.start, expiresAt: end, lastUsedAt: TestWorld.start,
      refreshGeneration: 1, end: nil)
    let invitation = Invitation(
      account: tor.id, digest: [1], createdAt: TestWorld.start, expiresAt: end)
    try await own.test.store.transact { (transaction) throws(StoreFault) in
      try transaction.insert(tor)
      try transaction.insert(session)
      try transaction.save(invitation)
    }

    try await own.changed(to: value)

    let isPhone = value == OwnAccount.newPhone
    let (after, left) = try await own.test.store.read { (transaction) throws(StoreFault) in
      (try transaction.account(Self.tor), try transaction.invitation(of: Self.tor))
    }
    #expect(after?.phone == (isPhone ? nil : tor.phone))
    #expect(after?.email == (isPhone ? tor.email : nil))
    #expect(left == nil)
    #expect(try await own.test.session(session.id)?.end == (isPhone ? .revoked : nil))
    let event = try #require(
      try await own.test.events().first { $0.code == .accountChanged && $0.account == Self.tor })
    #expect(event.detail == "proved_elsewhere " + (isPhone ? "phone_number" : "email"))
    #expect(event.peer == nil && event.client == nil && event.proofKeyThumbprint == nil)
    #expect(try await own.account().proof(of: try OwnAccount.value(value)) == .code)
  }

  @Test("L-48 a global administrator loses nothing, because one must always be able to sign in")
  func globalAdministrator() async throws {
    let own = try await OwnAccount()
    var tor = try Self.account()
    (tor.role, tor.permission) = (.administrator, .everything)
    try await insert(tor, into: own.test.store)
    let sent = await own.sent().count
    _ = try await own.begin(OwnAccount.newEmail).get()
    #expect(await own.sent().count == sent)
  }

  @Test(
    "L-48 an administrator who types it on another account is refused, whether it is proved or not",
    arguments: [nil, .code] as [ContactProof?])
  func typed(_ proof: ContactProof?) async throws {
    let own = try await OwnAccount()
    try await insert(try Self.account(proof: proof), into: own.test.store)
    let rules = try await own.test.administrator()
    var change = AccountChange()
    change.email = .set(try EmailAddress(parsing: OwnAccount.newEmail))
    let wanted = change
    let refused = await refusal(
      try await editAccount(OwnAccount.tara, wanted, rules: rules, in: own.test.world))
    #expect(refused?.code == .accountExists)
  }

  @Test(
    "L-48 an accepted proposal takes it, and an organization's provider only from its own accounts",
    arguments: [
      (nil, [], true), (nil, [north, south], true), (north, [north], true),
      (north, [north, south], false), (north, [south], false), (north, [], false),
    ] as [(OrganizationID?, [OrganizationID], Bool)])
  func proposal(
    _ owner: OrganizationID?, _ organizations: [OrganizationID], _ isTaken: Bool
  ) async throws {
    let world = try await ProviderWorld {
      $0.administeredBy = owner
      $0.emailDomains = owner == nil ? [] : ["example.com"]
    }
    try await world.change("tara") { $0.organizations = owner.map { [$0] } ?? [] }
    try await insert(try Self.account(organizations: organizations), into: world.store)

    let access = try await world.signIn(Self.claims)
    let shown = try await readAccount(access, in: world.world).accountUpdate.proposals
    #expect(shown.count == (isTaken ? 1 : 0))
    for proposal in shown {
      try await acceptContactProposal(
        proposal.id, access, languages: [], peer: nil, in: world.world)
    }

    let (tara, tor) = (try await world.found("tara"), try await world.found("tor"))
    #expect((tor?.email == nil) == isTaken && tor?.phone != nil)
    #expect(tara?.emailProof == (isTaken ? .provider : nil))
  }

  @Test(
    "L-48 a new account of a provider takes it, unless it is proved or its account was closed",
    arguments: [
      (nil, .active, true), (nil, .pending, true), (nil, .deactivated, false),
      (nil, .rejected, false), (.code, .active, false),
    ] as [(ContactProof?, AccountStatus, Bool)])
  func newAccount(
    _ proof: ContactProof?, _ status: AccountStatus, _ isTaken: Bool
  ) async throws {
    let world = try await ProviderWorld(createsAccounts: .technician)
    try await insert(try Self.account(proof: proof, status: status), into: world.store)
    let number: [String: JSON?] = [
      "sub": .string("new"), "phone_number": .string(OwnAccount.newPhone),
      "phone_number_verified": .bool(true),
    ]

    let result = await world.finish(
      try await world.open(), claims: Self.claims.merging(number) { $1 })

    #expect(result["reason"] == (isTaken ? nil : "account_exists"))
    #expect(try await world.found("tor")?.contacts.isEmpty == isTaken)
  }
}

import JSONText
import SignInModel
import SignInTesting
import SignInWire

@testable import SignInService

extension TestWorld {
  static let rules = AccountEditingRules(
    administrator: AccountID("ada"),
    caller: Caller(client: ClientID("console"), peer: peer, proofKeyThumbprint: "key")
  )

  /// An organization with this policy in its configuration.
  static func organization(
    _ name: String, _ policy: String = "{}"
  ) throws -> Configuration.Organization {
    var organization = Configuration.Organization(id: OrganizationID(name), name: name)
    organization.policy = PolicyChanges(try JSONReader.read(Array(policy.utf8)))
    return organization
  }

  /// The global administrator Ada, created at the first call.
  func administrator() async throws -> AccountEditingRules {
    try await insert(administrator: "ada", .everything)
    return Self.rules
  }

  /// Inserts an administrator unless the name exists.
  func insert(
    administrator name: String, _ permission: Permission, organizations: [String] = []
  ) async throws {
    let number = name.utf8.reduce(5_000) { ($0 * 31 + Int($1)) % 9_000 }
    let account = Account(
      id: AccountID(name), email: try EmailAddress(parsing: "\(name)@example.com"),
      phone: try PhoneNumber(parsing: "+1555030\(1000 + number)"), name: name,
      role: .administrator, status: .active, passwordHash: nil,
      organizations: organizations.map { OrganizationID($0) }, permission: permission,
      createdAt: Self.start
    )
    try await store.transact { (transaction) throws(StoreFault) in
      if try transaction.account(account.id) == nil { try transaction.insert(account) }
    }
  }

  @discardableResult
  func changeClient(_ patch: String, tags: [String]? = nil) async throws -> PolicyEntry {
    let request = PolicyChangeRequest(
      patch: try JSONReader.read(Array(patch.utf8)), tags: tags, rules: try await administrator()
    )
    return try await changeClientPolicy(of: client.id, request, in: world)
  }

  @discardableResult
  func changeOrganization(_ name: String, _ patch: String) async throws -> PolicyEntry {
    let request = PolicyChangeRequest(
      patch: try JSONReader.read(Array(patch.utf8)), tags: nil, rules: try await administrator()
    )
    return try await changeOrganizationPolicy(of: OrganizationID(name), request, in: world)
  }

  /// The effective policy of an organization's people, or of people without one.
  func registration(of organization: String? = nil) async throws -> AppRegistration {
    try await store.read { (transaction) throws(StoreFault) in
      try world.registration(of: client, for: organization.map { OrganizationID($0) }, transaction)
    }
  }
}

/// Changes an account's status as a request does.
func setStatus(
  of id: AccountID, to status: AccountStatus, rules: AccountEditingRules, in world: World
) async throws(Refusal) -> AccountEntry {
  var change = AccountChange()
  change.status = status
  return try await editAccount(id, change, rules: rules, in: world)
}

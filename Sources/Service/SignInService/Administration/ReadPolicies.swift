public import SignInModel
public import SignInWire

/// Every app with the policy that applies now, in order of identifiers.
///
/// An administrator of single organizations gets only the identifiers and names of some apps: apps
/// that members of these organizations can use, and apps for administrators. The policy of an app
/// is for all organizations. With the identifier, the administrator can read the policy that
/// applies to these members (`readPolicySheet`).
public func listClients(
  rules: AccountEditingRules, in world: World
) async throws(Refusal) -> [PolicyEntry] {
  let clients = world.clients.values.sorted { $0.id.text < $1.id.text }
  return try await world.read { (transaction: any AccountRecords & PolicyRecords) throws in
    var entries: [PolicyEntry] = []
    if let seen = try rules.permission(transaction).organizations(with: .viewer) {
      let roles = try transaction.roles(in: seen)
      for client in clients where !roles.isDisjoint(with: client.roles) {
        entries.append(PolicyEntry(nameOf: client))
      }
    } else {
      for client in clients { entries.append(try client.entry(in: world, transaction)) }
    }
    return entries
  }
}

extension AccountRecords {
  /// The roles of the accounts in these organizations, and the role `administrator`.
  fileprivate func roles(
    in organizations: [OrganizationID]
  ) throws(StoreFault) -> Set<AccountRole> {
    var roles: Set<AccountRole> = [.administrator]
    for role in AccountRole.allCases where !roles.contains(role) {
      var query = AccountQuery(role: role)
      query.organizations = organizations
      let found = try accounts(query, after: nil, limit: 1)
      if !found.isEmpty { roles.insert(role) }
    }
    return roles
  }
}

/// One app with the policy that applies now.
public func showClient(
  _ id: ClientID, rules: AccountEditingRules, in world: World
) async throws(Refusal) -> PolicyEntry {
  try await world.read { (transaction: any AccountRecords & PolicyRecords) throws in
    guard let client = world.clients[id],
      try rules.permission(transaction).hasEverywhere(.viewer)
    else { throw Refusal.noSuchClient }
    return try client.entry(in: world, transaction)
  }
}

/// Every organization that this administrator may see, with its current policy, in the order of the
/// configuration.
public func listOrganizations(
  rules: AccountEditingRules, in world: World
) async throws(Refusal) -> [PolicyEntry] {
  try await world.read { (transaction: any AccountRecords & PolicyRecords) throws in
    var entries: [PolicyEntry] = []
    let permission = try rules.permission(transaction)
    for organization in world.organizations where permission.has(.viewer, in: organization.id) {
      entries.append(try organization.entry(transaction))
    }
    return entries
  }
}

/// One organization with its current policy.
public func showOrganization(
  _ id: OrganizationID, rules: AccountEditingRules, in world: World
) async throws(Refusal) -> PolicyEntry {
  try await world.read { (transaction: any AccountRecords & PolicyRecords) throws in
    guard let organization = world.organization(id),
      try rules.permission(transaction).has(.viewer, in: id)
    else {
      throw Refusal.noSuchOrganization
    }
    return try organization.entry(transaction)
  }
}

extension World {
  func organization(_ id: OrganizationID) -> Configuration.Organization? {
    organizations.first { $0.id == id }
  }
}

extension AppRegistration {
  /// The configured app with the policy that applies now.
  func entry(
    in world: World, _ transaction: any PolicyRecords
  ) throws(StoreFault) -> PolicyEntry {
    PolicyEntry(
      try world.registration(of: self, for: nil, transaction),
      try transaction.policyChanges(of: .client(id))
    )
  }
}

extension Configuration.Organization {
  func entry(_ transaction: any PolicyRecords) throws(StoreFault) -> PolicyEntry {
    PolicyEntry(self, try transaction.policyChanges(of: .organization(id)))
  }
}

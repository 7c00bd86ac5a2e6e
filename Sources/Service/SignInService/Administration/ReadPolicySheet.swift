import JSONText
public import SignInModel
public import SignInWire

/// Every value of an app's policy, with its source and the allowed values.
///
/// The values are for all users of the app, or for the members of one organization. An
/// administrator of organizations sees the sheets for their members.
public func readPolicySheet(
  of id: ClientID, for organization: OrganizationID?, rules: AccountEditingRules, in world: World
) async throws(Refusal) -> PolicySheet {
  try await world.read { (transaction: any AccountRecords & PolicyRecords) throws in
    let permission = try rules.permission(transaction)
    guard let client = world.clients[id] else { throw Refusal.noSuchClient }
    guard let organization else {
      guard permission.hasEverywhere(.viewer) else { throw Refusal.noSuchClient }
      return try client.sheet(in: world, transaction)
    }
    guard let known = world.organization(organization),
      permission.has(.viewer, in: organization)
    else {
      throw Refusal.noSuchOrganization
    }
    return try client.sheet(for: known, in: world, transaction)
  }
}

extension AppRegistration {
  /// The sheet for all users of the app.
  fileprivate func sheet(
    in world: World, _ transaction: any PolicyRecords
  ) throws(StoreFault) -> PolicySheet {
    let client = try world.registration(of: self, for: nil, transaction)
    let changes = try transaction.policyChanges(of: .client(id)).json
    let rules = PolicyRules(client: client, path: "")
    let (shown, before) = (client.shownPolicy, shownPolicy)
    let values = PolicyKey.allCases.map { key in
      let configured = before[json: key]
      let isChanged = key.value(in: changes) != .null
      // The demo's apps are defined in Swift. So a value that differs from the standard counts as
      // configured.
      let isConfigured =
        key.value(in: written.json) != .null || configured != key.field.standard
      return PolicyValue(
        key: key, value: shown[json: key],
        source: isChanged ? .changed : isConfigured ? .configuration : .standard,
        configured: configured, isChanged: isChanged, form: rules.form(of: key, changes: changes)
      )
    }
    let entry = try entry(in: world, transaction)
    return PolicySheet(
      client: id, clientName: name, organization: nil, tag: entry.tag, values: values
    )
  }

  /// The sheet for the members of an organization, with the organization's own values.
  fileprivate func sheet(
    for organization: Configuration.Organization, in world: World,
    _ transaction: any PolicyRecords
  ) throws(StoreFault) -> PolicySheet {
    let forAll = try world.registration(of: self, for: nil, transaction)
    let shown = try world.registration(of: self, for: organization.id, transaction).shownPolicy
    let before = forAll.restricted(by: organization.policy).shownPolicy
    let changes = try transaction.policyChanges(of: .organization(organization.id))
    let own = organization.policy.merged(changes.json).json
    let values = PolicyKey.allCases.compactMap { key -> PolicyValue? in
      let field = key.field
      guard field.organization != .noValue else { return nil }
      let (value, said) = (shown[json: key], key.value(in: own))
      let isChanged = key.value(in: changes.json) != .null
      let source: PolicyValue.Source =
        said == .null || said != value ? .client : isChanged ? .changed : .configuration
      return PolicyValue(
        key: key, value: value, source: source, configured: before[json: key], own: said,
        isChanged: isChanged, form: field.form
      )
    }
    return PolicySheet(
      client: id, clientName: name,
      organization: OrganizationEntry(id: organization.id, name: organization.name),
      tag: try organization.entry(transaction).tag, values: values
    )
  }
}

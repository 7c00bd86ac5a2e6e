import JSONText
public import SignInModel
public import SignInWire

/// Every value of an app's policy, with its source and the allowed values.
///
/// The values are for all users of the app, or for the members of one organization. An
/// administrator of organizations sees the sheets for their members.
public func readPolicySheet(
  of id: ClientID, for organization: OrganizationID?, rules: AccountEditingRules, in world: World
) async -> Outcome<PolicySheet> {
  await world.read { (transaction) throws(StoreFault) in
    let permission = try rules.permission(transaction)
    guard let client = world.clients[id] else { return .refusal(.noSuchClient) }
    guard let organization else {
      guard permission.hasEverywhere(.viewer) else { return .refusal(.noSuchClient) }
      return .success(try client.sheet(in: world, transaction))
    }
    guard let known = world.organization(organization),
      permission.has(.viewer, in: organization)
    else {
      return .refusal(.noSuchOrganization)
    }
    return .success(try client.sheet(for: known, in: world, transaction))
  }
}

extension AppClient {
  /// The sheet for all users of the app.
  fileprivate func sheet(
    in world: World, _ transaction: any Transaction
  ) throws(StoreFault) -> PolicySheet {
    let policy = try world.policy(of: self, for: nil, transaction)
    let changes = try transaction.policyChanges(of: .client(id)).json
    let rules = PolicyRules(client: policy, path: "")
    let values = PolicyKey.allCases.compactMap { key -> PolicyValue? in
      guard let shape = ConfigurationShape.clientPolicy.shape(of: key) else { return nil }
      let configured = json.value(of: key)
      let isChanged = changes.value(of: key) != .null
      // The demo's apps are defined in Swift. So a value that differs from the standard counts as
      // configured.
      let isConfigured =
        written.json.value(of: key) != .null
        || configured != ConfigurationShape.standard.json.value(of: key)
      return PolicyValue(
        key: key, value: policy.json.value(of: key),
        source: isChanged ? .changed : isConfigured ? .configuration : .standard,
        configured: configured, isChanged: isChanged,
        form: shape.form { rules.narrowed($0, of: key, changes: changes) }
      )
    }
    let entry = try entry(in: world, transaction)
    return PolicySheet(
      client: id, clientName: name, organization: nil, tag: entry.tag, values: values
    )
  }

  /// The sheet for the members of an organization, with the organization's own values.
  fileprivate func sheet(
    for organization: Configuration.Organization, in world: World, _ transaction: any Transaction
  ) throws(StoreFault) -> PolicySheet {
    let policy = try world.policy(of: self, for: organization.id, transaction)
    let forAll = try world.policy(of: self, for: nil, transaction)
    let configured = forAll.restricted(by: organization.policy)
    let changes = try transaction.policyChanges(of: .organization(organization.id))
    let own = organization.policy.merged(changes.json).json
    let values = PolicyKey.allCases.compactMap { key -> PolicyValue? in
      guard let shape = ConfigurationShape.organizationPolicy.shape(of: key) else { return nil }
      let value = policy.value(of: key)
      let said = own.value(of: key)
      let isChanged = changes.json.value(of: key) != .null
      let source: PolicyValue.Source =
        said == .null || said != value ? .client : isChanged ? .changed : .configuration
      return PolicyValue(
        key: key, value: value, source: source, configured: configured.value(of: key), own: said,
        isChanged: isChanged, form: shape.form { $0 }
      )
    }
    return PolicySheet(
      client: id, clientName: name,
      organization: OrganizationEntry(id: organization.id, name: organization.name),
      tag: try organization.entry(transaction).tag, values: values
    )
  }

  /// For each pair of prefixes in which one contains the other, the narrower one.
  private static func common(_ own: [String], _ others: [String]) -> [String] {
    var common: [String] = []
    for text in own {
      for other in others {
        guard let prefix = NumberPrefix(text), let limit = NumberPrefix(other) else { continue }
        let narrower = limit.covers(prefix) ? text : prefix.covers(limit) ? other : nil
        if let narrower, !common.contains(narrower) { common.append(narrower) }
      }
    }
    return common
  }

  /// The countries that both the app and the organization name.
  ///
  /// `json` has those of the app only.
  private func value(of key: PolicyKey) -> JSON {
    guard key == .countries, let own = organizationCountries else { return json.value(of: key) }
    let both = countries.isEmpty ? own : Self.common(own, countries)
    return .array(both.map { JSON.string($0) })
  }
}

extension JSON {
  /// Null if the key, or the object that contains it, is absent.
  fileprivate func value(of key: PolicyKey) -> JSON {
    key.steps.reduce(self) { json, step in json[step] ?? .null }
  }
}

extension PolicyKey {
  /// The range of a numeric value, without regard to other values.
  ///
  /// It is nil if the value is not a number.
  public var range: ClosedRange<Int64>? {
    guard case .number(let range)? = ConfigurationShape.clientPolicy.shape(of: self) else {
      return nil
    }
    return range
  }

  /// The length of a message text in characters.
  public static let textLengthLimit = MessageTemplate.lengthLimit
}

extension ConfigurationShape {
  /// Nil if the key is not allowed.
  fileprivate func shape(of key: PolicyKey) -> ConfigurationShape? {
    key.steps.reduce(self) { shape, step in
      guard case .object(let members)? = shape else { return nil }
      return members.first { $0.key == step }?.shape
    }
  }

  fileprivate func form(
    _ narrowed: (ClosedRange<Int64>) -> ClosedRange<Int64>
  ) -> PolicyValue.Form {
    switch self {
    case .number(let range): .number(narrowed(range))
    case .choice(let words): .choice(words)
    case .list: .callingCodes
    case .text: .message
    case .flag, .flagOrChoice, .object, .kinds:
      preconditionFailure("no policy has a value of this shape")
    }
  }
}

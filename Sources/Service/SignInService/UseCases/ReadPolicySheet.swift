import JSONText
public import SignInModel
public import SignInWire

/// Every value of an app's policy, each with whose word it is and what may be written instead: for
/// everybody, or for the people of an organization.
///
/// An administrator of organizations sees the sheets for the people of those.
public func readPolicySheet(
  of id: ClientID, for organization: OrganizationID?, keeper: AccountKeeper, in world: World
) async -> Outcome<PolicySheet> {
  await world.look { (transaction) throws(StoreFault) in
    let permission = try keeper.permission(transaction)
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
  /// For everybody who uses the app.
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
      // The demo's apps are written in Swift: what differs from the standard was chosen too.
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

  /// For the people of an organization, who say what they have different.
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

  /// The narrower of each pair in which one covers the other.
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

  /// Countries that an app and an organization name both; `json` tells the app's.
  private func value(of key: PolicyKey) -> JSON {
    guard key == .countries, let own = organizationCountries else { return json.value(of: key) }
    let both = countries.isEmpty ? own : Self.common(own, countries)
    return .array(both.map { JSON.string($0) })
  }
}

extension JSON {
  /// Null where the key, or the object it stands in, is left out.
  fileprivate func value(of key: PolicyKey) -> JSON {
    key.steps.reduce(self) { json, step in json[step] ?? .null }
  }
}

extension PolicyKey {
  /// The numbers that the value may be, apart from the other values; nil where it is no number.
  public var range: ClosedRange<Int64>? {
    guard case .number(let range)? = ConfigurationShape.clientPolicy.shape(of: self) else {
      return nil
    }
    return range
  }

  /// Characters of a text of messages.
  public static let textLengthLimit = MessageTemplate.lengthLimit
}

extension ConfigurationShape {
  /// Nil where the key may not stand.
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

public import JSONText
public import SignInModel
public import SignInWire

/// A request to change a policy (RFC 7396): keys in the document change, null restores the
/// configured value, and absent keys stay the same.
public struct PolicyChangeRequest: Sendable {
  public let patch: JSON
  /// The tags that the client accepts.
  ///
  /// The entry must have one of them. Nil accepts any tag.
  public let tags: [String]?
  /// The idempotency key; nil if the request is not idempotent.
  public let once: IdempotencyKey?
  public let rules: AccountEditingRules

  public init(
    patch: JSON, tags: [String]?, once: IdempotencyKey? = nil, rules: AccountEditingRules
  ) {
    self.patch = patch
    self.tags = tags
    self.once = once
    self.rules = rules
  }
}

/// Changes the policy of an app.
///
/// The change applies to every decision from now on.
///
/// The values have the limits of the configuration, and the same rules between values apply.
public func changeClientPolicy(
  of id: ClientID, _ request: PolicyChangeRequest, in world: World
) async throws(Refusal) -> PolicyEntry {
  let now = world.clock.now()
  return try await world.decide(request, about: .client(id)) { transaction in
    guard try request.rules.permission(transaction).hasEverywhere(.administrator) else {
      throw Refusal.permissionDenied
    }
  } changing: {
    (transaction: any AccountRecords & EventRecords & PolicyRecords) throws in
    guard let client = world.clients[id] else { throw Refusal.noSuchClient }
    let entry = try client.entry(in: world, transaction)
    try request.check(entry)
    let before = try transaction.policyChanges(of: .client(id))
    let after = before.merged(request.patch.without(ConfigurationShape.fixedClientKeys))

    var checker = ConfigurationChecker(isDevelopment: false)
    checker.refuse(ConfigurationShape.fixedClientKeys, in: request.patch)
    checker.check(after.json, is: .clientPolicy, at: "")
    var changed = client
    changed.policy.apply(after.json)
    PolicyRules(client: changed, path: "").check(into: &checker)
    try checker.checkPolicy()

    try transaction.change(.client(id), to: after, by: request.rules, at: now) {
      () throws(StoreFault) in
      let shown = try world.registration(of: client, for: nil, transaction).shownPolicy
      return { shown[json: $0] }
    }
    return try client.entry(in: world, transaction)
  }
}

/// Changes the values of an organization under `policy`.
///
/// The change applies to every decision from now on.
///
/// A value that is weaker than an app's value is allowed, although only a stricter one has an
/// effect with that app. It may have an effect with another app.
public func changeOrganizationPolicy(
  of id: OrganizationID, _ request: PolicyChangeRequest, in world: World
) async throws(Refusal) -> PolicyEntry {
  let now = world.clock.now()
  return try await world.decide(request, about: .organization(id)) { transaction in
    let permission = try request.rules.permission(transaction)
    guard world.organization(id) != nil as Configuration.Organization?,
      permission.has(.viewer, in: id)
    else { throw Refusal.noSuchOrganization }
    guard permission.has(.administrator, in: id) else { throw Refusal.permissionDenied }
  } changing: {
    (transaction: any AccountRecords & EventRecords & PolicyRecords) throws in
    guard let organization = world.organization(id) else { throw Refusal.noSuchOrganization }
    let entry = try organization.entry(transaction)
    try request.check(entry)
    let before = try transaction.policyChanges(of: .organization(id))
    let known = [WireField.id, .name].map(\.rawValue)
    let document = PolicyChanges(.object([JSONMember(.policy, before.json)]))
      .merged(request.patch.without(known))

    var checker = ConfigurationChecker(isDevelopment: false)
    checker.refuse(known, in: request.patch)
    checker.check(document.json, is: .organizationDocument, at: "")
    try checker.checkPolicy()

    let after = PolicyChanges(document.json[.policy] ?? .object([]))
    try transaction.change(.organization(id), to: after, by: request.rules, at: now) {
      () throws(StoreFault) in
      let changes = try transaction.policyChanges(of: .organization(id))
      let own = organization.policy.merged(changes.json).json
      return { $0.value(in: own) }
    }
    return try organization.entry(transaction)
  }
}

extension World {
  fileprivate func decide(
    _ request: PolicyChangeRequest, about subject: PolicyChanges.Subject,
    permit: @escaping @Sendable (any AccountRecords) throws -> Void,
    changing change:
      @escaping @Sendable (any AccountRecords & EventRecords & PolicyRecords) throws -> PolicyEntry
  ) async throws(Refusal) -> PolicyEntry {
    try await decideIdempotently(
      request.once, about: [.policy(subject), request.rules.subject],
      form: RememberedForm(
        json: { $0.json }, read: { PolicyAnswer(json: $0).map { PolicyEntry($0) } }),
      permit: permit, change
    )
  }
}

extension PolicyChangeRequest {
  /// Refuses the change if another request has changed the entry since it was read (RFC 9110,
  /// section 13.1.1).
  fileprivate func check(_ entry: PolicyEntry) throws(Refusal) {
    guard let tags, !tags.contains(entry.tag) else { return }
    throw .preconditionFailed("the record has changed; read it again")
  }
}

extension ConfigurationChecker {
  /// Refuses a policy in which mistakes were found.
  fileprivate func checkPolicy() throws(Refusal) {
    guard !mistakes.isEmpty else { return }
    throw .invalidPolicy(
      mistakes.map { MemberMistake(member: $0.path, problem: $0.problem, remedy: $0.remedy) })
  }

  fileprivate mutating func refuse(_ keys: [String], in patch: JSON) {
    for key in keys where patch[key] != nil {
      note(
        key, "can be changed only in the configuration file",
        "change it there, and restart the server")
    }
  }
}

extension JSON {
  fileprivate func without(_ keys: [String]) -> JSON {
    .object((objectMembers ?? []).filter { !keys.contains($0.key) })
  }
}

extension PolicyRecords where Self: EventRecords {
  /// Saves the changes, and records who made them, and each changed key with its old and its new
  /// value.
  ///
  /// `read` reads the values that apply at that moment. If nothing changes, nothing is recorded.
  fileprivate func change(
    _ subject: PolicyChanges.Subject, to after: PolicyChanges, by rules: AccountEditingRules,
    at now: Instant, read: () throws(StoreFault) -> (PolicyKey) -> JSON
  ) throws(StoreFault) {
    let before = try policyChanges(of: subject)
    let keys = before.keys(changedIn: after)
    guard !keys.isEmpty else { return }
    let former = try read()
    try save(after, of: subject)
    let current = try read()
    let changes = keys.map { key in
      PolicyKey(rawValue: key).map {
        PolicyValueChange(cutting: former($0), to: current($0), of: key)
      } ?? PolicyValueChange(key: key, values: nil)
    }
    let (code, name) =
      switch subject {
      case .client(let id): (SecurityEvent.Code.clientPolicyChanged, id.text)
      case .organization(let id): (SecurityEvent.Code.organizationPolicyChanged, id.text)
      }
    let values = String(decoding: PolicyValueChange.json(changes).utf8, as: UTF8.self)
    let detail = [rules.name, name, values].joined(separator: " ")
    try record(code, about: nil, detail: detail, by: rules.caller, at: now)
  }
}

extension PolicyValueChange {
  /// Cuts long values, so that the length of an event has a limit.
  ///
  /// No policy value is a secret (`PolicyKey.field`).
  init(cutting old: JSON, to new: JSON, of key: String) {
    self.init(key: key, values: Values(old: Self.cut(old), new: Self.cut(new)))
  }

  private static func cut(_ value: JSON) -> JSON {
    switch value {
    case .string(let text):
      let scalars = text.unicodeScalars
      guard scalars.count > textLengthLimit else { return value }
      let shown = String.UnicodeScalarView(scalars.prefix(textLengthLimit))
      return .string(String(shown) + cutMark)
    case .array(let elements):
      let shown = elements.prefix(listLengthLimit).map { cut($0) }
      return .array(elements.count > listLengthLimit ? shown + [.string(cutMark)] : shown)
    case .null, .bool, .int, .decimal, .object: return value
    }
  }
}

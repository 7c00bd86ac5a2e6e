public import JSONText
public import SignInModel
public import SignInWire

/// A wish to change a policy: what stands in the document changes, null goes back to the
/// configuration, and what is left out stays as it is (RFC 7396).
public struct PolicyWish: Sendable {
  public let patch: JSON
  /// The tags one of which the entry must still have, or nil when any will do.
  public let tags: [String]?
  /// What makes a repeated wish the same one; nil when each is one of its own.
  public let once: OnceOnly?
  public let keeper: AccountKeeper

  public init(patch: JSON, tags: [String]?, once: OnceOnly? = nil, keeper: AccountKeeper) {
    self.patch = patch
    self.tags = tags
    self.once = once
    self.keeper = keeper
  }
}

/// Changes the policy of an app; it holds for every decision from now on.
///
/// The numbers have the configuration's limits, and must fit each other as they do there.
public func changeClientPolicy(
  of id: ClientID, _ wish: PolicyWish, in world: World
) async -> Outcome<PolicyAnswer> {
  let now = world.clock.now()
  return await world.decideOnce(wish.once, at: now) { (transaction) throws(StoreFault) in
    guard let client = world.clients[id] else { return .refusal(.noSuchClient) }
    guard try wish.keeper.permission(transaction).hasEverywhere(.administrator) else {
      return .refusal(.permissionDenied)
    }
    let entry = try client.entry(in: world, transaction)
    if let refusal = wish.refusal(of: entry) { return .refusal(refusal) }
    let before = try transaction.policyChanges(of: .client(id))
    let after = before.merged(wish.patch.without(ConfigurationShape.clientOnlyConfigured))

    var checker = ConfigurationChecker(isDevelopment: false)
    checker.refuse(ConfigurationShape.clientOnlyConfigured, in: wish.patch)
    checker.check(after.json, is: .clientPolicy, at: "")
    var changed = client
    changed.apply(after.json)
    PolicyRules(client: changed, path: "").check(into: &checker)
    guard checker.mistakes.isEmpty else { return .success(.mistaken(checker.mistakes)) }

    try transaction.change(.client(id), to: after, by: wish.keeper, at: now)
    return .success(.holds(try client.entry(in: world, transaction)))
  }
}

/// Changes what an organization has under `policy`; it holds for every decision from now on.
///
/// A value that is looser than an app's is no mistake where only a stricter one counts: it has no
/// effect with that app, and may have one with another.
public func changeOrganizationPolicy(
  of id: OrganizationID, _ wish: PolicyWish, in world: World
) async -> Outcome<PolicyAnswer> {
  let now = world.clock.now()
  return await world.decideOnce(wish.once, at: now) { (transaction) throws(StoreFault) in
    let permission = try wish.keeper.permission(transaction)
    guard let organization = world.organization(id), permission.has(.viewer, in: id) else {
      return .refusal(.noSuchOrganization)
    }
    guard permission.has(.administrator, in: id) else { return .refusal(.permissionDenied) }
    let entry = try organization.entry(transaction)
    if let refusal = wish.refusal(of: entry) { return .refusal(refusal) }
    let before = try transaction.policyChanges(of: .organization(id))
    let known = ["id", "name"]
    let document = PolicyChanges(.object([JSONMember("policy", before.json)]))
      .merged(wish.patch.without(known))

    var checker = ConfigurationChecker(isDevelopment: false)
    checker.refuse(known, in: wish.patch)
    checker.check(document.json, is: .organizationDocument, at: "")
    guard checker.mistakes.isEmpty else { return .success(.mistaken(checker.mistakes)) }

    let after = PolicyChanges(document.json["policy"] ?? .object([]))
    try transaction.change(.organization(id), to: after, by: wish.keeper, at: now)
    return .success(.holds(try organization.entry(transaction)))
  }
}

extension World {
  fileprivate func decideOnce(
    _ once: OnceOnly?, at now: Instant,
    _ change: @escaping @Sendable (any Transaction) throws(StoreFault) -> Outcome<PolicyAnswer>
  ) async -> Outcome<PolicyAnswer> {
    await decideOnce(
      once, at: now, json: { $0.remembered }, read: { .holds(PolicyEntry($0)) }, change
    )
  }
}

extension PolicyWish {
  /// Somebody else may have changed the entry since it was read (RFC 9110, section 13.1.1).
  fileprivate func refusal(of entry: PolicyEntry) -> ErrorAnswer? {
    guard let tags, !tags.contains(entry.tag) else { return nil }
    return ErrorAnswer(.preconditionFailed, "it was changed meanwhile; read it again")
  }
}

extension ConfigurationChecker {
  fileprivate mutating func refuse(_ keys: [String], in patch: JSON) {
    for key in keys where patch[key] != nil {
      note(key, "stands in the configuration file only", "change it there, and start again")
    }
  }
}

extension JSON {
  fileprivate func without(_ keys: [String]) -> JSON {
    .object((objectMembers ?? []).filter { !keys.contains($0.key) })
  }
}

extension Transaction {
  /// Keeps the changes and reports who made them and which keys they concern; what changes nothing
  /// is not reported.
  fileprivate func change(
    _ subject: PolicyChanges.Subject, to after: PolicyChanges, by keeper: AccountKeeper,
    at now: Instant
  ) throws(StoreFault) {
    let before = try policyChanges(of: subject)
    let keys = before.keys(changedIn: after)
    guard !keys.isEmpty else { return }
    try save(after, of: subject)
    let (code, name) =
      switch subject {
      case .client(let id): (SecurityEvent.Code.clientPolicyChanged, id.text)
      case .organization(let id): (SecurityEvent.Code.organizationPolicyChanged, id.text)
      }
    let detail = ([keeper.name, name] + keys).joined(separator: " ")
    try record(code, about: nil, detail: detail, by: keeper.caller, at: now)
  }
}

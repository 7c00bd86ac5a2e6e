import SignInModel
public import SignInWire

/// The result of writing or removing one record for another system.
public enum DataOutcome: Sendable {
  public enum Change: Sendable {
    case created
    case changed
    /// The record already had this content.
    ///
    /// Its version does not change.
    case unchanged
  }

  case written(DataRecord, Change)
  case removed
  /// With `precondition_failed`, the refusal has the current version.
  case refused(Refusal)
}

/// Writes and removes records.
///
/// The refusal of one record does not affect the others.
///
/// Repeating the same drafts changes nothing. The drafts are decided in order,
/// `DataLimits.transactionItems` of them in one transaction. If the store fails, earlier drafts are
/// written, and repeating the call writes the rest.
public func writeData(
  _ drafts: [DataDraft], by principal: DataPrincipal, in world: World
) async throws(Refusal) -> [DataOutcome] {
  var outcomes: [DataOutcome] = []
  var rest = drafts[...]
  while !rest.isEmpty {
    let chunk = Array(rest.prefix(DataLimits.transactionItems))
    rest = rest.dropFirst(chunk.count)
    let now = world.clock.now()
    outcomes += try await world.decide(about: chunk.flatMap(\.subjects)) {
      (transaction: any AccountRecords & DataRecord.WritingRecords) throws in
      try chunk.map { draft in
        let plan = try transaction.plan(draft, by: principal, at: now)
        return try transaction.perform(plan, at: now)
      }
    }
  }
  return outcomes
}

/// The result that `writeData` would have for each draft alone.
///
/// Writes nothing.
public func previewData(
  _ drafts: [DataDraft], by principal: DataPrincipal, in world: World
) async throws(Refusal) -> [DataOutcome] {
  let now = world.clock.now()
  return try await world.read { (transaction: any AccountRecords & DataRecord.Records) throws in
    try drafts.map { draft in try transaction.plan(draft, by: principal, at: now).outcome }
  }
}

/// One record for another system.
public func readData(
  _ kind: DataKind, _ name: RecordName, by principal: DataPrincipal, in world: World
) async throws(Refusal) -> DataRecord {
  try await world.read { (transaction: any AccountRecords & DataRecord.Records) throws in
    let found = try transaction.records(kind, name, of: principal, orShared: true)
    if found.count > 1 { throw Refusal.severalRecords }
    guard let record = found.first else { throw kind.notFound }
    return record
  }
}

/// The action for one draft.
enum WriteAction {
  case refuse(Refusal)
  case leaveUnchanged(DataRecord)
  case put(DataRecord, replacing: DataRecord?)
  case remove(DataRecord)

  /// The result of the action.
  ///
  /// A record that is not written yet has its old version here.
  fileprivate var outcome: DataOutcome {
    switch self {
    case .refuse(let refusal): .refused(refusal)
    case .leaveUnchanged(let record): .written(record, .unchanged)
    case .put(let record, let old): .written(record, old == nil ? .created : .changed)
    case .remove: .removed
    }
  }
}

extension AccountRecords where Self: DataRecord.Records {
  fileprivate func plan(
    _ draft: DataDraft, by principal: DataPrincipal, at now: Instant
  ) throws(StoreFault) -> WriteAction {
    guard let reference = draft.account else { return try planRemoval(draft, by: principal) }
    guard let account = try account(reference, role: draft.kind.role),
      principal.mayWrite(for: account)
    else {
      return .refuse(.noSuchAccount.naming([.unknownAccount]))
    }
    if let recipient = reference.recipient, account.proof(of: recipient) == nil {
      return .refuse(.mistaken([.contactNotProved]))
    }
    let organization = draft.organization(of: account, by: principal)
    if let organization {
      guard account.organizations.contains(organization), principal.mayWrite(in: organization)
      else { return .refuse(.mistaken([.otherOrganization])) }
    } else if !principal.mayWriteForAllOrganizations(of: account) {
      return .refuse(.mistaken([.noOrganization]))
    }
    let old = try record(draft.kind, RecordKey(organization, draft.id))
    if let old {
      let mayWrite = try mayWrite(old, by: principal)
      if !mayWrite { return .refuse(draft.kind.notFound) }
      let mayChange = try mayChange(old, by: principal)
      guard mayChange else { return .refuse(.allOrganizationsNeeded) }
    }
    let new = draft.record(of: account.id, in: organization, replacing: old, at: now)
    // A record that already has the requested content needs no condition (RFC 9110, section
    // 13.1.1). So a request that is repeated after a lost answer gets the same answer.
    if let old, draft.condition != .absent, new.with(version: old.version) == old {
      return .leaveUnchanged(old)
    }
    guard draft.condition.holds(for: old) else { return .refuse(.otherVersion(old)) }
    return .put(new, replacing: old)
  }

  private func planRemoval(
    _ draft: DataDraft, by principal: DataPrincipal
  ) throws(StoreFault) -> WriteAction {
    let name = RecordName(draft)
    let found = try records(draft.kind, name, of: principal, orShared: false)
    if found.count > 1 { return .refuse(.severalRecords) }
    guard let old = found.first else { return .refuse(draft.kind.notFound) }
    let mayChange = try mayChange(old, by: principal)
    guard mayChange else { return .refuse(.allOrganizationsNeeded) }
    return draft.condition.holds(for: old) ? .remove(old) : .refuse(.otherVersion(old))
  }

  private func account(
    _ reference: AccountReference, role: AccountRole
  ) throws(StoreFault) -> Account? {
    switch reference {
    case .id(let id): try account(id)
    case .email(let address): try account(email: address)
    case .phone(let number): try account(phone: number, role: role)
    }
  }
}

extension AccountRecords where Self: DataRecord.Records {
  /// The records that the name can mean for this principal, which may read each of them.
  ///
  /// A principal of organizations that names none means a record of them. With `orShared`, it also
  /// means the one without an organization if they have none. A principal of everything that names
  /// none means the one without an organization, or else those of all organizations.
  func records(
    _ kind: DataKind, _ name: RecordName, of principal: DataPrincipal, orShared: Bool
  ) throws(StoreFault) -> [DataRecord] {
    var found: [DataRecord] = []
    for organization in principal.spaces(of: name) {
      found += try record(kind, RecordKey(organization, name.id)).map { [$0] } ?? []
    }
    if found.isEmpty, name.space == .unnamed {
      if principal.isEverywhere {
        found = try records(kind, named: name.id)
      } else if orShared {
        found += try record(kind, RecordKey(nil, name.id)).map { [$0] } ?? []
      }
    }
    var allowed: [DataRecord] = []
    for record in found where try mayWrite(record, by: principal) { allowed.append(record) }
    return allowed
  }
}

extension RecordName {
  init(_ draft: DataDraft) {
    (space, id, text) = (draft.space, draft.id, draft.name)
  }
}

extension AccountRecords {
  func mayWrite(
    _ record: DataRecord, by principal: DataPrincipal
  ) throws(StoreFault) -> Bool {
    guard !principal.isEverywhere else { return true }
    if let organization = record.organization, !principal.mayWrite(in: organization) {
      return false
    }
    guard let id = record.account, let account = try account(id) else { return false }
    return principal.mayWrite(for: account)
  }
}

extension AccountRecords {
  /// Whether the principal may change or remove a record that it may read.
  func mayChange(
    _ record: DataRecord, by principal: DataPrincipal
  ) throws(StoreFault) -> Bool {
    guard record.organization == nil, let id = record.account, let account = try account(id) else {
      return true
    }
    return principal.mayWriteForAllOrganizations(of: account)
  }
}

extension DataDraft {
  /// The organization that the draft names, or else the only one in which the principal may write
  /// for the account.
  fileprivate func organization(
    of account: Account, by principal: DataPrincipal
  ) -> OrganizationID? {
    switch space {
    case .organization(let organization): organization
    case .shared: nil
    case .unnamed: principal.organization(ofWorkFor: account)
    }
  }
}

// MARK: - Records of every kind

extension DataRecord {
  typealias Records = ActivityRecords & DeliveryRecords & JobRecords & ProductRecords
  typealias WritingRecords = DataRecord.Records & ProductFeedRecords & VersionRecords
}

extension ProductRecords where Self: DataRecord.Records {
  func record(_ kind: DataKind, _ key: RecordKey) throws(StoreFault) -> DataRecord? {
    switch kind {
    case .jobs: try job(key).map { .job($0) }
    case .deliveries: try delivery(key).map { .delivery($0) }
    case .activities: try activity(key).map { .activity($0) }
    case .products: try product(ProductID(key.text)).map { .product($0) }
    }
  }

  /// Two of the records of organizations with this id, if there are so many.
  fileprivate func records(_ kind: DataKind, named id: String) throws(StoreFault) -> [DataRecord] {
    switch kind {
    case .jobs: try jobs(named: id, limit: 2).map { .job($0) }
    case .deliveries: try deliveries(named: id, limit: 2).map { .delivery($0) }
    case .activities: try activities(named: id, limit: 2).map { .activity($0) }
    case .products: try products(named: id, limit: 2).map { .product($0) }
    }
  }
}

extension ProductRecords where Self: DataRecord.WritingRecords {
  fileprivate func perform(
    _ plan: WriteAction, at now: Instant
  ) throws(StoreFault) -> DataOutcome {
    switch plan {
    case .refuse, .leaveUnchanged: break
    case .remove(let record): try remove(record, at: now)
    case .put(let record, let old):
      let versioned = record.with(version: try nextVersion(in: record.organization))
      try put(versioned, replacing: old, at: now)
      return .written(versioned, old == nil ? .created : .changed)
    }
    return plan.outcome
  }

  private func put(
    _ record: DataRecord, replacing old: DataRecord?, at now: Instant
  ) throws(StoreFault) {
    switch record {
    case .job(let job): try save(job)
    case .delivery(let delivery): try save(delivery)
    case .activity(let activity): try save(activity)
    case .product(let product):
      if case .product(let before)? = old, before.owner != product.owner {
        try leave(before, at: now)
      }
      try put(product)
    }
  }

  private func remove(_ record: DataRecord, at now: Instant) throws(StoreFault) {
    switch record {
    case .job(let job): try removeJob(job.key)
    case .delivery(let delivery): try removeDelivery(delivery.key)
    case .activity(let activity): try removeActivity(activity.key)
    case .product(let product):
      try leave(product, at: now)
      try removeProduct(product.id)
    }
  }
}

extension DataCondition {
  /// Whether the current state of the record meets the condition.
  func holds(for record: DataRecord?) -> Bool {
    switch self {
    case .none: true
    case .absent: record == nil
    case .present: record != nil
    case .versions(let versions): versions.contains(record?.version ?? 0)
    }
  }
}

extension AccountReference {
  /// The address or the number that names the account; nil for its identifier.
  fileprivate var recipient: Recipient? {
    switch self {
    case .id: nil
    case .email(let address): .email(address)
    case .phone(let number): .phone(number)
    }
  }
}

extension MemberMistake {
  /// The record of this item is also that of an earlier one, whose index is `item`.
  public static func repeated(item: Int) -> MemberMistake {
    MemberMistake(
      member: WireField.id.rawValue, problem: "repeats the id of items[\(item)]",
      remedy: "write each record once in a batch")
  }

  fileprivate static let unknownAccount = MemberMistake(
    member: WireField.account.rawValue, problem: "names an unknown account",
    remedy: "create the account first")
  fileprivate static let contactNotProved = MemberMistake(
    member: WireField.account.rawValue,
    problem: "names an address or a number that the account has not proved",
    remedy: "write the id of the account")
  fileprivate static let otherOrganization = MemberMistake(
    member: WireField.organization.rawValue, problem: "is not an organization of the account",
    remedy: "write one of the account's organizations")
  fileprivate static let noOrganization = MemberMistake(
    member: WireField.organization.rawValue, problem: "is missing",
    remedy: "write one of the account's organizations")
}

extension Refusal {
  static let severalRecords = Refusal.invalidRequest(
    "several organizations have a record with this id: name one with `organization`")

  static let allOrganizationsNeeded = Refusal.permissionDenied(
    "this needs every organization of the record's account")

  fileprivate static func otherVersion(_ record: DataRecord?) -> Refusal {
    .preconditionFailed(
      record == nil ? "there is no such record" : "the record has another version",
      currentVersion: record?.version)
  }
}

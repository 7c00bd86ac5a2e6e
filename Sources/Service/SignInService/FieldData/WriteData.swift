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
  _ kind: DataKind, _ id: String, by principal: DataPrincipal, in world: World
) async throws(Refusal) -> DataRecord {
  try await world.read { (transaction: any AccountRecords & DataRecord.Records) throws in
    guard let record = try transaction.record(kind, id),
      try transaction.mayWrite(record, by: principal)
    else { throw kind.notFound }
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
    let old = try record(draft.kind, draft.id)
    if let old {
      let mayWrite = try mayWrite(old, by: principal)
      if !mayWrite { return .refuse(draft.kind.notFound) }
    }
    if let old {
      let mayChange = try mayChange(old, by: principal)
      guard mayChange else { return .refuse(.allOrganizationsNeeded) }
    }
    guard let reference = draft.account else {
      guard let old else { return .refuse(draft.kind.notFound) }
      return draft.condition.holds(for: old) ? .remove(old) : .refuse(.otherVersion(old))
    }
    guard let account = try account(reference, role: draft.kind.role),
      principal.mayWrite(for: account)
    else {
      return .refuse(.noSuchAccount.naming([.unknownAccount]))
    }
    if let recipient = reference.recipient, account.proof(of: recipient) == nil {
      return .refuse(.mistaken([.contactNotProved]))
    }
    let organization = draft.organization(of: account, replacing: old, by: principal)
    let new = draft.record(of: account.id, in: organization, replacing: old, at: now)
    if let organization = new.organization {
      guard account.organizations.contains(organization), principal.mayWrite(in: organization)
      else { return .refuse(.mistaken([.otherOrganization])) }
    } else if draft.kind.hasOrganization, !principal.mayWriteForAllOrganizations(of: account) {
      return .refuse(.mistaken([.noOrganization]))
    }
    // A record that already has the requested content needs no condition (RFC 9110, section
    // 13.1.1). So a request that is repeated after a lost answer gets the same answer.
    if let old, draft.condition != .absent, new.with(version: old.version) == old {
      return .leaveUnchanged(old)
    }
    guard draft.condition.holds(for: old) else { return .refuse(.otherVersion(old)) }
    return .put(new, replacing: old)
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

extension DataKind {
  /// Whether a record can be of one organization.
  fileprivate var hasOrganization: Bool { self != .products }
}

extension DataDraft {
  /// The organization that the draft names, or else that of the old record if the account is still
  /// in it, or else the only one in which the principal may write for the account.
  fileprivate func organization(
    of account: Account, replacing old: DataRecord?, by principal: DataPrincipal
  ) -> OrganizationID? {
    if let named = text(.organization) { return OrganizationID(named) }
    if let known = old?.organization, account.organizations.contains(known) { return known }
    return principal.organization(ofWorkFor: account)
  }
}

// MARK: - Records of every kind

extension DataRecord {
  typealias Records = ActivityRecords & DeliveryRecords & JobRecords & ProductRecords
  typealias WritingRecords = DataRecord.Records & ProductFeedRecords & VersionRecords
}

extension ProductRecords where Self: DataRecord.Records {
  func record(_ kind: DataKind, _ id: String) throws(StoreFault) -> DataRecord? {
    switch kind {
    case .jobs: try job(id).map { .job($0) }
    case .deliveries: try delivery(id).map { .delivery($0) }
    case .activities: try activity(id).map { .activity($0) }
    case .products: try product(ProductID(id)).map { .product($0) }
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
      let versioned = record.with(version: try nextVersion())
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
    case .job(let job): try removeJob(job.id)
    case .delivery(let delivery): try removeDelivery(delivery.id)
    case .activity(let activity): try removeActivity(activity.id)
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
  static let allOrganizationsNeeded = Refusal.permissionDenied(
    "this needs every organization of the record's account")

  fileprivate static func otherVersion(_ record: DataRecord?) -> Refusal {
    .preconditionFailed(
      record == nil ? "there is no such record" : "the record has another version",
      currentVersion: record?.version)
  }
}

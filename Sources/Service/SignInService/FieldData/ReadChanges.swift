public import JSONText
import SignInModel
public import SignInWire

/// A change that a person made, and the current record.
public struct ChangeEntry: Sendable {
  typealias Records = AccountRecords & DataRecord.Records & ServiceRequestRecords

  public let change: DataChange
  /// The number of the change; `nil` for a reader of organizations.
  ///
  /// It is counted over all organizations, so it says how much others write.
  let sequence: Int64?
  /// `nil` if the record was removed, or if the reader must not read it now.
  let record: JSON?

  /// Creates the entry for the reader `principal`; `nil` is a reader of everything.
  init(
    _ change: DataChange, for principal: DataPrincipal?, _ transaction: any Records
  ) throws(StoreFault) {
    self.change = change
    sequence = principal?.organizations == nil ? change.sequence : nil
    record = try transaction.record(of: change, for: principal)
  }

  public var json: JSON {
    .members([
      JSONMember(.sequence, ifPresent: sequence), JSONMember(.at, change.at.seconds),
      JSONMember(.kind, change.kind.rawValue), JSONMember(.id, change.id),
      JSONMember(.organization, ifPresent: change.organization?.text),
      JSONMember(.change, change.act.rawValue), JSONMember(.account, change.account.text),
      JSONMember(.status, ifPresent: change.status),
      JSONMember(.version, ifPresent: change.version),
      JSONMember(.record, record ?? .null),
    ])
  }
}

/// A page of changes.
public struct ChangePage: Sendable {
  public let entries: [ChangeEntry]
  /// The cursor for the next request.
  public let cursor: NumberedCursor
  /// Whether there are no more changes.
  public let isComplete: Bool
}

/// The limits for reading changes.
public enum ChangeLimits {
  public static let page = 200
}

/// The changes by people after a cursor, the oldest first, at most `ChangeLimits.page` of them.
///
/// Without a cursor it begins with the oldest stored change. A cursor that this server did not
/// give, or that is older than the oldest stored change, is refused with `unknown_cursor`, because
/// the reader has missed changes.
///
/// A principal of organizations gets the changes of their records only, without their numbers. Its
/// cursors are sealed and move with those changes only. So it learns nothing about the work of a
/// shared person elsewhere, and not how much others write. If the record is now of a person
/// outside, the principal gets null in place of it.
public func readChanges(
  after cursor: NumberedCursor?, by principal: DataPrincipal, in world: World
) async throws(Refusal) -> ChangePage {
  let keyring = world.keyring
  return try await world.read { (transaction: any ChangeEntry.Records & ChangeRecords) throws in
    var bounds = try transaction.changeBounds()
    let organizations = principal.organizations
    if let organizations { bounds.removed = try transaction.removedChange(of: organizations) }
    var after = bounds.removed
    if let cursor {
      guard let number = cursor.number(in: .changes, for: organizations, keyring) else {
        throw Refusal.unknownCursor
      }
      after = number
    }
    guard (bounds.removed...max(bounds.removed, bounds.last)).contains(after) else {
      throw Refusal.unknownCursor
    }
    let changes = try transaction.changes(
      after: after, of: organizations, limit: ChangeLimits.page)
    let entries = try changes.map { change in
      try ChangeEntry(change, for: principal, transaction)
    }
    let isComplete = changes.count < ChangeLimits.page
    let newest = isComplete && organizations == nil ? bounds.last : changes.last?.sequence
    let last = max(newest ?? after, after)
    return ChangePage(
      entries: entries,
      cursor: NumberedCursor(last, in: .changes, for: organizations, keyring),
      isComplete: isComplete)
  }
}

extension AccountRecords where Self: ChangeEntry.Records {
  fileprivate func record(
    of change: DataChange, for principal: DataPrincipal?
  ) throws(StoreFault) -> JSON? {
    let kind: DataKind
    switch change.kind {
    case .job: kind = .jobs
    case .delivery: kind = .deliveries
    case .activity: kind = .activities
    case .product: kind = .products
    // It belongs to the organization of the change, which the principal may read.
    case .serviceRequest: return try serviceRequest(change.id)?.json
    }
    guard let record = try record(kind, change.key) else { return nil }
    guard let principal else { return record.json }
    return try mayWrite(record, by: principal) ? record.json : nil
  }
}

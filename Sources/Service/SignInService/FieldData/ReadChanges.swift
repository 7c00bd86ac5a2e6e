public import JSONText
import SignInModel
public import SignInWire

/// A change that a person made, and the current record.
public struct ChangeEntry: Sendable {
  typealias Records = AccountRecords & DataRecord.Records & ServiceRequestRecords

  public let change: DataChange
  /// `nil` if the record was removed, or if the reader must not read it now.
  let record: JSON?

  /// Creates the entry for the reader `principal`; `nil` is a reader of everything.
  init(
    _ change: DataChange, for principal: DataPrincipal?, _ transaction: any Records
  ) throws(StoreFault) {
    self.change = change
    record = try transaction.record(of: change, for: principal)
  }

  public var json: JSON {
    .members([
      JSONMember(.sequence, change.sequence), JSONMember(.at, change.at.seconds),
      JSONMember(.kind, change.kind.rawValue), JSONMember(.id, change.id),
      JSONMember(.change, change.act.rawValue), JSONMember(.account, change.account.text),
      JSONMember(.status, ifPresent: change.status),
      JSONMember(.version, ifPresent: change.version),
      JSONMember(.record, record ?? .null),
    ])
  }
}

/// A position in the changes by people, by their sequence number.
public struct ChangeCursor: PageCursor {
  let sequence: Int64

  init(sequence: Int64) { self.sequence = sequence }

  public init?(parsing text: String) {
    guard let sequence = WholeNumber.read(text, in: 0...Int64.max) else { return nil }
    self.sequence = sequence
  }

  public var text: String { String(sequence) }
}

/// A page of changes.
public struct ChangePage: Sendable {
  public let entries: [ChangeEntry]
  /// The cursor for the next request.
  public let cursor: ChangeCursor
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
/// the reader has missed changes. A principal of one organization gets the changes of its people
/// only, and the cursor moves past the others. If a record has moved to another organization, the
/// principal gets null in place of the record.
public func readChanges(
  after cursor: ChangeCursor?, by principal: DataPrincipal, in world: World
) async throws(Refusal) -> ChangePage {
  try await world.read { (transaction: any ChangeEntry.Records & ChangeRecords) throws in
    let bounds = try transaction.changeBounds()
    let after = cursor?.sequence ?? bounds.removed
    guard (bounds.removed...max(bounds.removed, bounds.last)).contains(after) else {
      throw Refusal.unknownCursor
    }
    let changes = try transaction.changes(after: after, limit: ChangeLimits.page)
    var entries: [ChangeEntry] = []
    for change in changes where try transaction.mayRead(change, by: principal) {
      entries.append(try ChangeEntry(change, for: principal, transaction))
    }
    let isComplete = changes.count < ChangeLimits.page
    let last = isComplete ? max(bounds.last, after) : changes.last?.sequence ?? after
    return ChangePage(
      entries: entries, cursor: ChangeCursor(sequence: last), isComplete: isComplete)
  }
}

extension AccountRecords where Self: ChangeEntry.Records {
  fileprivate func mayRead(
    _ change: DataChange, by principal: DataPrincipal
  ) throws(StoreFault) -> Bool {
    guard !principal.isEverywhere else { return true }
    guard let account = try account(change.account), principal.mayWrite(for: account) else {
      return false
    }
    guard change.kind == .activity, let activity = try activity(change.id) else { return true }
    return principal.mayWrite(in: activity.organization)
  }

  fileprivate func record(
    of change: DataChange, for principal: DataPrincipal?
  ) throws(StoreFault) -> JSON? {
    let kind: DataKind
    switch change.kind {
    case .job: kind = .jobs
    case .delivery: kind = .deliveries
    case .activity: kind = .activities
    case .product: kind = .products
    // It belongs to the account of the change, which the principal may read.
    case .serviceRequest: return try serviceRequest(change.id)?.json
    }
    guard let record = try record(kind, change.id) else { return nil }
    guard let principal else { return record.json }
    return try mayWrite(record, by: principal) ? record.json : nil
  }
}

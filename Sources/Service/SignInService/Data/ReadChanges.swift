public import JSONText
import SignInModel
public import SignInWire

/// What people changed, and the record as it is now.
public struct ChangeEntry: Sendable {
  public let change: DataChange
  /// Nil when the record was removed since, and where the reader may not read it now.
  let record: JSON?

  /// `principal` is the reader; nil for one that may read everything.
  init(
    _ change: DataChange, for principal: DataPrincipal?, _ transaction: any Transaction
  ) throws(StoreFault) {
    self.change = change
    record = try transaction.record(of: change, for: principal)
  }

  public var json: JSON {
    .members([
      JSONMember("sequence", change.sequence), JSONMember("at", change.at.seconds),
      JSONMember("kind", change.kind.rawValue), JSONMember("id", change.id),
      JSONMember("change", change.act.rawValue), JSONMember("account", change.account.text),
      JSONMember("status", ifPresent: change.status),
      JSONMember("version", ifPresent: change.version),
      JSONMember("record", record ?? .null),
    ])
  }
}

/// A page of changes.
public struct ChangePage: Sendable {
  public let entries: [ChangeEntry]
  /// To ask with next.
  public let cursor: String
  /// Whether there was nothing more.
  public let isComplete: Bool
}

/// Changes on one page.
public enum ChangeLimits {
  public static let page = 200
}

/// What people changed after a cursor, oldest first, at most `ChangeLimits.page` of it.
///
/// Without a cursor it begins with the oldest that is kept. A cursor that is not ours, or from
/// before the oldest that is kept, is refused with `unknown_cursor`: the reader missed something.
/// A principal of one organization is told of its people only, and the cursor passes the others. A
/// record that has moved to another organization since is null for it.
public func readChanges(
  after cursor: String?, by principal: DataPrincipal, in world: World
) async -> Outcome<ChangePage> {
  await world.look { (transaction) throws(StoreFault) in
    let bounds = try transaction.changeBounds()
    var after = bounds.removed
    if let cursor {
      guard
        let read = WholeNumber.read(cursor, in: bounds.removed...max(bounds.removed, bounds.last))
      else { return .refusal(.unknownCursor) }
      after = read
    }
    let changes = try transaction.changes(after: after, limit: ChangeLimits.page)
    var entries: [ChangeEntry] = []
    for change in changes where try transaction.mayRead(change, by: principal) {
      entries.append(try ChangeEntry(change, for: principal, transaction))
    }
    let isComplete = changes.count < ChangeLimits.page
    let last = isComplete ? max(bounds.last, after) : changes.last?.sequence ?? after
    return .success(
      ChangePage(entries: entries, cursor: String(last), isComplete: isComplete))
  }
}

extension Transaction {
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
    // It belongs to the account that asked, for which the change itself was allowed.
    case .serviceRequest: return try serviceRequest(change.id)?.json
    }
    guard let record = try record(kind, change.id) else { return nil }
    guard let principal else { return record.json }
    return try mayWrite(record, by: principal) ? record.json : nil
  }
}

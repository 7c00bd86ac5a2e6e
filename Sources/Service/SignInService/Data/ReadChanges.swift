public import JSONText
import SignInModel
public import SignInWire

/// What people changed, and the record as it is now.
public struct ChangeEntry: Sendable {
  public let change: DataChange
  /// Nil when the record was removed since.
  let record: JSON?

  init(_ change: DataChange, _ transaction: any Transaction) throws(StoreFault) {
    self.change = change
    record = try transaction.record(of: change)
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
/// A principal of one organization is told of its people only, and the cursor passes the others.
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
      entries.append(try ChangeEntry(change, transaction))
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

  fileprivate func record(of change: DataChange) throws(StoreFault) -> JSON? {
    switch change.kind {
    case .job: try record(.jobs, change.id)?.json
    case .delivery: try record(.deliveries, change.id)?.json
    case .activity: try record(.activities, change.id)?.json
    case .product: try record(.products, change.id)?.json
    case .serviceRequest: try serviceRequest(change.id)?.json
    }
  }
}

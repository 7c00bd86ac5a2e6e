import SignInModel
import SignInWire

// Only this file decides which administrator may do what. A route names the permission that it
// requires. A use case gets the record through one of these functions, in the transaction that
// decides.

extension AccountEditingRules {
  /// The current permission of the administrator.
  ///
  /// A shell on the server may do everything.
  ///
  /// It is read in the transaction that decides, so that a permission that was removed no longer
  /// applies to the next decision.
  func permission(_ transaction: any AccountRecords) throws(StoreFault) -> Permission {
    guard let administrator else { return .everything }
    guard let account = try transaction.account(administrator), account.status == .active,
      account.role == .administrator
    else { return .none }
    return account.permission
  }
}

extension AccountRecords {
  /// The account, if this administrator may see it.
  ///
  /// An account outside the administrator's permission is answered like one that does not exist.
  func account(
    _ id: AccountID, readBy rules: AccountEditingRules
  ) throws -> Account {
    guard let account = try account(id), try rules.permission(self).sees(account) else {
      throw Refusal.noSuchAccount
    }
    return account
  }

  /// The account, if this administrator may change it.
  ///
  /// The administrator needs `level` in every organization of the account, and every permission
  /// that the account has.
  func account(
    _ id: AccountID, changedBy rules: AccountEditingRules, needing level: Permission.Level
  ) throws -> Account {
    let permission = try rules.permission(self)
    guard let account = try account(id), permission.sees(account) else {
      throw Refusal.noSuchAccount
    }
    try permission.check(changing: account, needing: level)
    return account
  }
}

extension Permission {
  /// Refuses the change of a visible account that this permission does not allow.
  ///
  /// An account with a higher permission cannot be changed, because setting its password or phone
  /// number gives access to its permission.
  func check(changing account: Account, needing level: Level) throws(Refusal) {
    guard has(level, over: account) else {
      throw .permissionDenied("this needs \(level.rawValue) in every organization of the account")
    }
    guard covers(account.permission) else { throw .targetHasMorePermission }
  }
}

// MARK: - Lists

/// The limits for reading a list that is restricted to organizations.
enum NarrowedPage {
  /// The records that are read for one page.
  ///
  /// At this limit a page ends with a cursor, even if it has fewer entries or none. If there are
  /// none, the remaining records of the same time are read, too.
  static let scanLimit = 5_000
  static let batch = 250
}

/// A cursor of a list that is restricted to organizations.
protocol NarrowedCursor: Sendable {
  /// The cursor between a record and the next one, without an identifier of either.
  ///
  /// It is nil if every cursor between them would contain one.
  static func between(_ record: Self, _ next: Self) -> Self?
}

extension ListCursor: NarrowedCursor {
  /// It contains only the time of `record`, so all records of that time must come before it.
  static func between(_ record: ListCursor, _ next: ListCursor) -> ListCursor? {
    record.createdAt == next.createdAt ? nil : ListCursor(createdAt: record.createdAt, id: "")
  }
}

extension ListPage where Cursor: NarrowedCursor {
  /// A page of the records that `isSeen` accepts, read in batches.
  ///
  /// `read` returns the records after a cursor. `cursor` returns the cursor of a record.
  ///
  /// The cursor never contains the identifier of a record that is not shown. It refers to the last
  /// entry of the page. A page without entries ends between two records of different times.
  static func narrowed(
    _ page: PageRequest<Cursor>, for permission: Permission,
    read: (Cursor?, Int) throws(StoreFault) -> [Entry],
    cursor: (Entry) -> Cursor,
    isSeen: (Entry) throws(StoreFault) -> Bool
  ) throws(StoreFault) -> ListPage {
    var entries: [Entry] = []
    var last = page.cursor
    var shown: Cursor?
    var scanned = 0
    // An unrestricted list reads the page only, and one more record to find out whether there is a
    // next page.
    let size = permission.hasEverywhere(.viewer) ? page.limit + 1 : NarrowedPage.batch
    while true {
      let batch = try read(last, size)
      for record in batch {
        let next = cursor(record)
        if scanned >= NarrowedPage.scanLimit, let last {
          let end = shown ?? Cursor.between(last, next)
          if let end { return ListPage(entries: entries, cursor: end) }
        }
        if try isSeen(record) {
          if entries.count == page.limit { return ListPage(entries: entries, cursor: shown) }
          entries.append(record)
          shown = next
        }
        last = next
        scanned += 1
      }
      if batch.count < size { return ListPage(entries: entries, cursor: nil) }
    }
  }
}

extension Permission {
  /// Whether records of this organization, of accounts that this permission sees, are visible.
  ///
  /// Records without an organization are.
  func seesRecords(of organization: OrganizationID?) -> Bool {
    organization.map { has(.viewer, in: $0) } ?? true
  }

  /// A message without an organization is visible to global permissions only.
  func sees(_ message: OutboxMessage) -> Bool {
    if hasEverywhere(.viewer) { return true }
    return message.organization.map { has(.viewer, in: $0) } ?? false
  }
}

/// The accounts that a permission may see.
///
/// Each account is read once.
struct VisibleAccounts {
  let permission: Permission
  private var known: [AccountID: Bool] = [:]

  init(_ permission: Permission) { self.permission = permission }

  mutating func contains(
    _ id: AccountID?, _ transaction: any AccountRecords
  ) throws(StoreFault) -> Bool {
    if permission.hasEverywhere(.viewer) { return true }
    guard let id else { return false }
    if let answer = known[id] { return answer }
    let answer = try transaction.account(id).map { permission.sees($0) } ?? false
    known[id] = answer
    return answer
  }

  /// Whether a list of the records of `account`, or of all accounts without one, can have entries.
  mutating func mayContainRecords(
    of account: AccountID?, _ transaction: any AccountRecords
  ) throws(StoreFault) -> Bool {
    guard let account else { return true }
    return try contains(account, transaction)
  }
}

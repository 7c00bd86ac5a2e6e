import SignInModel
import SignInWire

// Who may do what in administration is decided here alone. A route names the permission that it
// needs in its row; a use case asks for the record through one of these functions, in the
// transaction that decides.

extension AccountKeeper {
  /// What the administrator may do now; a shell on the server may do everything.
  ///
  /// It is read in the transaction that decides, so that a permission that was taken away counts
  /// from the next decision on.
  func permission(_ transaction: any Transaction) throws(StoreFault) -> Permission {
    guard let administrator else { return .everything }
    guard let account = try transaction.account(administrator), account.status == .active,
      account.role == .administrator
    else { return .none }
    return account.permission
  }
}

extension Transaction {
  /// The account, where this administrator may see it; one outside their permission is answered
  /// like one that does not exist.
  func account(
    _ id: AccountID, readBy keeper: AccountKeeper
  ) throws(StoreFault) -> Outcome<Account> {
    guard let account = try account(id), try keeper.permission(self).sees(account) else {
      return .refusal(.noSuchAccount)
    }
    return .success(account)
  }

  /// The account, where this administrator may change it: with `level` in every organization of the
  /// account, and unless the account has a permission that they do not have.
  func account(
    _ id: AccountID, changedBy keeper: AccountKeeper, needing level: Permission.Level
  ) throws(StoreFault) -> Outcome<Account> {
    let permission = try keeper.permission(self)
    guard let account = try account(id), permission.sees(account) else {
      return .refusal(.noSuchAccount)
    }
    if let refusal = permission.refusal(toChange: account, needing: level) {
      return .refusal(refusal)
    }
    return .success(account)
  }
}

extension Permission {
  /// Why an account that is seen may not be changed, or nil when it may.
  ///
  /// An account with a higher permission is not changed at all: to set its password or its phone
  /// number is to have its permission.
  func refusal(toChange account: Account, needing level: Level) -> ErrorAnswer? {
    guard has(level, over: account) else {
      return ErrorAnswer(
        .permissionDenied,
        "this needs \(level.rawValue) in every organization of the account")
    }
    guard covers(account.permission) else {
      return ErrorAnswer(.permissionDenied, "the account has a permission that you do not have")
    }
    return nil
  }
}

// MARK: - Lists

/// The numbers of reading a list that is narrowed to organizations.
enum NarrowedPage {
  /// Records that are looked at for one page; a page may end there with fewer entries, or none, and
  /// a cursor.
  static let scanLimit = 5_000
  static let batch = 250
}

extension ListPage {
  /// A page of the records that `isSeen`, read in batches of what `read` answers.
  ///
  /// `position` is where the next batch, or the next page, goes on after a record.
  static func narrowed<Record, Position>(
    limit: Int, from start: Position?, for permission: Permission,
    read: (Position?, Int) throws(StoreFault) -> [Record],
    position: (Record) -> Position, cursor: (Position) -> String,
    isSeen: (Record) throws(StoreFault) -> Bool,
    entry: (Record) throws(StoreFault) -> Entry
  ) throws(StoreFault) -> ListPage<Entry> {
    var entries: [Entry] = []
    var last = start
    var scanned = 0
    // A list that is not narrowed needs the page alone, and one record more to know of a next one.
    let size = permission.hasEverywhere(.viewer) ? limit + 1 : NarrowedPage.batch
    while scanned < NarrowedPage.scanLimit {
      let batch = try read(last, size)
      for record in batch {
        if try isSeen(record) {
          if entries.count == limit { return ListPage(entries: entries, cursor: last.map(cursor)) }
          entries.append(try entry(record))
        }
        last = position(record)
      }
      scanned += batch.count
      if batch.count < size { return ListPage(entries: entries, cursor: nil) }
    }
    return ListPage(entries: entries, cursor: last.map(cursor))
  }
}

extension Permission {
  /// A message without an organization is seen by global permissions alone.
  func sees(_ message: OutboxMessage) -> Bool {
    if hasEverywhere(.viewer) { return true }
    return message.organization.map { has(.viewer, in: $0) } ?? false
  }
}

/// Which accounts a permission sees, each looked up once.
struct SeenAccounts {
  let permission: Permission
  private var known: [AccountID: Bool] = [:]

  init(_ permission: Permission) { self.permission = permission }

  mutating func contains(
    _ id: AccountID?, _ transaction: any Transaction
  ) throws(StoreFault) -> Bool {
    if permission.hasEverywhere(.viewer) { return true }
    guard let id else { return false }
    if let answer = known[id] { return answer }
    let answer = try transaction.account(id).map { permission.sees($0) } ?? false
    known[id] = answer
    return answer
  }
}

extension ErrorAnswer {
  static var permissionDenied: ErrorAnswer {
    ErrorAnswer(.permissionDenied, "your permission does not allow this")
  }
}

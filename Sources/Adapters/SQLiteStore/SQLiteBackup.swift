internal import CSQLite
internal import Glibc
public import SignInService

/// A copy of a store's database, made while the store is in use, that is only read.
///
/// It holds no log of its own beside it: one file is the whole copy.
public final class SQLiteBackup: Store {
  /// The schema that this program writes.
  public static var newestSchema: Int64 { Schema.version }

  /// Where the header of a database file says how it is written, and what it says when the newest
  /// changes are in a second file (`fileformat2.html`, section 1.3).
  private static let modeOffset = 18
  private static let writeAheadMode: UInt8 = 2

  private let readers: ReaderPool
  private let damage = DamageLog()

  /// Copies the database of a data folder, as it is at one moment, into `file`, which must be empty
  /// or absent.
  ///
  /// A running server goes on recording decisions. Nothing of what was deleted is in the copy. The
  /// schema stays as it is.
  ///
  /// - Throws: `.unusable` when there is no database, `.unavailable` when it is busy for too long
  ///   or the disk is full.
  public static func make(of directory: String, at file: String) throws(StoreFault) {
    let connection = try Connection(
      path: directory + "/fieldpass.db", for: .reading, limits: SQLiteLimits(),
      damage: DamageLog()
    )
    let quoted = file.map { $0 == "'" ? "''" : String($0) }.joined()
    try connection.execute("VACUUM INTO '\(quoted)'")
  }

  /// More changes than are made between a backup and its restore.
  public static let skippedChanges: Int64 = 1_000_000

  /// Numbers the next changes of a copy that becomes a data folder from far
  /// above every number that was given since the copy was made.
  ///
  /// A receiver then sees that it missed some and compares all records. With the old numbers it
  /// would take another change for one that it has.
  public static func skipChanges(in file: String) throws(StoreFault) {
    let connection = try Connection(
      path: file, for: .writing, limits: SQLiteLimits(), damage: DamageLog())
    let tables = try connection.lines(
      "SELECT name FROM sqlite_schema WHERE name = 'data_change_bounds'")
    // An earlier version has no changes to number.
    guard !tables.isEmpty else { return }
    try connection.execute(
      """
      BEGIN IMMEDIATE;
      DELETE FROM data_changes;
      UPDATE data_change_bounds
        SET removed = last + \(skippedChanges), last = last + \(skippedChanges);
      COMMIT;
      """)
  }

  /// Opens a copy.
  ///
  /// - Throws: `.unusable` when the file is no database, or may be incomplete.
  public init(file: String, keys: StoreKeys? = nil) throws(StoreFault) {
    guard let mode = Self.mode(of: file) else {
      throw .unusable("\(file) is no database of Fieldpass")
    }
    guard mode != Self.writeAheadMode else {
      throw .unusable(
        "\(file) was copied from a data folder by hand, and what was written last is missing in it")
    }
    readers = try ReaderPool(
      path: file, count: 1, limits: SQLiteLimits(), damage: damage, keys: keys)
  }

  deinit { readers.close() }

  public func transact<Answer: Sendable>(
    _ decide: @escaping @Sendable (any Transaction) throws(StoreFault) -> Answer
  ) async throws(StoreFault) -> Answer {
    throw .unavailable("a backup is only read")
  }

  public func read<Answer: Sendable>(
    _ look: @escaping @Sendable (any Transaction) throws(StoreFault) -> Answer
  ) async throws(StoreFault) -> Answer {
    try readers.read(look)
  }

  /// What SQLite's own check of the whole file finds wrong with it: nothing, when it is sound.
  public func integrityProblems() throws(StoreFault) -> [String] {
    try readers.read { transaction throws(StoreFault) in
      try transaction.connection.all("PRAGMA integrity_check") { row in row.text() }
        .filter { $0 != "ok" }
    }
  }

  /// The schema of the copy; only a copy of `newestSchema` can be read as a store.
  public func schema() throws(StoreFault) -> Int64 {
    try readers.read { transaction throws(StoreFault) in
      try transaction.connection.first("PRAGMA user_version") { row in row.number() } ?? 0
    }
  }

  /// The byte of the header that tells how the file is written; nil for another kind of file.
  private static func mode(of path: String) -> UInt8? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { Glibc.close(file) }
    var head = [UInt8](repeating: 0, count: modeOffset + 1)
    let count = Glibc.read(file, &head, head.count)
    guard count == head.count, head.starts(with: Array("SQLite format 3\u{0}".utf8)) else {
      return nil
    }
    return head[modeOffset]
  }
}

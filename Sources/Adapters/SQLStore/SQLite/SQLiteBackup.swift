internal import CSQLite
internal import Glibc
public import SignInService

/// A read-only copy of a store's database.
///
/// It can be made while a server uses the store.
///
/// The copy is one file. It has no write-ahead log beside it.
public final class SQLiteBackup: Store {
  /// The schema version that this program writes.
  public static var newestSchema: Int64 { Schema.version }

  /// The offset of the write mode in the header of a database file, and the value that says that
  /// the newest changes are in a second file (SQLite, `fileformat2.html`, section 1.3).
  private static let modeOffset = 18
  private static let writeAheadMode: UInt8 = 2

  private let readers: ReaderPool
  private let damage = DamageLog()

  /// Copies the database of a data folder into `file`.
  ///
  /// The copy shows one moment. `file` must be empty or absent.
  ///
  /// A running server continues to record decisions. The copy contains no deleted data. The copy
  /// has the schema of the original.
  ///
  /// - Throws: `.unusable` if there is no database. `.unavailable` if it is busy for too long or
  ///   the disk is full.
  public static func make(of directory: String, at file: String) throws(StoreFault) {
    let connection = try SQLiteConnection(
      path: directory + "/fieldpass.db", for: .reading, limits: SQLiteLimits(),
      damage: DamageLog()
    )
    let quoted = file.map { $0 == "'" ? "''" : String($0) }.joined()
    try connection.execute("VACUUM INTO '\(quoted)'")
  }

  /// Larger than the number of changes between a backup and its restore.
  public static let skippedChanges: Int64 = 1_000_000

  /// Raises the change numbers of a copy that becomes a data folder, so that the next change gets a
  /// number far above all numbers given since the copy was made.
  ///
  /// A receiver then notices the gap and compares all records. With the old numbers, a receiver
  /// would mistake a new change for one that it already has.
  public static func skipChanges(in file: String) throws(StoreFault) {
    let connection = try SQLiteConnection(
      path: file, for: .writing, limits: SQLiteLimits(), damage: DamageLog())
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
  /// - Throws: `.unusable` if the file is not a database, or may be incomplete.
  public init(file: String, keys: StoreKeys? = nil) throws(StoreFault) {
    guard let mode = Self.mode(of: file) else {
      throw .unusable("\(file) is not a database of Fieldpass")
    }
    guard mode != Self.writeAheadMode else {
      throw .unusable(
        "\(file) is a manual copy of a data folder and may lack the last changes")
    }
    readers = try ReaderPool(
      path: file, count: 1, limits: SQLiteLimits(), damage: damage, keys: keys)
  }

  deinit { readers.close() }

  public func transact<Answer: Sendable>(
    about subjects: [Subject],
    _ decide: @escaping @Sendable (any Transaction) throws(StoreFault) -> Answer
  ) async throws(StoreFault) -> Answer {
    throw .unavailable("a backup is only read")
  }

  public func read<Answer: Sendable>(
    _ body: @escaping @Sendable (any Transaction) throws(StoreFault) -> Answer
  ) async throws(StoreFault) -> Answer {
    try readers.read(body)
  }

  /// The problems that SQLite's check of the whole file finds.
  ///
  /// Empty if there are none.
  public func integrityProblems() throws(StoreFault) -> [String] {
    try readers.read { transaction throws(StoreFault) in
      try transaction.connection.all("PRAGMA integrity_check") { row in row.text() }
        .filter { $0 != "ok" }
    }
  }

  /// The schema version of the copy.
  ///
  /// Only a copy with `newestSchema` can be read as a store.
  public func schema() throws(StoreFault) -> Int64 {
    try readers.read { transaction throws(StoreFault) in
      try transaction.connection.first("PRAGMA user_version") { row in row.number() } ?? 0
    }
  }

  /// The header byte with the write mode, or `nil` if the file is not an SQLite database.
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

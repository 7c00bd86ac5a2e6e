internal import Glibc
public import SignInModel
public import SignInService
internal import Synchronization

/// The store for a server on one machine: one SQLite file, `fieldpass.db`.
///
/// One writer runs the decisions and commits them in groups. Reads run at the same time on their
/// own connections, and long reads also on a thread of their own. A decision that `transact` has
/// confirmed survives the end of the process and a power cut.
public final class SQLiteStore: Store {
  /// How a configuration names this store.
  public static let kind = StoreKind("sqlite", .folder)

  let writer: Writer
  let readers: ReaderPool
  let longReads: LongReads
  let damage: DamageLog
  let check: DamageCheck
  private let isSmall: Bool
  private let path: String
  private let limits: SQLiteLimits
  /// Whether the write-ahead log may still contain removed records.
  private let isClearingPending = Mutex(false)

  /// Opens the database in `directory`, or creates both.
  ///
  /// Only the current user can read them.
  ///
  /// - Throws: `.unusable` if the file cannot be opened, or if a newer program wrote it; the text
  ///   says what to do. `.unavailable` if another process locks the file.
  ///
  /// Without `keys`, no event can be added to a security log that already has a key.
  public convenience init(
    directory: String, readers: Int = 2, keys: StoreKeys? = nil
  ) throws(StoreFault) {
    try self.init(
      directory: directory, readers: readers, limits: SQLiteLimits(), keys: keys
    )
  }

  init(
    directory: String, readers: Int, limits: SQLiteLimits, keys: StoreKeys? = nil
  ) throws(StoreFault) {
    let path = directory + "/fieldpass.db"
    try Self.makePrivate(directory: directory, file: path)
    let damage = DamageLog()
    self.damage = damage
    let connection = try SQLiteConnection(path: path, for: .writing, limits: limits, damage: damage)
    try Self.prepare(connection, path: path, limits: limits)
    writer = Writer(connection, limits: limits, keys: keys)
    self.readers = try ReaderPool(
      path: path, count: readers, limits: limits, damage: damage, keys: keys)
    longReads = try LongReads(path: path, limits: limits, damage: damage, keys: keys)
    check = try DamageCheck(path: path, limits: limits, damage: damage)
    self.path = path
    self.limits = limits
    isSmall = Self.size(of: path) <= limits.startCheckBytes
    writer.start()
    longReads.start()
  }

  deinit { close() }

  public func transact<Answer: Sendable>(
    about subjects: [Subject],
    _ decide: @escaping @Sendable (any Transaction) throws(StoreFault) -> Answer
  ) async throws(StoreFault) -> Answer {
    let outcome = await withUnsafeContinuation { continuation in
      if let fault = writer.enqueue(Decision(decide, continuation)) {
        continuation.resume(returning: .failure(fault))
      }
    }
    return try outcome.get()
  }

  public func read<Answer: Sendable>(
    _ body: @escaping @Sendable (any Transaction) throws(StoreFault) -> Answer
  ) async throws(StoreFault) -> Answer {
    try readers.read(body)
  }

  public func readLong<Answer: Sendable>(
    by reader: AccountID?,
    _ body: @escaping @Sendable (any Transaction) throws(StoreFault) -> Answer
  ) async throws(StoreFault) -> Answer {
    try await longReads.read(by: reader, body)
  }

  /// Looks for damaged pages now and while the store is open.
  ///
  /// Reports each problem once.
  ///
  /// A file that is too large to check as a whole at each start is only checked table by table.
  public func watchForDamage(_ report: @escaping @Sendable (String) -> Void) {
    damage.report(report)
    if isSmall { check.checkEverything() }
    check.start()
  }

  /// The number of different problems found in the pages of the file.
  public var damageCount: Int { damage.problemCount }

  /// The number of times a record could not be read, because its content is not what this program
  /// writes.
  public var unreadableRecords: Int64 { damage.unreadableCount }

  public var isDamaged: Bool { damageCount > 0 }

  /// Finishes the waiting decisions, then closes the file.
  ///
  /// Later calls throw `.unavailable`.
  public func close() {
    check.close()
    longReads.close()
    readers.close()
    writer.close()
  }

  /// Copies the write-ahead log into the database and empties the log.
  ///
  /// The old pages of the log contain removed records. In the database itself, SQLite overwrites
  /// removed records (`secure_delete`).
  ///
  /// It has its own connection, and waits for reads and decisions that are in progress.
  public func clearRemovedRecords() async -> Bool {
    isClearingPending.withLock { $0 = true }
    do throws(StoreFault) {
      let connection = try SQLiteConnection(
        path: path, for: .writing, limits: limits, damage: damage)
      let isBusy = try connection.first("PRAGMA wal_checkpoint(TRUNCATE)") { row in row.truth() }
      guard isBusy == false else { return false }
    } catch {
      return false
    }
    isClearingPending.withLock { $0 = false }
    return true
  }

  public func clearRemovedRecordsIfPending() async {
    if isClearingPending.withLock({ $0 }) { _ = await clearRemovedRecords() }
  }

  /// The problems that SQLite's check of the whole file finds.
  ///
  /// Empty if there are none.
  ///
  /// It reads the whole file.
  public func integrityProblems() throws(StoreFault) -> [String] {
    try readers.read { transaction throws(StoreFault) in
      try transaction.connection.all("PRAGMA integrity_check") { row in row.text() }
        .filter { $0 != "ok" }
    }
  }
}

extension SQLiteStore {
  private static func size(of path: String) -> Int64 {
    var status = stat()
    return stat(path, &status) == 0 ? Int64(status.st_size) : 0
  }

  private static func prepare(
    _ connection: SQLiteConnection, path: String, limits: SQLiteLimits
  ) throws(StoreFault) {
    let mode = try connection.first("PRAGMA journal_mode = WAL") { row in row.text() }
    guard mode == "wal" else {
      throw .unusable(
        "\(path) is on a file system on which SQLite cannot share memory: use a local disk")
    }
    // SQLite overwrites removed data, so that no bytes of erased people remain. FULL waits for the
    // disk at every commit, so that a confirmed change survives a power cut.
    try connection.execute(
      """
      PRAGMA secure_delete = ON;
      PRAGMA synchronous = FULL;
      PRAGMA wal_autocheckpoint = \(limits.checkpointPages);
      PRAGMA journal_size_limit = \(limits.logBytes);
      PRAGMA cache_size = -\(limits.cacheKibibytes);
      PRAGMA temp_store = MEMORY;
      PRAGMA trusted_schema = OFF;
      """)
    try SQLiteSchema.apply(to: connection, path: path)
  }

  /// Creates the file before SQLite does, because SQLite would create a file that others may read.
  ///
  /// SQLite gives its log the same access rights.
  private static func makePrivate(directory: String, file path: String) throws(StoreFault) {
    guard mkdir(directory, 0o700) == 0 || errno == EEXIST else { throw unusable(directory) }
    let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw unusable(path) }
    defer { Glibc.close(file) }
    guard fchmod(file, 0o600) == 0 else { throw unusable(path) }
    let folder = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { throw unusable(directory) }
    defer { Glibc.close(folder) }
    // Syncs the folder, so that the file's name survives a power cut as well as its content.
    guard fsync(folder) == 0 else { throw unusable(directory) }
  }

  private static func unusable(_ path: String) -> StoreFault {
    let reason = String(cString: strerror(errno))
    return .unusable("\(path) cannot be used (\(reason)): name a folder this user may write")
  }
}

internal import Glibc
public import SignInService
internal import Synchronization

/// Keeps everything in one SQLite file, `fieldpass.db`, for a server on one machine.
///
/// Decisions go through one writer that commits in groups; looks run beside it, on connections of
/// their own. What `transact` answered survives the end of the process and of the machine.
public final class SQLiteStore: Store {
  let writer: Writer
  private let readers: ReaderPool
  let damage: DamageLog
  let check: DamageCheck
  private let isSmall: Bool
  private let path: String
  private let limits: SQLiteLimits
  /// Whether records were removed that the log of changes may still hold.
  private let isClearingPending = Mutex(false)

  /// Opens the database in `directory`, or makes both, readable by this user alone.
  ///
  /// - Throws: `.unusable`, with what to do, when the file cannot be opened or was written by a
  ///   newer program; `.unavailable` when another process holds it.
  ///
  /// Without `keys`, nothing can be added to a security log that has a key already.
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
    let connection = try Connection(path: path, for: .writing, limits: limits, damage: damage)
    try Self.prepare(connection, path: path, limits: limits)
    if let keys { try Self.sealPasswords(connection, with: keys) }
    writer = Writer(connection, limits: limits, keys: keys)
    self.readers = try ReaderPool(
      path: path, count: readers, limits: limits, damage: damage, keys: keys)
    check = try DamageCheck(path: path, limits: limits, damage: damage)
    self.path = path
    self.limits = limits
    isSmall = Self.size(of: path) <= limits.startCheckBytes
    writer.start()
  }

  deinit { close() }

  public func transact<Answer: Sendable>(
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
    _ look: @escaping @Sendable (any Transaction) throws(StoreFault) -> Answer
  ) async throws(StoreFault) -> Answer {
    try readers.read(look)
  }

  /// Looks for damaged pages now, and goes on while the store is open; tells each problem once.
  ///
  /// A file that is too large to be read at every start is checked table by table from the
  /// beginning.
  public func watchForDamage(_ tell: @escaping @Sendable (String) -> Void) {
    damage.tell(tell)
    if isSmall { check.checkEverything() }
    check.start()
  }

  /// How many different problems of the file's pages are known.
  public var damageCount: Int { damage.problemCount }

  /// How many records were read that hold what this program does not write.
  public var unreadableRecords: Int64 { damage.unreadableCount }

  public var isDamaged: Bool { damageCount > 0 }

  /// Finishes the decisions that wait, then lets go of the file.
  ///
  /// Later calls are `.unavailable`.
  public func close() {
    check.close()
    readers.close()
    writer.close()
  }

  /// Writes the log of changes into the database and empties it.
  ///
  /// Its old pages hold what was removed. In the database itself SQLite overwrites what it removes
  /// (`secure_delete`).
  ///
  /// It waits for looks and decisions under way, on a connection of its own.
  public func clearRemovedRecords() async -> Bool {
    isClearingPending.withLock { $0 = true }
    do throws(StoreFault) {
      let connection = try Connection(path: path, for: .writing, limits: limits, damage: damage)
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

  /// What SQLite's own check finds wrong with the file: nothing, when it is sound.
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
    _ connection: Connection, path: String, limits: SQLiteLimits
  ) throws(StoreFault) {
    let mode = try connection.first("PRAGMA journal_mode = WAL") { row in row.text() }
    guard mode == "wal" else {
      throw .unusable("\(path) lies where SQLite cannot share memory: use a local disk")
    }
    // What is removed is overwritten: erased people leave no bytes. An older database still holds
    // what was removed from it before, and is written again once.
    try connection.execute("PRAGMA secure_delete = ON")
    if try Schema.isBeforeErasure(connection) { try connection.execute("VACUUM") }
    // FULL waits for the disk at every commit: an acknowledged change outlives a power cut.
    try connection.execute(
      """
      PRAGMA synchronous = FULL;
      PRAGMA wal_autocheckpoint = \(limits.checkpointPages);
      PRAGMA journal_size_limit = \(limits.logBytes);
      PRAGMA cache_size = -\(limits.cacheKibibytes);
      PRAGMA temp_store = MEMORY;
      PRAGMA trusted_schema = OFF;
      """)
    try Schema.migrate(connection, path: path)
  }

  /// SQLite would make a file that others may read; its log takes over the file's rights.
  private static func makePrivate(directory: String, file path: String) throws(StoreFault) {
    guard mkdir(directory, 0o700) == 0 || errno == EEXIST else { throw unusable(directory) }
    let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw unusable(path) }
    defer { Glibc.close(file) }
    guard fchmod(file, 0o600) == 0 else { throw unusable(path) }
    let folder = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { throw unusable(directory) }
    defer { Glibc.close(folder) }
    // The file's name must outlive a power cut as well as its content.
    guard fsync(folder) == 0 else { throw unusable(directory) }
  }

  private static func unusable(_ path: String) -> StoreFault {
    let reason = String(cString: strerror(errno))
    return .unusable("\(path) cannot be used (\(reason)): name a folder this user may write")
  }
}

internal import CSQLite
internal import SignInService
internal import Threads

/// Looks for damaged pages on a thread and a connection of its own: one table after the other, with
/// a rest between, as long as the store is open.
///
/// `@unchecked Sendable`: the connection is used by the thread alone, or before it starts.
final class DamageCheck: @unchecked Sendable {
  /// Nil once closed: the connection that closes last must be the writer's, which empties the log.
  private var connection: Connection?
  private let damage: DamageLog
  private let restMilliseconds: Int64
  private let isClosed = Monitor(false)
  private var tables: [String] = []
  private var thread: WorkerThread?

  init(path: String, limits: SQLiteLimits, damage: DamageLog) throws(StoreFault) {
    connection = try Connection(path: path, for: .reading, limits: limits, damage: damage)
    self.damage = damage
    restMilliseconds = limits.checkRestMilliseconds
  }

  /// Checks every page of the file, and no index against its table: a start must not wait for that.
  func checkEverything() { check("PRAGMA quick_check") }

  /// Checks the next table: its pages, and that each row is in each of its indexes.
  func checkNextTable() {
    if tables.isEmpty { tables = names() }
    guard let table = tables.popLast() else { return }
    check("PRAGMA integrity_check('\(table)')")
  }

  func start() {
    thread = WorkerThread {
      while self.rest() { self.checkNextTable() }
    }
  }

  /// Waits for the check under way and closes the connection.
  func close() {
    isClosed.withLock { $0 = true }
    isClosed.wakeAll()
    thread?.join()
    thread = nil
    connection = nil
  }

  /// Waits between two checks; answers whether the store is still open.
  private func rest() -> Bool {
    isClosed.wait(milliseconds: restMilliseconds) { $0 ? () : nil } == nil
  }

  private func names() -> [String] {
    guard let connection else { return [] }
    var names: [String] = []
    do throws(StoreFault) {
      names = try connection.all("SELECT name FROM sqlite_schema WHERE type = 'table'") { row in
        row.text()
      }
    } catch {
      // What is damaged was noted where it was read; what is busy is asked again.
      return []
    }
    return names.filter { name in name.utf8.allSatisfy { $0 != UInt8(ascii: "'") } }
  }

  private func check(_ sql: String) {
    guard let connection else { return }
    do throws(StoreFault) {
      // A page in this connection's memory would hide what became of it on disk.
      try connection.execute("PRAGMA shrink_memory")
      for line in try connection.lines(sql) where line != "ok" {
        damage.note(line.split(separator: "\n").joined(separator: "; "))
      }
    } catch {
      // As above.
      return
    }
  }
}

internal import CSQLite
internal import SignInService
internal import Threads

/// Looks for damaged pages while the store is open.
///
/// It checks one table at a time and pauses between two tables. It has its own thread and its own
/// connection.
///
/// `@unchecked Sendable`: the connection is used only by the thread, or before the thread starts.
final class DamageCheck: @unchecked Sendable {
  /// The connection, or `nil` after `close()`.
  ///
  /// The writer's connection must close last, because the last connection that closes empties the
  /// write-ahead log.
  private var connection: SQLiteConnection?
  private let damage: DamageLog
  private let pauseMilliseconds: Int64
  private let isClosed = Monitor(false)
  private var tables: [String] = []
  private var thread: WorkerThread?

  init(path: String, limits: SQLiteLimits, damage: DamageLog) throws(StoreFault) {
    connection = try SQLiteConnection(path: path, for: .reading, limits: limits, damage: damage)
    self.damage = damage
    pauseMilliseconds = limits.checkRestMilliseconds
  }

  /// Checks every page of the file.
  ///
  /// It does not compare indexes with their tables, because that would delay the start too much.
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

  /// Waits until the current check is finished, then closes the connection.
  func close() {
    isClosed.withLock { $0 = true }
    isClosed.wakeAll()
    thread?.join()
    thread = nil
    connection = nil
  }

  /// Waits between two checks.
  ///
  /// Returns whether the store is still open.
  private func rest() -> Bool {
    isClosed.wait(milliseconds: pauseMilliseconds) { $0 ? () : nil } == nil
  }

  private func names() -> [String] {
    guard let connection else { return [] }
    var names: [String] = []
    do throws(StoreFault) {
      names = try connection.all("SELECT name FROM sqlite_schema WHERE type = 'table'") { row in
        row.text()
      }
    } catch {
      // Damage was noted where it was read. If the database was busy, the next round tries again.
      return []
    }
    return names.filter { name in name.utf8.allSatisfy { $0 != UInt8(ascii: "'") } }
  }

  private func check(_ sql: String) {
    guard let connection else { return }
    do throws(StoreFault) {
      // A page in this connection's cache would hide damage of the page on disk.
      try connection.execute("PRAGMA shrink_memory")
      for line in try connection.lines(sql) where line != "ok" {
        damage.note(line.split(separator: "\n").joined(separator: "; "))
      }
    } catch {
      // For the same reasons as in `names()`.
      return
    }
  }
}

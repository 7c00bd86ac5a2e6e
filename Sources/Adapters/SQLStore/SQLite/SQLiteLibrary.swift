internal import CSQLite

/// The SQLite library of this process.
enum SQLiteLibrary {
  /// SQLite accepts the setting only before its first use.
  ///
  /// If another part of the process used SQLite before, the setting stays as it was.
  private static let countsNoMemory = fp_sqlite_without_memory_count() == SQLITE_OK

  /// Configures SQLite before its first connection; further calls do nothing.
  ///
  /// By default SQLite counts the memory of each of its allocations behind one lock of all
  /// connections. Nothing here reads the count.
  static func start() { _ = countsNoMemory }
}

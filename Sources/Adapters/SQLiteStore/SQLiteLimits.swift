/// The store's named limits; tests choose smaller ones.
struct SQLiteLimits: Sendable {
  /// Decisions that share one commit, at most: it bounds how long the first of them waits.
  var batchLimit = 256
  /// Decisions that may wait for a commit; the next one is told that the store is unavailable.
  var queueLimit = 4096
  /// How long another process, such as the operator's command, may hold the database.
  var busyMilliseconds: Int32 = 5000
  /// Pages of 4 kB the log may hold before it is copied into the database: everybody waits for
  /// that, so often and shortly is better than seldom and long.
  var checkpointPages = 1000
  /// What the log's file keeps of its size once a long look no longer needs it; while it lasts, the
  /// log grows.
  var logBytes = 16 << 20
  /// A larger file is not checked as a whole at start, only table by table while it is in use.
  var startCheckBytes: Int64 = 256 << 20
  /// Between the checks of two tables.
  var checkRestMilliseconds: Int64 = 60_000
  /// What the writer keeps of the database, at most: pages it need not read again to change them.
  var cacheKibibytes = 16_384
}

/// The limits of the store.
///
/// Tests use smaller ones.
struct SQLiteLimits: Sendable {
  /// The largest number of decisions in one commit.
  ///
  /// It limits how long the first of them waits.
  var batchLimit = 256
  /// The largest number of decisions that may wait for a commit.
  ///
  /// Further ones fail with `.unavailable`.
  var queueLimit = 4096
  /// The largest number of long reads that wait for the one that runs.
  ///
  /// Further ones fail with `.unavailable`. A search of 100,000 accounts takes about 35 ms, so the
  /// last of them waits about a second.
  var longReadLimit = 32
  /// The largest number of these that wait for one account.
  ///
  /// Further ones fail with `.unavailable`. So an account that searches without pause leaves three
  /// quarters of the places to others.
  var longReadLimitPerAccount = 8
  /// How long to wait for another process that locks the database, such as an operator's command.
  var busyMilliseconds: Int32 = 5000
  /// The number of pages of 4 kB after which the write-ahead log is copied into the database.
  ///
  /// All decisions wait during the copy, so many short copies are better than few long ones.
  var checkpointPages = 1000
  /// The size to which the log file is cut after a copy.
  ///
  /// During a long read the log cannot be copied completely, so it grows.
  var logBytes = 16 << 20
  /// The largest file, in bytes, that is checked as a whole at the start; larger ones are checked
  /// table by table only.
  var startCheckBytes: Int64 = 256 << 20
  /// The pause between the checks of two tables.
  var checkRestMilliseconds: Int64 = 60_000
  /// The size of the writer's page cache.
  ///
  /// The writer need not read cached pages again before it changes them.
  var cacheKibibytes = 16_384
}

/// The limits of the store.
///
/// Tests use smaller ones.
struct PostgresLimits: Sendable {
  /// The number of connections for decisions.
  var deciders = 8
  /// The number of connections for reads.
  var readers = 4
  /// The number of connections for used proofs.
  var ledgers = 2
  /// The largest number of used proofs that one statement records.
  var proofBatch = 64
  /// How long a used proof is remembered after it has expired.
  var proofMarginSeconds: Int64 = 60
  /// How often expired proofs are removed.
  var proofSweepMilliseconds: Int64 = 10_000
  /// The largest number of decisions, of reads, or of proofs, that may wait for a connection.
  ///
  /// Further ones fail with `.unavailable`.
  var queueLimit = 4096
  var connectSeconds: Int64 = 5
  /// The longest time of one statement.
  var statementMilliseconds: Int64 = 10_000
  /// The longest time that a statement waits for a lock of another decision.
  var lockMilliseconds: Int64 = 5000
  /// The longest time in which a transaction may send no statement.
  ///
  /// It is shorter than the wait for a lock, so that a server that lost its network does not make
  /// the decisions of others fail.
  var idleMilliseconds: Int64 = 3000
  /// The longest wait for the answer to a statement or a commit.
  ///
  /// It is longer than the time that the database gives a statement, so it ends only connections on
  /// which no answer comes.
  var answerMilliseconds: Int64 = 12_000
  /// How often a decision is tried that met another one in the wrong order.
  var tries = 10
  /// The pause before the second try.
  ///
  /// It doubles before each further try.
  var pauseMilliseconds: Int64 = 4
  /// How long the thread for notifications waits at a time.
  ///
  /// After that it looks whether it must end, or connects again.
  var listenMilliseconds: Int64 = 200
  /// How long calls fail at once after no connection could be made.
  ///
  /// Otherwise each of them would wait for the connection.
  var outageMilliseconds: Int64 = 250
}

internal import Cryptography
internal import SignInModel
internal import SignInService
internal import Synchronization

/// The used proofs that all servers of one database share, so that none is accepted twice.
///
/// The server's own ledger comes first. It has the limits, and it knows the proofs of this server
/// without the database.
///
/// A proof is not recorded by the decision that it belongs to: a decision that is undone would
/// undo the proof, too, and a read has no commit. So the proofs that wait are recorded together,
/// with one statement for many.
///
/// Here a commit does not wait for the disk: if the database crashes, the proofs of its last moment
/// are known only to the server that accepted them.
final class PostgresProofLedger: ProofLedger {
  private struct Waiting: Sendable {
    let digest: [UInt8]
    let expiry: Instant
    let now: Instant
    let continuation: UnsafeContinuation<ProofVerdict, Never>
  }

  private let own: any ProofLedger
  private let connector: PostgresConnector
  private let limits: PostgresLimits
  private let queue: WorkQueue<Waiting>
  /// When expired proofs were last removed.
  private let sweptAt = Mutex<Int64?>(nil)

  init(beside own: any ProofLedger, _ connector: PostgresConnector, limits: PostgresLimits) {
    self.own = own
    self.connector = connector
    self.limits = limits
    queue = WorkQueue(limit: limits.queueLimit)
  }

  func start(threads count: Int) {
    queue.start(threads: count) { self.serve() }
  }

  func record(
    _ identifier: String, from source: ProofSource?, until expiry: Instant, now: Instant
  ) async -> ProofVerdict {
    let verdict = await own.record(identifier, from: source, until: expiry, now: now)
    guard verdict == .recorded else { return verdict }
    return await withUnsafeContinuation { continuation in
      let waiting = Waiting(
        digest: SHA256Digest.of(identifier), expiry: expiry, now: now, continuation: continuation)
      guard case .waiting = queue.add(waiting) else {
        return continuation.resume(returning: .unavailable)
      }
    }
  }

  /// The readiness check of the database shows whether it can record a proof.
  func isReady() async -> Bool { await own.isReady() }

  /// Finishes what waits and ends the threads.
  func close() { queue.close() }

  private func serve() {
    var connection: PostgresConnection?
    while true {
      let batch = queue.next(upTo: limits.proofBatch)
      guard let last = batch.last else { return }
      let verdicts = record(batch, with: &connection)
      for (waiting, verdict) in zip(batch, verdicts) {
        waiting.continuation.resume(returning: verdict)
      }
      if let connection, isSweepDue() { sweep(connection, last.now) }
    }
  }

  /// A connection that was lost while nothing was done is replaced once.
  private func record(
    _ batch: [Waiting], with connection: inout PostgresConnection?
  ) -> [ProofVerdict] {
    let unavailable = batch.map { _ in ProofVerdict.unavailable }
    for _ in 0..<2 {
      let isFresh = connection == nil
      do throws(StoreFault) {
        let current: PostgresConnection
        if let connection { current = connection } else { current = try connect() }
        connection = current
        return try insert(batch, current)
      } catch {
        if connection?.isLost ?? true { connection = nil }
        if isFresh || connection != nil { return unavailable }
      }
    }
    return unavailable
  }

  private func connect() throws(StoreFault) -> PostgresConnection {
    let connection = try connector.connect()
    try connection.execute("SET synchronous_commit TO off")
    return connection
  }

  /// Records the proofs that no server has recorded before.
  ///
  /// If another server records one at the same time, this waits for that commit. Each server
  /// inserts them in their order, so that none waits for one that waits for it. Of equal proofs the
  /// first is recorded.
  private func insert(
    _ batch: [Waiting], _ connection: PostgresConnection
  ) throws(StoreFault) -> [ProofVerdict] {
    var digests: Set<[UInt8]> = []
    let different = batch.filter { digests.insert($0.digest).inserted }
    let values = PostgresValues(
      columnsOf: different.map { waiting in
        PostgresConnection.values {
          $0.bind(waiting.digest)
          $0.bind(waiting.expiry)
        }
      })
    values.append(batch.map { forgetting($0.now).milliseconds }.min())
    var recorded = Set(
      try connection.all(
        """
        INSERT INTO used_proofs (digest, expires_at)
        SELECT digest, expires_at FROM unnest(?1, ?2) AS proof (digest, expires_at) ORDER BY digest
        ON CONFLICT (digest) DO UPDATE SET expires_at = excluded.expires_at
        WHERE used_proofs.expires_at <= ?3
        RETURNING digest
        """, values
      ) { row in row.bytes() })
    return batch.map { recorded.remove($0.digest) == nil ? .repeated : .recorded }
  }

  /// Proofs that expired before this moment are forgotten.
  ///
  /// The clock of another server may be behind, so that it still accepts a proof that has expired
  /// here.
  private func forgetting(_ now: Instant) -> Instant {
    now.adding(seconds: -limits.proofMarginSeconds)
  }

  private func isSweepDue() -> Bool {
    let now = PostgresConnector.milliseconds()
    return sweptAt.withLock { sweptAt in
      if let last = sweptAt, now < last + limits.proofSweepMilliseconds { return false }
      sweptAt = now
      return true
    }
  }

  /// Leaves out the proofs that are being recorded again: this has another order than `insert`, so
  /// the two could wait for each other.
  private func sweep(_ connection: PostgresConnection, _ now: Instant) {
    do throws(StoreFault) {
      try connection.run(
        """
        DELETE FROM used_proofs WHERE digest IN
          (SELECT digest FROM used_proofs WHERE expires_at < ?1 FOR UPDATE SKIP LOCKED)
          AND expires_at < ?1
        """
      ) {
        $0.bind(forgetting(now))
      }
    } catch {
      // A later sweep removes the same rows.
      sweptAt.withLock { $0 = nil }
    }
  }
}

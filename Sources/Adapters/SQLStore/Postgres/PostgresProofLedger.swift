internal import Cryptography
internal import SignInModel
internal import SignInService
internal import Synchronization

/// The used proofs that all servers of one database share, so that none is accepted twice.
///
/// The server's own ledger comes first. It has the limits, and it knows the proofs of this server
/// without the database.
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
    queue.start(threads: limits.ledgers) { self.serve() }
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
    while let next = queue.next() {
      let verdict = record(next, with: &connection)
      next.continuation.resume(returning: verdict)
      if let connection, isSweepDue() { sweep(connection, next.now) }
    }
  }

  /// A connection that was lost while nothing was done is replaced once.
  private func record(
    _ waiting: Waiting, with connection: inout PostgresConnection?
  ) -> ProofVerdict {
    for _ in 0..<2 {
      let isFresh = connection == nil
      do throws(StoreFault) {
        let current: PostgresConnection
        if let connection { current = connection } else { current = try connect() }
        connection = current
        return try insert(waiting, current) ? .recorded : .repeated
      } catch {
        if connection?.isLost ?? true { connection = nil }
        if isFresh || connection != nil { return .unavailable }
      }
    }
    return .unavailable
  }

  private func connect() throws(StoreFault) -> PostgresConnection {
    let connection = try connector.connect()
    try connection.execute("SET synchronous_commit TO off")
    return connection
  }

  /// Whether no server has recorded the proof before.
  ///
  /// If another server records it at the same time, this waits for that commit.
  private func insert(
    _ waiting: Waiting, _ connection: PostgresConnection
  ) throws(StoreFault) -> Bool {
    try connection.run(
      """
      INSERT INTO used_proofs (digest, expires_at) VALUES (?1, ?2)
      ON CONFLICT (digest) DO UPDATE SET expires_at = excluded.expires_at
      WHERE used_proofs.expires_at <= ?3
      """
    ) {
      $0.bind(waiting.digest)
      $0.bind(waiting.expiry)
      $0.bind(forgetting(waiting.now))
    }
    return connection.changeCount == 1
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

  private func sweep(_ connection: PostgresConnection, _ now: Instant) {
    do throws(StoreFault) {
      try connection.run("DELETE FROM used_proofs WHERE expires_at < ?") {
        $0.bind(forgetting(now))
      }
    } catch {
      // A later sweep removes the same rows.
      sweptAt.withLock { $0 = nil }
    }
  }
}

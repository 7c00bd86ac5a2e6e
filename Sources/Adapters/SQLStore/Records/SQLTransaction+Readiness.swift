internal import SignInModel
internal import SignInService

extension SQLTransaction: ReadinessRecords {
  /// The old row is removed only after the new one was added.
  ///
  /// So each check needs free pages, as a decision does, and the database does not grow.
  func saveReadiness(at now: Instant) throws(StoreFault) {
    try write(
      """
      INSERT INTO readiness (id, checked_at, filling)
      SELECT coalesce(max(id), 0) + 1, ?, zeroblob(?) FROM readiness WHERE TRUE
      ON CONFLICT (id) DO UPDATE SET checked_at = excluded.checked_at
      """
    ) {
      $0.bind(now)
      $0.bind(ReadinessLimits.recordBytes)
    }
    try write("DELETE FROM readiness WHERE id < (SELECT max(id) FROM readiness)") { _ in }
  }

  func databaseTime() throws(StoreFault) -> Instant? {
    guard case .postgres(let connection) = connection else { return nil }
    return try connection.first(
      "SELECT CAST(floor(extract(epoch FROM clock_timestamp()) * 1000) AS bigint)",
      read: { row in row.moment() })
  }
}

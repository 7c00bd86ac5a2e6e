internal import SignInModel
internal import SignInRules
internal import SignInService

extension SQLiteTransaction: LockoutRecords {
  func lockout(_ key: String) throws(StoreFault) -> Lockout {
    try connection.first(
      """
      SELECT failures, failures_in_row, reserved, reserved_at, locks, locked_until
      FROM lockouts WHERE key = ?
      """,
      bind: { $0.bind(key) },
      read: { row in
        Lockout(
          failures: row.number(), failuresInRow: row.number(), reserved: row.number(),
          reservedAt: row.moment(), locks: row.number(), lockedUntil: row.momentIfAny()
        )
      }) ?? .open
  }

  func save(_ lockout: Lockout, for key: String) throws(StoreFault) {
    // An open lockout is the same as none, and most are open: they take no room.
    if lockout == .open {
      try write("DELETE FROM lockouts WHERE key = ?") { $0.bind(key) }
      return
    }
    try write(
      """
      INSERT OR REPLACE INTO lockouts
        (key, failures, failures_in_row, reserved, reserved_at, locks, locked_until)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      """
    ) {
      $0.bind(key)
      $0.bind(lockout.failures)
      $0.bind(lockout.failuresInRow)
      $0.bind(lockout.reserved)
      $0.bind(lockout.reservedAt)
      $0.bind(lockout.locks)
      $0.bind(lockout.lockedUntil)
    }
  }

  func removeStrangers(
    quietSince moment: Instant, failuresBelow count: Int64, limit: Int
  ) throws(StoreFault) -> Int {
    try write(
      """
      DELETE FROM lockouts WHERE key IN
        (SELECT key FROM lockouts WHERE instr(key, '?') > 0 AND reserved_at < ?1
        AND failures_in_row < ?2 AND (locked_until IS NULL OR locked_until < ?1)
        ORDER BY reserved_at LIMIT ?3)
      """
    ) {
      $0.bind(moment)
      $0.bind(count)
      $0.bind(Int64(limit))
    }
  }
}

internal import SignInModel
internal import SignInRules
internal import SignInService

extension SQLTransaction: LockoutRecords {
  func lockout(_ key: LockoutKey) throws(StoreFault) -> Lockout {
    try connection.first(
      Self.lockoutByKey,
      bind: { $0.bind(key) },
      read: { (row: inout Row) throws(StoreFault) -> Lockout in
        Lockout(
          failures: row.number(), failuresInRow: row.number(), reserved: row.number(),
          reservedAt: row.moment(), locks: row.number(), lockedUntil: row.momentIfAny(),
          shares: try FailureShares(&row), failuresOfAccount: row.number()
        )
      }) ?? .open
  }

  func save(_ lockout: Lockout, for key: LockoutKey) throws(StoreFault) {
    // An open lockout has the same meaning as no row. Most lockouts are open, so they are not
    // stored.
    if lockout == .open {
      try writeLater("DELETE FROM lockouts WHERE account = ? AND device = ? AND is_for_resets = ?")
      {
        $0.bind(key)
      }
      return
    }
    try writeLater(
      """
      INSERT INTO lockouts
        (account, device, is_for_resets, failures, failures_in_row, reserved, reserved_at, locks,
        locked_until, shares, failures_of_account)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (account, device, is_for_resets) DO UPDATE SET
        failures = excluded.failures, failures_in_row = excluded.failures_in_row,
        reserved = excluded.reserved, reserved_at = excluded.reserved_at, locks = excluded.locks,
        locked_until = excluded.locked_until, shares = excluded.shares,
        failures_of_account = excluded.failures_of_account
      """
    ) {
      $0.bind(key)
      $0.bind(lockout.failures)
      $0.bind(lockout.failuresInRow)
      $0.bind(lockout.reserved)
      $0.bind(lockout.reservedAt)
      $0.bind(lockout.locks)
      $0.bind(lockout.lockedUntil)
      $0.bind(lockout.shares.column)
      $0.bind(lockout.failuresOfAccount)
    }
  }

  func removeLockouts(
    quietSince moment: Instant, failuresBelow count: Int64, limit: Int
  ) throws(StoreFault) -> Int {
    try write(
      """
      DELETE FROM lockouts WHERE (account, device, is_for_resets) IN
        (SELECT account, device, is_for_resets FROM lockouts WHERE reserved_at < ?1
        AND failures_in_row < ?2 AND failures_of_account < ?2
        AND (locked_until IS NULL OR locked_until < ?1)
        ORDER BY reserved_at LIMIT ?3)
      """
    ) {
      $0.bind(moment)
      $0.bind(count)
      $0.bind(Int64(limit))
    }
  }
}

extension Parameters {
  /// The columns `account`, `device` and `is_for_resets`.
  fileprivate mutating func bind(_ key: LockoutKey) {
    bind(key.account.text)
    bind(key.device ?? "")
    bind(key.isForResets)
  }
}

/// The shares as text: words with a space between them.
///
/// Each word is a device and three numbers, with colons between them.
extension FailureShares {
  fileprivate var column: String {
    shares.map { "\($0.device):\($0.failures):\($0.failuresInRow):\($0.locks)" }
      .joined(separator: " ")
  }

  fileprivate init(_ row: inout Row) throws(StoreFault) {
    var shares: [Share] = []
    for word in row.text().split(separator: " ") {
      let parts = word.split(separator: ":")
      let numbers = parts.dropFirst().compactMap {
        WholeNumber.read($0, in: 0...Row.numbers.upperBound)
      }
      guard parts.count == 4, numbers.count == 3 else { throw row.unreadable() }
      shares.append(
        Share(
          device: String(parts[0]), failures: numbers[0], failuresInRow: numbers[1],
          locks: numbers[2]
        ))
    }
    self.init(shares: shares)
  }
}

/// Statements that are also read ahead.
extension SQLTransaction {
  static let lockoutByKey: StaticString = """
    SELECT failures, failures_in_row, reserved, reserved_at, locks, locked_until, shares,
      failures_of_account
    FROM lockouts WHERE account = ? AND device = ? AND is_for_resets = ?
    """
}

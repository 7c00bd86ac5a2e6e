internal import SignInModel
internal import SignInRules
internal import SignInService

/// The counts of a rate limit that a decision has read.
///
/// They are written at its end, because most decisions count and take back under the same keys.
struct HeldThrottle {
  /// The row of counts that are not quiet.
  struct Content: Equatable {
    let counts: Throttle
    let quietFrom: Instant
  }

  /// The row in the database; nil if there is none.
  let stored: Content?
  /// The row that the decision leaves.
  var content: Content?

  fileprivate init(stored: Content?) {
    self.stored = stored
    content = stored
  }

  fileprivate var counts: Throttle { content?.counts ?? .quiet }
}

extension SQLTransaction: ThrottleRecords {
  func throttle(_ key: ThrottleKey) throws(StoreFault) -> Throttle {
    if let held = heldThrottles[key.text] { return held.counts }
    try lock(.throttle(key))
    let held = HeldThrottle(
      stored: try connection.first(
        "SELECT tallies, quiet_from FROM throttles WHERE key = ?",
        bind: { $0.bind(key.text) }, read: HeldThrottle.Content.init))
    if purpose == .writing { heldThrottles[key.text] = held }
    return held.counts
  }

  /// SQLite has no round trips, so it reads each count when it is needed.
  func prepareThrottles(_ keys: [ThrottleKey]) throws(StoreFault) {
    guard purpose == .writing, case .postgres(let connection) = connection else { return }
    let keys = Set(keys).filter { heldThrottles[$0.text] == nil }.sorted()
    guard !keys.isEmpty else { return }
    try connection.lock(keys.map { .throttle($0) })
    let found = try connection.throttles(keys)
    for key in keys { heldThrottles[key.text] = HeldThrottle(stored: found[key.text]) }
  }

  func unlockedThrottles(
    _ keys: [ThrottleKey]
  ) throws(StoreFault) -> [ThrottleKey: Throttle] {
    var found: [ThrottleKey: Throttle] = [:]
    guard case .postgres(let connection) = connection else {
      for key in keys { found[key] = try throttle(key) }
      return found
    }
    guard !keys.isEmpty else { return [:] }
    let stored = try connection.throttles(keys)
    for key in keys { found[key] = heldThrottles[key.text]?.counts ?? stored[key.text]?.counts }
    return found
  }

  func save(
    _ throttle: Throttle, for key: ThrottleKey, quietFrom moment: Instant
  ) throws(StoreFault) {
    try checkWriting()
    _ = try self.throttle(key)
    heldThrottles[key.text]?.content =
      throttle == .quiet ? nil : HeldThrottle.Content(counts: throttle, quietFrom: moment)
  }

  /// Writes the counts that the decision has changed.
  ///
  /// SQLite has no round trips, and there one statement for many rows is not faster.
  func writeThrottles() throws(StoreFault) {
    let changed = heldThrottles.filter { $1.content != $1.stored }.sorted { $0.key < $1.key }
    heldThrottles = [:]
    let removed = changed.filter { $1.content == nil }.map(\.key)
    let kept = changed.compactMap { key, held in held.content.map { (key: key, content: $0) } }
    if isPostgres { return try writeTogether(kept, removing: removed) }
    for key in removed {
      try write("DELETE FROM throttles WHERE key = ?") { $0.bind(key) }
    }
    for (key, content) in kept {
      try write(
        """
        INSERT INTO throttles (key, tallies, quiet_from) VALUES (?, ?, ?)
        ON CONFLICT (key) DO UPDATE SET
          tallies = excluded.tallies, quiet_from = excluded.quiet_from
        """
      ) {
        $0.bind(key)
        $0.bind(TallyBytes.of(content.counts.tallies))
        $0.bind(content.quietFrom)
      }
    }
  }

  /// Writes all rows with one statement, and removes all rows with another one.
  private func writeTogether(
    _ kept: [(key: String, content: HeldThrottle.Content)], removing removed: [String]
  ) throws(StoreFault) {
    if !removed.isEmpty {
      try writeLater("DELETE FROM throttles WHERE key = ANY(string_to_array(?, ' '))") {
        $0.bind(names: removed)
      }
    }
    if kept.isEmpty { return }
    try writeLater(
      """
      INSERT INTO throttles (key, tallies, quiet_from)
      SELECT key, decode(tallies, 'base64'), CAST(quiet_from AS bigint)
      FROM unnest(string_to_array(?, ' '), string_to_array(?, ' '), string_to_array(?, ' '))
        AS kept (key, tallies, quiet_from)
      ON CONFLICT (key) DO UPDATE SET
        tallies = excluded.tallies, quiet_from = excluded.quiet_from
      """
    ) {
      $0.bind(names: kept.map(\.key))
      $0.bind(names: kept.map { Base64.encode(TallyBytes.of($0.content.counts.tallies)) })
      $0.bind(names: kept.map { String($0.content.quietFrom.milliseconds) })
    }
  }

  /// The condition is there twice, because PostgreSQL checks only the outer one again for a row
  /// that another transaction has just changed.
  ///
  /// PostgreSQL leaves out the rows that other decisions are changing. Otherwise two decisions can
  /// wait for each other, because the rows have another order than the keys.
  func removeThrottles(quietBefore moment: Instant, limit: Int) throws(StoreFault) -> Int {
    try writeThrottles()
    let statement: StaticString =
      isPostgres
      ? """
      DELETE FROM throttles WHERE key IN
        (SELECT key FROM throttles WHERE quiet_from < ?1 ORDER BY quiet_from LIMIT ?2
        FOR UPDATE SKIP LOCKED)
        AND quiet_from < ?1
      """
      : """
      DELETE FROM throttles WHERE key IN
        (SELECT key FROM throttles WHERE quiet_from < ?1 ORDER BY quiet_from LIMIT ?2)
      """
    return try removeOldest(statement, before: moment, limit: limit)
  }
}

extension PostgresConnection {
  /// The stored counters, by the text of their keys.
  fileprivate func throttles(
    _ keys: [ThrottleKey]
  ) throws(StoreFault) -> [String: HeldThrottle.Content] {
    let rows = try all(
      "SELECT key, tallies, quiet_from FROM throttles WHERE key = ANY(string_to_array(?, ' '))",
      bind: { $0.bind(names: keys.map(\.text)) },
      read: { (row: inout Row) throws(StoreFault) -> (String, HeldThrottle.Content) in
        (row.text(), try HeldThrottle.Content(&row))
      })
    return Dictionary(rows, uniquingKeysWith: { first, _ in first })
  }
}

extension SQLTransaction: KnownDeviceRecords {
  func knownDevice(
    of account: AccountID, proofKeyThumbprint: String
  ) throws(StoreFault) -> KnownDevice? {
    try connection.first(
      Self.knownDeviceByKey,
      bind: {
        $0.bind(account.text)
        $0.bind(proofKeyThumbprint)
      },
      read: KnownDevice.init)
  }

  func knownDevices(of account: AccountID) throws(StoreFault) -> [KnownDevice] {
    try connection.all(
      Self.knownDevicesOfAccount,
      bind: { $0.bind(account.text) }, read: KnownDevice.init)
  }

  func save(_ device: KnownDevice) throws(StoreFault) {
    try writeLater(
      """
      INSERT INTO known_devices (account, proof_key, last_seen_at, password_proved)
      VALUES (?, ?, ?, ?)
      ON CONFLICT (account, proof_key) DO UPDATE SET
        last_seen_at = excluded.last_seen_at, password_proved = excluded.password_proved
      """
    ) {
      $0.bind(device.account.text)
      $0.bind(device.proofKeyThumbprint)
      $0.bind(device.lastSeenAt)
      $0.bind(device.hasProvedPassword ? 1 : 0)
    }
  }

  func removeKnownDevice(
    of account: AccountID, proofKeyThumbprint: String
  ) throws(StoreFault) {
    try writeLater("DELETE FROM known_devices WHERE account = ? AND proof_key = ?") {
      $0.bind(account.text)
      $0.bind(proofKeyThumbprint)
    }
  }

  func removeKnownDevices(lastSeenBefore moment: Instant, limit: Int) throws(StoreFault) -> Int {
    try write(
      """
      DELETE FROM code_challenges WHERE (account, holder) IN
        (SELECT account, proof_key FROM known_devices
         WHERE last_seen_at < ? ORDER BY last_seen_at LIMIT ?)
      """
    ) {
      $0.bind(moment)
      $0.bind(Int64(limit))
    }
    return try removeOldest(
      """
      DELETE FROM known_devices WHERE (account, proof_key) IN
        (SELECT account, proof_key FROM known_devices
         WHERE last_seen_at < ? ORDER BY last_seen_at LIMIT ?)
      """, before: moment, limit: limit)
  }
}

extension HeldThrottle.Content {
  fileprivate init(_ row: inout Row) throws(StoreFault) {
    let bytes = row.bytes()
    guard bytes.count % TallyBytes.count == 0 else { throw row.unreadable() }
    self.init(counts: Throttle(tallies: TallyBytes.read(bytes)), quietFrom: row.moment())
  }
}

extension KnownDevice {
  fileprivate init(_ row: inout Row) {
    self.init(
      account: row.identifier(), proofKeyThumbprint: row.text(), lastSeenAt: row.moment(),
      hasProvedPassword: row.number() != 0
    )
  }
}

/// Tallies as one byte string.
///
/// Each has its moment and its count, with eight bytes each, the most significant byte first.
private enum TallyBytes {
  static let count = 16

  static func of(_ tallies: [Throttle.Tally]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(tallies.count * count)
    for tally in tallies {
      for number in [tally.at.milliseconds, tally.count] {
        for shift in stride(from: 56, through: 0, by: -8) {
          bytes.append(UInt8(truncatingIfNeeded: number >> Int64(shift)))
        }
      }
    }
    return bytes
  }

  static func read(_ bytes: [UInt8]) -> [Throttle.Tally] {
    func number(at start: Int) -> Int64 {
      bytes[start..<(start + 8)].reduce(0) { $0 << 8 | Int64($1) }
    }
    return stride(from: 0, to: bytes.count, by: count).map { start in
      Throttle.Tally(
        at: Instant(milliseconds: number(at: start)),
        count: number(at: start + 8).clamped(to: Row.numbers)
      )
    }
  }
}

/// Statements that are also read ahead.
extension SQLTransaction {
  static let knownDeviceByKey: StaticString = """
    SELECT account, proof_key, last_seen_at, password_proved FROM known_devices
    WHERE account = ? AND proof_key = ?
    """

  static let knownDevicesOfAccount: StaticString = """
    SELECT account, proof_key, last_seen_at, password_proved FROM known_devices
    WHERE account = ? ORDER BY last_seen_at DESC, proof_key DESC
    """
}

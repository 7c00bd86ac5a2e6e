internal import CPostgres
internal import Cryptography
internal import SignInModel
internal import SignInService

/// Locks of the database that a decision has until it ends.
///
/// A lock is a number, made from the name of what it locks. Two names with the same number wait for
/// each other without need. A name can contain text of a sender, who must not be able to choose one
/// with the number of another name.
extension PostgresConnection {
  /// Takes the locks of a decision.
  ///
  /// All decisions take them in the same order, so none waits for one that waits for it. The locks
  /// of the subjects themselves come first, then those of accounts.
  ///
  /// - Returns: `false` if a subject got another account before its lock was taken. Then begin
  ///   again.
  func lock(_ subjects: [Subject]) throws(StoreFault) -> Bool {
    if subjects.contains(.installation) {
      try runLater("SELECT pg_advisory_xact_lock(?)") { $0.bind(Self.number("installation")) }
      return true
    }
    let known = Self.accounts(in: subjects)
    let searches = subjects.compactMap(Self.search)
    // Here the accounts in `known` are locked before those that the database finds, so not all in
    // one order. This causes no deadlock if `known` has only the accounts of unknown identifiers:
    // each decision that locks such an account first waits for the lock of its identifier.
    if searches.count == 1, known.allSatisfy({ $0.text.hasPrefix("?") }) {
      return try lock(subjects, known, in: searches[0])
    }
    let accounts = known.union(try found(searches))
    try lock(subjects, accounts)
    let ahead = Self.readsAhead(of: subjects, accounts)
    return try found(searches, ahead: ahead).isSubset(of: accounts)
  }

  /// Reads the rows that most reads about a subject need, all in one round trip.
  func readAhead(about subjects: [Subject]) throws(StoreFault) {
    guard subjects.count == 1, let search = Self.search(subjects[0]) else { return }
    _ = try flush([], ahead: Self.readsAhead(of: subjects, [], in: search))
  }

  /// Takes the locks of subjects whose accounts one statement finds, all in one round trip.
  ///
  /// The database finds and locks the accounts, and finds them again after it has their locks.
  private func lock(
    _ subjects: [Subject], _ known: Set<AccountID>, in search: Search
  ) throws(StoreFault) -> Bool {
    try lock(subjects, known)
    let locking = try bound(locking: search)
    let ahead = Self.readsAhead(of: subjects, known, in: search)
    let results = try flush([locking, try bound(search.sql, search.bind)], ahead: ahead)
    defer { for result in results { PQclear(result) } }
    let (locked, found) = (Self.accounts(results[0]), Self.accounts(results[1]))
    noteFound(found)
    return found.isSubset(of: locked)
  }

  private func lock(
    _ subjects: [Subject], _ accounts: Set<AccountID>
  ) throws(StoreFault) {
    let names = Set(subjects.flatMap(Self.names).map(Self.number))
    let further = Set(accounts.map { Self.number("account \($0.text)") }).subtracting(names)
    let numbers = names.sorted() + further.sorted()
    let list = numbers.map(String.init).joined(separator: ",")
    try runLater(
      """
      SELECT pg_advisory_xact_lock_shared(?),
        (SELECT count(pg_advisory_xact_lock(name))
        FROM unnest(CAST(string_to_array(?, ',') AS bigint[])) AS name)
      """
    ) {
      $0.bind(Self.number("installation"))
      $0.bind(list)
    }
  }

  func lock(_ counter: SharedCounter) throws(StoreFault) {
    try runLater("SELECT pg_advisory_xact_lock(?)") { $0.bind(Self.number(counter.name)) }
  }

  /// Takes the lock of the counter only if no other transaction has it.
  func tryLock(_ counter: SharedCounter) throws(StoreFault) -> Bool {
    try first(
      "SELECT CAST(pg_try_advisory_xact_lock(?) AS integer)",
      bind: { $0.bind(Self.number(counter.name)) }, read: { row in row.truth() }) ?? false
  }

  /// Locks several counters, in the order of the array.
  func lock(_ counters: [SharedCounter]) throws(StoreFault) {
    let numbers = counters.map { Self.number($0.name) }
    try runLater(
      """
      SELECT count(pg_advisory_xact_lock(name))
      FROM unnest(CAST(string_to_array(?, ',') AS bigint[])) AS name
      """
    ) { $0.bind(numbers.map(String.init).joined(separator: ",")) }
  }

  /// A statement that finds the accounts of a subject.
  typealias Search = (sql: StaticString, bind: (inout Parameters) -> Void)

  /// The accounts that the searches find now, all in one round trip.
  ///
  /// Rows that are likely to be needed are read with them.
  private func found(
    _ searches: [Search], ahead: [ReadAhead] = []
  ) throws(StoreFault) -> Set<AccountID> {
    guard !searches.isEmpty || !ahead.isEmpty else { return [] }
    var statements: [Bound] = []
    for search in searches { statements.append(try bound(search.sql, search.bind)) }
    let results = try flush(statements, ahead: ahead)
    defer { for result in results { PQclear(result) } }
    return results.reduce(into: []) { $0.formUnion(Self.accounts($1)) }
  }

  private static func accounts(_ result: OpaquePointer) -> Set<AccountID> {
    var accounts: Set<AccountID> = []
    for index in 0..<PQntuples(result) {
      var row = Row(.postgres(PostgresRow(result: result, index: index)))
      accounts.insert(row.identifier())
    }
    return accounts
  }

  private static func accounts(in subjects: [Subject]) -> Set<AccountID> {
    Set(
      subjects.compactMap { subject in
        if case .account(let id) = subject { id } else { nil }
      })
  }

  private static func search(_ subject: Subject) -> Search? {
    switch subject {
    case .email(let address):
      ("SELECT id FROM accounts WHERE email = ?", { $0.bind(address.text) })
    case .number(let phone):
      ("SELECT id FROM accounts WHERE phone = ?", { $0.bind(phone.e164) })
    case .signInAttempt(let digest):
      ("SELECT account FROM sign_in_attempts WHERE digest = ?", { $0.bind(digest) })
    case .authorizationCode(let digest):
      ("SELECT account FROM sign_in_attempts WHERE code_digest = ?", { $0.bind(digest) })
    case .passwordReset(let digest):
      ("SELECT account FROM password_resets WHERE digest = ?", { $0.bind(digest) })
    case .session(let id):
      ("SELECT account FROM sessions WHERE id = ?", { $0.bind(id.text) })
    case .identity(let issuer, let subject):
      (
        "SELECT account FROM identities WHERE issuer = ? AND subject = ?",
        {
          $0.bind(issuer)
          $0.bind(subject)
        }
      )
    case .message(let id):
      ("SELECT account FROM outbox WHERE id = ? AND account IS NOT NULL", { $0.bind(id) })
    case .fieldRecord(let id):
      (
        """
        SELECT account FROM jobs WHERE substr(id, instr(id, '~') + 1) = ?1
        UNION SELECT account FROM deliveries WHERE substr(id, instr(id, '~') + 1) = ?1
        UNION SELECT account FROM activities WHERE substr(id, instr(id, '~') + 1) = ?1
        """, { $0.bind(id) }
      )
    case .invitation(let digest):
      ("SELECT account FROM invitations WHERE digest = ?", { $0.bind(digest) })
    case .product(let id):
      (
        """
        SELECT owner FROM products
          WHERE substr(id, instr(id, '~') + 1) = ?1 AND owner IS NOT NULL
        UNION SELECT accounts.id FROM products JOIN accounts ON email = awaited_address
          WHERE substr(products.id, instr(products.id, '~') + 1) = ?1
        """, { $0.bind(id.text) }
      )
    case .account, .providerJourney, .providerDevice, .assertion, .policy,
      .globalAdministrators, .expiredRecords, .installation:
      nil
    }
  }

  /// The names of a subject's own locks.
  private static func names(_ subject: Subject) -> [String] {
    switch subject {
    case .account: []
    case .email(let address): ["email \(address.text)"]
    case .number(let phone): ["number \(phone.e164)"]
    case .signInAttempt(let digest): ["attempt \(digest)"]
    case .authorizationCode(let digest): ["code \(digest)"]
    case .passwordReset(let digest): ["reset \(digest)"]
    case .session(let id): ["session \(id.text)"]
    case .identity(let issuer, let subject): ["identity \(issuer) \(subject)"]
    case .providerJourney(let state): ["provider sign-in \(state)"]
    case .providerDevice(let key): ["provider sign-ins of \(key)"]
    case .assertion(let digest): ["assertion \(digest)"]
    case .message(let id): ["message \(id)"]
    case .fieldRecord(let id): ["field record \(id)"]
    case .invitation(let digest): ["invitation \(digest)"]
    case .product(let id): ["product \(id.text)"]
    case .policy(.client(let id)): ["client policy \(id.text)"]
    case .policy(.organization(let id)): ["organization policy \(id.text)"]
    case .globalAdministrators: ["global administrators"]
    case .expiredRecords: ["expired records"]
    case .installation: []
    }
  }

  /// The names of locks that decisions about many subjects share.
  private static let sharedNames: Set<String> = [
    "installation", "schema", "event log", "global administrators",
    "expired records",
  ]

  /// The number of a name: the first 64 bits of its SHA-256 digest, with a sign.
  ///
  /// Only the numbers of shared locks are negative. So no name of a single subject has one of them,
  /// and a sender cannot make all decisions wait.
  static func number(_ name: String) -> Int64 {
    let bits = SHA256Digest.of(name).prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let magnitude = Int64(bitPattern: bits & UInt64(Int64.max))
    return sharedNames.contains(name) ? -1 - magnitude : magnitude
  }
}

extension SharedCounter {
  fileprivate var name: String {
    switch self {
    case .eventLog: "event log"
    case .refusals(let source): "refusals \(source)"
    case .throttle(let key): "throttle \(key.text)"
    }
  }
}

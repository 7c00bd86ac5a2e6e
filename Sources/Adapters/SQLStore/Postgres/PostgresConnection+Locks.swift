internal import SignInModel
internal import SignInService

/// Locks of the database that a decision has until it ends.
///
/// A lock is a number, made from the name of what it locks. Two names with the same number wait for
/// each other without need, which does no harm.
extension PostgresConnection {
  /// Takes the locks of a decision.
  ///
  /// All decisions take them in the same order, so none waits for one that waits for it.
  ///
  /// - Returns: `false` if a subject got another account before its lock was taken. Then begin
  ///   again.
  func lock(_ subjects: [Subject]) throws(StoreFault) -> Bool {
    if subjects.contains(.installation) {
      try runLater("SELECT pg_advisory_xact_lock(?)") { $0.bind(Self.number("installation")) }
      return true
    }
    let accounts = try accounts(of: subjects)
    var numbers = Set(subjects.flatMap(Self.names).map(Self.number))
    numbers.formUnion(accounts.map { Self.number("account \($0.text)") })
    let list = numbers.sorted().map(String.init).joined(separator: ",")
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
    return try self.accounts(of: subjects).isSubset(of: accounts)
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

  /// The accounts that the subjects belong to now.
  private func accounts(of subjects: [Subject]) throws(StoreFault) -> Set<AccountID> {
    var accounts: Set<AccountID> = []
    for subject in subjects { accounts.formUnion(try self.accounts(of: subject)) }
    return accounts
  }

  private func accounts(of subject: Subject) throws(StoreFault) -> [AccountID] {
    switch subject {
    case .account(let id): [id]
    case .email(let address):
      try found("SELECT id FROM accounts WHERE email = ?") { $0.bind(address.text) }
    case .number(let phone):
      try found("SELECT id FROM accounts WHERE phone = ?") { $0.bind(phone.e164) }
    case .signInAttempt(let digest):
      try found("SELECT account FROM sign_in_attempts WHERE digest = ?") { $0.bind(digest) }
    case .authorizationCode(let digest):
      try found("SELECT account FROM sign_in_attempts WHERE code_digest = ?") { $0.bind(digest) }
    case .passwordReset(let digest):
      try found("SELECT account FROM password_resets WHERE digest = ?") { $0.bind(digest) }
    case .session(let id):
      try found("SELECT account FROM sessions WHERE id = ?") { $0.bind(id.text) }
    case .identity(let issuer, let subject):
      try found("SELECT account FROM identities WHERE issuer = ? AND subject = ?") {
        $0.bind(issuer)
        $0.bind(subject)
      }
    case .message(let id):
      try found("SELECT account FROM outbox WHERE id = ? AND account IS NOT NULL") { $0.bind(id) }
    case .fieldRecord(let id):
      try found(
        """
        SELECT account FROM jobs WHERE id = ?1 UNION SELECT account FROM deliveries WHERE id = ?1
        UNION SELECT account FROM activities WHERE id = ?1
        """
      ) { $0.bind(id) }
    case .invitation(let digest):
      try found("SELECT account FROM invitations WHERE digest = ?") { $0.bind(digest) }
    case .product(let id):
      try found(
        """
        SELECT owner FROM products WHERE id = ?1 AND owner IS NOT NULL
        UNION SELECT accounts.id FROM products JOIN accounts ON email = awaited_address
          WHERE products.id = ?1
        """
      ) { $0.bind(id.text) }
    case .providerJourney, .providerState, .providerBrowser, .assertion, .policy,
      .globalAdministrators, .expiredRecords, .installation:
      []
    }
  }

  private func found(
    _ sql: StaticString, _ bind: (inout Parameters) -> Void
  ) throws(StoreFault) -> [AccountID] {
    try all(sql, bind: bind, read: { row in row.identifier() })
  }

  /// The names of a subject's own locks.
  ///
  /// A sign-in at a provider is found by its `request_uri`, by its `state` and by the cookie of the
  /// browser, and all open ones of a device are counted, so all sign-ins at providers share a lock.
  private static func names(_ subject: Subject) -> [String] {
    switch subject {
    case .account(let id): ["account \(id.text)"]
    case .email(let address): ["email \(address.text)"]
    case .number(let phone): ["number \(phone.e164)"]
    case .signInAttempt(let digest): ["attempt \(digest)"]
    case .authorizationCode(let digest): ["code \(digest)"]
    case .passwordReset(let digest): ["reset \(digest)"]
    case .session(let id): ["session \(id.text)"]
    case .identity(let issuer, let subject): ["identity \(issuer) \(subject)"]
    case .providerJourney, .providerState, .providerBrowser: ["provider sign-ins"]
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

  /// The number of a name: FNV-1a with 64 bits.
  static func number(_ name: String) -> Int64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return Int64(bitPattern: hash)
  }
}

extension SharedCounter {
  fileprivate var name: String {
    switch self {
    case .eventLog: "event log"
    case .refusals: "refusals"
    case .throttle(let key): "throttle \(key)"
    }
  }
}

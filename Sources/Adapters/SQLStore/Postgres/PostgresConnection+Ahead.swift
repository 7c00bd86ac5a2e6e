internal import CPostgres
internal import SignInModel
internal import SignInService

/// The reads that most decisions about a subject make.
///
/// They are sent with the locks of the decision, so that they cost no round trip of their own.
extension PostgresConnection {
  /// One read in advance.
  struct ReadAhead {
    let sql: StaticString
    let bind: (inout Parameters) -> Void
    /// Whether the rows are those of the account's codes, by their identifier.
    var isOfCodes = false
    /// The statement that finds the accounts, with the same value; nil if the value is an account.
    var search: StaticString?
  }

  /// `search` finds further accounts, which are not known before the statements are sent.
  static func readsAhead(
    of subjects: [Subject], _ accounts: Set<AccountID>, in search: Search? = nil
  ) -> [ReadAhead] {
    var reads = subjects.flatMap(Self.reads)
    guard !reads.isEmpty else { return [] }
    let statements = readsOfAccounts(subjects)
    for account in accounts.sorted(by: { $0.text < $1.text }) {
      for (sql, isOfCodes) in statements {
        reads.append(
          ReadAhead(sql: sql, bind: { $0.bind(account.text) }, isOfCodes: isOfCodes))
      }
    }
    if let search {
      for (sql, isOfCodes) in statements {
        reads.append(
          ReadAhead(sql: sql, bind: search.bind, isOfCodes: isOfCodes, search: search.sql))
      }
    }
    for kind in ["client", "organization"] {
      reads.append(
        ReadAhead(sql: SQLTransaction.policyBySubject) { $0.bind(kind) })
    }
    return reads
  }

  private static func readsOfAccounts(
    _ subjects: [Subject]
  ) -> [(sql: StaticString, isOfCodes: Bool)] {
    var reads = [(sql: SQLTransaction.accountByID, isOfCodes: false)]
    guard subjects.contains(where: \.isSignIn) else { return reads }
    reads += [
      (SQLTransaction.knownDeviceByKey, false), (SQLTransaction.lockoutByKey, false),
      (SQLTransaction.codeChallengeByKey, false), (SQLTransaction.messageByID, true),
    ]
    guard subjects.contains(where: \.beginsSession) else { return reads }
    reads += [
      (SQLTransaction.knownDevicesOfAccount, false),
      (SQLTransaction.openSessionsOfAccount, false), (SQLTransaction.proofKeysOfAccount, false),
    ]
    return reads
  }

  private static func reads(_ subject: Subject) -> [ReadAhead] {
    switch subject {
    case .number(let phone):
      [ReadAhead(sql: SQLTransaction.accountByPhone) { $0.bind(phone.e164) }]
    case .email(let address):
      [ReadAhead(sql: SQLTransaction.accountByEmail) { $0.bind(address.text) }]
    case .signInAttempt(let digest):
      [ReadAhead(sql: SQLTransaction.attemptByDigest) { $0.bind(digest) }]
    case .authorizationCode(let digest):
      [ReadAhead(sql: SQLTransaction.attemptByCode) { $0.bind(digest) }]
    case .session(let id): [ReadAhead(sql: SQLTransaction.sessionByID) { $0.bind(id.text) }]
    case .account, .passwordReset, .identity, .providerJourney, .providerDevice,
      .assertion, .message, .fieldRecord, .invitation, .product, .policy, .globalAdministrators,
      .expiredRecords, .installation:
      []
    }
  }
}

extension Subject {
  fileprivate var isSignIn: Bool {
    switch self {
    case .number, .email, .signInAttempt, .authorizationCode: true
    default: false
    }
  }

  fileprivate var beginsSession: Bool {
    if case .authorizationCode = self { true } else { false }
  }
}

extension KeyedRead {
  /// The statement that makes the read.
  func text(for read: PostgresConnection.ReadAhead) -> String {
    guard let search = read.search else { return read.isOfCodes ? aheadOfCodes : ahead }
    return ahead(ofCodes: read.isOfCodes, in: PostgresDialect.translate(search))
  }
}

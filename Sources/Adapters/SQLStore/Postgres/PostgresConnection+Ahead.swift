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
  }

  static func readsAhead(
    of subjects: [Subject], _ accounts: Set<AccountID>
  ) -> [ReadAhead] {
    var reads = subjects.flatMap(Self.reads)
    guard !reads.isEmpty else { return [] }
    for account in accounts.sorted(by: { $0.text < $1.text }) {
      func add(_ sql: StaticString, isOfCodes: Bool = false) {
        reads.append(
          ReadAhead(sql: sql, bind: { $0.bind(account.text) }, isOfCodes: isOfCodes))
      }
      add(SQLTransaction.accountByID)
      guard subjects.contains(where: \.isSignIn) else { continue }
      add(SQLTransaction.knownDeviceByKey)
      add(SQLTransaction.lockoutByKey)
      add(SQLTransaction.codeChallengeByKey)
      add(SQLTransaction.messageByID, isOfCodes: true)
      guard subjects.contains(where: \.beginsSession) else { continue }
      add(SQLTransaction.knownDevicesOfAccount)
      add(SQLTransaction.openSessionsOfAccount)
      add(SQLTransaction.proofKeysOfAccount)
    }
    for kind in ["client", "organization"] {
      reads.append(
        ReadAhead(sql: SQLTransaction.policyBySubject) { $0.bind(kind) })
    }
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
    case .account, .passwordReset, .identity, .providerJourney, .providerState, .providerBrowser,
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

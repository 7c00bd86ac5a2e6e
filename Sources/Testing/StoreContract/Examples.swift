internal import SignInModel
internal import SignInRules
internal import SignInService
internal import SignInTesting
internal import SignInWire

/// Records whose fields all differ from each other and from zero.
enum Examples {
  static let start = Instant(milliseconds: 1_893_456_000_123)

  /// The detail of an event, with the characters of a changed message text.
  static let detail = #"ada app {"texts.sign_in":["कोड: “{code}”\n","\"{code}\" – 📱…"]}"#

  /// The number of the account with this number.
  static func phone(_ number: Int = 1) throws -> PhoneNumber {
    try PhoneNumber(parsing: "+4930000\(1000 + number)")
  }

  static func account(
    _ number: Int = 1, role: AccountRole = .technician, status: AccountStatus = .active,
    organizations: [String] = []
  ) throws -> Account {
    Account(
      id: AccountID("account-\(number)"),
      email: try EmailAddress(parsing: "person\(number)@example.com"),
      phone: try phone(number), name: "Person \(number)",
      role: role, status: status, passwordHash: "fast$\(number)$hash",
      organizations: organizations.map { OrganizationID($0) },
      createdAt: start.adding(seconds: Int64(number))
    )
  }

  static func attempt(
    _ number: UInt8 = 1, asked: (nonce: String?, organization: OrganizationID?) = (nil, nil),
    lasting seconds: Range<Int64> = 0..<600, account: String = "account-1",
    key: String = "thumbprint"
  ) -> SignInAttempt {
    SignInAttempt(
      digest: digest(number), account: AccountID(account), client: ClientID("phone-app"),
      proofKeyThumbprint: key, pkceChallenge: "challenge", scope: "openid offline_access",
      nonce: asked.nonce, organization: asked.organization,
      startedAt: start.adding(seconds: seconds.lowerBound),
      expiresAt: start.adding(seconds: seconds.upperBound), progress: .awaitingCode
    )
  }

  static func challenge(
    _ id: String, at place: CodeChallenge.Key = codePlace(), superseded: [[UInt8]] = []
  ) -> CodeChallenge {
    CodeChallenge(
      id: id, place: place, client: ClientID("phone-app"),
      proofKeyThumbprint: "thumbprint", mac: digest(9), supersededMACs: superseded, digits: 6,
      expiresAt: start.adding(seconds: 300), resendAt: start.adding(seconds: 60),
      isConsumed: false
    )
  }

  static func codePlace(
    _ account: String = "account-1", _ purpose: CodeChallenge.Purpose = .signIn,
    _ holder: CodeChallenge.Holder = .unknownDevices
  ) -> CodeChallenge.Key {
    CodeChallenge.Key(account: AccountID(account), purpose: purpose, holder: holder)
  }

  static func reset(
    _ number: UInt8, account: String = "account-1", key: String? = nil, expiresIn seconds: Int64 = 9
  ) -> PasswordReset {
    PasswordReset(
      digest: digest(number), account: AccountID(account), client: ClientID("phone-app"),
      proofKeyThumbprint: key, expiresAt: start.adding(seconds: seconds)
    )
  }

  static func session(
    _ id: String = "session-1", account: String = "account-1",
    lasting seconds: Range<Int64> = 0..<86_400, organization: OrganizationID? = nil,
    methods: [String] = ["pwd", "otp", "sms"]
  ) -> Session {
    var session = Session(
      id: SessionID(id), account: AccountID(account), client: ClientID("phone-app"),
      proofKeyThumbprint: "thumbprint", scope: "openid", organization: organization,
      authenticationMethods: methods, startedAt: start.adding(seconds: seconds.lowerBound),
      expiresAt: start.adding(seconds: seconds.upperBound),
      lastUsedAt: start.adding(seconds: seconds.lowerBound + 5), refreshGeneration: 7, end: nil
    )
    session.device = DeviceName(browser: "Firefox", system: id == "session-1" ? "Linux" : nil)
    session.place = SessionPlace(town: id == "session-1" ? "Ås" : nil, country: "NO")
    return session
  }

  static func message(
    _ id: String, createdIn seconds: Int64 = 0, leasedIn lease: Int64 = 0,
    expiresIn life: Int64 = 300, state: OutboxMessage.State = .waiting
  ) throws -> OutboxMessage {
    OutboxMessage(
      id: id, to: .phone(try PhoneNumber(parsing: "+493000001234")), sealedText: [1, 0, 255],
      createdAt: start.adding(seconds: seconds), expiresAt: start.adding(seconds: life),
      leasedUntil: start.adding(seconds: lease), tries: 3, state: state
    )
  }

  static func job(
    _ id: String, account: String = "account-1", startsIn seconds: Int64 = 0,
    status: Job.Status = .scheduled
  ) -> Job {
    Job(
      id: id, account: AccountID(account), title: "Inspect the lift", customer: "Müller & Töchter",
      place: "Am Markt 3", startsAt: start.adding(seconds: seconds),
      endsAt: start.adding(seconds: seconds + 3600), status: status, phone: "+49 30 1234",
      instructions: "Two lines\nof instructions", organization: OrganizationID("org-1"),
      statusNote: "A part\nis missing"
    )
  }

  static func digest(_ number: UInt8) -> [UInt8] { [UInt8](repeating: number, count: 32) }
}

extension SignInAttempt {
  /// The same attempt after a step.
  func reaching(_ progress: Progress) -> SignInAttempt {
    var attempt = self
    attempt.progress = progress
    return attempt
  }
}

extension Store {
  func insert(_ accounts: Account...) async throws(StoreFault) {
    try await transact { transaction throws(StoreFault) in
      for account in accounts { try transaction.insert(account) }
    }
  }

  func insert(_ attempts: SignInAttempt...) async throws(StoreFault) {
    try await transact { transaction throws(StoreFault) in
      for attempt in attempts { try transaction.insert(attempt) }
    }
  }

  func insert(_ sessions: Session...) async throws(StoreFault) {
    try await transact { transaction throws(StoreFault) in
      for session in sessions { try transaction.insert(session) }
    }
  }

  func insert(_ messages: OutboxMessage...) async throws(StoreFault) {
    try await transact { transaction throws(StoreFault) in
      for message in messages { try transaction.insert(message) }
    }
  }
}

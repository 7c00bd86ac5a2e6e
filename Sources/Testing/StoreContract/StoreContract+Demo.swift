internal import SignInModel
internal import SignInRules
internal import SignInService
internal import SignInTesting

extension StoreContract {
  static var demo: [Check] {
    [
      Check(name: "demo accounts differ from other accounts", isKept: demoMarks),
      Check(name: "an account is removed with all its records", isKept: accountRemoval),
      Check(name: "a readiness record is accepted repeatedly", isKept: readiness),
    ]
  }

  private static func demoAccount(_ number: Int) throws -> Account {
    let like = try Examples.account(number)
    return Account(
      id: like.id, email: like.email, phone: like.phone, name: like.name, role: like.role,
      status: like.status, passwordHash: like.passwordHash, organizations: [],
      createdAt: like.createdAt, isDemo: true
    )
  }

  private static func demoMarks(_ store: any Store) async throws {
    try await store.insert(try Examples.account(9))
    let none = try await store.read { transaction throws(StoreFault) in
      try transaction.hasDemoAccounts()
    }
    try expect(none, is: false, "whether there is a demo account")

    var changed = try demoAccount(1)
    try await store.insert(changed, try demoAccount(2), try demoAccount(3))
    changed.passwordHash = "another"
    let account = changed
    try await store.transact { transaction throws(StoreFault) in try transaction.update(account) }

    let (some, first) = try await store.read { transaction throws(StoreFault) in
      (try transaction.hasDemoAccounts(), try transaction.demoAccounts(limit: 2))
    }
    try expect(some, is: true, "whether there is a demo account")
    try expect(first.map(\.text), is: ["account-1", "account-2"], "the first two")
    let found = try await store.read { transaction throws(StoreFault) in
      try transaction.account(account.id)
    }
    try expect(found, is: account, "the changed account")
  }

  /// Whether a store still has each inserted record of an account.
  private static func remains(
    of account: Account, _ number: UInt8, in store: any Store
  ) async throws(StoreFault) -> [Bool] {
    let (id, key) = (account.id, "thumbprint-\(number)")
    return try await store.read { transaction throws(StoreFault) in
      [
        try transaction.account(id) != nil,
        try transaction.signInAttempt(digest: Examples.digest(number)) != nil,
        try transaction.codeChallenge(at: Examples.codePlace(id.text)) != nil,
        try transaction.passwordReset(digest: Examples.digest(number)) != nil,
        try transaction.session(SessionID("session-\(number)")) != nil,
        try transaction.message("message-\(number)") != nil,
        try transaction.jobs(of: id).isEmpty == false,
        try transaction.knownDevice(of: id, proofKeyThumbprint: key) != nil,
        try transaction.lockout(LockoutKey(id)) != .open,
        try transaction.lockout(LockoutKey(id, device: key, isForResets: true)) != .open,
        try transaction.waitingPassword(of: id) != nil,
        try transaction.invitation(digest: Examples.digest(number)) != nil,
        try transaction.notices(of: id).isEmpty == false,
        try transaction.contactProposals(of: id).isEmpty == false,
        try transaction.revocableChanges(of: id).isEmpty == false,
      ]
    }
  }

  private static func insertAll(
    of account: Account, _ number: UInt8, in store: any Store
  ) async throws {
    let (id, key) = (account.id, "thumbprint-\(number)")
    let (start, digest) = (Examples.start, Examples.digest(number))
    let phone = try Examples.phone(99)
    try await store.insert(account)
    try await store.insert(Examples.attempt(number, account: id.text))
    try await store.insert(Examples.session("session-\(number)", account: id.text))
    try await store.insert(
      OutboxMessage(
        id: "message-\(number)", to: .phone(try Examples.phone(Int(number))), sealedText: [1],
        createdAt: start,
        expiresAt: start, leasedUntil: start, tries: 0, state: .waiting
      ))
    try await store.transact { transaction throws(StoreFault) in
      try transaction.save(
        Examples.challenge("challenge-\(number)", at: Examples.codePlace(id.text)))
      try transaction.insert(Examples.reset(number, account: id.text))
      try transaction.save(Examples.job("job-\(number)", account: id.text))
      try transaction.save(
        KnownDevice(
          account: id, proofKeyThumbprint: key, lastSeenAt: start, hasProvedPassword: true
        ))
      var lockout = Lockout.open
      lockout.countWrong(at: start, under: Policy().lockout)
      try transaction.save(lockout, for: LockoutKey(id))
      try transaction.save(lockout, for: LockoutKey(id, device: key, isForResets: true))
      try transaction.save(
        WaitingPassword(
          account: id, client: ClientID("app"), passwordHash: "hash", requestedAt: start,
          availableAt: start
        ))
      try transaction.save(
        Invitation(account: id, digest: digest, createdAt: start, expiresAt: start))
      try transaction.insert(
        AccountNotice(id: "notice-\(number)", account: id, kind: .newDevice, at: start))
      try transaction.save(
        ContactProposal(
          id: "proposal-\(number)", account: id, provider: "login", issuer: "issuer",
          subject: id.text, value: .phone(phone), proposedAt: start))
      try transaction.insert(
        RevocableChange(
          id: "change-\(number)", account: id, kind: .erasure, before: nil, digest: digest,
          madeAt: start, endsAt: start))
    }
  }

  private static func accountRemoval(_ store: any Store) async throws {
    // The identifier of the second account begins with that of the first.
    let (one, ten) = (try demoAccount(1), try demoAccount(10))
    try await insertAll(of: one, 1, in: store)
    try await insertAll(of: ten, 10, in: store)
    let all = try await remains(of: one, 1, in: store)
    try expect(all.allSatisfy(\.self), is: true, "that all was inserted")

    let count = try await store.transact { transaction throws(StoreFault) in
      try transaction.removeAccount(one.id)
    }

    try expect(count, is: all.count, "the number of records")
    let left = try await remains(of: one, 1, in: store)
    try expect(left.contains(true), is: false, "that anything remains")
    let others = try await remains(of: ten, 10, in: store)
    try expect(others.allSatisfy(\.self), is: true, "that the other account is whole")
    try await expect(.conflict, from: store, "removing it twice") {
      transaction throws(StoreFault) in try transaction.removeAccount(one.id)
    }
  }

  private static func readiness(_ store: any Store) async throws {
    for second in 0..<3 {
      try await store.transact { transaction throws(StoreFault) in
        try transaction.saveReadiness(at: Examples.start.adding(seconds: Int64(second)))
      }
    }
  }
}

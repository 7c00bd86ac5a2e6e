internal import SignInModel
internal import SignInRules
internal import SignInService
internal import SignInTesting

extension StoreContract {
  static var accounts: [Check] {
    [
      Check(name: "an account is read unchanged, with every option", isKept: accountRoundTrip),
      Check(name: "an account of every role and status is read unchanged", isKept: accountWords),
      Check(name: "an account is found by every canonical spelling", isKept: accountLookups),
      Check(name: "the changeable fields of an account change", isKept: accountUpdate),
      Check(
        name: "identifier, e-mail and phone within a role are taken once", isKept: accountUnique),
    ]
  }

  static var lockouts: [Check] {
    [
      Check(name: "a lockout is read unchanged, and is open before", isKept: lockoutRoundTrip),
      Check(
        name: "quiet counters with few failures are removed up to the limit", isKept: lockoutRemoval
      ),
    ]
  }

  private static func accountRoundTrip(_ store: any Store) async throws {
    let full = try Examples.account(1, organizations: ["north", "south-2"])
    let odd = Account(
      id: AccountID("odd"), email: nil, phone: try PhoneNumber(parsing: "+15550100000"), name: "",
      role: .rider, status: .pending, passwordHash: nil, organizations: [],
      createdAt: Instant(milliseconds: -1)
    )
    var named = try Examples.account(2, organizations: ["one"])
    named.name = "O'Brien \"Ω\" \0 👩‍🔧 '; DROP TABLE accounts; --"
    named.passwordHash = ""

    // People of an identity provider may have neither an address nor a number.
    var unreachable = try Examples.account(3)
    unreachable.email = nil
    unreachable.phone = nil
    var alsoUnreachable = try Examples.account(4)
    alsoUnreachable.phone = nil

    try await store.insert(full, odd, named, unreachable, alsoUnreachable)

    for account in [full, odd, named, unreachable, alsoUnreachable] {
      let found = try await store.read { transaction throws(StoreFault) in
        try transaction.account(account.id)
      }
      try expect(found, is: account, "the account")
    }
    let absent = try await store.read { transaction throws(StoreFault) in
      try transaction.account(AccountID("absent"))
    }
    try expect(absent, is: nil, "an unknown account")
  }

  private static func accountWords(_ store: any Store) async throws {
    let statuses: [AccountStatus] = [.active, .deactivated, .pending, .rejected]
    for (row, role) in AccountRole.allCases.enumerated() {
      for (column, status) in statuses.enumerated() {
        let account = try Examples.account(row * 10 + column, role: role, status: status)
        let phone = try Examples.phone(row * 10 + column)
        try await store.insert(account)
        let found = try await store.read { transaction throws(StoreFault) in
          try transaction.account(phone: phone, role: role)
        }
        try expect(found, is: account, "the \(status) \(role)")
      }
    }
  }

  private static func accountLookups(_ store: any Store) async throws {
    let account = try Examples.account(1)
    try await store.insert(account)

    let email = try EmailAddress(parsing: " PERSON1@Example.COM ")
    let byEmail = try await store.read { transaction throws(StoreFault) in
      try transaction.account(email: email)
    }
    try expect(byEmail, is: account, "the account by another spelling of its e-mail")

    let phone = try PhoneNumber(parsing: "+49 (30) 000-1001")
    let byPhone = try await store.read { transaction throws(StoreFault) in
      try transaction.account(phone: phone, role: .technician)
    }
    try expect(byPhone, is: account, "the account by another spelling of its phone")

    let otherRole = try await store.read { transaction throws(StoreFault) in
      try transaction.account(phone: phone, role: .owner)
    }
    try expect(otherRole, is: nil, "the account by its phone in another role")
  }

  private static func accountUpdate(_ store: any Store) async throws {
    let before = try Examples.account(1)
    var after = before
    after.email = nil
    after.phone = try PhoneNumber(parsing: "+15550109000")
    after.name = "Renamed"
    after.role = .mentor
    after.status = .deactivated
    after.passwordHash = nil
    after.organizations = [OrganizationID("new")]
    try await store.insert(before)

    try await store.transact { [after] transaction throws(StoreFault) in
      try transaction.update(after)
    }

    let found = try await store.read { transaction throws(StoreFault) in
      try transaction.account(before.id)
    }
    try expect(found, is: after, "the changed account")
    var unreachable = after
    unreachable.phone = nil
    for account in [unreachable, after] {
      try await store.transact { transaction throws(StoreFault) in try transaction.update(account) }
      let changed = try await store.read { transaction throws(StoreFault) in
        try transaction.account(before.id)
      }
      try expect(changed, is: account, "the account without a number, and with one again")
    }
    let byOldEmail = try await store.read { transaction throws(StoreFault) in
      guard let email = before.email else { return nil as Account? }
      return try transaction.account(email: email)
    }
    try expect(byOldEmail, is: nil, "the account by the e-mail it gave up")
    let missing = try Examples.account(2)
    try await expect(.conflict, from: store, "changing a missing account") {
      transaction throws(StoreFault) in try transaction.update(missing)
    }
  }

  private static func accountUnique(_ store: any Store) async throws {
    let first = try Examples.account(1)
    let second = try Examples.account(2)
    try await store.insert(first, second)

    var sameEmail = try Examples.account(3)
    sameEmail.email = first.email
    var samePhone = try Examples.account(4)
    samePhone.phone = first.phone
    for account in [first, sameEmail, samePhone] {
      try await expect(.conflict, from: store, "inserting a second \(account.id.text)") {
        transaction throws(StoreFault) in try transaction.insert(account)
      }
    }

    var takenEmail = second
    takenEmail.email = first.email
    var takenPhone = second
    takenPhone.phone = first.phone
    for account in [takenEmail, takenPhone] {
      try await expect(.conflict, from: store, "changing to what another account has") {
        transaction throws(StoreFault) in try transaction.update(account)
      }
    }

    // Neither an account without e-mail nor one of another role uses up an address.
    var free = try Examples.account(5, role: .owner)
    free.email = nil
    free.phone = first.phone
    var freeToo = try Examples.account(6)
    freeToo.email = nil
    try await store.insert(free, freeToo)
    try await store.transact { transaction throws(StoreFault) in try transaction.update(second) }
  }

  private static func lockoutRoundTrip(_ store: any Store) async throws {
    let unknown = try await store.read { transaction throws(StoreFault) in
      try transaction.lockout(LockoutKey(AccountID("key")))
    }
    try expect(unknown, is: .open, "an unknown lockout")

    let states = [
      Lockout(
        failures: 1, failuresInRow: 2, reserved: 3, reservedAt: Examples.start, locks: 4,
        lockedUntil: Examples.start.adding(seconds: 900)),
      Lockout(
        failures: 0, failuresInRow: 0, reserved: 0, reservedAt: Examples.start, locks: 0,
        lockedUntil: nil),
      .open,
      Lockout(
        failures: 5, failuresInRow: 5, reserved: 0, reservedAt: Instant(milliseconds: 0), locks: 1,
        lockedUntil: Instant(milliseconds: 0)),
      Lockout(
        failures: 1, failuresInRow: 2, reserved: 0, reservedAt: Examples.start, locks: 1,
        lockedUntil: nil,
        shares: FailureShares(shares: [
          .init(device: "a-b_c", failures: 1, failuresInRow: 2, locks: 0),
          .init(device: "d", failures: 0, failuresInRow: 3, locks: 1),
        ]), failuresOfAccount: 7),
    ]
    for state in states {
      let other = try await store.transact { transaction throws(StoreFault) in
        try transaction.save(state, for: LockoutKey(AccountID("key")))
        return try transaction.lockout(LockoutKey(AccountID("key"), device: "d"))
      }
      try expect(other, is: .open, "the lockout under another key")
      let found = try await store.read { transaction throws(StoreFault) in
        try transaction.lockout(LockoutKey(AccountID("key")))
      }
      try expect(found, is: state, "the lockout")
    }
  }

  private static func lockoutRemoval(_ store: any Store) async throws {
    func lockout(
      _ second: Int64, failures: Int64 = 1, ofAccount: Int64 = 0, locked: Int64? = nil
    ) -> Lockout {
      Lockout(
        failures: 1, failuresInRow: failures, reserved: 0,
        reservedAt: Examples.start.adding(seconds: second), locks: 0,
        lockedUntil: locked.map { Examples.start.adding(seconds: $0) },
        failuresOfAccount: ofAccount
      )
    }
    func key(_ account: String) -> LockoutKey { LockoutKey(AccountID(account)) }
    let saved = [
      (key("?one"), lockout(1)), (key("?two").ofResets, lockout(2)),
      (key("?three"), lockout(3, locked: 9)), (key("account-1"), lockout(4)),
      (key("?locked"), lockout(1, locked: 10)), (key("?new"), lockout(10)),
      (key("?many"), lockout(1, failures: 10)), (key("?row"), lockout(1, ofAccount: 10)),
    ]
    try await store.transact { transaction throws(StoreFault) in
      for (key, lockout) in saved { try transaction.save(lockout, for: key) }
    }
    // Counters of the tenth second, and with ten failures, are just outside the limits.
    let moment = Examples.start.adding(seconds: 10)
    for (limit, expected) in [(0, 0), (2, 2), (9, 2), (9, 0)] {
      let removed = try await store.transact { transaction throws(StoreFault) in
        try transaction.removeLockouts(quietSince: moment, failuresBelow: 10, limit: limit)
      }
      try expect(removed, is: expected, "removed at a limit of \(limit)")
    }
    let remaining = try await store.read { transaction throws(StoreFault) in
      var remaining: [String] = []
      for (key, _) in saved where try transaction.lockout(key) != .open {
        remaining.append(key.account.text)
      }
      return remaining
    }
    try expect(remaining, is: ["?locked", "?new", "?many", "?row"], "the counters")
  }
}

internal import SignInModel
internal import SignInService
internal import SignInTesting

extension StoreContract {
  static var waitingPasswords: [Check] {
    [
      Check(name: "an account has one waiting password", isKept: oneWaitingPassword),
      Check(name: "due passwords are read earliest first, up to the limit", isKept: duePasswords),
      Check(name: "an account has one invitation, found by its digest", isKept: oneInvitation),
      Check(name: "expired invitations are removed up to the limit", isKept: invitationRemoval),
      Check(name: "notices are read newest first and removed one by one", isKept: noticeOrder),
    ]
  }

  private static func waiting(_ account: Int, in seconds: Int64, hash: String = "h")
    -> WaitingPassword
  {
    WaitingPassword(
      account: AccountID("account-\(account)"), client: ClientID("phone-app"), passwordHash: hash,
      requestedAt: Examples.start, availableAt: Examples.start.adding(seconds: seconds)
    )
  }

  private static func oneWaitingPassword(_ store: any Store) async throws {
    let (first, second) = (waiting(1, in: 5), waiting(1, in: 9, hash: "other"))
    let other = waiting(2, in: 5)
    for entry in [first, other, second] {
      try await store.transact { transaction throws(StoreFault) in try transaction.save(entry) }
    }
    let found = try await store.read { transaction throws(StoreFault) in
      [
        try transaction.waitingPassword(of: first.account),
        try transaction.waitingPassword(of: other.account),
      ]
    }
    try expect(found, is: [second, other], "the waiting passwords")
    let left = try await store.transact { transaction throws(StoreFault) in
      try transaction.removeWaitingPassword(of: first.account)
      return [
        try transaction.waitingPassword(of: first.account),
        try transaction.waitingPassword(of: other.account),
      ]
    }
    try expect(left, is: [nil, other], "the rest")
  }

  private static func duePasswords(_ store: any Store) async throws {
    for entry in [waiting(1, in: 7), waiting(2, in: 5), waiting(3, in: 6), waiting(4, in: 8)] {
      try await store.transact { transaction throws(StoreFault) in try transaction.save(entry) }
    }
    for (limit, expected) in [(10, ["account-2", "account-3", "account-1"]), (1, ["account-2"])] {
      let due = try await store.read { transaction throws(StoreFault) in
        try transaction.waitingPasswords(
          availableAt: Examples.start.adding(seconds: 7), limit: limit)
      }
      try expect(due.map { $0.account.text }, is: expected, "due at a limit of \(limit)")
    }
  }

  private static func invitation(_ account: Int, _ digest: UInt8, in seconds: Int64 = 9)
    -> Invitation
  {
    Invitation(
      account: AccountID("account-\(account)"), digest: Examples.digest(digest),
      createdAt: Examples.start, expiresAt: Examples.start.adding(seconds: seconds)
    )
  }

  private static func oneInvitation(_ store: any Store) async throws {
    for entry in [invitation(1, 1), invitation(2, 2), invitation(1, 3)] {
      try await store.transact { transaction throws(StoreFault) in try transaction.save(entry) }
    }
    let found = try await store.read { transaction throws(StoreFault) in
      [
        try transaction.invitation(digest: Examples.digest(1)),
        try transaction.invitation(digest: Examples.digest(2)),
        try transaction.invitation(digest: Examples.digest(3)),
      ]
    }
    try expect(found, is: [nil, invitation(2, 2), invitation(1, 3)], "the invitations")
    let left = try await store.transact { transaction throws(StoreFault) in
      try transaction.removeInvitation(of: AccountID("account-1"))
      return try transaction.invitation(digest: Examples.digest(3))
    }
    try expect(left, is: nil, "a removed invitation")
  }

  private static func invitationRemoval(_ store: any Store) async throws {
    for number in 1...4 {
      let entry = invitation(number, UInt8(number), in: Int64(number))
      try await store.transact { transaction throws(StoreFault) in try transaction.save(entry) }
    }
    let moment = Examples.start.adding(seconds: 4)
    for (limit, expected) in [(2, 2), (2, 1), (2, 0)] {
      let removed = try await store.transact { transaction throws(StoreFault) in
        try transaction.removeInvitations(expiredBefore: moment, limit: limit)
      }
      try expect(removed, is: expected, "removed at a limit of \(limit)")
    }
  }

  private static func noticeOrder(_ store: any Store) async throws {
    func notice(_ id: String, account: String, in seconds: Int64) -> AccountNotice {
      AccountNotice(
        id: id, account: AccountID(account), kind: .newDevice,
        at: Examples.start.adding(seconds: seconds)
      )
    }
    let notices = [
      notice("a", account: "one", in: 1), notice("b", account: "one", in: 2),
      notice("c", account: "two", in: 3),
    ]
    try await store.transact { transaction throws(StoreFault) in
      for notice in notices { try transaction.insert(notice) }
    }
    let found = try await store.read { transaction throws(StoreFault) in
      try transaction.notices(of: AccountID("one"))
    }
    try expect(found, is: [notices[1], notices[0]], "the notices")
    try await store.transact { transaction throws(StoreFault) in
      try transaction.removeNotice("b", of: AccountID("one"))
      try transaction.removeNotice("c", of: AccountID("one"))
    }
    let removed = try await store.transact { transaction throws(StoreFault) in
      try transaction.removeNotices(madeBefore: Examples.start.adding(seconds: 3), limit: 5)
    }
    try expect(removed, is: 1, "notices made before")
    let left = try await store.read { transaction throws(StoreFault) in
      try transaction.notices(of: AccountID("two"))
    }
    try expect(left, is: [notices[2]], "the rest")
  }
}

internal import SignInModel
internal import SignInService
internal import SignInTesting

extension StoreContract {
  static var lists: [Check] {
    [
      Check(name: "accounts are found by a query", isKept: accountSearch),
      Check(name: "accounts are paged newest first, then by identifier", isKept: accountPages),
      Check(name: "messages are paged newest first, in every state", isKept: messagePages),
      Check(name: "a remembered answer is read, and the last one stays", isKept: remembering),
      Check(name: "remembered answers are removed up to the limit", isKept: forgetting),
    ]
  }

  private static func accountSearch(_ store: any Store) async throws {
    var accounts: [Account] = []
    for (number, name) in ["ÅSA Berg", "Åsa berg 100%", "o'brien_", "", "Nora  Eide-José"]
      .enumerated()
    {
      var account = try Examples.account(
        number, role: number % 2 == 0 ? .technician : .rider,
        status: number < 3 ? .active : .pending
      )
      account.name = name
      if number == 3 { account.email = nil }
      accounts.append(account)
      try await store.insert(account)
    }
    let texts = [
      "", "BERG", "åsa", "Åsa", "%", "_", "'", "1001", "+49 (30)", "+", "person1@", "nothing",
      "berg ASA", "eide  nora",
      "jose", "Jose\u{301}", "nora\u{A0}person4", "b\u{0}erg", "eidejose", "nora nothing",
    ]
    for text in texts {
      for status in [nil, AccountStatus.active] {
        for role in [nil, AccountRole.rider] {
          let query = AccountQuery(text, status: status, role: role)
          let found = try await store.read { transaction throws(StoreFault) in
            try transaction.accounts(query, after: nil, limit: 10).map { $0.id.text }
          }
          let expected = accounts.reversed().filter(query.finds).map { $0.id.text }
          try expect(found, is: expected, "what \(query) finds")
        }
      }
    }
  }

  private static func accountPages(_ store: any Store) async throws {
    let moments: [(String, Int64)] = [("a", 1), ("b", 1), ("c", 2), ("d", 0), ("e", 1)]
    for (number, (id, seconds)) in moments.enumerated() {
      let example = try Examples.account(number)
      try await store.insert(
        Account(
          id: AccountID(id), email: example.email, phone: example.phone, name: example.name,
          role: example.role, status: example.status, passwordHash: nil, organizations: [],
          createdAt: Examples.start.adding(seconds: seconds)
        ))
    }
    for limit in 1...6 {
      var seen: [String] = []
      var position: ListCursor?
      while true {
        let after = position
        let page = try await store.read { transaction throws(StoreFault) in
          try transaction.accounts(AccountQuery(), after: after, limit: limit)
        }
        guard let last = page.last else { break }
        seen += page.map { $0.id.text }
        position = ListCursor(createdAt: last.createdAt, id: last.id.text)
      }
      try expect(seen, is: ["c", "e", "b", "a", "d"], "pages of \(limit)")
    }
  }

  private static func messagePages(_ store: any Store) async throws {
    try await store.insert(
      try Examples.message("first", createdIn: 0, state: .failed),
      try Examples.message("twin-a", createdIn: 5),
      try Examples.message("twin-b", createdIn: 5, state: .handedOver))

    let decoy = try Examples.message("decoy", createdIn: 9, state: .decoy)
    try await store.transact { transaction throws(StoreFault) in try transaction.insert(decoy) }
    let all = try await store.read { transaction throws(StoreFault) in
      try transaction.messages(after: nil, limit: 10).map { $0.id }
    }
    try expect(all, is: ["twin-b", "twin-a", "first"], "all messages but decoys")
    let rest = try await store.read { transaction throws(StoreFault) in
      let position = ListCursor(createdAt: Examples.start.adding(seconds: 5), id: "twin-b")
      return try transaction.messages(after: position, limit: 1).map { $0.id }
    }
    try expect(rest, is: ["twin-a"], "the message after the newest")
  }

  private static func answer(
    _ key: String, owner: String = "account-1", _ body: [UInt8] = [0, 255],
    expiresIn seconds: Int64 = 60
  ) -> RememberedAnswer {
    RememberedAnswer(
      owner: AccountID(owner), key: key, fingerprint: Examples.digest(7), body: body,
      expiresAt: Examples.start.adding(seconds: seconds)
    )
  }

  private static func remembering(_ store: any Store) async throws {
    let (first, second, other) = (answer("k"), answer("k", [1]), answer("k", owner: "account-2"))
    try await store.transact { transaction throws(StoreFault) in
      try transaction.save(first)
      try transaction.save(other)
      try transaction.save(second)
    }
    let found = try await store.read { transaction throws(StoreFault) in
      [
        try transaction.rememberedAnswer(owner: AccountID("account-1"), key: "k"),
        try transaction.rememberedAnswer(owner: AccountID("account-2"), key: "k"),
        try transaction.rememberedAnswer(owner: AccountID("account-1"), key: "K"),
      ]
    }
    try expect(found, is: [second, other, nil], "the answers")
  }

  private static func forgetting(_ store: any Store) async throws {
    let answers = [
      answer("a", expiresIn: 1), answer("b", expiresIn: 2), answer("c", expiresIn: 3),
    ]
    try await store.transact { transaction throws(StoreFault) in
      for answer in answers { try transaction.save(answer) }
    }
    for (limit, expected) in [(1, 1), (5, 1), (5, 0)] {
      let removed = try await store.transact { transaction throws(StoreFault) in
        let moment = Examples.start.adding(seconds: 3)
        return try transaction.removeRememberedAnswers(expiredBefore: moment, limit: limit)
      }
      try expect(removed, is: expected, "removed at a limit of \(limit)")
    }
    let left = try await store.read { transaction throws(StoreFault) in
      try transaction.rememberedAnswer(owner: AccountID("account-1"), key: "c")?.key
    }
    try expect(left, is: "c", "the rest")
  }
}

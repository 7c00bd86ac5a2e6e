internal import SignInModel
internal import SignInRules
internal import SignInService
internal import SignInTesting

extension StoreContract {
  static var people: [Check] {
    [
      Check(name: "a permission and an unproved number are read", isKept: permissionRoundTrip),
      Check(name: "accounts are found by their organizations", isKept: organizationSearch),
      Check(name: "another global administrator is found", isKept: globalAdministrators),
      Check(name: "all records of a person are found", isKept: personRecords),
      Check(name: "a removed account leaves no address", isKept: addressRemoval),
      Check(name: "a removed account leaves no name", isKept: nameRemoval),
    ]
  }

  private static func permissionRoundTrip(_ store: any Store) async throws {
    var account = try Examples.account(1, role: .administrator)
    account.permission = Permission([
      Permission.Grant(.viewer), Permission.Grant(.support, in: OrganizationID("north")),
      Permission.Grant(.administrator, in: OrganizationID("south")),
    ])
    account.phoneChangedAt = Examples.start
    (account.emailProof, account.phoneProof) = (.invitation, .code)
    let inserted = account
    try await store.insert(inserted)
    let id = inserted.id
    let found = try await store.read { transaction throws(StoreFault) in try transaction.account(id)
    }
    try expect(found, is: inserted, "the account")

    account.permission = .everything
    account.phoneChangedAt = nil
    (account.emailProof, account.phoneProof) = (.operatorCommand, nil)
    let changed = account
    try await store.transact { transaction throws(StoreFault) in try transaction.update(changed) }
    let after = try await store.read { transaction throws(StoreFault) in try transaction.account(id)
    }
    try expect(after, is: changed, "the changed account")
  }

  private static func organizationSearch(_ store: any Store) async throws {
    try await store.insert(
      try Examples.account(1, organizations: ["north"]),
      try Examples.account(2, organizations: ["north", "south"]),
      try Examples.account(3, organizations: ["northern"]), try Examples.account(4)
    )
    let queries: [([String]?, [String])] = [
      (nil, ["account-4", "account-3", "account-2", "account-1"]),
      (["north"], ["account-2", "account-1"]),
      (["south", "northern"], ["account-3", "account-2"]),
      (["nort"], []), ([], []),
    ]
    for (organizations, expected) in queries {
      var query = AccountQuery()
      query.organizations = organizations.map { $0.map { OrganizationID($0) } }
      let asked = query
      let found = try await store.read { transaction throws(StoreFault) in
        try transaction.accounts(asked, after: nil, limit: 10)
      }
      try expect(found.map(\.id.text), is: expected, "those of \(organizations ?? ["all"])")
    }
  }

  private static func globalAdministrators(_ store: any Store) async throws {
    var ada = try Examples.account(1, role: .administrator)
    ada.permission = .everything
    var local = try Examples.account(2, role: .administrator)
    local.permission = Permission([
      Permission.Grant(.support), Permission.Grant(.administrator, in: OrganizationID("north")),
    ])
    var gone = try Examples.account(3, role: .administrator, status: .deactivated)
    gone.permission = .everything
    try await store.insert(ada, local, gone)
    let (adaID, localID) = (ada.id, local.id)
    let found = try await store.read { transaction throws(StoreFault) in
      (
        try transaction.hasGlobalAdministrator(besides: adaID),
        try transaction.hasGlobalAdministrator(besides: localID)
      )
    }
    try expect(found.0, is: false, "that there is another one beside the only one")
    try expect(found.1, is: true, "that there is another one")
  }

  private static func message(
    _ id: String, to recipient: Recipient, of account: AccountID?
  ) -> OutboxMessage {
    var message = OutboxMessage(
      id: id, to: recipient, sealedText: [1], createdAt: Examples.start,
      expiresAt: Examples.start, leasedUntil: Examples.start, tries: 0, state: .waiting
    )
    message.account = account
    return message
  }

  private static func personRecords(_ store: any Store) async throws {
    let (one, two) = (try Examples.account(1), try Examples.account(2))
    try await store.insert(one, two)
    let (id, other) = (one.id, two.id)
    let old = try PhoneNumber(parsing: "+4930000999")
    let (first, second) = (try Examples.phone(1), try Examples.phone(2))
    try await store.transact { transaction throws(StoreFault) in
      try transaction.insert(message("by-number", to: .phone(first), of: nil))
      try transaction.insert(message("by-account", to: .phone(old), of: id))
      try transaction.insert(message("other", to: .phone(second), of: other))
      try transaction.save(
        Invitation(
          account: id, digest: Examples.digest(1), createdAt: Examples.start,
          expiresAt: Examples.start, sentTo: .phone(first)))
      try transaction.save(
        ContactProposal(
          id: "proposal", account: other, provider: "login", issuer: "issuer", subject: "two",
          value: .phone(old), proposedAt: Examples.start))
    }
    let found = try await store.read { transaction throws(StoreFault) in
      (
        try transaction.messages(of: id), try transaction.invitation(of: id),
        try transaction.invitation(of: other),
        try transaction.activities(of: id), try transaction.serviceRequests(of: id)
      )
    }
    try expect(found.0.map(\.id), is: ["by-number", "by-account"], "the messages")
    try expect(found.0.map(\.account), is: [nil, id], "their accounts")
    try expect(found.1?.account, is: id, "the invitation")
    try expect(found.1?.sentTo, is: .phone(first), "where it was sent")
    try expect(found.2, is: nil, "the invitation of another")
    try expect(found.3.isEmpty && found.4.isEmpty, is: true, "that there is nothing else")
    let holders = try await store.read { transaction throws(StoreFault) in
      (
        try transaction.accounts(withRecordsFor: [.phone(old)]),
        try transaction.accounts(withRecordsFor: [.phone(first)]),
        try transaction.accounts(withRecordsFor: [])
      )
    }
    try expect(holders.0, is: [id, other], "whose records contain the number")
    try expect(holders.1, is: [], "that a message without an account has none")
    try expect(holders.2, is: [], "that no address has none")
  }

  private static func addressRemoval(_ store: any Store) async throws {
    let (one, two) = (try Examples.account(1), try Examples.account(2))
    try await store.insert(one, two)
    let old = try PhoneNumber(parsing: "+4930000999")
    @Sendable func answer(_ key: String, _ body: String) -> RememberedAnswer {
      RememberedAnswer(
        owner: two.id, key: key, fingerprint: [1], body: Array(body.utf8),
        expiresAt: Examples.start
      )
    }
    let id = one.id
    let phone = try Examples.phone(1)
    try await store.transact { transaction throws(StoreFault) in
      try transaction.insert(message("by-account", to: .phone(old), of: one.id))
      try transaction.save(answer("by-id", #"{"id":"\#(one.id.text)"}"#))
      try transaction.save(answer("by-number", #"{"phone":"\#(phone.e164)"}"#))
      try transaction.save(answer("by-email", #"{"to":"person1@example.com"}"#))
      try transaction.save(answer("other", #"{"id":"account-2"}"#))
      _ = try transaction.removeAccount(id)
    }
    let found = try await store.read { transaction throws(StoreFault) in
      (
        try transaction.message("by-account"),
        try transaction.rememberedAnswer(owner: two.id, key: "by-id"),
        try transaction.rememberedAnswer(owner: two.id, key: "by-number"),
        try transaction.rememberedAnswer(owner: two.id, key: "by-email"),
        try transaction.rememberedAnswer(owner: two.id, key: "other")
      )
    }
    try expect(found.0, is: nil, "a message to an earlier number")
    try expect(
      [found.1, found.2, found.3].map { $0?.body }, is: [[], [], []], "the answers about it")
    try expect(found.4 != nil, is: true, "that the answer about another stays")
  }

  private static func nameRemoval(_ store: any Store) async throws {
    let two = try Examples.account(2)
    var one = try Examples.account(1)
    one.name = #"Ann "Annie" Lee"#
    let removed = one
    try await store.insert(one, two)
    func note(_ text: String) -> EventText {
      EventText(account: two.id, salt: [1], text: text, writtenAt: Examples.start)
    }
    func answer(_ key: String, _ body: String) -> RememberedAnswer {
      RememberedAnswer(
        owner: two.id, key: key, fingerprint: [1], body: Array(body.utf8),
        expiresAt: Examples.start)
    }
    let (named, other) = (note(#"as Ann "Annie" Lees manager asked"#), note("as Ann Lee asked"))
    let answers = [
      answer("named", #"{"name":"Ann \"Annie\" Lee"}"#), answer("other", #"{"name":"Ann Lee"}"#),
    ]
    try await store.transact { transaction throws(StoreFault) in
      try transaction.save(named)
      try transaction.save(other)
      for answer in answers { try transaction.save(answer) }
      _ = try transaction.removeAccount(removed.id)
    }
    let found = try await store.read { transaction throws(StoreFault) in
      (
        try transaction.eventNote(named.reference), try transaction.eventNote(other.reference),
        try transaction.rememberedAnswer(owner: two.id, key: "named"),
        try transaction.rememberedAnswer(owner: two.id, key: "other")
      )
    }
    try expect(found.0, is: nil, "the reason about another with the name")
    try expect(found.1, is: other, "the reason without it")
    try expect(found.2?.body, is: [], "the answer with the name")
    try expect(found.3, is: answers[1], "the answer without it")
  }
}

internal import SignInModel
internal import SignInService
internal import SignInTesting

extension StoreContract {
  static var outbox: [Check] {
    [
      Check(name: "a message is read in every state", isKept: messageRoundTrip),
      Check(name: "waiting messages are read oldest first, up to the limit", isKept: messageOrder),
      Check(name: "a leased message is not read until its lease expires", isKept: messageLease),
      Check(name: "settled messages are removed up to the limit", isKept: messageRemoval),
    ]
  }

  private static func waiting(
    in store: any Store, at seconds: Int64, limit: Int = 10
  ) async throws(StoreFault) -> [String] {
    try await store.read { transaction throws(StoreFault) in
      try transaction.waitingMessages(at: Examples.start.adding(seconds: seconds), limit: limit)
    }.map { $0.id }
  }

  private static func messageRoundTrip(_ store: any Store) async throws {
    for state in [OutboxMessage.State.waiting, .handedOver, .failed, .decoy] {
      let message = try Examples.message(state.rawValue, leasedIn: 5, state: state)
      try await store.insert(message)
      let found = try await store.read { transaction throws(StoreFault) in
        try transaction.message(message.id)
      }
      try expect(found, is: message, "the message")
    }
    var emptied = try Examples.message("waiting", leasedIn: 9, state: .handedOver)
    emptied.sealedText = []
    emptied.tries = 4
    emptied.client = ClientID("rider-app")
    emptied.organization = OrganizationID("north")
    emptied.segments = 2
    emptied.messenger = "first"
    emptied.reference = "SM1"
    emptied.unclearCount = 1
    emptied.handedOverAt = Examples.start.adding(seconds: 1)
    emptied.receipt = .delivered
    emptied.receivedAt = Examples.start.adding(seconds: 2)
    emptied.price = 12_500
    emptied.channel = .voice
    emptied.kind = .notice
    let changed = emptied
    try await store.transact { transaction throws(StoreFault) in try transaction.update(changed) }
    let found = try await store.read { transaction throws(StoreFault) in
      try transaction.message("waiting")
    }
    try expect(found, is: changed, "the changed message")
    var mail = OutboxMessage(
      id: "mail", to: .email(try EmailAddress(parsing: "person@example.com")), sealedText: [7],
      createdAt: Examples.start, expiresAt: Examples.start.adding(seconds: 9),
      leasedUntil: Examples.start, tries: 0, state: .waiting
    )
    mail.kind = .notice
    mail.channel = .email
    try await store.insert(mail)
    let foundMail = try await store.read { transaction throws(StoreFault) in
      try transaction.message("mail")
    }
    try expect(foundMail, is: mail, "the notice by e-mail")
    for (reference, messenger, expected) in [
      ("SM1", "first", changed), ("SM1", "second", nil), ("SM2", "first", nil),
    ] {
      let found = try await store.read { transaction throws(StoreFault) in
        try transaction.message(reference: reference, messenger: messenger)
      }
      try expect(found, is: expected, "the message called \(reference) by \(messenger)")
    }

    try await expect(.conflict, from: store, "inserting a message twice") {
      transaction throws(StoreFault) in try transaction.insert(changed)
    }
    let missing = try Examples.message("missing")
    try await expect(.conflict, from: store, "changing a missing message") {
      transaction throws(StoreFault) in try transaction.update(missing)
    }
  }

  private static func messageOrder(_ store: any Store) async throws {
    try await store.insert(
      try Examples.message("late", createdIn: 30), try Examples.message("twin-b", createdIn: 20),
      try Examples.message("twin-a", createdIn: 20), try Examples.message("early", createdIn: 10),
      try Examples.message("sent", state: .handedOver),
      try Examples.message("lost", state: .failed))

    let everything = try await waiting(in: store, at: 40)
    try expect(everything, is: ["early", "twin-a", "twin-b", "late"], "the waiting messages")
    let first = try await waiting(in: store, at: 40, limit: 2)
    try expect(first, is: ["early", "twin-a"], "the first two that wait")
    // The sender gives up expired messages, so it must still find them.
    let late = try await waiting(in: store, at: 10_000, limit: 1)
    try expect(late, is: ["early"], "expired waiting messages")
  }

  private static func messageLease(_ store: any Store) async throws {
    try await store.insert(
      try Examples.message("free"), try Examples.message("leased", leasedIn: 60))

    let during = try await store.read { transaction throws(StoreFault) in
      let lastMoment = Examples.start.adding(milliseconds: 59_999)
      return try transaction.waitingMessages(at: lastMoment, limit: 10).map { $0.id }
    }
    try expect(during, is: ["free"], "waiting messages before the lease expires")
    let after = try await waiting(in: store, at: 60)
    try expect(after, is: ["free", "leased"], "waiting messages after the lease expires")
  }

  private static func messageRemoval(_ store: any Store) async throws {
    try await store.insert(
      try Examples.message("sent", expiresIn: 1, state: .handedOver),
      try Examples.message("lost", expiresIn: 2, state: .failed),
      try Examples.message("lately sent", expiresIn: 3, state: .handedOver),
      try Examples.message("waits", expiresIn: 1))
    let moment = Examples.start.adding(seconds: 3)

    for (limit, expected) in [(1, 1), (5, 1), (5, 0)] {
      let removed = try await store.transact { transaction throws(StoreFault) in
        try transaction.removeSettledMessages(expiredBefore: moment, limit: limit)
      }
      try expect(removed, is: expected, "removed at a limit of \(limit)")
    }

    let left = try await store.read { transaction throws(StoreFault) in
      [try transaction.message("lately sent")?.id, try transaction.message("waits")?.id]
    }
    try expect(left, is: ["lately sent", "waits"], "the rest")
  }
}

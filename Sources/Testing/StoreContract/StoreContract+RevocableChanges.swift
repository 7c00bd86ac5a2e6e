internal import SignInModel
internal import SignInService
internal import SignInTesting

extension StoreContract {
  static var revocableChanges: [Check] {
    [
      Check(name: "a change of the own account is found until it is removed", isKept: ownChanges),
      Check(name: "erasures are due at their time, unless they are cancelled", isKept: dueErasures),
      Check(
        name: "changes that have ended are removed, and due erasures stay",
        isKept: endedChangeRemoval),
    ]
  }

  private static func change(
    _ id: String, of account: String = "one", _ kind: RevocableChange.Kind = .email,
    before: RevocableChange.EarlierContact? = nil, lasting: ClosedRange<Int64> = 0...100
  ) -> RevocableChange {
    RevocableChange(
      id: id, account: AccountID(account), kind: kind, before: before,
      digest: Array("digest of \(id)".utf8),
      madeAt: Examples.start.adding(seconds: lasting.lowerBound),
      endsAt: Examples.start.adding(seconds: lasting.upperBound))
  }

  private static func expectChanges(
    _ changes: [RevocableChange], of account: String = "one", in store: any Store, _ what: String
  ) async throws {
    let found = try await store.read { transaction throws(StoreFault) in
      try transaction.revocableChanges(of: AccountID(account))
    }
    try expect(found, is: changes, what)
  }

  private static func ownChanges(_ store: any Store) async throws {
    let number = RevocableChange.EarlierContact(
      value: .phone(try Examples.phone(1)), proof: .code,
      unverifiedSince: Examples.start.adding(seconds: -5))
    let address = RevocableChange.EarlierContact(
      value: .email(try EmailAddress(parsing: "one@example.com")), proof: nil,
      unverifiedSince: nil)
    let later = change("a", .phoneNumber, before: number, lasting: 2...100)
    var first = change("b", before: address, lasting: 1...100)
    let other = change("c", of: "two", .erasure)
    try await store.transact { [first] transaction throws(StoreFault) in
      for change in [later, first, other] { try transaction.insert(change) }
    }
    try await expect(.conflict, from: store, "inserting it twice") {
      transaction throws(StoreFault) in try transaction.insert(later)
    }
    try await expectChanges([first, later], in: store, "the oldest first")
    let found = try await store.read { transaction throws(StoreFault) in
      (
        try transaction.revocableChange(digest: later.digest),
        try transaction.revocableChange(digest: other.digest),
        try transaction.revocableChange(digest: [1])
      )
    }
    try expect(found.0, is: later, "the change with this digest")
    try expect(found.1, is: other, "the erasure with this digest")
    try expect(found.2, is: nil, "an unknown digest")

    first = change("b", before: address, lasting: 1...120)
    first.undoneAt = Examples.start.adding(seconds: 9)
    var stolen = change("a", of: "two")
    stolen.undoneAt = first.undoneAt
    try await store.transact { [first, stolen] transaction throws(StoreFault) in
      try transaction.update(first)
      try transaction.update(stolen)
      try transaction.removeRevocableChange("a", of: AccountID("two"))
    }
    try await expectChanges(
      [first, later], in: store, "the one that was taken back, with a later end")
    try await store.transact { transaction throws(StoreFault) in
      try transaction.removeRevocableChange("a", of: AccountID("one"))
    }
    try await expectChanges([first], in: store, "without the removed one")
  }

  private static func dueErasures(_ store: any Store) async throws {
    let early = change("a", of: "one", .erasure, lasting: 0...2)
    let late = change("b", of: "two", .erasure, lasting: 0...3)
    var cancelled = change("c", of: "three", .erasure, lasting: 0...1)
    cancelled.undoneAt = Examples.start
    let number = change("d", of: "four", .phoneNumber, lasting: 0...1)
    try await store.transact { [cancelled] transaction throws(StoreFault) in
      for change in [late, early, cancelled, number] { try transaction.insert(change) }
    }
    for (second, limit, expected) in [
      (1, 9, []), (2, 9, [early]), (3, 9, [early, late]), (3, 1, [early]),
    ] as [(Int64, Int, [RevocableChange])] {
      let due = try await store.read { transaction throws(StoreFault) in
        try transaction.dueErasures(at: Examples.start.adding(seconds: second), limit: limit)
      }
      try expect(due, is: expected, "the erasures that are due after \(second) seconds")
    }
  }

  private static func endedChangeRemoval(_ store: any Store) async throws {
    let erasure = change("a", .erasure, lasting: 0...1)
    var cancelled = change("b", .erasure, lasting: 1...1)
    cancelled.undoneAt = Examples.start
    let rest = [
      change("c", lasting: 2...2), change("d", .phoneNumber, lasting: 3...3),
      change("e", lasting: 4...4),
    ]
    try await store.transact { [cancelled] transaction throws(StoreFault) in
      for change in [erasure, cancelled] + rest { try transaction.insert(change) }
    }
    for (limit, expected) in [(2, 2), (2, 1), (2, 0)] {
      let removed = try await store.transact { transaction throws(StoreFault) in
        try transaction.removeRevocableChanges(
          endedBefore: Examples.start.adding(seconds: 4), limit: limit)
      }
      try expect(removed, is: expected, "removed at a limit of \(limit)")
    }
    try await expectChanges([erasure, rest[2]], in: store, "the due erasure and the open change")
  }
}

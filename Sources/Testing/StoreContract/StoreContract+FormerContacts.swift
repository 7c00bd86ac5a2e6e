internal import SignInModel
internal import SignInService
internal import SignInTesting

extension StoreContract {
  static var formerContacts: [Check] {
    [
      Check(
        name: "an address or a number that an account loses is stored with its proof",
        isKept: replacedContacts),
      Check(name: "former contacts get a time and are removed by it", isKept: formerContactAges),
      Check(
        name: "an account and everyone with its address lose it at its removal",
        isKept: formerContactRemoval),
    ]
  }

  private static func former(
    _ value: Recipient, of account: Account, _ proof: ContactProof? = nil,
    at second: Int64? = nil
  ) -> FormerContact {
    FormerContact(
      account: account.id, value: value, proof: proof,
      replacedAt: second.map { Examples.start.adding(seconds: $0) })
  }

  private static func save(_ account: Account, in store: any Store) async throws {
    try await store.transact { transaction throws(StoreFault) in try transaction.update(account) }
  }

  private static func expectFormer(
    _ contacts: [FormerContact], of account: Account, in store: any Store, _ what: String
  ) async throws {
    let found = try await store.read { transaction throws(StoreFault) in
      try transaction.formerContacts(of: account.id)
    }
    try expect(found, is: contacts, what)
  }

  private static func replacedContacts(_ store: any Store) async throws {
    let (email, phone) = (
      try EmailAddress(parsing: "person1@example.com"), try Examples.phone(1)
    )
    var one = try Examples.account(1)
    one.prove(.phone(phone), by: .code)
    let other = try Examples.account(2)
    try await store.insert(one, other)
    one.name = "Renamed"
    try await save(one, in: store)
    try await expectFormer([], of: one, in: store, "nothing was replaced")

    let first = one
    one.email = try EmailAddress(parsing: "new@example.com")
    one.phone = nil
    try await save(one, in: store)
    let both = [former(.phone(phone), of: one, .code), former(.email(email), of: one)]
    try await expectFormer(both, of: one, in: store, "a removed number and a replaced address")
    try await expectFormer([], of: other, in: store, "of another account")

    // The number comes back without its proof, and goes again.
    one = first
    one.phoneProof = nil
    try await save(one, in: store)
    one.phone = nil
    try await save(one, in: store)
    let new = former(.email(try EmailAddress(parsing: "new@example.com")), of: one)
    try await expectFormer([both[0], new, both[1]], of: one, in: store, "each value once")
  }

  private static func formerContactAges(_ store: any Store) async throws {
    let (email, phone) = (
      try EmailAddress(parsing: "person1@example.com"), try Examples.phone(1)
    )
    var one = try Examples.account(1)
    try await store.insert(one)
    func run(_ second: Int64, removes: Bool = false) async throws {
      try await store.transact { transaction throws(StoreFault) in
        let moment = Examples.start.adding(seconds: second)
        if removes {
          try transaction.removeFormerContacts(replacedBefore: moment)
        } else {
          try transaction.dateFormerContacts(at: moment)
        }
      }
    }
    one.email = nil
    try await save(one, in: store)
    try await run(100, removes: true)
    try await run(5)
    one.phone = nil
    try await save(one, in: store)
    try await run(9)
    let both = [former(.phone(phone), of: one, at: 9), former(.email(email), of: one, at: 5)]
    try await expectFormer(both, of: one, in: store, "each with its first time")
    try await run(5, removes: true)
    try await expectFormer(both, of: one, in: store, "none is older")
    try await run(6, removes: true)
    try await expectFormer([both[0]], of: one, in: store, "without the old one")
    one.phone = phone
    try await save(one, in: store)
    one.phone = nil
    try await save(one, in: store)
    try await expectFormer(
      [former(.phone(phone), of: one)], of: one, in: store, "replaced again, without a time")
  }

  private static func formerContactRemoval(_ store: any Store) async throws {
    let shared = try EmailAddress(parsing: "shared@example.com")
    let email = try EmailAddress(parsing: "person2@example.com")
    var (one, two) = (try Examples.account(1), try Examples.account(2))
    one.email = shared
    try await store.insert(one, two)
    one.email = nil
    try await save(one, in: store)
    two.email = shared
    try await save(two, in: store)
    let removed = two.id
    try await store.transact { transaction throws(StoreFault) in
      _ = try transaction.removeAccount(
        removed, addresses: [.email(shared), .email(email)])
    }
    try await expectFormer([], of: one, in: store, "the address of the removed account")
    try await expectFormer([], of: two, in: store, "those of the removed account")
  }
}

internal import SignInModel
internal import SignInService
internal import SignInTesting
internal import SignInWire

extension StoreContract {
  static var providers: [Check] {
    [
      Check(
        name: "a provider has one document of each kind", isKept: documentsOfProviders),
      Check(name: "a journey is read in every progress", isKept: journeyRoundTrip),
      Check(name: "the started journeys of a browser are found", isKept: journeysOfBrowser),
      Check(name: "the newest open journeys of a device stay", isKept: openJourneys),
      Check(name: "expired journeys are removed up to the limit", isKept: journeyRemoval),
      Check(name: "a subject is linked with one account", isKept: identityLinks),
      Check(
        name: "an identity has one contact proposal for each channel", isKept: contactProposals),
      Check(
        name: "contact proposals without an answer are removed by age",
        isKept: contactProposalRemoval),
      Check(
        name: "an account is removed with its identities and journeys", isKept: identityRemoval),
    ]
  }

  private static func documentsOfProviders(_ store: any Store) async throws {
    func document(
      _ provider: String, _ kind: ProviderDocument.Kind, _ body: String, at seconds: Int64
    ) -> ProviderDocument {
      ProviderDocument(
        provider: provider, kind: kind, url: "https://\(provider).example/\(kind.rawValue)",
        body: Array(body.utf8), fetchedAt: Examples.start.adding(seconds: seconds))
    }
    let documents = [
      document("one", .metadata, "{}", at: 0), document("one", .keys, "[]", at: 1),
      document("two", .keys, "", at: 2),
    ]
    let newer = document("one", .keys, "[1]", at: 3)
    try await store.transact { transaction throws(StoreFault) in
      for document in documents { try transaction.save(document) }
      try transaction.save(newer)
    }
    let found = try await store.read { transaction throws(StoreFault) in
      [
        try transaction.providerDocument(.metadata, of: "one"),
        try transaction.providerDocument(.keys, of: "one"),
        try transaction.providerDocument(.keys, of: "two"),
        try transaction.providerDocument(.metadata, of: "two"),
      ]
    }
    try expect(found, is: [documents[0], newer, documents[2], nil], "documents of two providers")
  }

  private static func journey(
    _ number: UInt8, key: String = "key", at seconds: Int64 = 0, hint: String? = nil,
    _ progress: ProviderJourney.Progress = .pushed
  ) -> ProviderJourney {
    ProviderJourney(
      digest: Examples.digest(number), provider: "login", issuer: "https://login.example",
      client: ClientID("app"), proofKeyThumbprint: key, pkceChallenge: "challenge",
      scope: "openid", nonce: number == 1 ? nil : "", organization: nil,
      redirectURI: "https://app.example/", state: hint, loginHint: hint, providerNonce: "n",
      providerVerifier: Secret("v"), startedAt: Examples.start.adding(seconds: seconds),
      expiresAt: Examples.start.adding(seconds: seconds + 60), progress: progress)
  }

  private static func journeyRoundTrip(_ store: any Store) async throws {
    let state = Examples.digest(50)
    var journey = journey(1)
    try await store.transact { [journey] transaction throws(StoreFault) in
      try transaction.insert(journey)
    }
    func ended(_ outcome: ProviderJourney.Outcome?) -> ProviderJourney.Progress {
      .ended(
        .init(
          state: state, browsers: [Examples.digest(51), Examples.digest(52)], at: Examples.start,
          outcome: outcome))
    }
    let steps: [ProviderJourney.Progress] = [
      .started(state: state, browser: Examples.digest(51), openings: 3), ended(nil), ended(.code),
      ended(.error(.cancelled)), .ended(nil),
    ]
    for progress in [.pushed] + steps {
      journey.progress = progress
      let found = try await store.transact { [journey] transaction throws(StoreFault) in
        try transaction.update(journey)
        return (
          try transaction.providerJourney(digest: journey.digest),
          try transaction.providerJourney(stateDigest: state)
        )
      }
      try expect(found.0, is: journey, "the journey")
      let hasState = steps.dropLast().contains(progress)
      try expect(found.1, is: hasState ? journey : nil, "the journey by its state")
    }
    try await expect(.conflict, from: store, "the same digest") {
      [journey] transaction throws(StoreFault) in try transaction.insert(journey)
    }
  }

  private static func journeysOfBrowser(_ store: any Store) async throws {
    let browser = Examples.digest(60)
    func started(_ number: UInt8, at seconds: Int64, by digest: [UInt8]) -> ProviderJourney {
      journey(
        number, at: seconds,
        .started(state: Examples.digest(number + 70), browser: digest, openings: 1))
    }
    var ended = started(4, at: 2, by: browser)
    let journeys = [
      started(1, at: 1, by: browser), started(2, at: 2, by: browser),
      started(3, at: 2, by: Examples.digest(61)), ended,
    ]
    ended.progress = .ended(nil)
    try await store.transact { [ended] transaction throws(StoreFault) in
      for journey in journeys { try transaction.insert(journey) }
      try transaction.update(ended)
    }
    func found(
      at provider: String = "login", after seconds: Int64, limit: Int = 5
    ) async throws -> [[UInt8]] {
      try await store.read { transaction throws(StoreFault) in
        try transaction.startedProviderJourneys(
          browserDigest: browser, at: provider,
          expiringAfter: Examples.start.adding(seconds: seconds), limit: limit
        ).map(\.digest)
      }
    }
    try expect(
      Set(try await found(after: 60)), is: [journeys[0].digest, journeys[1].digest],
      "the journeys that have not expired")
    try expect(try await found(after: 61), is: [journeys[1].digest], "after one has expired")
    try expect(try await found(after: 62), is: [], "after both have expired")
    try expect(try await found(at: "other", after: 60), is: [], "at another provider")
    try expect(try await found(after: 60, limit: 1).count, is: 1, "found at a limit of 1")
  }

  private static func openJourneys(_ store: any Store) async throws {
    let ended = journey(9, at: 0, .ended(nil))
    let other = journey(8, key: "other")
    try await store.transact { transaction throws(StoreFault) in
      for number in 1...4 {
        try transaction.insert(journey(UInt8(number), at: Int64(number)))
      }
      try transaction.insert(ended)
      try transaction.insert(other)
      try transaction.removeOpenProviderJourneys(proofKeyThumbprint: "key", keeping: 2)
    }
    try await expectJourneys([3, 4, 8, 9], in: store, "the journeys that stay")
  }

  private static func journeyRemoval(_ store: any Store) async throws {
    try await store.transact { transaction throws(StoreFault) in
      for number in 1...3 { try transaction.insert(journey(UInt8(number), at: Int64(number))) }
    }
    for (limit, expected) in [(1, 1), (5, 1), (5, 0)] {
      let removed = try await store.transact { transaction throws(StoreFault) in
        try transaction.removeProviderJourneys(
          expiredBefore: Examples.start.adding(seconds: 63), limit: limit)
      }
      try expect(removed, is: expected, "removed at a limit of \(limit)")
    }
    try await expectJourneys([3], in: store, "the journey that has not expired")
  }

  private static func expectJourneys(
    _ numbers: [UInt8], in store: any Store, _ what: String
  ) async throws {
    let found = try await store.read { transaction throws(StoreFault) in
      var found: [UInt8] = []
      for number in UInt8(1)...9
      where try transaction.providerJourney(digest: Examples.digest(number)) != nil {
        found.append(number)
      }
      return found
    }
    try expect(found, is: numbers, what)
  }

  private static func identity(
    _ subject: String, of account: AccountID, at seconds: Int64 = 0
  ) -> Identity {
    Identity(
      issuer: "https://login.example", subject: subject, account: account, provider: "login",
      linkedAt: Examples.start.adding(seconds: seconds), lastUsedAt: nil,
      hasCreatedAccount: subject == "b")
  }

  private static func identityLinks(_ store: any Store) async throws {
    let (one, two) = (try Examples.account(1), try Examples.account(2))
    try await store.insert(one, two)
    let links = [
      identity("b", of: one.id, at: 1), identity("a", of: one.id), identity("c", of: two.id),
    ]
    try await store.transact { transaction throws(StoreFault) in
      for link in links { try transaction.insert(link) }
    }
    try await expect(.conflict, from: store, "a subject that is linked already") {
      transaction throws(StoreFault) in try transaction.insert(identity("a", of: two.id))
    }
    var used = links[1]
    used.lastUsedAt = Examples.start.adding(seconds: 9)
    let found = try await store.transact { [used] transaction throws(StoreFault) in
      try transaction.update(used)
      try transaction.removeIdentity(issuer: "https://login.example", subject: "c")
      return (
        try transaction.identities(of: one.id), try transaction.identities(of: two.id),
        try transaction.identity(issuer: "https://other.example", subject: "a")
      )
    }
    try expect(found.0, is: [used, links[0]], "the identities in the order of their links")
    try expect(found.1.isEmpty && found.2 == nil, is: true, "that no other exists")
  }

  private static func identityRemoval(_ store: any Store) async throws {
    let one = try Examples.account(1)
    try await store.insert(one)
    try await store.transact { transaction throws(StoreFault) in
      try transaction.insert(identity("a", of: one.id))
      try transaction.insert(journey(1, hint: one.email?.text))
      try transaction.insert(journey(2))
      _ = try transaction.removeAccount(one.id)
    }
    let left = try await store.read { transaction throws(StoreFault) in
      try transaction.identity(issuer: "https://login.example", subject: "a")
    }
    try expect(left, is: nil, "the identity")
    try await expectJourneys([2], in: store, "journeys without the person's address")
  }

  // MARK: Contact proposals

  private static func proposal(
    _ id: String, of subject: String, _ value: Recipient, at seconds: Int64 = 0
  ) -> ContactProposal {
    ContactProposal(
      id: id, account: AccountID(subject == "c" ? "two" : "one"), provider: "login",
      issuer: "https://login.example", subject: subject, value: value,
      proposedAt: Examples.start.adding(seconds: seconds))
  }

  private static func expectProposals(
    _ proposals: [ContactProposal], of account: String = "one", in store: any Store, _ what: String
  ) async throws {
    let found = try await store.read { transaction throws(StoreFault) in
      try transaction.contactProposals(of: AccountID(account))
    }
    try expect(found, is: proposals, what)
  }

  private static func contactProposals(_ store: any Store) async throws {
    let phone = Recipient.phone(try Examples.phone(1))
    let email = Recipient.email(try EmailAddress(parsing: "one@example.com"))
    let first = proposal("1", of: "a", phone, at: 5)
    var declined = proposal("2", of: "a", email, at: 2)
    let rest = [proposal("3", of: "b", phone, at: 3), proposal("4", of: "c", phone)]
    let newer = proposal("5", of: "a", .phone(try Examples.phone(2)), at: 4)
    try await store.transact { [declined] transaction throws(StoreFault) in
      for proposal in [first, declined] + rest { try transaction.save(proposal) }
    }
    try await expectProposals([declined, rest[0], first], in: store, "the oldest first")
    declined.declinedAt = Examples.start.adding(seconds: 9)
    try await store.transact { [declined] transaction throws(StoreFault) in
      try transaction.save(declined)
      try transaction.save(newer)
      try transaction.removeContactProposal("3", of: AccountID("two"))
    }
    try await expectProposals([declined, rest[0], newer], in: store, "the newer ones")
    try await store.transact { transaction throws(StoreFault) in
      try transaction.removeContactProposal("3", of: AccountID("one"))
      try transaction.removeIdentity(issuer: "https://login.example", subject: "c")
    }
    try await expectProposals([declined, newer], in: store, "without the removed one")
    try await expectProposals([], of: "two", in: store, "without those of the identity")
  }

  private static func contactProposalRemoval(_ store: any Store) async throws {
    let phone = Recipient.phone(try Examples.phone(1))
    var declined = proposal("0", of: "z", phone)
    declined.declinedAt = Examples.start
    let proposals = [declined] + (1...4).map { proposal("\($0)", of: "\($0)", phone, at: $0) }
    try await store.transact { transaction throws(StoreFault) in
      for proposal in proposals { try transaction.save(proposal) }
    }
    let moment = Examples.start.adding(seconds: 4)
    for (limit, expected) in [(2, 2), (2, 1), (2, 0)] {
      let removed = try await store.transact { transaction throws(StoreFault) in
        try transaction.removeContactProposals(madeBefore: moment, limit: limit)
      }
      try expect(removed, is: expected, "removed at a limit of \(limit)")
    }
    try await expectProposals([declined, proposals[4]], in: store, "the declined and the new one")
  }
}

internal import SignInModel
internal import SignInRules
internal import SignInService
internal import SignInTesting

extension StoreContract {
  static var signIns: [Check] {
    [
      Check(name: "a sign-in attempt is read in every progress", isKept: attemptRoundTrip),
      Check(name: "a sign-in attempt is found by its code", isKept: attemptByCode),
      Check(name: "a digest and a code belong to one attempt", isKept: attemptUnique),
      Check(name: "expired attempts are removed up to the limit", isKept: attemptRemoval),
      Check(name: "a code challenge is read unchanged", isKept: challengeRoundTrip),
      Check(name: "a new code replaces the earlier one of its key", isKept: newChallenge),
      Check(name: "codes of each purpose and holder are separate", isKept: challengePlaces),
      Check(name: "the codes of one holder are removed", isKept: challengeRemoval),
      Check(name: "the codes of a forgotten device are removed", isKept: agedHolder),
      Check(name: "only the account's own attempts are removed", isKept: attemptsOfAccount),
      Check(name: "only the attempts at one provider are removed", isKept: attemptsAtProvider),
      Check(name: "the newest open attempts of a device stay", isKept: openAttempts),
    ]
  }

  private static func attemptRoundTrip(_ store: any Store) async throws {
    let attempts = [
      Examples.attempt(1, asked: ("n", OrganizationID("north"))),
      Examples.attempt(2).reaching(
        .proved(codeDigest: Examples.digest(20), expiresAt: Examples.start)),
      Examples.attempt(3).reaching(
        .redeemed(codeDigest: Examples.digest(30), session: SessionID("session-3"))),
      Examples.attempt(4, asked: ("", nil)), federatedAttempt(5, methods: ["a", "b"]),
      federatedAttempt(6, methods: []),
    ]
    for attempt in attempts {
      try await store.insert(attempt)
      let found = try await store.read { transaction throws(StoreFault) in
        try transaction.signInAttempt(digest: attempt.digest)
      }
      try expect(found, is: attempt, "the attempt")
    }
    let unknown = try await store.read { transaction throws(StoreFault) in
      try transaction.signInAttempt(digest: Examples.digest(99))
    }
    try expect(unknown, is: nil, "an unknown attempt")
  }

  private static func federatedAttempt(_ number: UInt8, methods: [String]) -> SignInAttempt {
    var attempt = Examples.attempt(number)
    attempt.federation = SignInAttempt.Federation(
      provider: "login", methods: methods, assurance: methods.first,
      authenticatedAt: methods.isEmpty ? nil : Examples.start, needsCode: methods.isEmpty)
    return attempt
  }

  private static func attemptByCode(_ store: any Store) async throws {
    let code = Examples.digest(20)
    var attempt = Examples.attempt(1)
    try await store.insert(attempt, Examples.attempt(2))
    let early = try await store.read { transaction throws(StoreFault) in
      try transaction.signInAttempt(codeDigest: code)
    }
    try expect(early, is: nil, "an attempt by an unknown code")

    let steps: [SignInAttempt.Progress] = [
      .proved(codeDigest: code, expiresAt: Examples.start.adding(seconds: 60)),
      .redeemed(codeDigest: code, session: SessionID("session-1")),
    ]
    for progress in steps {
      attempt.progress = progress
      try await store.transact { [attempt] transaction throws(StoreFault) in
        try transaction.update(attempt)
      }
      let found = try await store.read { transaction throws(StoreFault) in
        try transaction.signInAttempt(codeDigest: code)
      }
      try expect(found, is: attempt, "the attempt by its code")
    }
  }

  private static func attemptUnique(_ store: any Store) async throws {
    let proved = SignInAttempt.Progress.proved(
      codeDigest: Examples.digest(20), expiresAt: Examples.start)
    try await store.insert(Examples.attempt(1).reaching(proved), Examples.attempt(2))

    try await expect(.conflict, from: store, "inserting a digest twice") {
      transaction throws(StoreFault) in try transaction.insert(Examples.attempt(1))
    }
    try await expect(.conflict, from: store, "inserting a code twice") {
      transaction throws(StoreFault) in
      try transaction.insert(Examples.attempt(3).reaching(proved))
    }
    try await expect(.conflict, from: store, "changing to another attempt's code") {
      transaction throws(StoreFault) in
      try transaction.update(Examples.attempt(2).reaching(proved))
    }
    try await expect(.conflict, from: store, "changing a missing attempt") {
      transaction throws(StoreFault) in try transaction.update(Examples.attempt(4))
    }
  }

  private static func attemptRemoval(_ store: any Store) async throws {
    for number in 1...5 {
      try await store.insert(
        Examples.attempt(UInt8(number), lasting: 0..<Int64(number)))
    }
    // Four attempts expired before the fifth second. The one that expires in it has not.
    let moment = Examples.start.adding(seconds: 5)

    for (limit, expected) in [(0, 0), (3, 3), (3, 1), (3, 0)] {
      let removed = try await store.transact { transaction throws(StoreFault) in
        try transaction.removeSignInAttempts(expiredBefore: moment, limit: limit)
      }
      try expect(removed, is: expected, "removed at a limit of \(limit)")
    }

    let last = try await store.read { transaction throws(StoreFault) in
      try transaction.signInAttempt(digest: Examples.digest(5))
    }
    try expect(last, is: Examples.attempt(5, lasting: 0..<5), "the remaining attempt")
  }

  private static func challengeRoundTrip(_ store: any Store) async throws {
    let challenges = [
      Examples.challenge("a"), Examples.challenge("b").consumed(),
      Examples.challenge("c", superseded: [Examples.digest(1)]),
      Examples.challenge("d", superseded: [Examples.digest(1), [], Examples.digest(0)]),
    ]
    for challenge in challenges {
      try await store.transact { transaction throws(StoreFault) in
        try transaction.save(challenge)
      }
      let found = try await store.read { transaction throws(StoreFault) in
        try transaction.codeChallenge(at: challenge.place)
      }
      try expect(found, is: challenge, "the challenge")
    }
  }

  private static func newChallenge(_ store: any Store) async throws {
    let other = Examples.challenge("other", at: Examples.codePlace("account-2"))
    let found = try await store.transact { transaction throws(StoreFault) in
      try transaction.save(Examples.challenge("old"))
      try transaction.save(other)
      try transaction.save(Examples.challenge("new"))
      return [
        try transaction.codeChallenge(at: Examples.codePlace("account-1")),
        try transaction.codeChallenge(at: Examples.codePlace("account-2")),
        try transaction.codeChallenge(at: Examples.codePlace("account-3")),
      ]
    }
    try expect(found, is: [Examples.challenge("new"), other, nil], "the challenges")
  }

  /// Inserts one code for each purpose and holder, with the identifiers `sign_in`, `sign_in a` and
  /// so on.
  private static func insertPlaces(into store: any Store) async throws -> [CodeChallenge] {
    var challenges: [CodeChallenge] = []
    for purpose in CodeChallenge.Purpose.allCases {
      let name = purpose.rawValue
      func place(_ account: String, _ holder: CodeChallenge.Holder) -> CodeChallenge.Key {
        Examples.codePlace(account, purpose, holder)
      }
      challenges += [
        Examples.challenge(name, at: place("account-1", .unknownDevices)),
        Examples.challenge(name + " a", at: place("account-1", .knownDevice("a"))),
        Examples.challenge(name + " b", at: place("account-1", .knownDevice("b"))),
        Examples.challenge(name + " other", at: place("account-2", .knownDevice("a"))),
      ]
    }
    return try await store.transact { [challenges] transaction throws(StoreFault) in
      let place = Examples.codePlace("account-1", .signIn, .knownDevice("a"))
      try transaction.save(Examples.challenge("earlier", at: place))
      for challenge in challenges { try transaction.save(challenge) }
      return challenges
    }
  }

  private static func find(
    _ challenges: [CodeChallenge], in store: any Store
  ) async throws -> [String?] {
    try await store.read { transaction throws(StoreFault) in
      var found: [String?] = []
      for challenge in challenges {
        found.append(try transaction.codeChallenge(at: challenge.place)?.id)
      }
      return found
    }
  }

  private static func challengePlaces(_ store: any Store) async throws {
    let challenges = try await insertPlaces(into: store)
    try expect(try await find(challenges, in: store), is: challenges.map(\.id), "the challenges")
  }

  private static func challengeRemoval(_ store: any Store) async throws {
    let challenges = try await insertPlaces(into: store)
    try await store.transact { transaction throws(StoreFault) in
      for holder in [CodeChallenge.Holder.knownDevice("a"), .knownDevice("never known")] {
        try transaction.removeCodeChallenges(of: AccountID("account-1"), heldBy: holder)
      }
    }
    let left = challenges.map { $0.id.hasSuffix(" a") ? nil : $0.id }
    try expect(try await find(challenges, in: store), is: left, "the challenges")
  }

  private static func agedHolder(_ store: any Store) async throws {
    let challenges = try await insertPlaces(into: store)
    let moment = Examples.start.adding(seconds: 3)
    try await store.transact { transaction throws(StoreFault) in
      for (key, seconds) in [("a", 2), ("b", 3)] as [(String, Int64)] {
        try transaction.save(
          KnownDevice(
            account: AccountID("account-1"), proofKeyThumbprint: key,
            lastSeenAt: Examples.start.adding(seconds: seconds), hasProvedPassword: true))
      }
      _ = try transaction.removeKnownDevices(lastSeenBefore: moment, limit: 5)
    }
    let left = challenges.map { $0.id.hasSuffix(" a") ? nil : $0.id }
    try expect(try await find(challenges, in: store), is: left, "the challenges")
  }

  private static func attemptsOfAccount(_ store: any Store) async throws {
    let other = Examples.attempt(3, account: "account-2")
    try await store.insert(Examples.attempt(1), Examples.attempt(2), other)
    let found = try await store.transact { transaction throws(StoreFault) in
      try transaction.removeSignInAttempts(of: AccountID("account-1"))
      return [
        try transaction.signInAttempt(digest: Examples.digest(1)),
        try transaction.signInAttempt(digest: Examples.digest(2)),
        try transaction.signInAttempt(digest: Examples.digest(3)),
      ]
    }
    try expect(found, is: [nil, nil, other], "the attempts")
  }

  private static func attemptsAtProvider(_ store: any Store) async throws {
    func attempt(_ number: UInt8, _ account: String, at provider: String?) -> SignInAttempt {
      var made = Examples.attempt(number, account: account)
      made.federation = provider.map {
        SignInAttempt.Federation(provider: $0, methods: [], assurance: nil, authenticatedAt: nil)
      }
      return made
    }
    let left = [
      attempt(1, "account-1", at: nil), attempt(2, "account-1", at: "second"),
      attempt(3, "account-2", at: "first"),
    ]
    try await store.insert(left[0], left[1], left[2], attempt(4, "account-1", at: "first"))
    let found = try await store.transact { transaction throws(StoreFault) in
      try transaction.removeSignInAttempts(of: AccountID("account-1"), at: "first")
      return [
        try transaction.signInAttempt(digest: Examples.digest(1)),
        try transaction.signInAttempt(digest: Examples.digest(2)),
        try transaction.signInAttempt(digest: Examples.digest(3)),
        try transaction.signInAttempt(digest: Examples.digest(4)),
      ]
    }
    try expect(found, is: [left[0], left[1], left[2], nil], "the attempts")
  }

  private static func openAttempts(_ store: any Store) async throws {
    let proved = SignInAttempt.Progress.proved(
      codeDigest: Examples.digest(99), expiresAt: Examples.start)
    try await store.insert(
      Examples.attempt(1, lasting: 1..<9), Examples.attempt(2, lasting: 3..<9),
      Examples.attempt(3, lasting: 2..<9), Examples.attempt(4).reaching(proved),
      Examples.attempt(5, key: "other"), Examples.attempt(6, account: "account-2")
    )
    for (count, expected) in [(9, [1, 2, 3, 4, 5, 6]), (2, [2, 3, 4, 5, 6]), (1, [2, 4, 5, 6])]
      as [(Int, [UInt8])]
    {
      try await store.transact { transaction throws(StoreFault) in
        try transaction.removeOpenSignInAttempts(
          of: AccountID("account-1"), proofKeyThumbprint: "thumbprint", keeping: count)
      }
      let found = try await store.read { transaction throws(StoreFault) in
        var found: [UInt8] = []
        for number in 1...6 as ClosedRange<UInt8>
        where try transaction.signInAttempt(digest: Examples.digest(number)) != nil {
          found.append(number)
        }
        return found
      }
      try expect(found, is: expected, "the attempts left")
    }
  }
}

internal import SignInModel
internal import SignInRules
internal import SignInService

extension StoreContract {
  static var signIns: [Check] {
    [
      Check(name: "a sign-in attempt comes back in every progress", isKept: attemptRoundTrip),
      Check(name: "a sign-in attempt is found by its code", isKept: attemptByCode),
      Check(name: "a digest, and a code, belong to one attempt", isKept: attemptUnique),
      Check(name: "expired attempts are removed up to the limit", isKept: attemptRemoval),
      Check(name: "a code challenge comes back as it was", isKept: challengeRoundTrip),
      Check(name: "a new code takes the place of the account's earlier one", isKept: newChallenge),
      Check(name: "codes of two purposes stand side by side", isKept: challengePurposes),
      Check(name: "an account's attempts are removed, nobody else's", isKept: attemptsOfAccount),
    ]
  }

  private static func attemptRoundTrip(_ store: any Store) async throws {
    let attempts = [
      Examples.attempt(1, nonce: "n", organization: OrganizationID("north")),
      Examples.attempt(
        2, progress: .proved(codeDigest: Examples.digest(20), expiresAt: Examples.start)),
      Examples.attempt(
        3,
        progress: .redeemed(codeDigest: Examples.digest(30), session: SessionID("session-3"))),
      Examples.attempt(4, nonce: ""),
    ]
    for attempt in attempts {
      try await store.insert(attempt)
      let found = try await store.read { look throws(StoreFault) in
        try look.signInAttempt(digest: attempt.digest)
      }
      try expect(found, is: attempt, "the attempt")
    }
    let unknown = try await store.read { look throws(StoreFault) in
      try look.signInAttempt(digest: Examples.digest(99))
    }
    try expect(unknown, is: nil, "an attempt nobody inserted")
  }

  private static func attemptByCode(_ store: any Store) async throws {
    let code = Examples.digest(20)
    var attempt = Examples.attempt(1)
    try await store.insert(attempt, Examples.attempt(2))
    let early = try await store.read { look throws(StoreFault) in
      try look.signInAttempt(codeDigest: code)
    }
    try expect(early, is: nil, "an attempt by a code nobody has")

    let steps: [SignInAttempt.Progress] = [
      .proved(codeDigest: code, expiresAt: Examples.start.adding(seconds: 60)),
      .redeemed(codeDigest: code, session: SessionID("session-1")),
    ]
    for progress in steps {
      attempt.progress = progress
      try await store.transact { [attempt] transaction throws(StoreFault) in
        try transaction.update(attempt)
      }
      let found = try await store.read { look throws(StoreFault) in
        try look.signInAttempt(codeDigest: code)
      }
      try expect(found, is: attempt, "the attempt by its code")
    }
  }

  private static func attemptUnique(_ store: any Store) async throws {
    let proved = SignInAttempt.Progress.proved(
      codeDigest: Examples.digest(20), expiresAt: Examples.start)
    try await store.insert(Examples.attempt(1, progress: proved), Examples.attempt(2))

    try await expect(.conflict, from: store, "inserting a digest twice") {
      transaction throws(StoreFault) in try transaction.insert(Examples.attempt(1))
    }
    try await expect(.conflict, from: store, "inserting a code twice") {
      transaction throws(StoreFault) in
      try transaction.insert(Examples.attempt(3, progress: proved))
    }
    try await expect(.conflict, from: store, "changing to another attempt's code") {
      transaction throws(StoreFault) in
      try transaction.update(Examples.attempt(2, progress: proved))
    }
    try await expect(.conflict, from: store, "changing a missing attempt") {
      transaction throws(StoreFault) in try transaction.update(Examples.attempt(4))
    }
  }

  private static func attemptRemoval(_ store: any Store) async throws {
    for number in 1...5 {
      try await store.insert(
        Examples.attempt(UInt8(number), expiresIn: Int64(number)))
    }
    // Four expired before the fifth second; the one that expires in it did not.
    let moment = Examples.start.adding(seconds: 5)

    for (limit, expected) in [(0, 0), (3, 3), (3, 1), (3, 0)] {
      let removed = try await store.transact { transaction throws(StoreFault) in
        try transaction.removeSignInAttempts(expiredBefore: moment, limit: limit)
      }
      try expect(removed, is: expected, "removed at a limit of \(limit)")
    }

    let last = try await store.read { look throws(StoreFault) in
      try look.signInAttempt(digest: Examples.digest(5))
    }
    try expect(last, is: Examples.attempt(5, expiresIn: 5), "the attempt that lives on")
  }

  private static func challengeRoundTrip(_ store: any Store) async throws {
    let challenges = [
      Examples.challenge("a"), Examples.challenge("b", isConsumed: true),
      Examples.challenge("c", superseded: [Examples.digest(1)]),
      Examples.challenge("d", superseded: [Examples.digest(1), [], Examples.digest(0)]),
    ]
    for challenge in challenges {
      try await store.transact { transaction throws(StoreFault) in
        try transaction.save(challenge)
      }
      let found = try await store.read { look throws(StoreFault) in
        try look.codeChallenge(challenge.account)
      }
      try expect(found, is: challenge, "the challenge")
    }
  }

  private static func newChallenge(_ store: any Store) async throws {
    let other = Examples.challenge("other", account: "account-2")
    let found = try await store.transact { transaction throws(StoreFault) in
      try transaction.save(Examples.challenge("old"))
      try transaction.save(other)
      try transaction.save(Examples.challenge("new"))
      return [
        try transaction.codeChallenge(AccountID("account-1")),
        try transaction.codeChallenge(AccountID("account-2")),
        try transaction.codeChallenge(AccountID("account-3")),
      ]
    }
    try expect(found, is: [Examples.challenge("new"), other, nil], "the challenges")
  }

  private static func challengePurposes(_ store: any Store) async throws {
    let account = AccountID("account-1")
    let reset = Examples.challenge("reset", purpose: .passwordReset)
    let found = try await store.transact { transaction throws(StoreFault) in
      try transaction.save(Examples.challenge("sign-in"))
      try transaction.save(Examples.challenge("earlier", purpose: .passwordReset))
      try transaction.save(reset)
      return [
        try transaction.codeChallenge(account, for: .signIn),
        try transaction.codeChallenge(account, for: .passwordReset),
      ]
    }
    try expect(found, is: [Examples.challenge("sign-in"), reset], "the challenges")
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
}

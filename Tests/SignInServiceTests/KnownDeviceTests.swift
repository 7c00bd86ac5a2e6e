import SignInModel
import SignInRules
import SignInService
import SignInTesting
import SignInWire
import Testing

@Suite("Known devices")
struct KnownDeviceTests {
  /// A world in which Tara signed in with the key `own`, a minute ago.
  private func known() async throws -> TestWorld {
    let test = try await TestWorld()
    _ = try await test.signIn(key: "own")
    test.clock.advance(seconds: 60)
    return test
  }

  private func fail(_ test: TestWorld, _ times: Int, key: String) async -> [ErrorCode] {
    var codes: [ErrorCode] = []
    for _ in 0..<times { codes.append(await test.begin("wrong", key: key).code) }
    return codes
  }

  private let untilLocked: [ErrorCode] =
    Array(repeating: .invalidCredentials, count: 4) + [.accountLocked]

  @Test("T-05 a stranger cannot lock a person out of a device they use")
  func strangersLock() async throws {
    let test = try await known()

    #expect(await fail(test, 5, key: "stranger") == untilLocked)

    #expect(await test.begin(key: "fresh").code == .accountLocked)
    let began = await test.begin(key: "own")
    #expect(began.challenge?.attemptsLeft == 5)
    let proved = await test.answer(await test.code(), began.authSession, key: "own")
    let code = try #require(success(proved))
    #expect(success(await test.redeem(code.revealed, key: "own")) != nil)
    #expect(await test.begin(key: "fresh").code == .accountLocked)
  }

  @Test("T-05 a known device has five tries of its own, and no more")
  func ownLock() async throws {
    let test = try await known()

    #expect(await fail(test, 5, key: "own") == untilLocked)

    #expect(await test.begin(key: "own").code == .accountLocked)
    #expect(await test.begin(key: "fresh").challenge?.attemptsLeft == 5)
  }

  @Test("T-05 five failures with one key lock the account for every key that is not known")
  func anotherKey() async throws {
    let test = try await TestWorld()

    #expect(await fail(test, 5, key: "one") == untilLocked)

    #expect(await test.begin(key: "another").code == .accountLocked)
  }

  @Test("T-05 a device is known only once it completed a sign-in")
  func incomplete() async throws {
    let test = try await TestWorld()
    let began = await test.begin(key: "own")
    let code = try #require(
      success(await test.answer(await test.code(), began.authSession, key: "own")))

    #expect(await fail(test, 5, key: "stranger") == untilLocked)

    #expect(refusal(await test.redeem(code.revealed, key: "own"))?.code == .accountLocked)
  }

  @Test("A device is known to its own account only")
  func otherAccount() async throws {
    let test = try await known()
    try await test.insert("otto", phone: "+15550101299")
    for _ in 0..<5 { _ = await test.begin("wrong", username: "otto@example.com", key: "stranger") }

    #expect(await test.begin(username: "otto@example.com", key: "own").code == .accountLocked)
  }

  @Test("A complete sign-in on any device forgives what others failed before a lock")
  func forgiving() async throws {
    let test = try await known()
    _ = await fail(test, 4, key: "stranger")

    _ = try await test.signIn(key: "own")

    #expect(await fail(test, 5, key: "stranger") == untilLocked)
  }

  @Test("Wrong codes count in the bucket of their device")
  func codes() async throws {
    let test = try await known()
    _ = await fail(test, 5, key: "stranger")
    let session = await test.begin(key: "own").authSession
    let wrong = await test.wrongCode()

    for left: Int64 in [4, 3, 2, 1] {
      #expect(refusal(await test.answer(wrong, session, key: "own"))?.attemptsLeft == left)
    }
    #expect(refusal(await test.answer(wrong, session, key: "own"))?.code == .accountLocked)
  }

  @Test(
    "An account knows ten devices, and forgets the one that was away longest",
    arguments: [(9, true), (10, false), (11, false)]
  )
  func bounded(_ others: Int, _ isKnown: Bool) async throws {
    let test = try await known()
    for number in 0..<others {
      _ = try await test.signIn(key: "device-\(number)")
      test.clock.advance(seconds: 60)
    }

    _ = await fail(test, 5, key: "stranger")

    #expect((await test.begin(key: "own").code == .insufficientAuthorization) == isKnown)
    let devices = try await test.store.read { (look) throws(StoreFault) in
      try look.knownDevices(of: AccountID("tara"))
    }
    #expect(devices.count == min(others + 1, KnownDevice.limit))
  }

  @Test("A device that was away for half a year is as good as new", arguments: [-1, 0] as [Int64])
  func forgotten(_ offset: Int64) async throws {
    let test = try await TestWorld()
    _ = try await test.signIn(key: "own")
    test.clock.advance(seconds: KnownDevice.keptSeconds + offset)
    _ = await fail(test, 5, key: "stranger")

    let answer = await test.begin(key: "own")

    #expect((answer.code == .insufficientAuthorization) == (offset < 0))
  }

  @Test("A hundred failures in a row over all buckets stop known devices too")
  func stop() async throws {
    let test = try await known()
    var failures = 0
    while failures < 100 {
      let key = failures % 10 < 5 ? "stranger" : "own"
      let code = await test.begin("wrong", key: key).code
      #expect(code == .invalidCredentials || code == .accountLocked)
      failures += 1
      if failures % 10 == 0 { test.clock.advance(seconds: 24 * 60 * 60) }
    }
    test.clock.advance(seconds: 10 * 24 * 60 * 60)

    #expect(await test.begin(key: "own").code == .accountLocked)
    #expect(await test.begin(key: "stranger").code == .accountLocked)
  }
}

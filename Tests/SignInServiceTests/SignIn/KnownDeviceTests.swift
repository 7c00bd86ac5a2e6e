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

  @Test("T-05 an unknown device cannot lock a person out of a known device")
  func unknownDevicesLock() async throws {
    let test = try await known()

    #expect(await fail(test, 5, key: "unknown") == untilLocked)

    #expect(await test.begin(key: "fresh").code == .accountLocked)
    let began = await test.begin(key: "own")
    #expect(began.challenge?.attemptsLeft == 5)
    let proved = await result(
      try await test.answer(await test.code(), began.authSession, key: "own"))
    let code = try #require(proved.value)
    #expect(await success(try await test.redeem(code.revealed, key: "own")) != nil)
    #expect(await test.begin(key: "fresh").code == .accountLocked)
  }

  @Test("T-05 a known device has five tries of its own and no more")
  func ownLock() async throws {
    let test = try await known()

    #expect(await fail(test, 5, key: "own") == untilLocked)

    #expect(await test.begin(key: "own").code == .accountLocked)
    #expect(await test.begin(key: "fresh").challenge?.attemptsLeft == 5)
  }

  @Test("T-05 five failures with one key lock the account for every unknown key")
  func anotherKey() async throws {
    let test = try await TestWorld()

    #expect(await fail(test, 5, key: "one") == untilLocked)

    #expect(await test.begin(key: "another").code == .accountLocked)
  }

  @Test("T-05 a device is known only after a complete sign-in")
  func incomplete() async throws {
    let test = try await TestWorld()
    let began = await test.begin(key: "own")
    let code = try #require(
      await success(try await test.answer(await test.code(), began.authSession, key: "own")))

    #expect(await fail(test, 5, key: "unknown") == untilLocked)

    #expect(await refusal(try await test.redeem(code.revealed, key: "own"))?.code == .accountLocked)
  }

  @Test("T-05 no code is sent if a device is forgotten during the comparison and others locked")
  func forgottenDuringComparison() async throws {
    let test = try await known()
    _ = await fail(test, 5, key: "unknown")
    let sent = await test.messageCount()
    let store = test.store
    test.passwords.beforeNextComparison {
      try? await store.transact { (transaction) throws(StoreFault) in
        let devices = try transaction.knownDevices(of: AccountID("tara"))
        for device in devices {
          try transaction.removeKnownDevice(
            of: device.account, proofKeyThumbprint: device.proofKeyThumbprint)
        }
      }
    }

    #expect(await test.begin(key: "own").code == .accountLocked)
    #expect(await test.messageCount() == sent)
  }

  @Test("A device is known only to its own account")
  func otherAccount() async throws {
    let test = try await known()
    try await test.insert("otto", phone: "+15550101299")
    for _ in 0..<5 { _ = await test.begin("wrong", username: "otto@example.com", key: "unknown") }

    #expect(await test.begin(username: "otto@example.com", key: "own").code == .accountLocked)
  }

  @Test("L-39 unknown devices use up neither the messages nor the address limit of a known one")
  func limits() async throws {
    let test = try await TestWorld()
    func begin(_ key: String) async -> ErrorCode {
      let code = await test.begin(key: key, from: TestWorld.peer).code
      _ = await test.code()
      return code
    }
    _ = try await test.signIn(key: "own")
    for number in 0..<5 {
      test.clock.advance(seconds: 60)
      #expect(await begin("unknown \(number)") == .insufficientAuthorization)
    }
    test.clock.advance(seconds: 60)
    #expect(await begin("unknown") == .rateLimited)
    // The sign-in above gave the address room for two more.
    for number in 0..<test.client.policy[.addressFailures] + 2 {
      _ = await test.begin(
        "wrong", username: "unknown\(number)@example.com", from: TestWorld.peer)
    }
    let refused = await test.begin("wrong", username: "unknown@example.com", from: TestWorld.peer)
    #expect(refused.code == .rateLimited)

    for _ in 0..<5 {
      #expect(await begin("own") == .insufficientAuthorization)
      test.clock.advance(seconds: 60)
    }
    #expect(await begin("own") == .rateLimited)
  }

  @Test("L-39 a tenth of a budget is reserved for known devices, from a hundred on")
  func budget() async throws {
    for (budget, sent) in [(99, 99), (100, 90), (109, 99), (110, 99)] as [(Int64, Int64)] {
      let limit = Throttle.Limit.daily(budget).withoutReservedShare()
      #expect(limit == .daily(sent))
    }
    #expect(Throttle.Limit.daily(9999).withoutReservedShare(weight: 100) == .daily(9999))
    #expect(Throttle.Limit.daily(10_000).withoutReservedShare(weight: 100) == .daily(9000))
    let client = TestWorld.technicians { $0.policy[.appDaily] = 100 }
    let test = try await TestWorld(client: client)
    _ = try await test.signIn(key: "own")
    for number in 1..<90 {
      let (name, phone) = ("person\(number)", "+1555\(2_000_000 + number * 10_007)")
      try await test.insert(name, phone: phone)
      #expect(
        await test.begin(username: "\(name)@example.com", key: name, from: nil).code
          == .insufficientAuthorization)
    }
    try await test.insert("last", phone: "+15553010101")
    let last = await test.begin(username: "last@example.com", key: "last", from: nil)
    #expect(last.code == .rateLimited)
    test.clock.advance(seconds: 60)

    #expect(await test.begin(key: "own", from: nil).code == .insufficientAuthorization)
  }

  @Test("L-39 T-11 wrong reset codes of unknown devices leave a known device its own tries")
  func resets() async throws {
    let test = try await known()
    let other = await success(try await test.forget(key: "unknown"))?.resetSession
    let wrong = await test.wrongCode()
    for _ in 0..<5 { _ = await result(try await test.reset(other, wrong, key: "unknown")) }
    #expect(await refusal(try await test.forget(key: "unknown"))?.code == .accountLocked)
    #expect(await refusal(try await test.forget())?.code == .accountLocked)

    let own = try #require(await success(try await test.forget(key: "own")))
    let code = await test.code()

    #expect(own.challenge.attemptsLeft == 5)
    #expect(await test.begin(key: "own").code == .insufficientAuthorization)
    #expect(await success(try await test.reset(own.resetSession, code, key: "own")) != nil)
    #expect(await success(try await test.forget(key: "unknown")) != nil)
  }

  @Test("Wrong codes are counted separately for each known device")
  func codes() async throws {
    let test = try await known()
    _ = await fail(test, 5, key: "unknown")
    let session = await test.begin(key: "own").authSession
    let wrong = await test.wrongCode()

    for left: Int64 in [4, 3, 2, 1] {
      #expect(
        await refusal(try await test.answer(wrong, session, key: "own"))?.attemptsLeft == left)
    }
    #expect(
      await refusal(try await test.answer(wrong, session, key: "own"))?.code == .accountLocked)
  }

  @Test(
    "An account has at most ten known devices; the least recently used one is removed",
    arguments: [(9, true), (10, false), (11, false)]
  )
  func bounded(_ others: Int, _ isKnown: Bool) async throws {
    let test = try await known()
    for number in 0..<others {
      _ = try await test.signIn(key: "device-\(number)")
      test.clock.advance(seconds: 60)
    }

    _ = await fail(test, 5, key: "unknown")

    #expect((await test.begin(key: "own").code == .insufficientAuthorization) == isKnown)
    let devices = try await test.store.read { (transaction) throws(StoreFault) in
      try transaction.knownDevices(of: AccountID("tara"))
    }
    #expect(devices.count == min(others + 1, KnownDevice.limit))
  }

  @Test("A device unused for half a year counts as new", arguments: [-1, 0] as [Int64])
  func forgotten(_ offset: Int64) async throws {
    let test = try await TestWorld()
    _ = try await test.signIn(key: "own")
    test.clock.advance(seconds: KnownDevice.retentionSeconds + offset)
    _ = await fail(test, 5, key: "unknown")

    let answer = await test.begin(key: "own")

    #expect((answer.code == .insufficientAuthorization) == (offset < 0))
  }

  @Test("A hundred failures in a row over all buckets stop known devices too")
  func stop() async throws {
    let test = try await known()
    var failures = 0
    while failures < 100 {
      let key = failures % 10 < 5 ? "unknown" : "own"
      let code = await test.begin("wrong", key: key).code
      #expect(code == .invalidCredentials || code == .accountLocked)
      failures += 1
      if failures % 10 == 0 { test.clock.advance(seconds: 24 * 60 * 60) }
    }
    test.clock.advance(seconds: 10 * 24 * 60 * 60)

    #expect(await test.begin(key: "own").code == .accountLocked)
    #expect(await test.begin(key: "unknown").code == .accountLocked)
  }
}

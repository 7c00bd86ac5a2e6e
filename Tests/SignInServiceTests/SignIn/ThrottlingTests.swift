import SignInModel
import SignInRules
import SignInService
import SignInTesting
import SignInWire
import Testing

@Suite("Throttling")
struct ThrottlingTests {
  /// Begins a sign-in once a minute and returns the error codes.
  private func beginEveryMinute(
    _ test: TestWorld, _ times: Int, key: String = "key", from address: String? = nil
  ) async -> [ErrorCode] {
    var codes: [ErrorCode] = []
    for _ in 0..<times {
      codes.append(await test.begin(key: key, from: address).code)
      _ = await test.code()
      test.clock.advance(seconds: 60)
    }
    return codes
  }

  @Test("L-16 a number gets five messages an hour; the sixth is refused with the true wait")
  func numberPerHour() async throws {
    let test = try await TestWorld()

    let codes = await beginEveryMinute(test, 5)
    let refused = await test.begin()

    #expect(codes == Array(repeating: .insufficientAuthorization, count: 5))
    #expect(refused.code == .rateLimited)
    #expect(refused.retryIn == 3300)
    #expect(refused.authSession == nil && refused.challenge == nil)
    #expect(await test.messageCount() == 5)

    test.clock.advance(seconds: 3299)
    #expect(await test.begin().code == .rateLimited)
    test.clock.advance(seconds: 1)
    #expect(await test.begin().code == .insufficientAuthorization)
    #expect(await test.messageCount() == 6)
  }

  @Test("L-16 a number gets ten messages a day")
  func numberPerDay() async throws {
    let test = try await TestWorld()

    for _ in 0..<10 {
      #expect(await test.begin().code == .insufficientAuthorization)
      _ = await test.code()
      test.clock.advance(seconds: 1200)
    }

    #expect(await test.begin().code == .rateLimited)
    test.clock.advance(seconds: 86_400 - 12_000)
    #expect(await test.begin().code == .insufficientAuthorization)
    #expect(await test.messageCount() == 11)
  }

  @Test(
    "L-16 an operator's own limit applies: below, at and above it",
    arguments: [1, 2, 3] as [Int64]
  )
  func configured(_ limit: Int64) async throws {
    let client = TestWorld.technicians { $0.policy[.numberHourly] = limit }
    let test = try await TestWorld(client: client)

    let codes = await beginEveryMinute(test, 4)

    #expect(codes.prefix(Int(limit)).allSatisfy { $0 == .insufficientAuthorization })
    #expect(codes.dropFirst(Int(limit)).allSatisfy { $0 == .rateLimited })
    #expect(await test.messageCount() == Int(limit))
  }

  @Test(
    "L-16 resends are messages too; a refused one leaves code and tries unchanged")
  func resends() async throws {
    let test = try await TestWorld()
    let session = await test.begin().authSession
    for _ in 0..<4 {
      _ = await test.code()
      test.clock.advance(seconds: 60)
      #expect(await test.resend(session).code == .insufficientAuthorization)
    }
    let code = await test.code()
    test.clock.advance(seconds: 60)

    let refused = await test.resend(session)

    #expect(refused.code == .rateLimited)
    #expect(refused.retryIn == 3300)
    #expect(await test.messageCount() == 5)
    #expect(await success(try await test.answer(code, session)) != nil)
  }

  @Test("R-05 during the cooldown the cooldown is reported, not the throttle")
  func cooldownFirst() async throws {
    let client = TestWorld.phoneApp(.disclosed) { $0.policy[.numberHourly] = 1 }
    let test = try await TestWorld(client: client)
    _ = try await test.beginPhone()
    test.clock.advance(seconds: 15)

    let early = try await test.beginPhone()
    test.clock.advance(seconds: 45)
    let late = try await test.beginPhone()

    #expect(early.code == .resendTooSoon && early.retryIn == 45)
    #expect(late.code == .rateLimited && late.retryIn == 3540)
  }

  @Test("L-16 after a completed sign-in its messages no longer count")
  func completed() async throws {
    let test = try await TestWorld()

    for _ in 0..<30 {
      let began = await test.begin(from: "192.0.2.1")
      let code = await test.code()
      #expect(
        await success(try await test.answer(code, began.authSession, from: "192.0.2.1")) != nil)
      test.clock.advance(seconds: 60)
    }

    #expect(await test.messageCount() == 30)
  }

  @Test("L-09 notations of a number share one count, and so do all its apps and accounts")
  func spellings() async throws {
    let test = try await TestWorld(client: TestWorld.phoneApp(.disclosed))
    let spellings = [
      "+15550101234", "+1 555 010 1234", "+1-555-010-1234", "+1 (555) 010.1234", " +15550101234",
    ]
    for spelling in spellings {
      #expect(try await test.beginPhone(spelling).code == .insufficientAuthorization)
      test.clock.advance(seconds: 60)
    }

    #expect(try await test.beginPhone("+1.555.0101234").code == .rateLimited)
  }

  @Test(
    "L-16 one address causes only so many messages an hour, for any accounts; others continue"
  )
  func address() async throws {
    let client = TestWorld.technicians {
      $0.policy[.deviceSends] = 100
      $0.policy[.addressSends] = 10
    }
    let test = try await TestWorld(client: client)
    for number in 0..<11 {
      try await test.insert("person\(number)", phone: "+155502000\(10 + number)")
    }

    var codes: [ErrorCode] = []
    for number in 0..<11 {
      codes.append(
        await test.begin(username: "person\(number)@example.com", from: "192.0.2.1").code)
    }

    #expect(codes.prefix(10).allSatisfy { $0 == .insufficientAuthorization })
    #expect(codes.last == .rateLimited)
    #expect(await test.messageCount() == 10)
    #expect(
      await test.begin(username: "person10@example.com", from: "192.0.2.2").code
        == .insufficientAuthorization)
  }

  @Test("L-16 one device key causes five messages an hour, for any accounts")
  func device() async throws {
    let test = try await TestWorld()
    for number in 0..<6 { try await test.insert("person\(number)", phone: "+155502000\(number)0") }

    var codes: [ErrorCode] = []
    for number in 0..<6 {
      codes.append(
        await test.begin(username: "person\(number)@example.com", from: "192.0.2.\(number)").code)
    }

    #expect(codes.prefix(5).allSatisfy { $0 == .insufficientAuthorization })
    #expect(codes.last == .rateLimited)
  }

  @Test(
    "L-16 an IPv6 address counts by its first half",
    arguments: [
      ("2001:db8::1", "2001:db8::2:0:0:9", true), ("2001:db8::1", "2001:db8:0:1::1", false),
    ]
  )
  func networks(_ one: String, _ other: String, _ isShared: Bool) async throws {
    let client = TestWorld.technicians { $0.policy[.addressSends] = 1 }
    let test = try await TestWorld(client: client)
    _ = await test.begin(from: one)
    test.clock.advance(seconds: 60)

    let answer = await test.begin(from: other)

    #expect((answer.code == .rateLimited) == isShared)
  }

  @Test("L-09 a whole IPv6 site may give sixteen times the wrong answers of one of its networks")
  func site() async throws {
    let client = TestWorld.technicians { $0.policy[.addressFailures] = 1 }
    let test = try await TestWorld(client: client)
    func guess(_ number: Int, from address: String) async -> ErrorCode {
      await test.begin("wrong", username: "unknown\(number)@example.com", from: address).code
    }

    var codes: [ErrorCode] = []
    for number in 0..<17 { codes.append(await guess(number, from: "2001:db8:0:\(number)::1")) }

    #expect(Throttle.siteShare == 16)
    #expect(codes.prefix(16).allSatisfy { $0 == .invalidCredentials })
    #expect(codes.last == .rateLimited)
    #expect(await guess(17, from: "2001:db8:1::1") == .invalidCredentials)
    // IPv4 addresses have no site.
    for number in 0..<20 {
      #expect(await guess(20 + number, from: "192.0.2.\(number)") == .invalidCredentials)
    }
  }

  @Test("L-09 a hundred wrong answers from one address, over all accounts; right ones do not count")
  func failures() async throws {
    let test = try await TestWorld()
    for number in 0..<99 {
      let answer = await test.begin(
        "wrong", username: "unknown\(number)@example.com", from: "192.0.2.1")
      #expect(answer.code == .invalidCredentials)
    }
    let began = await test.begin(from: "192.0.2.1")
    #expect(began.code == .insufficientAuthorization)
    let wrong = await test.wrongCode()
    #expect(
      await refusal(try await test.answer(wrong, began.authSession, from: "192.0.2.1"))?
        .attemptsLeft == 4)
    let hashed = test.passwords.verifications

    let password = await test.begin("wrong", username: "next@example.com", from: "192.0.2.1")
    let code = await refusal(try await test.answer(wrong, began.authSession, from: "192.0.2.1"))

    #expect(password.code == .rateLimited && password.retryIn == 3600)
    #expect(code?.code == .rateLimited && code?.attemptsLeft == nil)
    #expect(test.passwords.verifications == hashed)
    // Nothing was counted: another address still has the same attempts.
    let elsewhere = await refusal(
      try await test.answer(wrong, began.authSession, from: "192.0.2.9"))
    #expect(elsewhere?.attemptsLeft == 3)
  }

  @Test("L-01 two hundred wrong passwords of as many accounts at once: a hundred are compared")
  func parallelFailures() async throws {
    let test = try await TestWorld()
    let before = test.passwords.verifications

    let codes = await withTaskGroup(of: ErrorCode.self) { group in
      for number in 0..<200 {
        group.addTask {
          await test.begin("wrong", username: "n\(number)@example.com", from: "192.0.2.1").code
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }

    #expect(test.passwords.verifications - before == 100)
    #expect(codes.count { $0 == .rateLimited } == 100)
  }

  @Test("A full hashing pool counts no failure against the address")
  func overload() async throws {
    let test = try await TestWorld()
    test.passwords.isOverloaded = true
    for _ in 0..<110 { _ = await test.begin("wrong", from: "192.0.2.1") }
    test.passwords.isOverloaded = false

    #expect(await test.begin("wrong", from: "192.0.2.1").code == .invalidCredentials)
  }

  @Test("R-02 a request with an unregistered number counts as a failure of the network address")
  func probing() async throws {
    let client = TestWorld.phoneApp(.disclosed) { $0.policy[.addressFailures] = 30 }
    let test = try await TestWorld(client: client)
    for number in 0..<30 {
      let answer = try await test.beginPhone("+155501090\(number + 10)", from: "192.0.2.1")
      #expect(answer.code == .accountNotRegistered)
    }

    #expect(try await test.beginPhone("+15550109009", from: "192.0.2.1").code == .rateLimited)
    #expect(await test.messageCount() == 0)
  }

  @Test("L-09 a limiter that cannot be read admits nothing")
  func outage() async throws {
    let test = try await TestWorld(client: TestWorld.phoneApp(.disclosed))
    let session = try await test.beginPhone().authSession
    test.clock.advance(seconds: 60)
    test.store.setOutage("the disk is gone")

    #expect(try await test.beginPhone().code == .temporarilyUnavailable)
    #expect(await test.resend(session).code == .temporarilyUnavailable)

    test.store.setOutage(nil)
    #expect(await test.messageCount() == 1)
  }

  @Test("L-16 a request refused as too frequent is in the security log, and nothing is sent")
  func logged() async throws {
    let client = TestWorld.technicians { $0.policy[.numberHourly] = 1 }
    let test = try await TestWorld(client: client)
    _ = await beginEveryMinute(test, 2)

    #expect(try await test.events().map(\.code) == [.codeSent, .refusedTooOften])
  }
}

import SignInModel
import SignInRules
import SignInService
import SignInTesting
import SignInWire
import Testing

@Suite("Message budgets")
struct MessageBudgetTests {
  /// Begins a sign-in for four people with numbers of one block, and for one of another block.
  private func begin(_ client: AppRegistration, organizations: [String] = []) async throws
    -> (codes: [ErrorCode], elsewhere: ErrorCode, messages: Int)
  {
    let test = try await TestWorld(client: client)
    var codes: [ErrorCode] = []
    for number in 0..<4 {
      try await test.insert(
        "person\(number)", phone: "+1555020000\(number)", organizations: organizations)
      codes.append(
        await test.begin(username: "person\(number)@example.com", key: "k\(number)").code)
    }
    // This number belongs to another block and to no organization.
    let elsewhere = await test.begin().code
    return (codes, elsewhere, await test.messageCount())
  }

  @Test(
    "L-16 a block of numbers has a daily budget: below, at and above it",
    arguments: [2, 3, 4, 5] as [Int64]
  )
  func prefix(_ budget: Int64) async throws {
    let client = TestWorld.technicians { $0.policy[.prefixDaily] = budget }

    let (codes, elsewhere, messages) = try await begin(client)

    #expect(codes.count { $0 == .insufficientAuthorization } == Int(min(budget, 4)))
    #expect(codes.count { $0 == .rateLimited } == Int(max(0, 4 - budget)))
    #expect(elsewhere == .insufficientAuthorization)
    #expect(messages == Int(min(budget, 4)) + 1)
  }

  @Test(
    "L-16 an organization has a daily budget: below, at and above it",
    arguments: [2, 3, 4, 5] as [Int64]
  )
  func organization(_ budget: Int64) async throws {
    let client = TestWorld.technicians { $0.policy[.organizationDaily] = budget }

    let (codes, elsewhere, messages) = try await begin(client, organizations: ["north", "south"])

    #expect(codes.count { $0 == .insufficientAuthorization } == Int(min(budget, 4)))
    #expect(elsewhere == .insufficientAuthorization)
    #expect(messages == Int(min(budget, 4)) + 1)
  }

  @Test(
    "L-16 an app has a daily budget: zero, below, at and above it",
    arguments: [0, 3, 4, 5] as [Int64]
  )
  func client(_ budget: Int64) async throws {
    let client = TestWorld.technicians { $0.policy[.appDaily] = budget }

    let (codes, elsewhere, messages) = try await begin(client)

    #expect(codes.count { $0 == .insufficientAuthorization } == Int(min(budget, 4)))
    #expect(elsewhere == (budget == 5 ? .insufficientAuthorization : .rateLimited))
    #expect(messages == Int(min(budget, 5)))
  }

  @Test("L-16 a completed sign-in returns no budget, because its messages were paid for")
  func paid() async throws {
    let client = TestWorld.technicians { $0.policy[.appDaily] = 2 }
    let test = try await TestWorld(client: client)
    for _ in 0..<2 {
      _ = try await test.signIn()
      test.clock.advance(seconds: 60)
    }

    #expect(await test.begin().code == .rateLimited)
    test.clock.advance(seconds: Throttle.Limit.daySeconds)
    #expect(await test.begin().code == .insufficientAuthorization)
  }

  @Test(
    "L-16 messages go to allowed countries only; without a list, to the default country's numbers",
    arguments: [
      ([], nil, true), ([], "+1", true), ([], "+47", false), (["+47", "+1"], nil, true),
      (["+47"], nil, false), (["+47", "+1"], "+47", true),
    ] as [([String], String?, Bool)]
  )
  func countries(_ listed: [String], _ standard: String?, _ isSent: Bool) async throws {
    let client = TestWorld.technicians {
      $0.policy.countries = listed
      $0.defaultCountry = standard
    }
    let test = try await TestWorld(client: client)

    let answer = await test.begin()

    #expect(answer.code == (isSent ? .insufficientAuthorization : .rateLimited))
    #expect(await test.messageCount() == (isSent ? 1 : 0))
    if !isSent { #expect(answer.retryIn == Throttle.Limit.daySeconds) }
  }

  @Test("L-16 numbers without an account use up no budget of real accounts")
  func decoys() async throws {
    let client = TestWorld.phoneApp(.concealed) { $0.policy[.appDaily] = 1 }
    let test = try await TestWorld(client: client)
    for number in 0..<5 { _ = try await test.beginPhone("+1555010900\(number)", key: "k\(number)") }

    #expect(try await test.beginPhone().code == .insufficientAuthorization)

    #expect(try await test.beginPhone("+15550109008").code == .rateLimited)
    #expect(await test.messageCount() == 1)
  }

  @Test("Counts that no longer matter are removed")
  func removal() async throws {
    let test = try await TestWorld()
    _ = await test.begin(from: "192.0.2.1")
    _ = await test.begin("wrong", from: "192.0.2.1")
    let (clock, world, store) = (test.clock, test.world, test.store)
    func remaining(after seconds: Int64) async throws -> Int {
      clock.advance(seconds: seconds)
      await removeExpiredRecords(in: world)
      let now = clock.now().adding(seconds: 1_000_000)
      return try await store.transact { (transaction) throws(StoreFault) in
        try transaction.removeThrottles(quietBefore: now, limit: 100)
      }
    }

    // Three counts remain: number, prefix and app. Those of device and address expired after an
    // hour.
    #expect(try await remaining(after: 3601) == 3)
  }
}

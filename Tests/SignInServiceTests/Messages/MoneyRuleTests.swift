import SignInModel
import SignInRules
import SignInService
import SignInTesting
import SignInWire
import Testing

/// Every rule that limits the number or cost of messages records its own event (L-16).
@Suite("Money rules")
struct MoneyRuleTests {
  /// A rule, and an app in which only this rule refuses the second of two people.
  struct Case: Sendable, CustomStringConvertible {
    let rule: String
    var phones = ["+15550200001", "+15550300001"]
    var keys = ["k0", "k1"]
    var addresses = ["192.0.2.1", "198.51.100.1"]
    var organizations: [String] = []
    let change: @Sendable (inout AppRegistration) -> Void

    var description: String { rule }
  }

  private static let sameNumber = ["+15550200001", "+15550200001"]
  private static let sameBlock = ["+15550200001", "+15550200002"]

  private static let cases: [Case] = [
    Case(rule: "number", phones: sameNumber) { $0.policy[.numberHourly] = 1 },
    Case(rule: "prefix", phones: sameBlock) { $0.policy[.prefixDaily] = 1 },
    Case(rule: "organization", organizations: ["north"]) {
      $0.policy[.organizationDaily] = 1
    },
    Case(rule: "client") { $0.policy[.appDaily] = 1 },
    Case(rule: "price") { $0.policy[.priceDaily] = 7000 },
    Case(rule: "conversion", phones: sameBlock) {
      $0.policy[.conversionCheckedAfter] = 1
      $0.policy[.minimumConversion] = 50
    },
    Case(rule: "country", phones: ["+15550200001", "+4790000001"]) { $0.policy.countries = ["+1"] },
    Case(rule: "line_type", phones: ["+15550200001", "+19005550123"]) { _ in },
    Case(rule: "device", keys: ["k", "k"]) { $0.policy[.deviceSends] = 1 },
    Case(rule: "address sends", addresses: ["192.0.2.1", "192.0.2.1"]) {
      $0.policy[.addressSends] = 1
    },
  ]

  @Test("L-16 each rule refuses with its own event and sends nothing", arguments: cases)
  func named(_ rule: Case) async throws {
    let test = try await TestWorld(
      client: TestWorld.technicians(rule.change),
      prices: [Configuration.Price(country: "+", millionths: 7000)]
    )
    for (number, phone) in rule.phones.enumerated() where number == 0 || phone != rule.phones[0] {
      try await test.insert("p\(number)", phone: phone, organizations: rule.organizations)
    }
    let second = rule.phones[0] == rule.phones[1] ? "p0" : "p1"

    let sent = await test.begin(
      username: "p0@example.com", key: rule.keys[0], from: rule.addresses[0])
    test.clock.advance(seconds: 61)
    let refused = await test.begin(
      username: "\(second)@example.com", key: rule.keys[1], from: rule.addresses[1])

    #expect(sent.code == .insufficientAuthorization)
    #expect(refused.code == .rateLimited)
    // Waiting helps with a limit, but not with a number that is never served.
    let isUnserved = rule.rule == "country" || rule.rule == "line_type"
    #expect(refused.reason == (isUnserved ? "\(rule.rule)_not_served" : nil))
    #expect(refused.description?.contains("not served") == isUnserved)
    #expect(await test.messageCount() == 1)
    let events = try await test.events()
    #expect(events.map(\.code) == [.codeSent, .refusedTooOften])
    #expect(events.last?.detail == rule.rule)
  }

  @Test("L-16 a sender that a budget refuses uses up its own limit, and locks no budget afterwards")
  func refusedByBudget() async throws {
    let client = TestWorld.technicians {
      $0.policy[.appDaily] = 0
      $0.policy[.deviceSends] = 2
    }
    let test = try await TestWorld(client: client)

    for _ in 0..<3 { #expect(await test.begin(key: "k").code == .rateLimited) }

    // The second refusal by the budget is in the event of the first one.
    #expect(try await test.events().map(\.detail) == ["client", "device"])
  }

  @Test(
    "L-16 T-03 a reset refused by a rule is an event too, although the caller does not learn it")
  func quiet() async throws {
    let client = TestWorld.technicians { $0.policy.countries = ["+47"] }
    let test = try await TestWorld(client: client)

    let answer = await result(try await test.forget("tara@example.com"))

    #expect(answer.value != nil)
    #expect(await test.messageCount() == 0)
    let events = try await test.events().filter { $0.code == .refusedTooOften }
    #expect(events.map(\.detail) == ["country"])
  }
}

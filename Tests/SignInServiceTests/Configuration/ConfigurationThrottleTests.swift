import SignInModel
import SignInRules
import Testing

@testable import SignInService

@Suite("Configured throttles")
struct ConfigurationThrottleTests {
  @Test("L-16 without configured limits, those of the threat model apply")
  func standard() {
    let policy = Policy()

    #expect(policy.sendsPerAddress == [.hourly(200)])
    #expect(policy.failuresPerAddress == [.hourly(100)])
    #expect(policy.sendsPerDevice == [.hourly(5)])
    #expect(policy.messagesPerNumber == [.hourly(5), .daily(10)])
    #expect(policy.messagesPerPrefix == [.daily(1000)])
    #expect(policy.messagesPerOrganization == [.daily(5000)])
    #expect(policy.messagesPerApp == [.daily(10_000)])
  }

  @Test("L-16 every limit reaches its value")
  func everyKey() throws {
    let bytes = try ConfigurationSample.edited([
      ("issuer", "\"http://localhost:1\""),
      ("clients.0.throttle.sends_per_address_per_hour", "11"),
      ("clients.0.throttle.failures_per_address_per_hour", "31"),
      ("clients.0.throttle.sends_per_device_per_hour", "6"),
      ("clients.0.messages.per_number_per_hour", "3"),
      ("clients.0.messages.per_number_per_day", "7"),
      ("clients.0.messages.per_prefix_per_day", "8"),
      ("clients.0.messages.per_organization_per_day", "9"),
      ("clients.0.messages.per_day", "0"), ("clients.0.countries", #"["+47", "+46"]"#),
      ("trusted_proxies", #"["192.0.2.1", "2001:db8::1", "10.0.0.0/8"]"#),
    ])

    let configuration = try Configuration.parse(bytes, development: true).get()

    let client = try #require(configuration.clients.first)
    #expect(client.policy.sendsPerAddress == [.hourly(11)])
    #expect(client.policy.failuresPerAddress == [.hourly(31)])
    #expect(client.policy.sendsPerDevice == [.hourly(6)])
    #expect(client.policy.messagesPerNumber == [.hourly(3), .daily(7)])
    #expect(client.policy.messagesPerPrefix == [.daily(8)])
    #expect(client.policy.messagesPerOrganization == [.daily(9)])
    #expect(client.policy.messagesPerApp == [.daily(0)])
    #expect(client.policy.countries == ["+47", "+46"])
    let proxies = try ["192.0.2.1", "2001:db8::1", "10.0.0.0/8"].map {
      try NetworkRange(parsing: $0)
    }
    #expect(configuration.trustedProxies == proxies)
  }

  @Test("P-09 the default country of the number field must be an allowed country")
  func defaultCountry() throws {
    let allowed = try ConfigurationSample.mistakes(
      ("clients.0.default_country", "\"+47\""), ("clients.0.countries", #"["+1", "+47"]"#))
    let left = try ConfigurationSample.mistakes(
      ("clients.0.default_country", "\"+47\""), ("clients.0.countries", #"["+1"]"#))
    let empty = try ConfigurationSample.mistakes(("clients.0.countries", "[]"))

    #expect(allowed == [])
    #expect(left.map(\.path) == ["clients[0].countries"])
    #expect(left.first?.remedy.contains("+47") == true)
    #expect(empty.map(\.problem) == ["is empty"])
  }

  @Test("P-09 a proxy is named by its address or by its network")
  func proxies() throws {
    let mistakes = try ConfigurationSample.mistakes(
      ("trusted_proxies", #"["192.0.2.1", "proxy.example.com", 7, "10.0.0.7/8", "10.0.0.0/8"]"#))

    #expect(mistakes.map(\.path) == [1, 2, 3].map { "trusted_proxies[\($0)]" })
    #expect(mistakes.last?.problem.contains("first address of a network") == true)
  }

  @Test("P-09 a network of all addresses is refused with its own sentence")
  func allAddresses() throws {
    let mistakes = try ConfigurationSample.mistakes(
      ("trusted_proxies", #"["0.0.0.0/0", "::/0", "10.0.0.0/33"]"#))

    #expect(mistakes.map { $0.problem.contains("every machine") } == [true, true, false])
  }

  @Test(
    "P-09 a network of proxies that is wider than /8, or /16 of IPv6, is warned of",
    arguments: [
      ("10.0.0.0/8", false), ("10.0.0.0/7", true), ("0.0.0.0/1", true), ("2001::/16", false),
      ("2000::/15", true), ("192.0.2.1", false), ("2001:db8::1", false),
    ])
  func wideNetworks(_ network: String, _ isWide: Bool) throws {
    var configuration = Configuration.demo
    configuration.trustedProxies = [
      try NetworkRange(parsing: "192.0.2.7"), try NetworkRange(parsing: network),
    ]

    let found = configuration.warnings.filter { $0.hasPrefix("trusted_proxies[1] is a network") }
    #expect(found.count == (isWide ? 1 : 0))
  }

  @Test(
    "P-09 the number of proxies is limited",
    arguments: [
      Configuration.proxyLimit - 1, Configuration.proxyLimit, Configuration.proxyLimit + 1,
    ])
  func proxyLimit(_ count: Int) throws {
    let list = [String](repeating: "\"10.0.0.0/8\"", count: count).joined(separator: ",")
    let mistakes = try ConfigurationSample.mistakes(("trusted_proxies", "[\(list)]"))

    #expect(mistakes.isEmpty == (count <= Configuration.proxyLimit))
  }

  @Test(
    "L-16 countries may be ranges inside a calling code",
    arguments: [
      ("+1-242", 0), ("+1-2", 0), ("+1-123456789", 0), ("+1-1234567890", 1), ("+1-", 1),
      ("1-242", 1),
    ]
  )
  func ranges(_ country: String, _ mistakes: Int) throws {
    let found = try ConfigurationSample.mistakes(("clients.0.countries", #"["\#(country)"]"#))
    #expect(found.count == mistakes)
  }

  @Test("L-16 L-44 a range sends only to its own numbers; +1 also sends to premium numbers")
  func rangeNumbers() throws {
    var client = TestWorld.phoneApp(.concealed)
    let islands = try PhoneNumber(parsing: "+12425550123")
    let premium = try PhoneNumber(parsing: "+19005550123")
    client.lineTypes = LineType.allCases
    client.policy.countries = ["+1-242"]
    #expect(client.reasonNotToSend(to: islands) == nil)
    #expect(client.reasonNotToSend(to: premium) == .country)
    client.policy.countries = ["+1"]
    #expect(client.reasonNotToSend(to: premium) == nil)
  }

  @Test("A default country fits a list with a range inside it")
  func rangeOfDefaultCountry() throws {
    for (list, count) in [(#"["+1-242"]"#, 0), (#"["+47-9"]"#, 1)] {
      let mistakes = try ConfigurationSample.mistakes(
        ("clients.0.default_country", "\"+1\""), ("clients.0.countries", list))
      #expect(mistakes.count == count)
    }
  }
}

import JSONText
import SignInService
import SignInWire
import Testing

/// A configurable number, and the other keys that must change with its ends.
struct NumberLimit: Sendable, CustomTestStringConvertible {
  let path: String
  let range: ClosedRange<Int64>
  var atLower: [String: String] = [:]
  var atUpper: [String: String] = [:]

  var testDescription: String { path }

  static let client: [NumberLimit] = [
    NumberLimit(path: "code.digits", range: 4...8, atLower: ["allow_weak_codes": "true"]),
    NumberLimit(path: "code.life_seconds", range: 60...600),
    NumberLimit(
      path: "code.resend_seconds",
      range: 15...600,
      atUpper: ["code.life_seconds": "600"]
    ),
    NumberLimit(path: "lockout.failures", range: 3...20),
    NumberLimit(path: "lockout.lock_seconds", range: 60...86_400),
    NumberLimit(
      path: "lockout.longest_lock_seconds",
      range: 60...604_800,
      atLower: ["lockout.lock_seconds": "60"]
    ),
    NumberLimit(path: "lockout.stop_after", range: 10...100),
    NumberLimit(path: "access_token_seconds", range: 60...3600),
    NumberLimit(path: "session_seconds", range: 300...31_536_000),
    NumberLimit(
      path: "idle_seconds",
      range: 60...31_536_000,
      atUpper: ["session_seconds": "31536000"]
    ),
    NumberLimit(path: "background_seconds", range: 0...86_400),
    NumberLimit(path: "offline_seconds", range: 0...31_536_000),
    NumberLimit(path: "throttle.sends_per_address_per_hour", range: 1...100_000),
    NumberLimit(path: "throttle.failures_per_address_per_hour", range: 1...100_000),
    NumberLimit(path: "throttle.sends_per_device_per_hour", range: 1...100_000),
    NumberLimit(
      path: "messages.per_number_per_hour",
      range: 1...64,
      atUpper: ["messages.per_number_per_day": "64"]
    ),
    NumberLimit(
      path: "messages.per_number_per_day",
      range: 1...64,
      atLower: ["messages.per_number_per_hour": "1"]
    ),
    NumberLimit(path: "messages.per_prefix_per_day", range: 0...10_000_000),
    NumberLimit(path: "messages.per_organization_per_day", range: 0...10_000_000),
    NumberLimit(path: "messages.per_day", range: 0...10_000_000),
    NumberLimit(path: "messages.price_per_day", range: 0...1_000_000_000_000),
    NumberLimit(path: "messages.brake_after", range: 0...10_000_000),
    NumberLimit(path: "messages.brake_percent", range: 0...100),
    NumberLimit(path: "password_reset_wait_seconds", range: 3600...2_592_000),
  ]
}

@Suite("Configuration limits")
struct ConfigurationLimitTests {
  @Test("P-09 each number of a policy has a test at both ends of its range")
  func complete() {
    var numbers: [String: ClosedRange<Int64>] = [:]
    for key in PolicyKey.allCases {
      if case .number(let range) = key.field.form { numbers[key.rawValue] = range }
    }
    #expect(
      Dictionary(NumberLimit.client.map { ($0.path, $0.range) }, uniquingKeysWith: { $1 })
        == numbers)
  }

  @Test(
    "P-09 each number is right at both ends of its range and wrong just outside",
    arguments: NumberLimit.client
  )
  func numbers(limit: NumberLimit) throws {
    let remedy = "write a whole number from \(limit.range.lowerBound) to \(limit.range.upperBound)"
    let path = "clients[0].\(limit.path)"
    let (low, high) = (limit.range.lowerBound, limit.range.upperBound)

    #expect(try mistakes(limit, low - 1, limit.atLower) == [tooSmall(path, remedy)])
    #expect(try mistakes(limit, low, limit.atLower) == [])
    #expect(try mistakes(limit, low + 1, limit.atLower) == [])
    #expect(try mistakes(limit, high - 1, limit.atUpper) == [])
    #expect(try mistakes(limit, high, limit.atUpper) == [])
    #expect(try mistakes(limit, high + 1, limit.atUpper) == [tooLarge(path, remedy)])
  }

  @Test(
    "P-09 a key that depends on another is right when equal and wrong beyond it",
    arguments: [
      ("code.life_seconds", "code.resend_seconds", 100, 101),
      ("lockout.longest_lock_seconds", "lockout.lock_seconds", 1000, 1001),
      ("session_seconds", "access_token_seconds", 400, 401),
      ("session_seconds", "idle_seconds", 400, 401),
      ("lockout.failures", "lockout.stop_after", 12, 11),
      ("messages.per_number_per_hour", "messages.per_number_per_day", 12, 11),
    ]
  )
  func pairs(other: String, key: String, right: Int, wrong: Int) throws {
    let inside = try ConfigurationSample.mistakes(
      ("clients.0.\(other)", "\(right)"),
      ("clients.0.\(key)", "\(right)")
    )
    let outside = try ConfigurationSample.mistakes(
      ("clients.0.\(other)", "\(right)"),
      ("clients.0.\(key)", "\(wrong)")
    )

    #expect(inside == [])
    #expect(outside.map(\.path) == ["clients[0].\(key)"])
    #expect(outside.first?.remedy.contains("\(right)") == true)
  }

  @Test("R-08 six digits need no permission, and five digits do")
  func weakCodes() throws {
    #expect(try ConfigurationSample.mistakes(("clients.0.code.digits", "5")).count == 1)
    #expect(try ConfigurationSample.mistakes(("clients.0.code.digits", "6")) == [])
    #expect(try ConfigurationSample.mistakes(("clients.0.code.digits", "7")) == [])
  }

  @Test("P-09 the port of a gateway is a possible port", arguments: [0, 1, 65535, 65536])
  func gatewayPort(port: Int) throws {
    let gateway = """
      { "name": "g", "kind": "smpp", "host": "g.example.com", "port": \(port), "system_id": "f",
        "password_file": "/f", "source": "F" }
      """

    let paths = try ConfigurationSample.mistakes(("messengers.1", gateway)).map(\.path)

    #expect(paths.contains("messengers[1].port") == !(1...65535).contains(port))
  }

  private func mistakes(
    _ limit: NumberLimit,
    _ number: Int64,
    _ others: [String: String]
  ) throws -> [ConfigurationMistake] {
    let edits = others.map { (path: "clients.0.\($0.key)", json: $0.value as String?) }
    let bytes = try ConfigurationSample.edited(
      [("issuer", "\"http://localhost:1\"")] + edits + [("clients.0.\(limit.path)", "\(number)")]
    )
    return Configuration.parse(bytes, development: true).mistakes
  }

  private func tooSmall(_ path: String, _ remedy: String) -> ConfigurationMistake {
    ConfigurationMistake(path: path, problem: "is too small", remedy: remedy)
  }

  private func tooLarge(_ path: String, _ remedy: String) -> ConfigurationMistake {
    ConfigurationMistake(path: path, problem: "is too large", remedy: remedy)
  }
}

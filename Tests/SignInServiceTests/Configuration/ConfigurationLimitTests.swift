import JSONText
import SignInWire
import Testing

@testable import SignInService

/// A configurable number, and the other keys that must change with its ends.
struct NumberLimit: Sendable, CustomTestStringConvertible {
  let path: String
  let range: ClosedRange<Int64>
  var atLower: [String: Int64] = [:]
  var atUpper: [String: Int64] = [:]

  var testDescription: String { path }

  /// Every number of a policy.
  static let client: [NumberLimit] = PolicyKey.allCases.compactMap { key in
    guard case .number(let range) = key.field.form else { return nil }
    var limit = NumberLimit(path: key.rawValue, range: range)
    for order in PolicyOrder.all {
      if key == order.greater {
        limit.atLower[order.lesser.rawValue] = order.lesser.range.lowerBound
      }
      if key == order.lesser {
        limit.atUpper[order.greater.rawValue] = order.greater.range.upperBound
      }
    }
    return limit
  }
}

@Suite("Configuration limits")
struct ConfigurationLimitTests {
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
    _ others: [String: Int64]
  ) throws -> [ConfigurationMistake] {
    let edits = others.map { (path: "clients.0.\($0.key)", json: "\($0.value)" as String?) }
    let bytes = try ConfigurationSample.edited(
      [
        ("issuer", "\"http://localhost:1\""), ("clients.0.allow_weak_codes", "true"),
      ] + edits + [("clients.0.\(limit.path)", "\(number)")]
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

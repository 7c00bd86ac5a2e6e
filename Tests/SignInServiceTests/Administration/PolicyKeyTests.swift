import JSONText
import SignInModel
import SignInRules
import SignInWire
import Testing

@testable import SignInService

@Suite("The keys of a policy")
struct PolicyKeyTests {
  @Test("T-16 each value that may be changed has a key, and no key is without a value")
  func complete() {
    func leaves(_ shape: ConfigurationShape, _ path: String) -> [String] {
      guard case .object(let members) = shape else { return [path] }
      return members.flatMap { leaves($0.shape, path.appending(key: $0.key)) }
    }

    let keys = leaves(.clientPolicy, "")

    #expect(Set(keys) == Set(PolicyKey.allCases.map(\.rawValue)))
    #expect(keys.count == PolicyKey.allCases.count)
  }

  @Test("T-16 each row of the policy table has a purpose, and each object too")
  func rows() {
    let objects = PolicyKey.allCases.map(\.steps).filter { $0.count > 1 }.map { $0[0] }

    #expect(PolicyKey.allCases.map(\.help).allSatisfy { !$0.isEmpty && $0.last != "." })
    #expect(Set(PolicyKey.objects.keys) == Set(objects))
    #expect(Set(PolicyKey.inConfigurationOrder) == Set(PolicyKey.allCases))
    #expect(PolicyKey.inConfigurationOrder.count == PolicyKey.allCases.count)
  }

  @Test("T-16 every default is a value that may be written", arguments: PolicyKey.allCases)
  func standard(_ key: PolicyKey) {
    let standard = key.field.standard

    switch key.field.form {
    case .number(let range): #expect(standard.number.map { range.contains($0) } == true)
    case .choice(let words): #expect(standard.text.map { words.contains($0) } == true)
    case .callingCodes, .message: #expect(standard == .null)
    }
  }

  @Test("L-16 the moment of each message to a number is stored exactly up to the highest limit")
  func exactCount() {
    for key in [PolicyKey.numberHourly, .numberDaily] {
      #expect(key.range.upperBound == Throttle.exactLimit)
    }
  }

  @Test("T-16 every value is read from a document where it is written", arguments: samples)
  func places(_ key: PolicyKey, _ json: JSON) {
    var policy = Policy()
    policy.apply(key.object(with: json))

    #expect(policy[json: key] == json)
    #expect(key.value(in: .object(policy.members)) == json)
    let others = PolicyKey.allCases.filter { $0 != key && $0 != .idle }
    #expect(others.allSatisfy { policy[json: $0] == $0.field.standard })
  }

  @Test("T-16 a value outside its range or of another type changes nothing", arguments: samples)
  func ignored(_ key: PolicyKey, _ json: JSON) {
    var written = Policy()
    written.apply(key.object(with: json))
    var wrong: [JSON] = [.bool(true), .object([]), .decimal("1.5"), .string("x")]
    if case .number(let range) = key.field.form {
      wrong += [.int(range.lowerBound - 1), .int(range.upperBound + 1)]
    }
    for value in wrong {
      var policy = written
      policy.apply(key.object(with: value))
      #expect(policy == written, "\(value)")
    }
  }

  /// A value of each key that is not the default one.
  static let samples: [(PolicyKey, JSON)] = PolicyKey.allCases.map { key in
    let standard = key.field.standard
    switch key.field.form {
    case .number(let range):
      return (key, .int(standard == .int(range.lowerBound) ? range.upperBound : range.lowerBound))
    case .choice(let words):
      return (key, words.map { .string($0) }.first { $0 != standard } ?? .null)
    case .callingCodes: return (key, .array([.string("+47")]))
    case .message: return (key, .string("\(key.rawValue) {code}"))
    }
  }

  @Test(
    "T-16 the stricter direction of each value is the one that an organization may choose",
    arguments: PolicyChangeTests.restricted
  )
  func direction(_ path: String, _ looser: Int64, _ stricter: Int64) throws {
    let key = try #require(PolicyKey(rawValue: path))

    #expect(key.field.stricter == (stricter < looser ? .less : .more))
  }

  @Test("T-16 a sheet is read as it was written")
  func crossing() {
    let sheet = PolicySheet(
      client: ClientID("rider-app"), clientName: "Riders",
      organization: OrganizationEntry(id: OrganizationID("north"), name: "North"), tag: "t",
      values: [
        PolicyValue(
          key: .lockoutFailures, value: .int(5), source: .client, configured: .int(5),
          own: .int(9), isChanged: true, form: .number(3...20)
        ),
        PolicyValue(
          key: .unlock, value: .string("none"), source: .standard, configured: .string("none"),
          isChanged: false, form: .choice(["none", "biometric"])
        ),
        PolicyValue(
          key: .countries, value: .null, source: .standard, configured: .null, isChanged: false,
          form: .callingCodes
        ),
        PolicyValue(
          key: .signInText, value: .string("{code}"), source: .changed, configured: .null,
          isChanged: true, form: .message
        ),
      ]
    )

    #expect(PolicySheet(json: sheet.json) == sheet)
  }
}

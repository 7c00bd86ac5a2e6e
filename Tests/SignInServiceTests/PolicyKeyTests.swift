import JSONText
import SignInModel
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

  @Test(
    "T-16 the stricter direction of each value is the one that an organization may choose",
    arguments: PolicyChangeTests.restricted
  )
  func direction(_ path: String, _ looser: Int64, _ stricter: Int64) throws {
    let key = try #require(PolicyKey(rawValue: path))

    #expect(key.stricter == (stricter < looser ? .less : .more))
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

import JSONText
import SignInModel
import SignInWire
import Testing

@testable import SignInService

@Suite("Service accounts in the configuration")
struct ConfiguredServiceAccountTests {
  private func reading(_ accounts: String) -> ConfigurationReading {
    let text = """
      {"clients": [{"id": "app", "name": "App", "home": "assigned_jobs",
        "sign_in": "password_and_code", "roles": ["technician"], "scopes": ["openid"]}],
       "organizations": [{"id": "north", "name": "North"}],
       "service_accounts": \(accounts)}
      """
    return Configuration.read(
      Array(text.utf8), development: true, stores: [], messengers: [], folder: "/etc")
  }

  private func paths(_ accounts: String) -> [String] { reading(accounts).mistakes.map(\.path) }

  private func entry(_ more: String, id: String = "planning", scope: String = "jobs:write")
    -> String
  {
    "[{\"id\": \"\(id)\", \"name\": \"Planning\", \"scopes\": [\"\(scope)\"]\(more)}]"
  }

  @Test("Each kind of credential is read, with paths from the folder of the file")
  func credentials() {
    let places: [(String, Configuration.ServiceAccount.CredentialLocation)] = [
      ("\"secret_file\": \"s\"", .secret(.file("/etc/s"))),
      ("\"secret_env\": \"PLANNING\"", .secret(.environment("PLANNING"))),
      ("\"jwks_file\": \"/keys.json\"", .keySet(file: "/keys.json")),
    ]
    for (text, place) in places {
      let found = reading(entry(", \(text), \"organization\": \"north\""))
      #expect(found.mistakes == [])
      let account = found.configuration?.serviceAccounts.first
      #expect(account?.id == ClientID("planning") && account?.scopes == [.writeJobs])
      #expect(account?.organization == OrganizationID("north"))
      #expect(account?.credential == place)
    }
  }

  @Test("Every mistake in a service account is reported with its position")
  func mistakes() {
    let file = ", \"secret_file\": \"s\""
    #expect(paths(entry("")) == ["service_accounts[0]"])
    #expect(paths(entry(file + ", \"jwks_file\": \"k\"")) == ["service_accounts[0]"])
    #expect(paths(entry(file, scope: "admin")) == ["service_accounts[0].scopes[0]"])
    #expect(paths(entry(file, id: "app")) == ["service_accounts[0].id"])
    #expect(
      paths(entry(file + ", \"organization\": \"east\"")) == ["service_accounts[0].organization"])
    #expect(
      paths(entry(file + ", \"secret\": \"\(String(repeating: "x", count: 40))\""))
        == ["service_accounts[0].secret"])
    let twice = "[\(entry(file).dropFirst().dropLast()), \(entry(file).dropFirst().dropLast())]"
    #expect(paths(twice) == ["service_accounts[1].id"])
  }
}

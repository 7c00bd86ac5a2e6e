import Cryptography
import JSONText
import SignInModel
import SignInTesting
import SignInWire
import Testing

@testable import SignInService

@Suite("Audiences and claims of tokens")
struct TokenAudienceTests {
  private static let issuer = "https://id.example.com"
  private static let api = "https://api.example.com"

  private func client(_ audiences: [String]) throws -> AppRegistration {
    var client = try #require(Configuration.demo.clients.first)
    client.audiences = audiences
    return client
  }

  @Test(
    "RFC 8707 a token is for the requested API, or for this server and every API of the app",
    arguments: [
      ([], nil, [issuer]), ([api], nil, [issuer, api]), ([issuer, api], nil, [issuer, api]),
      ([api], api, [api]), ([api], issuer, [issuer]), ([], issuer, [issuer]), ([], api, nil),
      ([api], api + "/", nil), ([api], "HTTPS://api.example.com", nil), ([api], "", nil),
    ] as [([String], String?, [String]?)])
  func audiences(configured: [String], resource: String?, expected: [String]?) throws {
    #expect(try client(configured).audiences(for: resource, issuer: Self.issuer) == expected)
  }

  @Test("Every attribute of an account can be a claim, and missing attributes are omitted")
  func claims() throws {
    var client = try client([])
    client.claims = TokenClaim.Attribute.allCases.map {
      TokenClaim(name: "x-" + $0.rawValue, attribute: $0)
    }
    let account = Account(
      id: AccountID("a"), email: nil, phone: try PhoneNumber(parsing: "+4790000001"), name: "Kari",
      role: .mentor, status: .active, passwordHash: nil,
      organizations: [OrganizationID("north"), OrganizationID("south")],
      createdAt: Instant(seconds: 1))

    #expect(
      JSON.object(client.claims(of: account, in: nil, of: account.organizations)).utf8
        == Array(
          #"{"x-role":"mentor","x-organizations":["north","south"],"x-name":"Kari","#.utf8)
        + Array(#""x-phone_number":"+4790000001"}"#.utf8))
    let there = JSON.object(
      client.claims(of: account, in: OrganizationID("south"), of: account.organizations))
    #expect(there["x-organization"]?.text == "south")
  }

  @Test("The configuration reads audiences, claims and origins, and counts them")
  func configured() throws {
    func list(_ count: Int, _ entry: (Int) -> String) -> String {
      "[" + (0..<count).map(entry).joined(separator: ",") + "]"
    }
    func claim(_ number: Int) -> String { "{\"name\":\"c\(number)\",\"from\":\"role\"}" }
    func audience(_ number: Int) -> String { "\"https://a\(number).example.com\"" }

    for (key, entry) in [("audiences", audience), ("origins", audience), ("claims", claim)] {
      let path = "clients.0.\(key)"
      #expect(try ConfigurationSample.mistakes((path, list(16, entry))) == [])
      let mistake = try #require(
        ConfigurationSample.mistakes((path, list(17, entry))).first)
      #expect(mistake.path == "clients[0].\(key)" && mistake.problem == "has 17 entries")
    }
    let twice = list(2) { _ in claim(1) }
    #expect(
      try ConfigurationSample.mistakes(("clients.0.claims", twice)).map(\.path)
        == ["clients[0].claims[1].name"])
    let bytes = try ConfigurationSample.edited([
      ("clients.0.claims", list(1, claim)), ("clients.0.audiences", list(1, audience)),
      ("messengers", nil),
    ])
    let client = try #require(
      try Configuration.parse(bytes, development: false).get().clients.first)
    #expect(client.claims == [TokenClaim(name: "c0", attribute: .role)])
    #expect(client.audiences == ["https://a0.example.com"])
  }
}

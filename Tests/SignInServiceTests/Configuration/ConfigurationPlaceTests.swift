import SignInModel
import Testing

@testable import SignInService

@Suite("Places and warnings of a configuration")
struct ConfigurationPlaceTests {
  private func mistakes(_ edits: (path: String, json: String?)...) throws -> [ConfigurationMistake]
  {
    let bytes = try ConfigurationSample.edited([("messengers", "[]")] + edits)
    return Configuration.parse(bytes, development: false).mistakes
  }

  @Test(
    "P-09 plain HTTP on a private address is allowed only behind a proxy that speaks TLS",
    arguments: [
      ("10.0.0.7:8080", "true", []), ("[fd00::7]:8080", "true", []), ("127.0.0.1:80", "true", []),
      ("10.0.0.7:8080", "false", ["tls"]), ("203.0.113.7:8080", "true", ["listen"]),
      ("0.0.0.0:8080", "true", ["listen"]), ("[::]:8080", "true", ["listen"]),
    ] as [(String, String, [String])])
  func behindProxy(_ listen: String, _ flag: String, _ paths: [String]) throws {
    let found = try mistakes(("listen", "\"\(listen)\""), ("behind_tls_proxy", flag))

    #expect(found.map(\.path) == paths)
  }

  @Test("P-09 behind_tls_proxy has no use with a certificate, and warns without proxies")
  func needlessProxyFlag() throws {
    let both = try mistakes(
      ("tls", #"{"certificate": "/c.pem", "key": "/k.pem"}"#), ("behind_tls_proxy", "true"))
    var configuration = Configuration.demo
    configuration.isBehindTLSProxy = true

    #expect(both.map(\.path) == ["behind_tls_proxy"])
    #expect(configuration.warnings.map { $0.hasPrefix("behind_tls_proxy") } == [true])
    configuration.trustedProxies = [try NetworkRange(parsing: "10.0.0.0/8")]
    #expect(configuration.warnings == [])
  }

  private static func database(_ more: String) -> String {
    #"{"kind": "postgres", "database": "d", "user": "u", "folder": "/f", \#(more)}"#
  }

  @Test(
    "P-09 a database on another machine without TLS needs a second key",
    arguments: [
      (#""host": "db.example.com", "tls": false"#, ["store.tls"]),
      (#""host": "10.0.0.9", "tls": false"#, ["store.tls"]),
      (#""host": "127.0.0.1,db.example.com", "tls": false"#, ["store.tls"]),
      (#""host": "db.example.com", "tls": false, "allow_plaintext": true"#, []),
      (#""host": "localhost", "tls": false"#, []), (#""host": "127.0.0.1", "tls": false"#, []),
      (#""host": "/run/postgresql", "tls": false"#, []), (#""host": "db.example.com""#, []),
      (#""host": "db.example.com", "allow_plaintext": true"#, ["store.allow_plaintext"]),
    ] as [(String, [String])])
  func plainDatabase(_ keys: String, _ paths: [String]) throws {
    #expect(try mistakes(("store", Self.database(keys))).map(\.path) == paths)
  }

  @Test("P-09 an unencrypted connection to a database on another machine gives a warning")
  func plainDatabaseWarning() throws {
    func warnings(_ keys: String) throws -> [String] {
      let bytes = try ConfigurationSample.edited([
        ("messengers", "[]"), ("store", Self.database(keys)),
      ])
      return try Configuration.parse(bytes, development: false).get().warnings
    }
    let plain = try warnings(#""host": "db.example.com", "tls": false, "allow_plaintext": true"#)
    let local = try warnings(#""host": "127.0.0.1", "tls": false"#)

    #expect(plain.filter { $0.contains("db.example.com is not encrypted") }.count == 1)
    #expect(local.filter { $0.contains("not encrypted") } == [])
  }

  @Test("P-09 values of an app that are probably mistakes give warnings")
  func appWarnings() {
    func warnings(_ change: (inout AppRegistration) -> Void) -> [String] {
      var configuration = Configuration.demo
      change(&configuration.clients[4])
      return configuration.warnings
    }
    #expect(
      warnings { $0.scopes.append("job") }.map { $0.contains("did you mean `jobs`") } == [true])
    let other = warnings {
      $0.audiences = ["https://api.example.com"]
      $0.scopes += ["job", "orders.read"]
    }
    #expect(other.map { $0.contains("did you mean `jobs`") } == [true])
    #expect(
      warnings { $0.scopes.removeAll { $0 == "admin" } }.map { $0.contains("do not name `admin`") }
        == [true])
    #expect(
      warnings { $0.roles = [.mentor] }.map { $0.contains("do not name `administrator`") } == [true]
    )
    #expect(
      warnings { $0.redirectURIs = ["https://app.example.com/in"] }.map {
        $0.contains("has redirect_uris")
      } == [true])
  }

  @Test(
    "R-06 a wildcard in a redirect address is refused",
    arguments: ["https://app.example.com/*", "com.example.app:/*", "https://*.example.com/in"])
  func wildcard(_ address: String) throws {
    let found = try ConfigurationSample.mistakes(("clients.0.redirect_uris", "[\"\(address)\"]"))

    #expect(found.map(\.path) == ["clients[0].redirect_uris[0]"])
    #expect(found.first?.problem.contains("wildcard") == true)
  }
}

import Testing

@testable import SignInService

@Suite("Texts in a configuration")
struct ConfigurationTextTests {
  private static let stores = TextFormat.storeLocation(ConfigurationSample.stores)

  @Test(
    "A listen address is an address of this machine and a port",
    arguments: [
      ("127.0.0.1:0", true), ("127.0.0.1:65535", true), ("127.0.0.1:65536", false),
      ("0.0.0.0:443", true), ("[::1]:80", true), ("[::]:80", true), ("::1:80", false),
      ("127.0.0.1", false), ("localhost:80", false), ("127.0.0.1:", false), ("127.0.0.1:+1", false),
      ("127.0.0.1:000080", false), ("256.0.0.1:80", false), ("1.2.3:80", false), ("", false),
    ]
  )
  func listenAddress(text: String, isRight: Bool) {
    #expect((ListenAddress(parsing: text) != nil) == isRight)
  }

  @Test(
    "Only an address that other machines cannot reach is loopback",
    arguments: [
      ("localhost", true), ("127.0.0.1", true), ("127.255.0.9", true), ("::1", true),
      ("127.evil.example", false), ("127.0.0.1.example", false), ("0.0.0.0", false),
      ("::", false), ("localhost.example", false), ("127.0.0.01", false),
    ]
  )
  func loopback(host: String, isLoopback: Bool) {
    #expect(Host.isLoopback(host) == isLoopback)
  }

  @Test(
    "IPv6 has eight groups, or fewer around one gap",
    arguments: [
      ("::", true), ("::1", true), ("1::", true), ("2001:db8::1", true), ("1:2:3:4:5:6:7:8", true),
      ("1:2:3:4:5:6:7::", true), ("1:2:3:4:5:6:7", false), ("1:2:3:4:5:6:7:8:9", false),
      ("1:2:3:4:5:6:7:8::", false), ("1::2::3", false), (":::", false), (":1", false),
      ("12345::", false), ("g::", false), ("", false),
    ]
  )
  func ipv6(text: String, isRight: Bool) {
    #expect(Host.isIPv6(text) == isRight)
  }

  @Test(
    "A URL is absolute, has a valid host, and has no name and password",
    arguments: [
      ("https://example.com", true), ("https://example.com:8443/a?b#c", true),
      ("http://[::1]:80/", true), ("https://[::1]", true), ("ftp://example.com", false),
      ("https://", false), ("https:///a", false), ("https://user:pw@example.com", false),
      ("https://example.com:0", false), ("https://example.com:65536", false),
      ("https://exa mple.com", false), ("https://-example.com", false), ("https://[::1", false),
      ("https://[::1]x", false), ("example.com", false), ("https://exämple.com", false),
    ]
  )
  func webAddress(text: String, isRight: Bool) {
    #expect((WebAddress(parsing: text) != nil) == isRight)
  }

  @Test(
    "Each form of text is right inside its limits and wrong just outside",
    arguments: [
      (TextFormat.line, "a", ""), (.line, String(repeating: "a", count: 200), "a\nb"),
      (.line, "å", String(repeating: "a", count: 201)),
      (.identifier, String(repeating: "a", count: 64), String(repeating: "a", count: 65)),
      (.identifier, "a-b_c.d", "a b"), (.path, "/etc/key.pem", ""),
      (.environmentVariable, "FIELDPASS_KEY", "FIELDPASS KEY"),
      (.issuer, "https://example.com/tenant", "https://example.com/"),
      (.issuer, "http://localhost:8080", "http://example.com"),
      (.ownIssuer, "https://example.com", "https://example.com/tenant"),
      (.ownIssuer, "https://example.com:8443", "https://example.com:8443/tenant"),
      (.issuer, "https://example.com", "https://example.com?x=1"),
      (.issuer, "https://example.com", "https://example.com#x"),
      (.secureURL, "https://example.com/?x", "http://example.com"),
      (.contact, "mailto:security@example.com", "security@example.com"),
      (.contact, "https://example.com/security", "http://localhost/security"),
      (.contact, "https://example.com", "mailto:"), (.contact, "mailto:a@b.no", "mailto:a@b.no\n"),
      (stores, "sqlite:.data", "sqlite:"), (stores, "sqlite:/a", "/a"),
      (stores, "sqlite:/a", "postgres://db/fieldpass"), (stores, "sqlite:/a", "other:/a"),
      (.callingCode, "+1", "+"),
      (.callingCode, "+999", "+1234"), (.callingCode, "+47", "+047"), (.callingCode, "+47", "47"),
      (.scope, "openid", "open id"), (.scope, "a:b/c", "a\"b"), (.scope, "a", "a\\b"),
      (.resource, "https://api.example.com", "api.example.com"), (.resource, "urn:a", "urn:"),
      (.resource, "https://api.example.com/a", "https://api.example.com/#a"),
      (.resource, "api+x.y-1://z", "1api://z"), (.resource, "urn:a", ":a"),
      (.origin, "https://app.example.com", "https://app.example.com/"),
      (.origin, "http://localhost:3000", "http://app.example.com"),
      (.origin, "https://app.example.com:8443", "https://App.example.com"),
      (.origin, "https://[::1]", "null"), (.claimName, "https://example.com/role", "a b"),
      (.claimName, "role", "sub"), (.claimName, "subs", "cnf"),
      (.hostName, "gateway.example.com", "gateway..com"), (.hostName, "::1", "a/b"),
      (.networkRange, "192.0.2.0/24", "192.0.2.1/24"), (.networkRange, "2001:db8::7", "proxy"),
    ]
  )
  func forms(form: TextFormat, right: String, wrong: String) {
    #expect(form.problem(right) == nil)
    #expect(form.problem(wrong) != nil)
    #expect(!form.remedy.isEmpty)
  }
}

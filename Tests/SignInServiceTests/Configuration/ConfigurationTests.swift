import Foundation
import JSONText
import SignInModel
import SignInRules
import SignInWire
import Testing
import TextMessengers

@testable import SignInService

@Suite("Configuration")
struct ConfigurationTests {
  static let repository = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  @Test("P-09 a client with only its required keys gets safe values")
  func standardValues() throws {
    let bytes = try ConfigurationSample.edited([("issuer", "\"http://localhost:1\"")])

    let configuration = try Configuration.parse(bytes, development: true).get()

    let client = try #require(configuration.clients.first)
    #expect(client.policy.disclosure == .concealed)
    #expect(client.requiresDPoP)
    #expect(client.policy == Policy())
    #expect(
      client.policy.code
        == CodeChallenge.Policy(digits: 6, lifeSeconds: 300, resendSeconds: 60))
    #expect(
      client.policy.lockout
        == Lockout.Policy(
          failureLimit: 5, lockSeconds: 900, longestLockSeconds: 86_400, stopLimit: 100))
    #expect(client.policy.countries.isEmpty && configuration.trustedProxies.isEmpty)
    #expect(!client.allowsWeakCodes)
    #expect(client.policy[.accessToken] == 300)
    #expect(client.policy[.session] == 2_592_000)
    #expect(client.policy[.idle] == 604_800)
    #expect(client.policy[.background] == 300)
    #expect(client.policy.unlock == .none)
    #expect(client.defaultCountry == nil)
    #expect(configuration.warnings.isEmpty)
  }

  @Test("P-09 every key reaches its value")
  func everyKey() throws {
    let bytes = try ConfigurationSample.edited([
      ("issuer", "\"https://localhost\""), ("listen", "\"[::1]:443\""),
      ("metrics_listen", "\"[::1]:9999\""), ("connections_per_address", "16"),
      ("tls", #"{"certificate": "c.pem", "key": "k.pem", "allow_tls_1_2": true}"#),
      ("clients.0.disclosure", "\"disclosed\""), ("clients.0.dpop_required", "false"),
      ("clients.0.code", #"{"digits": 4, "life_seconds": 120, "resend_seconds": 30}"#),
      (
        "clients.0.lockout",
        #"{"failures": 4, "lock_seconds": 61, "longest_lock_seconds": 62, "stop_after": 50}"#
      ),
      ("clients.0.allow_weak_codes", "true"), ("clients.0.access_token_seconds", "61"),
      ("clients.0.session_seconds", "3600"), ("clients.0.idle_seconds", "600"),
      ("clients.0.background_seconds", "0"),
      ("clients.0.offline_seconds", "0"), ("clients.0.unlock", "\"biometric\""),
      ("clients.0.default_country", "\"+47\""), ("clients.0.sign_in", "\"phone_code\""),
      ("clients.0.allow_registration", "true"), ("messengers.0.countries", #"["+47", "+1"]"#),
    ])

    let configuration = try Configuration.parse(bytes, development: true).get()

    var client = AppRegistration(
      id: ClientID("app"),
      name: "App",
      home: .assignedJobs,
      signIn: .phoneCode,
      roles: [.technician],
      scopes: ["openid"]
    )
    client.allowsRegistration = true
    client.policy.disclosure = .disclosed
    client.requiresDPoP = false
    client.policy[.codeDigits] = 4
    client.policy[.codeLife] = 120
    client.policy[.codeResend] = 30
    client.policy[.lockoutFailures] = 4
    client.policy[.firstLock] = 61
    client.policy[.longestLock] = 62
    client.policy[.lockoutStop] = 50
    client.allowsWeakCodes = true
    client.policy[.accessToken] = 61
    client.policy[.session] = 3600
    client.policy[.idle] = 600
    client.policy[.offline] = 0
    client.policy[.background] = 0
    client.policy.unlock = .biometric
    client.defaultCountry = "+47"
    #expect(configuration.clients.first.map(\.unsigned) == client)
    #expect(configuration.issuer == "https://localhost")
    #expect(configuration.listen == ListenAddress(parsing: "[::1]:443"))
    #expect(configuration.connectionsPerAddress == 16)
    #expect(configuration.metricsListen == ListenAddress(parsing: "[::1]:9999"))
    #expect(configuration.tls?.certificateFile == "c.pem")
    #expect(configuration.tls?.keyFile == "k.pem")
    #expect(configuration.tls?.allowsTLS12 == true)
    #expect(configuration.store == .init(kind: "sqlite", folder: "/var/lib/fieldpass"))
    #expect(configuration.organizations.map(\.id.text) == ["north", "south"])
    #expect(configuration.messengers.map(\.countries) == [["+47", "+1"]])
  }

  @Test("P-09 each default in the schema is the value of an absent key")
  func publishedDefaults() throws {
    guard case .object(let top) = ConfigurationShape.configuration([], []),
      case .list(of: .object(let members), atLeast: _, atMost: _)? =
        top.first(where: { $0.key == "clients" })?.shape
    else {
      Issue.record("the shape has moved: clients are objects in a list")
      return
    }
    let local: (String, String?) = ("issuer", "\"http://localhost:1\"")
    let written = members.defaults(under: "clients.0")

    let silent = Configuration.parse(
      try ConfigurationSample.edited([local, ("clients.0.home", nil)]), development: true
    )
    let explicit = Configuration.parse(
      try ConfigurationSample.edited([local] + written), development: true
    )

    let switches = [
      "home", "dpop_required", "require_dpop_nonce", "allow_weak_codes", "security_notices_by_sms",
      "allow_registration",
    ]
    let policyValues = PolicyKey.allCases.count { $0.field.standard != .null }
    #expect(written.count == policyValues + switches.count)
    #expect(try silent.get().clients.map(\.unsigned) == explicit.get().clients.map(\.unsigned))
  }

  @Test("S-07 an organization has its own policy, whose mistakes are found like those of an app")
  func organizationPolicy() throws {
    let local: (String, String?) = ("issuer", "\"http://localhost:1\"")
    let policy = #"{"background_seconds": 60, "lockout": {"failures": 3}}"#
    let bytes = try ConfigurationSample.edited([local, ("organizations.0.policy", policy)])
    let configuration = try Configuration.parse(bytes, development: true).get()

    let wrong = try ConfigurationSample.mistakes(
      ("organizations.1.policy", #"{"idle_seconds": 59, "messages": {"per_day": 1}, "name": "x"}"#)
    )

    #expect(configuration.organizations[0].policy.json == (try JSONReader.read(Array(policy.utf8))))
    #expect(configuration.organizations[1].policy == .none)
    #expect(
      wrong.map(\.path) == [
        "organizations[1].policy.idle_seconds", "organizations[1].policy.messages.per_day",
        "organizations[1].policy.name",
      ]
    )
  }

  @Test("R-08 codes of four digits need allow_weak_codes and give a warning")
  func weakCodes() throws {
    let refused = try ConfigurationSample.mistakes(("clients.0.code", #"{"digits": 4}"#))
    let bytes = try ConfigurationSample.edited([
      ("issuer", "\"http://localhost:1\""), ("clients.0.code", #"{"digits": 4}"#),
      ("clients.0.allow_weak_codes", "true"),
    ])

    let configuration = try Configuration.parse(bytes, development: true).get()

    #expect(refused.map(\.path) == ["clients[0].code.digits"])
    #expect(configuration.warnings.count == 1)
    #expect(configuration.warnings.first?.contains("allow_weak_codes") == true)
  }

  @Test("R-10 TLS 1.2 needs allow_tls_1_2 and gives a warning")
  func olderTLS() {
    var configuration = Configuration.demo
    configuration.tls = Configuration.TLS(certificateFile: "c.pem", keyFile: "k.pem")

    #expect(configuration.warnings.isEmpty)
    configuration.tls?.allowsTLS12 = true
    #expect(configuration.warnings.count == 1)
  }

  @Test("A session shorter than the standard idle time shortens the idle time to its length")
  func idleTimeFollows() throws {
    let bytes = try ConfigurationSample.edited([
      ("issuer", "\"http://localhost:1\""), ("clients.0.session_seconds", "3600"),
    ])

    let configuration = try Configuration.parse(bytes, development: true).get()

    #expect(configuration.clients.first?.policy[.idle] == 3600)
  }

  @Test("The demo has five apps and two organizations")
  func demo() {
    let demo = Configuration.demo

    #expect(
      demo.clients.map(\.id.text)
        == ["technician-app", "rider-app", "product-app", "mentor-app", "console"]
    )
    #expect(
      demo.clients.map(\.policy.disclosure)
        == [.concealed, .disclosed, .concealed, .concealed, .concealed]
    )
    #expect(
      demo.clients.map(\.home) == [.assignedJobs, .dashboard, .products, .activities, .console]
    )
    #expect(demo.clients[1].defaultCountry == "+91")
    #expect(demo.organizations.map(\.id.text) == ["north", "south"])
    #expect(demo.messengers.map(\.kind) == [Configuration.Messenger.inbox])
    #expect(demo.listen.isLoopback && demo.metricsListen.isLoopback)
    #expect(demo.metricsListen.port == 9464)
    #expect(demo.warnings.isEmpty)
  }

  @Test("R-14 a server without a messenger starts, and warns that no code can be sent")
  func noMessenger() throws {
    let text = """
      {
        "issuer": "https://login.example.com", "store": "sqlite:/var/lib/fieldpass",
        "clients": [
          {
            "id": "technician-app", "name": "Technicians", "home": "assigned_jobs",
            "sign_in": "password_and_code", "roles": ["technician"], "scopes": ["openid"]
          }
        ]
      }
      """

    let configuration = try Configuration.parse(Array(text.utf8), development: false).get()

    #expect(configuration.messengers.isEmpty)
    #expect(configuration.warnings.contains { $0.contains("no code can be sent") })
  }

  @Test("P-09 a scope without a route gives a warning, and the operator's own API can use it")
  func foreignScope() {
    var configuration = Configuration.demo
    #expect(configuration.warnings.isEmpty)
    configuration.clients[0].scopes.append("orders.read")
    #expect(configuration.warnings.count == 1)
    #expect(configuration.warnings.first?.hasPrefix("`orders.read` in the scopes of") == true)
    #expect(configuration.clients[0].allowedScopes.contains("orders.read"))

    configuration.clients[0].audiences = ["https://api.example.com"]
    #expect(configuration.warnings.isEmpty)
  }

  @Test("P-09 a scope that adds claims to user info gives no warning")
  func userInfoScopes() {
    var configuration = Configuration.demo
    configuration.clients[0].scopes += ["profile", "email", "phone"]

    #expect(configuration.warnings.isEmpty)
  }

  @Test("L-37 metrics that other machines can read give a warning at every start")
  func openMetrics() throws {
    var configuration = Configuration.demo
    for (address, isWarned) in [("127.0.0.1:9464", false), ("0.0.0.0:9464", true)] {
      configuration.metricsListen = try #require(ListenAddress(parsing: address))
      #expect(configuration.warnings.contains { $0.hasPrefix("metrics_listen") } == isWarned)
    }
  }

  @Test(
    "L-42 a loopback name is recognized in a Host field, and similar names are not",
    arguments: [
      ("localhost", true), ("localhost:8080", true), ("127.0.0.1:8080", true), ("[::1]:80", true),
      ("127.9.9.9", true), ("app.localhost:1", true),
      ("example.com", false), ("localhost.example.com", false), ("127.0.0.1.example.com", false),
      ("10.0.0.1:8080", false), ("localhost/x", false), ("localhost:0", false), ("", false),
      ("xlocalhost", false), ("[::2]", false),
    ]
  )
  func loopbackNames(authority: String, isLoopback: Bool) {
    #expect(ListenAddress.isLoopback(authority: authority) == isLoopback)
  }

  @Test("P-09 The example in the documentation is valid in production")
  func example() throws {
    let file = Self.repository.appending(path: "docs/examples/configuration.json")

    let result = Configuration.parse(Array(try Data(contentsOf: file)), development: false)

    #expect(result.mistakes == [])
    #expect(try result.get().warnings == [])
  }

  @Test("P-09 A configuration names where people report weaknesses, or nothing")
  func securityContact() throws {
    func contact(_ changes: [(String, String)]) throws -> String? {
      try Configuration.parse(
        ConfigurationSample.edited([("issuer", "\"http://localhost:1\"")] + changes),
        development: true
      ).get().securityContact
    }

    #expect(try contact([]) == nil)
    let written = "\"mailto:security@example.com\""
    #expect(try contact([("security_contact", written)]) == "mailto:security@example.com")
  }

  @Test(
    "P-09 A relative path in a configuration starts at the folder of its file",
    arguments: [
      ("/etc/fieldpass", "/etc/fieldpass/"), ("/etc/fieldpass/", "/etc/fieldpass/"),
      ("conf", "conf/"), ("", ""),
    ])
  func relativePaths(folder: String, prefix: String) throws {
    let hook = #"{"name": "w", "kind": "webhook", "url": "https://a.example", "secret_file": "s"}"#
    func parsed(_ root: String) throws -> Configuration {
      let bytes = try ConfigurationSample.edited([
        ("issuer", "\"http://localhost:1\""), ("store", "\"sqlite:\(root)data\""),
        ("tls", #"{"certificate": "\#(root)c.pem", "key": "\#(root)k.pem"}"#),
        ("breached_passwords_file", "\"\(root)b\""), ("places_file", "\"\(root)p\""),
        ("messengers.0", hook.replacing("\"s\"", with: "\"\(root)s\"")),
      ])
      return try Configuration.parse(
        bytes, development: true, stores: ConfigurationSample.stores,
        messengers: MessengerKinds.all, folder: folder
      ).get()
    }

    for (root, expected) in [("", prefix), ("/srv/", "/srv/")] {
      let configuration = try parsed(root)
      #expect(configuration.store == .init(kind: "sqlite", folder: expected + "data"))
      #expect(configuration.tls?.certificateFile == expected + "c.pem")
      #expect(configuration.tls?.keyFile == expected + "k.pem")
      #expect(configuration.breachedPasswordsFile == expected + "b")
      #expect(configuration.placesFile == expected + "p")
      #expect(configuration.messengers.map(\.secret) == [.file(expected + "s")])
    }
  }

  @Test("P-09 The valid parts of a configuration can be read despite mistakes elsewhere")
  func validPartsAreRead() throws {
    let bytes = try ConfigurationSample.edited([
      ("issuer", "\"http://localhost:1\""), ("clients.0.home", "\"moon\""), ("store", "5"),
      ("tls", #"{"certificate": "c.pem", "key": "k.pem"}"#),
    ])

    let reading = Configuration.read(
      bytes, development: true, stores: ConfigurationSample.stores, messengers: MessengerKinds.all)

    #expect(reading.configuration?.tls?.certificateFile == "c.pem")
    #expect(reading.hasMistake(at: "store") && reading.hasMistake(at: "clients"))
    #expect(!reading.hasMistake(at: "tls") && !reading.hasMistake(at: "organizations"))
    #expect(!reading.hasMistake(at: "client"))
    let broken = Configuration.read([0x7B], development: true, stores: [], messengers: [])
    #expect(broken.configuration == nil && broken.hasMistake(at: "store"))
  }

  @Test(
    "P-09 The host that a certificate must cover is that of the issuer",
    arguments: [
      ("https://login.example.com", "login.example.com"),
      ("https://login.example.com:8443", "login.example.com"), ("https://[::1]:1", "::1"),
    ])
  func issuerHost(issuer: String, host: String) {
    var configuration = Configuration()
    #expect(configuration.issuerHost == nil)
    configuration.issuer = issuer
    #expect(configuration.issuerHost == host)
  }

  @Test("P-09 the published schema equals the checks")
  func schema() throws {
    let file = Self.repository.appending(path: "docs/configuration.schema.json")
    let fresh = Self.repository.appending(path: ".build/configuration.schema.json")

    let published = try JSONReader.read(Array(Data(contentsOf: file)))
    let schema = Configuration.schema(
      stores: ConfigurationSample.stores, messengers: MessengerKinds.all)
    let isCurrent = try published == JSONReader.read(schema)

    if !isCurrent { try Data(schema).write(to: fresh) }
    #expect(
      isCurrent,
      """
      the schema is stale; run: \
      python3 -m json.tool .build/configuration.schema.json docs/configuration.schema.json
      """
    )
  }
}

extension AppRegistration {
  /// The same policy without the sources of its values.
  fileprivate var unsigned: AppRegistration {
    var client = self
    client.written = .none
    return client
  }
}

extension [ConfigurationMember] {
  /// Edits that write down every default, including those inside objects.
  fileprivate func defaults(under path: String) -> [(path: String, json: String?)] {
    flatMap { member -> [(path: String, json: String?)] in
      let path = "\(path).\(member.key)"
      if case .object(let inner) = member.shape { return inner.defaults(under: path) }
      return member.standard.map { [(path, String(decoding: $0.utf8, as: UTF8.self))] } ?? []
    }
  }
}

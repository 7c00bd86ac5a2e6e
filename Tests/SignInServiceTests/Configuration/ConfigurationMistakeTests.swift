import SignInService
import Testing

/// A change that makes the sample wrong, and the expected message.
struct PlantedMistake: Sendable, CustomTestStringConvertible {
  let edits: [(path: String, json: String?)]
  let path: String
  let problem: String
  let remedy: String

  init(_ edits: [(String, String?)], _ path: String, _ problem: String, _ remedy: String) {
    self.edits = edits.map { (path: $0.0, json: $0.1) }
    self.path = path
    self.problem = problem
    self.remedy = remedy
  }

  var testDescription: String { "\(path) \(problem)" }
}

extension PlantedMistake {
  static let types: [PlantedMistake] = [
    PlantedMistake(
      [("listen", "8080")],
      "listen",
      "is a number where text is expected",
      "write an address and a port"
    ),
    PlantedMistake(
      [("clients.0.code.digits", "\"6\"")],
      "clients[0].code.digits",
      "is text where a whole number is expected",
      "from 4 to 8"
    ),
    PlantedMistake(
      [("clients.0.code.digits", "6.5")],
      "clients[0].code.digits",
      "is a number with a fraction where a whole number is expected",
      "from 4 to 8"
    ),
    PlantedMistake(
      [("clients.0.dpop_required", "\"yes\"")],
      "clients[0].dpop_required",
      "is text where true or false is expected",
      "write true or false"
    ),
    PlantedMistake(
      [
        ("clients.0.sign_in", "\"phone_code\""), ("clients.0.roles", #"["administrator"]"#),
      ],
      "clients[0].roles",
      "lets administrators sign in without a password",
      "remove administrator"
    ),
    PlantedMistake(
      [
        ("clients.0.dpop_required", "false"), ("clients.0.roles", #"["administrator"]"#),
      ],
      "clients[0].dpop_required",
      "lets a copied token act for an administrator",
      "remove administrator"
    ),
    PlantedMistake(
      [("clients.0.home", "null")],
      "clients[0].home",
      "is null where text is expected",
      "\"assigned_jobs\", \"dashboard\""
    ),
    PlantedMistake(
      [("organizations", "{}")],
      "organizations",
      "is an object where a list is expected",
      "write a list"
    ),
    PlantedMistake(
      [("clients.0.code", "[]")],
      "clients[0].code",
      "is a list where an object is expected",
      "write an object"
    ),
    PlantedMistake(
      [("messengers.0", "true")],
      "messengers[0]",
      "is true or false where an object is expected",
      "write an object"
    ),
  ]

  static let keys: [PlantedMistake] = [
    PlantedMistake(
      [("lissten", "\"127.0.0.1:1\"")],
      "lissten",
      "is an unknown key",
      "did you mean \"listen\"?"
    ),
    PlantedMistake(
      [("clients.0.colour", "1")],
      "clients[0].colour",
      "is an unknown key",
      "remove it; allowed keys: \"id\""
    ),
    PlantedMistake(
      [("clients.0.name", nil)],
      "clients[0].name",
      "is missing",
      "write it: Name of the app that people see"
    ),
    PlantedMistake([("messengers.0.kind", nil)], "messengers[0].kind", "is missing", "\"inbox\""),
    PlantedMistake([("clients", "[]")], "clients", "is empty", "write at least one entry"),
    PlantedMistake(
      [("clients.0.roles", "[]")],
      "clients[0].roles",
      "is empty",
      "write at least one entry"
    ),
    PlantedMistake(
      [("tls", #"{"certificate": "c.pem"}"#)],
      "tls.key",
      "is missing",
      "private key"
    ),
  ]

  static let words: [PlantedMistake] = [
    PlantedMistake(
      [("clients.0.home", "\"asigned_jobs\"")],
      "clients[0].home",
      "is not an allowed value of this key",
      "did you mean \"assigned_jobs\"?"
    ),
    PlantedMistake(
      [("clients.0.unlock", "\"face\"")],
      "clients[0].unlock",
      "is not an allowed value of this key",
      "write \"none\" or \"biometric\""
    ),
    PlantedMistake(
      [("clients.0.roles.1", "\"techncian\"")],
      "clients[0].roles[1]",
      "is not an allowed value of this key",
      "did you mean \"technician\"?"
    ),
    PlantedMistake(
      [("clients.0.id", "\"my app\"")],
      "clients[0].id",
      "is not an identifier",
      "1 to 64 letters"
    ),
    PlantedMistake(
      [
        ("clients.0.sign_in", "\"phone_code\""), ("clients.0.default_country", "\"+47\""),
        ("clients.0.allow_registration", "true"),
        ("clients.0.registration_approval", "\"list\""),
      ],
      "clients[0].registration_approval",
      "names a list, and there is none",
      "add \"registration_numbers_file\" to the client"
    ),
    PlantedMistake(
      [
        ("clients.0.sign_in", "\"phone_code\""), ("clients.0.allow_registration", "true"),
        ("clients.0.registration_approval", "\"number\""),
      ],
      "clients[0].registration_approval",
      "sends codes to unknown numbers, and every country is allowed",
      "list the \"countries\""
    ),
    PlantedMistake(
      [("clients.0.registration_numbers_file", "\"numbers.txt\"")],
      "clients[0].registration_numbers_file",
      "has no use without registration",
      "add \"allow_registration\": true"
    ),
    PlantedMistake(
      [("clients.0.default_country", "\"91\"")],
      "clients[0].default_country",
      "is not a calling code",
      "+47"
    ),
    PlantedMistake(
      [("store", "\"postgres://db/fieldpass\"")],
      "store",
      "names a server in a text",
      "write sqlite: and a folder"
    ),
    PlantedMistake(
      [("listen", "\"127.0.0.1:70000\"")],
      "listen",
      "is not an address with a port from 0 to 65535",
      "127.0.0.1:8080"
    ),
  ]

  static let addresses: [PlantedMistake] = [
    PlantedMistake(
      [("issuer", "\"id.example.com\"")],
      "issuer",
      "is not a URL",
      "https://id.example.com"
    ),
    PlantedMistake(
      [("issuer", "\"http://id.example.com\"")],
      "issuer",
      "uses http",
      "https://id.example.com"
    ),
    PlantedMistake(
      [("issuer", "\"https://localhost/\"")],
      "issuer",
      "ends with a slash",
      "https://id.example.com"
    ),
    PlantedMistake(
      [("issuer", "\"https://localhost?a=b\"")],
      "issuer",
      "has a query",
      "https://id.example.com"
    ),
    PlantedMistake(
      [("issuer", "\"https://localhost/fieldpass\"")],
      "issuer",
      "has a path",
      "https://id.example.com"
    ),
    PlantedMistake(
      [("issuer", "\"https://id.example.com\"")],
      "issuer",
      "is public",
      "leave --development out"
    ),
    PlantedMistake(
      [("listen", "\"0.0.0.0:443\"")],
      "listen",
      "--development shows every code",
      "leave --development out"
    ),
    PlantedMistake(
      [("metrics_listen", "\"[::]:9464\"")],
      "metrics_listen",
      "--development shows every code",
      "leave --development out"
    ),
  ]

  static let rules: [PlantedMistake] = [
    PlantedMistake(
      [("organizations.1.id", "\"north\"")],
      "organizations[1].id",
      "repeats organizations[0].id",
      "give each entry its own id"
    ),
    PlantedMistake(
      [("clients.1.id", "\"app\"")],
      "clients[1].id",
      "repeats clients[0].id",
      "give each entry its own id"
    ),
    PlantedMistake(
      [("messengers.1", #"{"name": "inbox", "kind": "inbox"}"#)],
      "messengers[1].name",
      "repeats messengers[0].name",
      "give each entry its own name"
    ),
    PlantedMistake(
      [("clients.0.code.digits", "4")],
      "clients[0].code.digits",
      "easy to guess",
      "\"allow_weak_codes\""
    ),
    PlantedMistake(
      [("clients.0.code", #"{"life_seconds": 60, "resend_seconds": 61}"#)],
      "clients[0].code.resend_seconds",
      "would expire before the next one",
      "write at most 60"
    ),
    PlantedMistake(
      [("messengers.0.kind", "\"pigeon\"")],
      "messengers[0].kind",
      "is an unknown kind",
      "write \"inbox\", \"azure-communication-services\""
    ),
    PlantedMistake(
      [("providers", #"[{"name": "p", "kind": "saml", "issuer": "x"}]"#)],
      "providers[0].kind",
      "is a kind this version cannot use yet",
      "write \"openid\", \"oauth2\", \"bankid\""
    ),
    PlantedMistake(
      [("providers", #"[{"name": "p", "kind": "ldap"}]"#)],
      "providers[0].kind",
      "is an unknown kind",
      "write \"openid\", \"oauth2\", \"bankid\""
    ),
  ]
}

extension PlantedMistake {
  static let otherMessengers = [
    (
      "azure-communication-services",
      #""endpoint": "https://a.example.com", "access_key_file": "/k", "from": "+15550100000""#
    ),
    ("aws-sns", #""region": "eu-north-1", "access_key_id": "A", "secret_access_key_env": "KEY""#),
    ("twilio", #""account_sid": "A", "auth_token_file": "/k", "from": "+15550100000""#),
    (
      "smpp",
      #""host": "s", "port": 2775, "system_id": "f", "password_file": "/k", "source": "F""#
    ),
  ]
}

@Suite("Configuration mistakes")
struct ConfigurationMistakeTests {
  @Test(
    "P-09 each mistake is found once, with its path and its remedy",
    arguments: PlantedMistake.types + PlantedMistake.keys + PlantedMistake.words
      + PlantedMistake.addresses + PlantedMistake.rules
  )
  func planted(mistake: PlantedMistake) throws {
    let local: (String, String?) = ("issuer", "\"http://127.0.0.1:8443\"")
    let bytes = try ConfigurationSample.edited([local] + mistake.edits)

    let found = Configuration.parse(bytes, development: true).mistakes

    #expect(found.map(\.path) == [mistake.path])
    #expect(found.first?.problem.contains(mistake.problem) == true, "\(found)")
    #expect(
      found.first?.remedy.lowercased().contains(mistake.remedy.lowercased()) == true,
      "\(found)"
    )
  }

  @Test("P-09 every mistake is reported at once, in reading order")
  func several() throws {
    let mistakes = try ConfigurationSample.mistakes(
      ("listen", "80"),
      ("store", "\"disk\""),
      ("clients.0.home", "\"moon\""),
      ("clients.0.code", #"{"digits": 9, "life": 1}"#),
      ("clients.1.id", "\"app\""),
      ("clients.1.lockout.failures", "2"),
      ("clients.1.idle_seconds", "9999999"),
      ("messengers.0.kind", "\"twilio\"")
    )

    #expect(
      mistakes.map(\.path) == [
        "listen", "store", "clients[0].home", "clients[0].code.digits", "clients[0].code.life",
        "clients[1].lockout.failures", "messengers[0].account_sid", "messengers[0].from",
        "messengers[0].auth_token_file", "clients[1].id",
        "clients[1].idle_seconds",
      ]
    )
  }

  @Test(
    "P-09 every kind of messenger works in production and has its own checks",
    arguments: PlantedMistake.otherMessengers)
  func otherMessengers(kind: String, members: String) throws {
    let entry = #"{"name": "m", "kind": "\#(kind)", \#(members)}"#

    let mistakes = try ConfigurationSample.mistakes(("messengers.1", entry))
    let more = try ConfigurationSample.mistakes(
      ("messengers.1", entry), ("messengers.1.colour", "1"))

    #expect(mistakes.isEmpty)
    #expect(more.map(\.path) == ["messengers[1].colour"])
  }

  @Test(
    "T-14 a secret written into the file is refused and never repeated",
    arguments: ["access_key", "client_secret", "password", "secret", "auth_token"]
  )
  func inlineSecret(key: String) throws {
    let mistakes = try ConfigurationSample.mistakes(("clients.0.\(key)", "\"hunter2\""))

    #expect(mistakes.map(\.path) == ["clients[0].\(key)"])
    #expect(mistakes.first?.problem == "is a secret, and this file must not contain one")
    #expect(mistakes.first?.remedy.contains("\"\(key)_file\"") == true)
    #expect(!"\(mistakes)".contains("hunter2"))
  }

  @Test("T-14 no mistake repeats a value, and a key cannot forge a line of a log")
  func nothingRepeated() throws {
    let mistakes = try ConfigurationSample.mistakes(
      ("issuer", "\"hunter2\""),
      ("store", "\"hunter2\""),
      ("clients.0.home", "\"hunter2\""),
      ("messengers.0.kind", "\"hunter2\""),
      (#"a\#nb"#, "1")
    )

    #expect(mistakes.count == 5)
    #expect(!"\(mistakes)".contains("hunter2"))
    #expect(mistakes.allSatisfy { !$0.path.contains("\n") })
  }

  @Test("P-09 a secret is in exactly one place")
  func secretInTwoPlaces() throws {
    let entry = #"{"name": "w", "kind": "webhook", "url": "https://example.com"}"#

    let none = try ConfigurationSample.mistakes(("messengers.1", entry))
    let both = try ConfigurationSample.mistakes(
      ("messengers.1", entry),
      ("messengers.1.secret_file", "\"/k\""),
      ("messengers.1.secret_env", "\"KEY\"")
    )

    #expect(none.last?.path == "messengers[1].secret_file")
    #expect(none.last?.problem == "is missing")
    #expect(both.last?.path == "messengers[1].secret_file")
    #expect(both.last?.problem == "is used together with secret_env")
  }

  @Test("R-14 the inbox is a mistake outside development, and no setting allows it")
  func inboxInProduction() throws {
    let bytes = try ConfigurationSample.edited([])

    let mistakes = Configuration.parse(bytes, development: false).mistakes

    #expect(mistakes.map(\.path) == ["messengers[0].kind"])
    #expect(mistakes.first?.problem.contains("only with --development") == true)
  }

  @Test(
    "P-04, L-42 In development listeners must be on loopback; in production others need TLS",
    arguments: ["listen", "metrics_listen"], ["0.0.0.0:443", "[::]:443", "192.0.2.1:443"]
  )
  func reachable(key: String, address: String) throws {
    let tls: (String, String?) = ("tls", #"{"certificate": "c.pem", "key": "k.pem"}"#)
    let open: (String, String?) = (key, "\"\(address)\"")
    func mistakes(_ edits: [(path: String, json: String?)], development: Bool) throws -> [String] {
      let issuer: (String, String?) = ("issuer", development ? nil : "\"https://id.example.com\"")
      let inbox: (String, String?) = ("messengers", "[]")
      return Configuration.parse(
        try ConfigurationSample.edited([issuer, inbox] + edits), development: development
      ).mistakes.map(\.path)
    }

    #expect(try mistakes([open, tls], development: true) == [key])
    #expect(try mistakes([open, tls], development: false) == [])
    #expect(
      try mistakes([open], development: false) == [key == "listen" ? "tls" : "metrics_listen"]
    )
    #expect(try mistakes([(key, "\"127.0.0.1:443\"")], development: false) == [])
  }

  @Test("P-09 production needs an issuer and a store; development does not")
  func productionNeedsMore() throws {
    let bytes = try ConfigurationSample.edited([("issuer", nil), ("store", nil)])

    let production = Configuration.parse(bytes, development: false).mistakes
    let development = Configuration.parse(bytes, development: true).mistakes

    #expect(production.map(\.path) == ["messengers[0].kind", "issuer", "store"])
    #expect(development == [])
  }

  @Test(
    "P-09 a file that is not JSON is reported with the position of the mistake",
    arguments: [
      ("", "ends too early at line 1, column 1"), ("{\n  \"issuer\" 1}", "line 2, column 12"),
      ("{\"a\":1,\"a\":2}", "names a key twice"), ("{\"a\":01}", "malformed number"),
      ("{\"a\":\"\\q\"}", "malformed escape"), (String(repeating: "[", count: 65), "too deeply"),
    ]
  )
  func malformed(text: String, problem: String) {
    let mistakes = Configuration.parse(Array(text.utf8), development: true).mistakes

    #expect(mistakes.map(\.path) == [""])
    #expect(mistakes.first?.problem.contains(problem) == true, "\(mistakes)")
  }

  @Test("P-09 a file that is not UTF-8 or too long is reported as such")
  func unreadable() {
    let notText = Configuration.parse([0x22, 0xFF, 0x22], development: true).mistakes
    let long = [UInt8](repeating: 0x20, count: 16 << 20 | 1)

    #expect(notText.first?.problem.contains("is not UTF-8") == true)
    #expect(
      Configuration.parse(long, development: true).mistakes.first?.problem.contains("too long")
        == true
    )
  }
}

import SignInWire

extension ParserTarget {
  /// Valid inputs, which are the base of damaged ones.
  package var seeds: [[UInt8]] {
    switch self {
    case .json: Self.documents
    case .table:
      [
        Array("id,title\r\nj-1,\"Say \"\"hi\"\", twice\nhere\"\n".utf8), Array("a,b,\n1,,3".utf8),
      ]
    case .form: Self.forms
    case .token: [Self.lines(Self.tokenHeader, Self.tokenClaims), Array("e30.e30.AA".utf8)]
    case .proof: [Self.lines(Self.proofHeader, Self.proofClaims)]
    case .smpp: Self.units
    case .receipts: Self.receiptBodies
    case .configuration: [Array(Self.configurationText.utf8)]
    case .crossing: Self.sessions
    case .values: Self.texts
    case .answers: Self.answerBodies
    case .pictures: Self.pictureSeeds
    }
  }

  /// Words that this parser knows, and words that are difficult for any parser.
  package var words: [[UInt8]] {
    let numbers = [
      "9223372036854775807", "-9223372036854775808", "9007199254740992", "2147483648", "-1", "0",
      "1e400", "99999999999999999999999999",
    ]
    let signs = ["{", "}", "[", "]", "\"", ":", ",", "\\u0301", "\\ud83d", "\\", "null", "true"]
    let texts = [
      "\u{301}\u{323}", "\u{0}", "%CC%81", "%", "&", "=", "\u{1F468}\u{200D}", "é", "\n",
    ]
    return (numbers + signs + texts).map { Array($0.utf8) } + [[0xFF], [0xC3], [0x80, 0, 0, 0]]
  }

  private static func lines(_ texts: String...) -> [UInt8] {
    Array(texts.joined(separator: "\n").utf8)
  }

  // MARK: JSON and forms

  private static let documents = [
    "{\"a\":1,\"b\":[true,null,-0.5e+10],\"c\":{\"d\":\"é😀\\u00e9\\ud83d\\ude00\"}}",
    "{\"a0\":0,\"a1\":1,\"a2\":2,\"a3\":3,\"a4\":4,\"a5\":5,\"a6\":6,\"a7\":7,\"a8\":8,\"a9\":9}",
    "[[[[]]],\"\\b\\f\\n\\r\\t\\/\\\\\",9007199254740991]", "\"a\u{301}\"", " 0 ",
  ].map { Array($0.utf8) }

  private static let forms = [
    "grant_type=refresh_token&client_id=technician-app&refresh_token=a.1.b",
    "username=tech%40example.com&password=a+b%C3%A9&scope=openid%20offline_access&x=",
    "to=%2B15550101234&a=1&b=2&c=3&d=4", "a\u{301}=b\u{323}",
  ].map { Array($0.utf8) }

  // MARK: Tokens and proofs

  private static let tokenHeader = "{\"typ\":\"at+jwt\",\"alg\":\"ES256\",\"kid\":\"k\"}"
  private static let tokenClaims =
    "{\"iss\":\"https://login.example.com\",\"sub\":\"a\",\"aud\":\"https://login.example.com\","
    + "\"client_id\":\"technician-app\",\"iat\":1799999900,\"exp\":1800000300,\"scope\":\"openid\","
    + "\"sid\":\"s\",\"cnf\":{\"jkt\":\"t\"},\"org\":\"o\"}"
  private static let proofClaims =
    "{\"jti\":\"j\",\"htm\":\"POST\",\"htu\":\"https://login.example.com\(Endpoint.token.path)\","
    + "\"iat\":1800000000}"

  // MARK: SMPP

  /// An answer to a submission, an enquiry, and a receipt in the usual text form.
  private static let units: [[UInt8]] = {
    func unit(_ command: UInt32, _ body: [UInt8]) -> [UInt8] {
      [UInt32(16 + body.count), command, 0, 2].flatMap { number in
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
      } + body
    }
    let text = Array("id:1234 sub:001 dlvrd:001 stat:DELIVRD err:000 text:".utf8)
    let address: [UInt8] = [1, 1] + Array("4790000000".utf8) + [0]
    let receipt =
      [0] + address + address + [4, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(text.count)] + text
      + [0x00, 0x1E, 0, 5] + Array("1234".utf8) + [0] + [0x04, 0x27, 0, 1, 2]
    let answer = unit(0x8000_0004, Array("1234".utf8) + [0])
    let enquiry = unit(0x15, [])
    return [
      answer, enquiry, unit(5, receipt), answer + enquiry + unit(5, receipt), unit(6, []),
      unit(0x8000_0000, []),
    ]
  }()

  // MARK: Receipts

  private static let receiptBodies = [
    "{\"id\":\"m\",\"status\":\"delivered\",\"price\":4200}",
    "[{\"eventType\":\"Microsoft.Communication.SMSDeliveryReportReceived\","
      + "\"data\":{\"messageId\":\"m\",\"deliveryStatus\":\"Delivered\"}}]",
    "[{\"eventType\":\"Microsoft.EventGrid.SubscriptionValidationEvent\","
      + "\"data\":{\"validationCode\":\"c\"}}]",
    "MessageSid=SM1&MessageStatus=delivered&From=%2B1555",
  ].map { Array($0.utf8) }

  // MARK: Configuration

  private static let configurationText = """
    {"issuer":"https://login.example.com","listen":"[::1]:8443",
     "tls":{"certificate":"/c.pem","key":"/k.pem"},
     "store":"sqlite:/var/lib/fieldpass","trusted_proxies":["192.0.2.7","2001:db8::7"],
     "messengers":[{"kind":"smpp","name":"g","host":"gateway.example.com","port":2775,
       "system_id":"s","password_file":"/p","source":"+4790000000","countries":["+47"]}],
     "prices":[{"country":"+47","millionths":500000}],
     "clients":[{"id":"a","name":"A","home":"dashboard","sign_in":"phone_code","roles":["rider"],
       "scopes":["openid"],"code":{"digits":6,"life_seconds":300,"resend_seconds":60},
       "lockout":{"failures":5,"lock_seconds":900},"texts":{"sign_in":"{code} {minutes}"},
       "countries":["+47"],"messages":{"per_day":100}}],
     "organizations":[{"id":"o","name":"O","policy":{"idle_seconds":600}}]}
    """

  // MARK: Crossing

  private static let start =
    "{\"event\":\"started\",\"app\":\"technician\",\"utc_offset\":3600,\"page\":\"p\","
    + "\"languages\":[\"en\"],\"clock_changes\":[{\"at\":1800000000,\"utc_offset\":7200}],"
    + "\"at\":1800000000000,\"monotonic\":1}"
  private static let record =
    "{\\\"version\\\":2,\\\"access_token\\\":\\\"a\\\",\\\"access_expires_at\\\":1800000300,"
    + "\\\"refresh_token\\\":\\\"r\\\",\\\"session\\\":{\\\"id\\\":\\\"s\\\","
    + "\\\"expires_at\\\":1800009000,\\\"idle_timeout\\\":600,\\\"background_timeout\\\":300}}"
  private static let seen =
    "{\\\"version\\\":1,\\\"session\\\":\\\"s\\\","
    + "\\\"shown\\\":{\\\"device\\\":1,\\\"server\\\":1},"
    + "\\\"used\\\":{\\\"device\\\":1,\\\"server\\\":1}}"
  private static let challenge =
    "{\"event\":\"answered\",\"request\":1,\"status\":400,\"date\":1800000001,"
    + "\"body\":{\"error\":\"insufficient_authorization\",\"auth_session\":\"x\",\"challenge\":"
    + "{\"destination\":\"***\",\"digits\":6,\"expires_at\":1800000300,\"resend_at\":1800000060,"
    + "\"attempts_left\":5}},\"at\":1800000001000,\"monotonic\":2}"

  private static func event(_ name: String, _ more: String = "") -> String {
    "{\"event\":\"\(name)\",\(more)\"at\":1800000002000,\"monotonic\":3}"
  }

  private static let sessions = [
    lines(start, event("storage_read", "\"storage\":\"absent\",")),
    lines(
      start, event("storage_read", "\"storage\":\"absent\","),
      event("field_edited", "\"field\":\"username\",\"text\":\"tech@example.com\","),
      event("field_edited", "\"field\":\"password\",\"text\":\"p\","),
      event("button_pressed", "\"button\":\"login\","),
      event("verifier_made", "\"verifier\":\"v\",\"challenge\":\"c\","), challenge,
      event("field_edited", "\"field\":\"code\",\"text\":\"123456\","), event("ticked")
    ),
    lines(
      start,
      event(
        "storage_read", "\"storage\":\"value\",\"value\":\"\(record)\",\"last_seen\":\"\(seen)\","),
      event("offline_copy_read", "\"storage\":\"absent\","), event("hidden"), event("shown"),
      event("answered", "\"request\":1,\"status\":200,\"body\":{\"id\":\"a\",\"name\":\"N\"},"),
      event("network_returned"), event("ticked"), event("rows_shown", "\"first\":7,")
    ),
    lines(
      start.replacingName("technician", with: "mentor"),
      event("storage_read", "\"storage\":\"value\",\"value\":\"\(record)\","),
      "+p\tname\ttwo", event("offline_copy_read", "\"storage\":\"value\",\"keys\":[\"part-1\"],"),
      event("unlock_failed", "\"failure\":\"cancelled\","),
      event("answered", "\"request\":2,\"failure\":\"timed_out\",")
    ),
  ]

  // MARK: Values

  private static let texts = [
    "tech@example.com", "+1 (555) 010-1234", "Åse Ødegård", "192.0.2.7", "2001:db8::7",
    "::ffff:192.0.2.7", "123 456", "technician-app", "2026-11-21", "AAECAwQ", "1800000000",
    "nb-NO,nb;q=0.9,en;q=0.8", "hi en no",
  ].map { Array($0.utf8) }

  // MARK: Answers

  private static let answerBodies = [
    "{\"error\":\"account_locked\",\"error_description\":\"d\",\"attempts_left\":0,"
      + "\"locked_until\":1800000900,\"retry_in\":900,\"resend_at\":1800000060}",
    "{\"access_token\":\"a\",\"token_type\":\"DPoP\",\"expires_in\":300,\"refresh_token\":\"r\","
      + "\"scope\":\"openid\",\"session\":{\"id\":\"s\",\"expires_at\":1800009000,"
      + "\"idle_timeout\":600,\"background_timeout\":300,\"unlock\":\"none\"}}",
    "{\"day_at\":1799971200,\"summary\":{\"total\":3,\"delivered\":1,\"failed\":1,\"remaining\":1},"
      + "\"deliveries\":[{\"id\":\"d\",\"recipient\":\"r\",\"place\":\"p\",\"parcels\":2,"
      + "\"starts_at\":1800000000,\"ends_at\":1800003600,\"status\":\"pending\"}]}",
    "{\"products\":[{\"id\":\"p\",\"name\":\"n\",\"model\":\"m\",\"serial\":\"s\"}],"
      + "\"removed\":[],\"cursor\":\"c\",\"synced_at\":1800000000,\"lease\":\"e30.e30.AA\"}",
    "{\"sequence\":1,\"at\":1800000000000,\"code\":\"signed_in\",\"account\":\"a\"}",
    "{\"id\":\"j\",\"title\":\"t\",\"customer\":\"c\",\"place\":\"p\",\"starts_at\":1800000000,"
      + "\"ends_at\":1800003600,\"status\":\"open\"}",
  ].map { Array($0.utf8) }
}

extension String {
  fileprivate func replacingName(_ name: String, with other: String) -> String {
    split(separator: name, maxSplits: 1, omittingEmptySubsequences: false)
      .joined(separator: other)
  }
}

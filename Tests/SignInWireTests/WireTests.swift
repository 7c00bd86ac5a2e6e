import JSONText
import SignInModel
import Testing

@testable import SignInWire

@Suite("Forms")
struct FormTests {
  private func parse(_ text: String) throws -> Form { try Form(parsing: Array(text.utf8)) }

  @Test("Fields are decoded, and written text is read the same")
  func roundTrip() throws {
    let form = try parse("username=tech%40example.com&password=a+b%26c%3D%C3%A9&empty=")

    #expect(form["username"] == "tech@example.com")
    #expect(form["password"] == "a b&c=é")
    #expect(form["empty"] == nil)
    #expect(form["absent"] == nil)
    #expect(try parse(form.encoded) == form)
  }

  @Test("L-13 a repeated parameter is refused")
  func repeated() {
    #expect(throws: Form.Fault.repeated("otp")) { try parse("otp=1&a=2&otp=1") }
  }

  @Test("L-13 `otp[]` and `otp` are different parameters")
  func brackets() throws {
    #expect(try parse("otp[]=123456")["otp"] == nil)
  }

  @Test("L-13 invalid escapes are refused", arguments: ["a=%", "a=%2", "a=%zz", "%4=1"])
  func badEscape(_ text: String) {
    #expect(throws: Form.Fault.badEscape) { try parse(text) }
  }

  @Test("L-13 text that is not UTF-8 is refused")
  func notUTF8() {
    #expect(throws: Form.Fault.notUTF8) { try parse("a=%ff") }
  }

  @Test("A text without escapes is checked like one with escapes")
  func withoutEscapes() throws {
    #expect(try parse("name=Åse&कोड=1")["name"] == "Åse")
    #expect(try parse("name=Åse&कोड=1")["कोड"] == "1")
    #expect(throws: Form.Fault.notUTF8) { try Form(parsing: [0x61, 0x3D, 0xFF]) }
    let marks = String(repeating: "\u{301}", count: Form.marksInARow + 1)
    #expect(throws: Form.Fault.tooManyMarks) { try parse("a=e" + marks) }
    #expect(throws: Form.Fault.tooManyMarks) { try parse("a=%65" + marks) }
  }

  @Test(
    "A value has as many bytes as its limit and not one more, with and without escapes",
    arguments: [-1, 0, 1], ["a", "%61", "+"])
  func valueLimit(_ more: Int, _ first: String) throws {
    let rest = String(repeating: "a", count: Form.valueByteLimit - 1 + more)

    if more <= 0 {
      #expect(try parse("v=" + first + rest)["v"]?.utf8.count == rest.utf8.count + 1)
    } else {
      #expect(throws: Form.Fault.tooLong) { try parse("v=" + first + rest) }
    }
  }

  @Test("The number of parameters is limited", arguments: [(63, true), (64, true), (65, false)])
  func limit(_ count: Int, _ isParsed: Bool) {
    let text = (0..<count).map { "p\($0)=1" }.joined(separator: "&")

    #expect(((try? parse(text)) != nil) == isParsed)
  }

  @Test("An empty body has no fields, and a name alone has an empty value")
  func edges() throws {
    #expect(try parse("").fields.isEmpty)
    #expect(try parse("a&&b=").fields.map(\.name) == ["a", "b"])
  }
}

@Suite("Answers")
struct AnswerTests {
  @Test("T-10 a challenge has everything that a code screen shows, and can be read again")
  func challenge() throws {
    let prompt = CodePrompt(
      destination: "***-***-1234", digits: 6, expiresAt: Instant(seconds: 1_700_000_300),
      resendAt: Instant(seconds: 1_700_000_060), attemptsLeft: 5
    )
    var answer = Refusal(.insufficientAuthorization)
    answer.authSession = Secret("s")
    answer.challenge = prompt

    let json = try JSONReader.read(answer.json.utf8)
    #expect(Refusal(json: json) == answer)
    #expect(json["challenge"]?["destination"]?.text == "***-***-1234")
    #expect(json["challenge"]?["expires_at"]?.number == 1_700_000_300)
  }

  @Test("A lock has its end and its length")
  func lock() throws {
    var answer = Refusal(.accountLocked, "too many wrong answers")
    answer.lockedUntil = Instant(seconds: 1_700_000_900)
    answer.retryIn = 900
    answer.attemptsLeft = 0
    answer.resendAt = Instant(seconds: 1)
    answer.reason = "revoked"

    #expect(Refusal(json: try JSONReader.read(answer.json.utf8)) == answer)
  }

  @Test(
    "Every error code can be read again and has a status of its class",
    arguments: ErrorCode.allCases)
  func codes(_ code: ErrorCode) {
    #expect(Refusal(json: Refusal(code).json)?.code == code)
    #expect((400...599).contains(code.status))
  }

  @Test(
    "O-03 a product has an owner, whose account a record names, or waits for an address",
    arguments: [
      ("owner", HeldProductEntry.Holder.owner(AccountID("a1"))),
      ("account", .owner(AccountID("a1"))), ("awaiting", .awaiting("a1")), ("to", nil),
    ])
  func holders(_ member: String, _ holder: HeldProductEntry.Holder?) {
    #expect(HeldProductEntry.Holder(json: .members([JSONMember(member, "a1")])) == holder)
  }

  @Test("O-03 a product with its holder is read as it was written")
  func heldProduct() throws {
    let product = HeldProductEntry(
      entry: ProductEntry(
        id: ProductID("p1"), name: "Kettle", model: "K-1", serialNumber: "SN1", category: "Kitchen",
        warrantyProvider: nil, purchasedOn: nil, warrantyExpiresOn: nil),
      holder: .awaiting("new@example.com"), createdAt: Instant(seconds: 1_700_000_000))
    let json = product.json(on: CalendarDay(Instant(seconds: 1_700_000_000)))

    #expect(HeldProductEntry(json: try JSONReader.read(json.utf8)) == product)
    #expect(json["status"]?.text == "active")
    #expect(HeldProductEntry(json: product.entry.json) == nil)
  }

  @Test("Answers of another format are recognized as foreign")
  func foreign() {
    #expect(Refusal(json: .object([])) == nil)
    #expect(Refusal(json: .members([JSONMember("error", "unheard_of")])) == nil)
    #expect(TokenAnswer(json: .object([])) == nil)
    #expect(CodePrompt(json: .null) == nil)
    #expect(JobEntry(json: .object([])) == nil)
    #expect(AccountAnswer(json: .object([])) == nil)
  }

  @Test("Tokens, accounts and jobs can be read again")
  func roundTrips() throws {
    let terms = TokenAnswer.SessionTerms(
      id: SessionID("s"), expiresAt: Instant(seconds: 2), idleTimeout: 3, backgroundTimeout: 4,
      unlock: "none", organization: OrganizationID("north")
    )
    let tokens = TokenAnswer(
      accessToken: Secret("a"), tokenType: "DPoP", expiresIn: 600, refreshToken: Secret("r"),
      idToken: Secret("i"), scope: "openid", session: terms
    )
    var account = AccountAnswer(
      id: AccountID("a"), name: "Tara", email: "t@example.com", phone: "***-***-1234",
      role: "technician",
      organizations: [OrganizationEntry(id: OrganizationID("north"), name: "North")], session: terms
    )
    account.permissions = [
      PermissionEntry(level: "viewer", organization: nil),
      PermissionEntry(level: "support", organization: OrganizationID("north")),
    ]
    let job = JobEntry(
      id: "j", title: "t", customer: "c", place: "p", startsAt: Instant(seconds: 1),
      endsAt: Instant(seconds: 2), status: "scheduled"
    )

    #expect(TokenAnswer(json: try JSONReader.read(tokens.json.utf8)) == tokens)
    #expect(AccountAnswer(json: try JSONReader.read(account.json.utf8)) == account)
    #expect(JobEntry(json: try JSONReader.read(job.json.utf8)) == job)
  }
}

@Suite("Compact tokens")
struct CompactTokenTests {
  private let claims = Base64URL.encode(Array(#"{"sub":"a1"}"#.utf8))

  @Test("RFC 7515 the claims are the second of three parts")
  func parts() throws {
    let token = try #require(CompactToken("e30.\(claims).c2ln"))

    #expect(token.claims?.text(.sub) == "a1")
    #expect(token.header == .object([]))
    #expect(CompactToken("-.\(claims).")?.header == nil)
  }

  @Test("RFC 7515 a token has exactly three parts", arguments: ["", "a", "a.b", "a.b.c.d", "..."])
  func otherParts(_ text: String) {
    #expect(CompactToken(text) == nil)
  }
}

@Suite("Names of codes")
struct NameTests {
  @Test("Every error code is found by its text, and no other text is a code")
  func codes() {
    for code in ErrorCode.allCases { #expect(ErrorCode(rawValue: code.rawValue) == code) }
    for text in ["", "invalid", "invalid_grant ", "Invalid_grant"] {
      #expect(ErrorCode(rawValue: text) == nil)
    }
  }
}

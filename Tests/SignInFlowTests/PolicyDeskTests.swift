import JSONText
import SignInModel
import SignInWire
import Testing

@testable import SignInFlow

extension ConsoleDesk {
  static func value(
    _ key: PolicyKey, _ value: JSON, _ form: PolicyValue.Form, changed: Bool = false,
    configured: JSON? = nil, own: JSON = .null
  ) -> PolicyValue {
    PolicyValue(
      key: key, value: value, source: changed ? .changed : .standard,
      configured: configured ?? value, own: own, isChanged: changed, form: form
    )
  }

  static func sheet(_ values: PolicyValue..., tag: String = "t1", of organization: String? = nil)
    -> JSON
  {
    PolicySheet(
      client: ClientID("rider-app"), clientName: "Riders",
      organization: organization.map { OrganizationEntry(id: OrganizationID($0), name: "North") },
      tag: tag, values: values
    ).json
  }

  /// An app for an administrator of single organizations.
  private static func name(_ id: String) -> JSON {
    .members([JSONMember("id", id), JSONMember("name", "Name of " + id)])
  }

  private static func card(_ id: String) -> JSON {
    .members([
      JSONMember("id", id), JSONMember("name", "Name of " + id),
      JSONMember(
        "lockout", .members([JSONMember("failures", 5), JSONMember("lock_seconds", 900)])),
      JSONMember("code", .members([JSONMember("digits", 6)])),
      JSONMember("changes", .members([JSONMember("unlock", "none")])),
    ])
  }

  /// The list of apps and organizations.
  static func policies(for permissions: [PermissionEntry]? = everything) -> ConsoleDesk {
    var desk = listed(for: permissions)
    desk.press(.consoleTab, "policies")
    let isLocal = permissions?.allSatisfy { $0.organization != nil } ?? true
    let apps = ["rider-app", "technician-app"].map { isLocal ? name($0) : card($0) }
    desk.answer(
      "/admin/clients", 200, .members([JSONMember("clients", .array(apps))])
    )
    let policy = JSON.members([
      JSONMember("unlock", "biometric"),
      JSONMember("code", .members([JSONMember("digits", 8), JSONMember("life_seconds", 60)])),
    ])
    let north = JSON.members([
      JSONMember("id", "north"), JSONMember("name", "North"), JSONMember("policy", policy),
      JSONMember("changes", .object([])),
    ])
    desk.answer(
      "/admin/organizations", 200, .members([JSONMember("organizations", .array([north]))])
    )
    return desk
  }

  static let failures = value(.lockoutFailures, .int(5), .number(3...20))

  /// One value of the riders' app, opened to be changed.
  static func editing(_ value: PolicyValue = failures) -> ConsoleDesk {
    var desk = policies()
    desk.press(.openPolicy, "client-rider-app")
    desk.answer("/admin/clients/rider-app/policy", 200, sheet(value))
    desk.press(.openValue, value.key.rawValue)
    return desk
  }

  var editor: PolicyEditor? { home.policies.page?.editor }

  mutating func save(_ text: String) {
    happen(.fieldEdited(.policyValue, text))
    press(.saveValue)
  }
}

@Suite("Policies in the console")
struct PolicyDeskTests {
  @Test("T-16 apps and organizations are listed, each with what is different of it")
  func list() {
    let desk = ConsoleDesk.policies()

    #expect(desk.home.policies.clients.value?.map { $0.name }.first == "Name of rider-app")
    #expect(desk.home.policies.clients.value?.allSatisfy { $0.isChanged } == true)
    let organizations = desk.home.policies.organizations.value
    #expect(organizations?.map { $0.ownValues } == [3] && organizations?.first?.isChanged == false)
  }

  @Test("T-16 an organization's page is for one app at a time, whichever is chosen")
  func organization() {
    var desk = ConsoleDesk.policies()
    desk.press(.openPolicy, "organization-north")
    #expect(
      desk.asked.last?.apiRequest.path == "/admin/clients/rider-app/policy?organization=north")

    desk.happen(.fieldEdited(.policyApp, "nobody"))
    desk.happen(.fieldEdited(.policyApp, "technician-app"))

    #expect(
      desk.asked.last?.apiRequest.path == "/admin/clients/technician-app/policy?organization=north")
    #expect(desk.home.policies.page?.client == ClientID("technician-app"))
    desk.press(.back)
    #expect(desk.home.policies.page == nil && desk.context.focus?.target == .heading)
  }

  @Test(
    "T-16 a number is saved at both ends of what is allowed and refused just outside",
    arguments: [
      ("2", false), ("3", true), ("4", true), ("19", true), ("20", true), ("21", false),
      ("", false), ("-3", false), ("3.5", false), ("five", false), ("1 0", true),
      ("99999999999999999999", false),
    ]
  )
  func edges(_ text: String, _ isTaken: Bool) {
    var desk = ConsoleDesk.editing()
    desk.save(text)

    #expect((desk.editor?.wish != nil) == isTaken)
    #expect((desk.editor?.fault == .number(3...20)) == !isTaken)
    if !isTaken {
      #expect(desk.announcements == [.policyValueRefused(.number(3...20))])
      #expect(desk.context.focus?.target == .policyValue)
    }
  }

  @Test("T-16 a stricter value is saved at once, with a key and the tag of what was read")
  func stricter() throws {
    var desk = ConsoleDesk.editing()
    desk.save("4")

    let apiRequest = try #require(desk.asked.last?.apiRequest)
    #expect(apiRequest.method == .patch && apiRequest.path == "/admin/clients/rider-app")
    let lockout = JSON.members([JSONMember("failures", 4)])
    #expect(apiRequest.body == .json(.members([JSONMember("lockout", lockout)])))
    #expect(apiRequest.ifMatch == "\"t1\"" && apiRequest.idempotencyKey != nil)
    #expect(desk.editor?.asking == nil && desk.editor?.working != nil)
  }

  @Test("T-16 nothing is said to hold before it was read again, and seen")
  func saved() {
    var desk = ConsoleDesk.editing()
    desk.save("4")
    desk.answer("/admin/clients/rider-app", 200, .object([]))
    #expect(desk.announcements.isEmpty && desk.editor?.working != nil)

    let changed = ConsoleDesk.value(
      .lockoutFailures, .int(4), .number(3...20), changed: true, configured: .int(5)
    )
    desk.answer("/admin/clients/rider-app/policy", 200, ConsoleDesk.sheet(changed, tag: "t2"))

    #expect(desk.announcements == [.console(.policySaved)])
    #expect(desk.editor?.value == changed && desk.editor?.text == "4")
    #expect(desk.editor?.notice == .policySaved && desk.context.focus?.target == .editor)
    desk.happen(.bannerDismissed)
    #expect(desk.editor?.notice == nil)
  }

  @Test("T-16 a weaker value is saved only once the person said that they mean it")
  func weaker() {
    var desk = ConsoleDesk.editing()
    let before = desk.asked.count
    desk.save("9")
    #expect(desk.editor?.asking == .write(.int(9)) && desk.asked.count == before)
    #expect(desk.context.focus?.target == .question)

    desk.press(.back)
    desk.press(.cancel)
    #expect(desk.editor?.asking == nil && desk.editor?.text == "9" && desk.asked.count == before)
    desk.press(.confirm)
    #expect(desk.asked.count == before)
    desk.press(.saveValue)
    desk.press(.confirm)
    desk.press(.confirm)
    #expect(desk.asked.count == before + 1)
  }

  static let directions: [(PolicyKey, JSON, JSON, Bool)] = [
    (.lockoutFailures, .int(5), .int(6), true), (.lockoutFailures, .int(5), .int(4), false),
    (.codeDigits, .int(6), .int(7), false), (.codeDigits, .int(8), .int(7), true),
    (.disclosure, .string("concealed"), .string("disclosed"), true),
    (.disclosure, .string("disclosed"), .string("concealed"), false),
    (.unlock, .string("biometric"), .string("none"), true),
    (.countries, codes("+47", "+46"), codes("+47"), false),
    (.countries, codes("+47"), codes("+47", "+46"), true),
    (.countries, .null, codes("+47"), true), (.countries, codes("+47"), .null, true),
    (.signInText, .null, .string("{code}"), false), (.offline, .int(1), .int(0), false),
  ]

  private static func codes(_ codes: String...) -> JSON { .array(codes.map { .string($0) }) }

  @Test("T-16 what is weaker is told from what is stricter", arguments: directions.indices)
  func direction(_ index: Int) {
    let (key, old, new, isWeaker) = Self.directions[index]

    #expect(PolicyEditor.isWeaker(new, than: old, key) == isWeaker)
  }

  @Test("T-16 the configured value comes back by null, and is asked about where it is weaker")
  func restored() throws {
    var desk = ConsoleDesk.editing()
    let before = desk.asked.count
    desk.press(.restoreValue)
    #expect(desk.asked.count == before)

    let value = ConsoleDesk.value(
      .lockoutFailures, .int(3), .number(3...20), changed: true, configured: .int(5)
    )
    desk = ConsoleDesk.editing(value)
    desk.press(.restoreValue)
    #expect(desk.editor?.asking == .restore)
    desk.press(.confirm)

    let lockout = JSON.members([JSONMember("failures", .null)])
    #expect(
      desk.asked.last?.apiRequest.body == .json(.members([JSONMember("lockout", lockout)])))
    desk.answer("/admin/clients/rider-app", 200, .object([]))
    desk.answer("/admin/clients/rider-app/policy", 200, ConsoleDesk.sheet(ConsoleDesk.failures))
    #expect(desk.editor?.notice == .policyRestored && desk.editor?.text == "5")
  }

  @Test("T-16 of an organization its own word is changed, in the document's place for it")
  func organizationsOwn() {
    var desk = ConsoleDesk.policies()
    desk.press(.openPolicy, "organization-north")
    let value = ConsoleDesk.value(.lockoutFailures, .int(5), .number(3...20), own: .int(9))
    desk.answer("/admin/clients/rider-app/policy", 200, ConsoleDesk.sheet(value, of: "north"))
    desk.press(.openValue, "lockout.failures")
    #expect(desk.editor?.text == "9")

    desk.save("4")

    #expect(desk.asked.last?.apiRequest.path == "/admin/organizations/north")
    let lockout = JSON.members([JSONMember("lockout", .members([JSONMember("failures", 4)]))])
    #expect(
      desk.asked.last?.apiRequest.body == .json(.members([JSONMember("policy", lockout)])))
  }

  @Test("T-16 a lost answer is asked for again under the same key, another value under another")
  func lostAnswer() throws {
    var desk = ConsoleDesk.editing()
    desk.save("4")
    let first = try #require(desk.asked.last)
    desk.happen(.answered(first.id, .noNetwork))
    #expect(desk.editor?.notice == .failed(.noConnection) && desk.editor?.text == "4")

    desk.press(.saveValue)
    let again = try #require(desk.asked.last)
    desk.happen(.answered(again.id, .timedOut))
    desk.save("3")

    #expect(again.apiRequest.idempotencyKey == first.apiRequest.idempotencyKey)
    #expect(desk.asked.last?.apiRequest.idempotencyKey != first.apiRequest.idempotencyKey)
  }

  @Test(
    "T-16 each refusal is told in words of its own",
    arguments: [
      (.preconditionFailed, .policyChangedMeanwhile),
      (.invalidPolicy, .policyRefused(.lockoutFailures)), (.clientNotFound, .policyGone),
      (.temporarilyUnavailable, .failed(.serviceBusy)),
    ] as [(ErrorCode, ConsoleNotice)]
  )
  func refused(_ code: ErrorCode, _ notice: ConsoleNotice) {
    var desk = ConsoleDesk.editing()
    desk.save("4")
    desk.refuse("/admin/clients/rider-app", code)
    if code == .preconditionFailed {
      desk.answer(
        "/admin/clients/rider-app/policy", 200, ConsoleDesk.sheet(ConsoleDesk.failures, tag: "t2")
      )
    }

    #expect(desk.editor?.notice == notice && desk.editor?.working == nil)
    #expect(desk.editor?.text == "4" && desk.announcements == [.console(notice)])
  }

  @Test(
    "T-16 calling codes and texts are read as they are written",
    arguments: [
      (.callingCodes, "+47, +46", #"["+47","+46"]"#), (.callingCodes, " +47 +47 ", #"["+47"]"#),
      (.callingCodes, "+1234", nil), (.callingCodes, "47", nil), (.callingCodes, "+04", nil),
      (.callingCodes, "", nil), (.callingCodes, "+", nil), (.callingCodes, "+4+7", nil),
      (.message, "Code {code}.", #""Code {code}.""#), (.message, "no place", nil),
      (.message, "", nil), (.choice(["none", "biometric"]), "none", #""none""#),
      (.choice(["none", "biometric"]), "other", nil),
    ] as [(PolicyValue.Form, String, String?)]
  )
  func reading(_ form: PolicyValue.Form, _ text: String, _ json: String?) {
    let read = PolicyEditor.read(text, as: form)

    #expect(read.map { String(decoding: $0.utf8, as: UTF8.self) } == json)
  }

  @Test(
    "T-16 a text may be as long as a message may",
    arguments: [(199, true), (200, true), (201, false)]
  )
  func messageLength(_ length: Int, _ isTaken: Bool) {
    let text = "{code}" + String(repeating: "x", count: length - 6)

    #expect((PolicyEditor.read(text, as: .message) != nil) == isTaken)
  }

  @Test("T-16 what holds already is not saved again")
  func unchanged() {
    var desk = ConsoleDesk.editing()
    desk.save("5")

    #expect(desk.editor?.fault == .unchanged && desk.editor?.wish == nil)
  }

  @Test("T-16 while a value is saved nobody walks away from it, and afterwards Back leads out")
  func leaving() {
    var desk = ConsoleDesk.editing()
    desk.save("4")
    desk.press(.back)
    desk.press(.consoleTab, "events")
    #expect(desk.editor != nil && desk.home.tab == .policies)

    desk.refuse("/admin/clients/rider-app", .invalidPolicy)
    desk.press(.back, "value")
    #expect(desk.editor == nil && desk.home.policies.page != nil)
    #expect(desk.context.focus?.target == .policy)
    desk.press(.back)
    #expect(desk.home.policies.page == nil)
  }
}

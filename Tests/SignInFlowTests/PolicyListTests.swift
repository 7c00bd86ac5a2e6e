import EngineTesting
import JSONText
import SignInModel
import SignInWire
import Testing

@testable import SignInEngine
@testable import SignInFlow

extension ConsoleDriver {
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

  /// An app as an administrator of single organizations sees it.
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
  static func policies(for permissions: [PermissionEntry]? = everything) -> ConsoleDriver {
    var list = listed(for: permissions)
    list.press(.consoleTab, "policies")
    let isLocal = permissions?.allSatisfy { $0.organization != nil } ?? true
    let apps = ["rider-app", "technician-app"].map { isLocal ? name($0) : card($0) }
    list.answer(
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
    list.answer(
      "/admin/organizations", 200, .members([JSONMember("organizations", .array([north]))])
    )
    return list
  }

  static let failures = value(.lockoutFailures, .int(5), .number(3...20))

  /// The editor of one value of the riders' app.
  static func editing(_ value: PolicyValue = failures) -> ConsoleDriver {
    var list = policies()
    list.press(.openPolicy, "client-rider-app")
    list.answer("/admin/clients/rider-app/policy", 200, sheet(value))
    list.press(.openValue, value.key.rawValue)
    return list
  }

  var editor: PolicyEditor? { home.policies.page?.editor }

  mutating func save(_ text: String) {
    handle(.page(.fieldEdited(.policyValue, text)))
    press(.saveValue)
  }
}

@Suite("Policies in the console")
struct PolicyListTests {
  @Test("T-16 apps and organizations are listed, each with its differences")
  func list() {
    let list = ConsoleDriver.policies()

    #expect(list.home.policies.clients.value?.map { $0.name }.first == "Name of rider-app")
    #expect(list.home.policies.clients.value?.allSatisfy { $0.isChanged } == true)
    let organizations = list.home.policies.organizations.value
    #expect(organizations?.map { $0.ownValues } == [3] && organizations?.first?.isChanged == false)
  }

  @Test("T-16 the page of an organization shows one chosen app at a time")
  func organization() {
    var list = ConsoleDriver.policies()
    list.press(.openPolicy, "organization-north")
    #expect(
      list.asked.last?.apiRequest.path == "/admin/clients/rider-app/policy?organization=north")

    list.handle(.page(.fieldEdited(.policyApp, "unknown")))
    list.handle(.page(.fieldEdited(.policyApp, "technician-app")))

    #expect(
      list.asked.last?.apiRequest.path == "/admin/clients/technician-app/policy?organization=north")
    #expect(list.home.policies.page?.client == ClientID("technician-app"))
    list.press(.back)
    #expect(list.home.policies.page == nil && list.context.focus?.part == .heading)
  }

  @Test(
    "T-16 a number at either end of its range is saved, and just outside it is refused",
    arguments: [
      ("2", false), ("3", true), ("4", true), ("19", true), ("20", true), ("21", false),
      ("", false), ("-3", false), ("3.5", false), ("five", false), ("1 0", true),
      ("99999999999999999999", false),
    ]
  )
  func edges(_ text: String, _ isTaken: Bool) {
    var list = ConsoleDriver.editing()
    list.save(text)

    #expect((list.editor?.change != nil) == isTaken)
    #expect((list.editor?.fault == .number(3...20)) == !isTaken)
    if !isTaken {
      #expect(list.announcements == [.console(.policyValueRefused(.number(3...20)))])
      #expect(list.context.focus?.part == .policyValue)
    }
  }

  @Test("T-16 a stricter value is saved at once, with a key and the tag of the read policy")
  func stricter() throws {
    var list = ConsoleDriver.editing()
    list.save("4")

    let apiRequest = try #require(list.asked.last?.apiRequest)
    #expect(apiRequest.method == .patch && apiRequest.path == "/admin/clients/rider-app")
    let lockout = JSON.members([JSONMember("failures", 4)])
    #expect(apiRequest.body == .json(.members([JSONMember("lockout", lockout)])))
    #expect(apiRequest.ifMatch == "\"t1\"" && apiRequest.idempotencyKey != nil)
    #expect(list.editor?.asking == nil && list.editor?.working != nil)
  }

  @Test("T-16 a saved value is confirmed only after it was read again")
  func saved() {
    var list = ConsoleDriver.editing()
    list.save("4")
    list.answer("/admin/clients/rider-app", 200, .object([]))
    #expect(list.announcements.isEmpty && list.editor?.working != nil)

    let changed = ConsoleDriver.value(
      .lockoutFailures, .int(4), .number(3...20), changed: true, configured: .int(5)
    )
    list.answer("/admin/clients/rider-app/policy", 200, ConsoleDriver.sheet(changed, tag: "t2"))

    #expect(list.announcements == [.console(.notice(.policySaved))])
    #expect(list.editor?.value == changed && list.editor?.text == "4")
    #expect(list.editor?.notice == .policySaved && list.context.focus?.part == .editor)
    list.handle(.page(.bannerDismissed))
    #expect(list.editor?.notice == nil)
  }

  @Test("T-16 a weaker value is saved only after a confirmation")
  func weaker() {
    var list = ConsoleDriver.editing()
    let before = list.asked.count
    list.save("9")
    #expect(list.editor?.asking == .write(.int(9)) && list.asked.count == before)
    #expect(list.context.focus?.part == .question)

    list.press(.back)
    list.press(.cancel)
    #expect(list.editor?.asking == nil && list.editor?.text == "9" && list.asked.count == before)
    list.press(.confirm)
    #expect(list.asked.count == before)
    list.press(.saveValue)
    list.press(.confirm)
    list.press(.confirm)
    #expect(list.asked.count == before + 1)
  }

  static let directions: [(PolicyKey, JSON, JSON, Bool)] = [
    (.lockoutFailures, .int(5), .int(6), true), (.lockoutFailures, .int(5), .int(4), false),
    (.codeDigits, .int(6), .int(7), false), (.codeDigits, .int(8), .int(7), true),
    (.disclosure, .string("concealed"), .string("disclosed"), true),
    (.disclosure, .string("disclosed"), .string("concealed"), false),
    (.unlock, .string("biometric"), .string("none"), true),
    (.unlock, .string("none"), .string("biometric"), false),
    (.unlock, .string("none"), .string("other"), true),
    (.disclosure, .string("disclosed"), .string("other"), true),
    (.passwordReset, .string("known_device"), .string("code"), true),
    (.passwordReset, .string("known_device"), .string("administrator"), false),
    (.countries, codes("+47", "+46"), codes("+47"), false),
    (.countries, codes("+47"), codes("+47", "+46"), true),
    (.countries, .null, codes("+47"), true), (.countries, codes("+47"), .null, true),
    (.signInText, .null, .string("{code}"), false), (.offline, .int(1), .int(0), false),
  ]

  private static func codes(_ codes: String...) -> JSON { .array(codes.map { .string($0) }) }

  @Test("T-16 each direction of a value is weaker or stricter", arguments: directions.indices)
  func direction(_ index: Int) {
    let (key, old, new, isWeaker) = Self.directions[index]

    #expect(key.isWeaker(new, than: old) == isWeaker)
  }

  @Test("T-16 null restores the configured value, after a confirmation if that is weaker")
  func restored() throws {
    var list = ConsoleDriver.editing()
    let before = list.asked.count
    list.press(.restoreValue)
    #expect(list.asked.count == before)

    let value = ConsoleDriver.value(
      .lockoutFailures, .int(3), .number(3...20), changed: true, configured: .int(5)
    )
    list = ConsoleDriver.editing(value)
    list.press(.restoreValue)
    #expect(list.editor?.asking == .restore)
    list.press(.confirm)

    let lockout = JSON.members([JSONMember("failures", .null)])
    #expect(
      list.asked.last?.apiRequest.body == .json(.members([JSONMember("lockout", lockout)])))
    list.answer("/admin/clients/rider-app", 200, .object([]))
    list.answer("/admin/clients/rider-app/policy", 200, ConsoleDriver.sheet(ConsoleDriver.failures))
    #expect(list.editor?.notice == .policyRestored && list.editor?.text == "5")
  }

  @Test("T-16 an organization's own value is changed in the document of the organization")
  func organizationsOwn() {
    var list = ConsoleDriver.policies()
    list.press(.openPolicy, "organization-north")
    let value = ConsoleDriver.value(.lockoutFailures, .int(5), .number(3...20), own: .int(9))
    list.answer("/admin/clients/rider-app/policy", 200, ConsoleDriver.sheet(value, of: "north"))
    list.press(.openValue, "lockout.failures")
    #expect(list.editor?.text == "9")

    list.save("4")

    #expect(list.asked.last?.apiRequest.path == "/admin/organizations/north")
    let lockout = JSON.members([JSONMember("lockout", .members([JSONMember("failures", 4)]))])
    #expect(
      list.asked.last?.apiRequest.body == .json(.members([JSONMember("policy", lockout)])))
  }

  @Test("T-16 a retry of the same value uses the same key, another value uses another key")
  func lostAnswer() throws {
    var list = ConsoleDriver.editing()
    list.save("4")
    let first = try #require(list.asked.last)
    list.handle(.answered(first.id, .noNetwork))
    #expect(list.editor?.notice == .failed(.noConnection) && list.editor?.text == "4")

    list.press(.saveValue)
    let again = try #require(list.asked.last)
    list.handle(.answered(again.id, .timedOut))
    list.save("3")

    #expect(again.apiRequest.idempotencyKey == first.apiRequest.idempotencyKey)
    #expect(list.asked.last?.apiRequest.idempotencyKey != first.apiRequest.idempotencyKey)
  }

  @Test(
    "T-16 each refusal has its own text",
    arguments: [
      (.preconditionFailed, .policyChangedElsewhere),
      (.invalidPolicy, .policyRefused(.lockoutFailures)), (.clientNotFound, .policyGone),
      (.temporarilyUnavailable, .failed(.serviceBusy)),
    ] as [(ErrorCode, ConsoleNotice)]
  )
  func refused(_ code: ErrorCode, _ notice: ConsoleNotice) {
    var list = ConsoleDriver.editing()
    list.save("4")
    list.refuse("/admin/clients/rider-app", code)
    if code == .preconditionFailed {
      list.answer(
        "/admin/clients/rider-app/policy", 200,
        ConsoleDriver.sheet(ConsoleDriver.failures, tag: "t2")
      )
    }

    #expect(list.editor?.notice == notice && list.editor?.working == nil)
    #expect(list.editor?.text == "4" && list.announcements == [.console(.notice(notice))])
  }

  @Test(
    "T-16 calling codes and texts are read in the form in which they are written",
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

  @Test("T-16 an unchanged value is not saved again")
  func unchanged() {
    var list = ConsoleDriver.editing()
    list.save("5")

    #expect(list.editor?.fault == .unchanged && list.editor?.change == nil)
  }

  @Test("T-16 while a value is saved the page cannot be left; afterwards Back leads out")
  func leaving() {
    var list = ConsoleDriver.editing()
    list.save("4")
    list.press(.back)
    list.press(.consoleTab, "events")
    #expect(list.editor != nil && list.home.tab == .policies)

    list.refuse("/admin/clients/rider-app", .invalidPolicy)
    list.press(.back, "value")
    list.press(.confirm)
    #expect(list.editor == nil && list.home.policies.page != nil)
    #expect(list.context.focus?.part == .policy)
    list.press(.back)
    #expect(list.home.policies.page == nil)
  }
}

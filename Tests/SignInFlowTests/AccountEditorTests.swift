import EngineTesting
import JSONText
import SignInModel
import SignInWire
import Testing

@testable import SignInEngine
@testable import SignInFlow

extension ConsoleDriver {
  /// The open form of an account, with the organizations that the administrator may see.
  static func editing(
    _ entry: AccountEntry, for permissions: [PermissionEntry] = everything,
    seeing organizations: [String] = ["north", "south"]
  ) -> ConsoleDriver {
    var driver = opened(entry, for: permissions)
    driver.press(.editAccount)
    let known = organizations.map {
      JSON.members([JSONMember("id", $0), JSONMember("name", "Name of " + $0)])
    }
    driver.answer(
      "/admin/organizations", 200, .members([JSONMember("organizations", .array(known))]))
    return driver
  }

  var form: AccountEditor? { home.account?.editor }

  var body: JSON? {
    if case .json(let json)? = asked.last?.apiRequest.body { json } else { nil }
  }
}

@Suite("Changing an account in the console")
struct AccountEditorTests {
  private static let tara = ConsoleDriver.entry("tara", organizations: ["north"])

  @Test("T-16 only changed values are sent, in one request")
  func change() {
    var driver = ConsoleDriver.editing(Self.tara)
    #expect(driver.context.focus?.part == .account && driver.form?.extent == .everything)
    driver.handle(.page(.fieldEdited(.name, " Tara Berg ")))
    driver.handle(.page(.fieldEdited(.email, "BERG@example.com")))
    driver.handle(.page(.fieldEdited(.phone, "00 47 900-00-002")))
    driver.handle(.page(.fieldEdited(.role, "mentor")))
    driver.press(.toggleOrganization, "south")
    driver.press(.toggleOrganization, "north")
    driver.press(.saveAccount)

    let apiRequest = driver.asked.last?.apiRequest
    #expect(apiRequest?.method == .patch && apiRequest?.path == "/admin/accounts/tara")
    #expect(
      driver.body
        == .members([
          JSONMember("name", "Tara Berg"), JSONMember("email", "berg@example.com"),
          JSONMember("phone_number", "+4790000002"), JSONMember("role", "mentor"),
          JSONMember("organizations", .array([.string("south")])),
        ]))
  }

  @Test(
    "T-16 each member is sent alone when only it changed",
    arguments: [
      (.name, "Other", "name"), (.email, "other@example.com", "email"),
      (.phone, "+4790000009", "phone_number"), (.role, "owner", "role"),
    ] as [(FieldName, String, String)]
  )
  func single(_ field: FieldName, _ text: String, _ member: String) {
    var driver = ConsoleDriver.editing(Self.tara)
    driver.handle(.page(.fieldEdited(field, text)))
    driver.press(.saveAccount)

    #expect(driver.body == .members([JSONMember(member, text)]))
  }

  @Test("T-16 nothing is sent when no value changed, in any notation")
  func nothing() {
    var driver = ConsoleDriver.editing(Self.tara)
    driver.handle(.page(.fieldEdited(.phone, "00 47 900 00 001")))
    driver.handle(.page(.fieldEdited(.email, "TARA@example.com")))
    let before = driver.asked.count
    driver.press(.saveAccount)

    #expect(driver.form?.notice == .nothingChanged && driver.asked.count == before)
    #expect(driver.announcements == [.console(.notice(.nothingChanged))])
  }

  @Test(
    "T-16 invalid values are explained at their fields; the first one gets focus, and input stays")
  func faults() {
    var driver = ConsoleDriver.editing(Self.tara)
    let before = driver.asked.count
    driver.handle(.page(.fieldEdited(.name, "  ")))
    driver.handle(.page(.fieldEdited(.email, "tara")))
    driver.handle(.page(.fieldEdited(.phone, "900 00 001")))
    driver.press(.saveAccount)

    #expect(driver.form?.faults == [.nameNeeded, .emailMalformed, .phoneMalformed])
    #expect(driver.context.focus?.part == .name && driver.asked.count == before)
    #expect(driver.announcements == [.console(.accountFault(.nameNeeded))])
    #expect(driver.form?.email == "tara" && driver.form?.phone == "900 00 001")
    driver.handle(.page(.fieldEdited(.name, "Tara")))
    #expect(driver.form?.faults == [.emailMalformed, .phoneMalformed])
  }

  @Test("T-16 a name that is too long is not called missing", arguments: [100, 101])
  func longName(_ length: Int) {
    var driver = ConsoleDriver.editing(Self.tara)
    driver.handle(.page(.fieldEdited(.name, String(repeating: "x", count: length))))
    driver.press(.saveAccount)

    #expect(driver.form?.faults == (length > 100 ? [.nameTooLong] : []))
  }

  @Test("T-16 only a rider may have no e-mail address")
  func email() {
    var driver = ConsoleDriver.editing(Self.tara)
    driver.handle(.page(.fieldEdited(.email, " ")))
    driver.press(.saveAccount)
    #expect(driver.form?.faults == [.emailNeeded] && driver.context.focus?.part == .email)

    driver.handle(.page(.fieldEdited(.role, "rider")))
    driver.press(.saveAccount)
    #expect(
      driver.body == .members([JSONMember("email", JSON.null), JSONMember("role", "rider")]))
  }

  @Test("T-16 a change is reported with its consequences and shown in the list")
  func done() {
    var driver = ConsoleDriver.editing(Self.tara)
    driver.handle(.page(.fieldEdited(.phone, "+4790000002")))
    driver.press(.saveAccount)
    driver.press(.saveAccount)
    driver.press(.back)
    #expect(driver.asked.filter { $0.apiRequest.method == .patch }.count == 1 && driver.form != nil)

    let changed = AccountEntry(
      id: AccountID("tara"), name: "Name of tara", email: "new@example.com",
      phone: "+4790000002", role: "mentor", status: "active", organizations: [],
      hasPassword: true, failuresInRow: 0, lockedUntil: nil, lockedDevices: 0,
      createdAt: FlowDriver.startTime)
    driver.answer("/admin/accounts/tara", 200, changed.json)

    let notice = ConsoleNotice.edited([.newPhone, .newEmail, .newRole, .lostOrganization])
    #expect(driver.form == nil && driver.home.account?.notice == notice)
    #expect(driver.announcements == [.console(.notice(notice))] && notice.isSuccess)
    #expect(driver.home.accounts.entries?.first?.phone == "+4790000002")
    #expect(driver.context.focus?.part == .account)
  }

  @Test("T-16 a removed number is sent as null; a refusal is explained at its field")
  func removedNumber() {
    var driver = ConsoleDriver.editing(Self.tara)
    driver.handle(.page(.fieldEdited(.phone, " ")))
    #expect(driver.form?.isPhoneRemoved == true && driver.form?.isPhoneNew == false)
    driver.press(.saveAccount)
    #expect(driver.body == .members([JSONMember("phone_number", JSON.null)]))
    driver.answer(
      "/admin/accounts/tara", 400, .members([JSONMember("code", "invalid_request")]))
    #expect(driver.form?.faults == [.phoneNeeded] && driver.context.focus?.part == .phone)

    driver.press(.saveAccount)
    let changed = AccountEntry(
      id: AccountID("tara"), name: Self.tara.name, email: Self.tara.email, phone: nil,
      role: Self.tara.role, status: "active", organizations: Self.tara.organizations,
      hasPassword: true, failuresInRow: 0, lockedUntil: nil, lockedDevices: 0,
      createdAt: FlowDriver.startTime)
    driver.answer("/admin/accounts/tara", 200, changed.json)
    #expect(driver.home.account?.notice == .edited([.removedPhone]))
    #expect(driver.home.account?.entry.phone == nil)
  }

  @Test("T-16 a rider and a new account need a number; an account without one can stay so")
  func neededNumber() {
    var driver = ConsoleDriver.editing(Self.tara)
    driver.handle(.page(.fieldEdited(.phone, "")))
    driver.handle(.page(.fieldEdited(.role, "rider")))
    driver.press(.saveAccount)
    #expect(driver.form?.faults == [.phoneMalformed])

    let without = AccountEntry(
      id: AccountID("tara"), name: "Tara", email: nil, phone: nil, role: "technician",
      status: "active", organizations: [], hasPassword: false, failuresInRow: 0,
      lockedUntil: nil, lockedDevices: 0, createdAt: FlowDriver.startTime)
    var other = ConsoleDriver.editing(without)
    other.handle(.page(.fieldEdited(.name, "Tara Berg")))
    other.press(.saveAccount)
    #expect(other.body == .members([JSONMember("name", "Tara Berg")]))
    #expect(!AccountAction.mayBeInvited(without))
  }

  @Test("T-16 the form knows a new, a removed and a malformed e-mail address")
  func newEmail() {
    let cases = [
      ("tara@example.com", false), ("TARA@example.com", false), ("tara", false), (" ", true),
      ("new@example.com", true),
    ]
    for (typed, isNew) in cases {
      var driver = ConsoleDriver.editing(Self.tara)
      driver.handle(.page(.fieldEdited(.email, typed)))
      #expect(driver.form?.isEmailNew == isNew, "\(typed)")
    }
  }

  @Test("T-16 an added organization is no loss, a removed one is")
  func lostOrganization() {
    var driver = ConsoleDriver.editing(Self.tara)
    driver.press(.toggleOrganization, "south")
    #expect(driver.form?.losesOrganization == false)
    driver.press(.toggleOrganization, "north")
    #expect(driver.form?.losesOrganization == true)
    driver.press(.toggleOrganization, "north")
    #expect(driver.form?.losesOrganization == false)
  }

  @Test("T-16 the names of organizations are read only for an account that has one")
  func organizationNames() {
    for (entry, count) in [(Self.tara, 1), (ConsoleDriver.entry("tara"), 0)] {
      var driver = ConsoleDriver.opened(entry)
      driver.press(.back)
      driver.press(.openAccount, "tara")
      let asked = driver.asked.filter { $0.apiRequest.path == "/admin/organizations" }
      #expect(asked.count == count)
    }
  }

  @Test("T-16 a lost answer keeps the input, and the retry uses the same key")
  func lost() throws {
    var driver = ConsoleDriver.editing(Self.tara)
    driver.handle(.page(.fieldEdited(.name, "Tara Berg")))
    driver.press(.saveAccount)
    let first = try #require(driver.asked.last)
    driver.handle(.answered(first.id, .noNetwork))

    #expect(driver.form?.notice == .failed(.noConnection) && driver.form?.name == "Tara Berg")
    driver.press(.saveAccount)
    #expect(driver.asked.last?.apiRequest.idempotencyKey == first.apiRequest.idempotencyKey)
    driver.refuse("/admin/accounts/tara", .temporarilyUnavailable)
    driver.handle(.page(.fieldEdited(.name, "Tara B")))
    driver.press(.saveAccount)
    #expect(driver.asked.last?.apiRequest.idempotencyKey != first.apiRequest.idempotencyKey)
  }

  @Test("T-16 an e-mail or phone number in use is reported at its field when the field is certain")
  func taken() {
    let cases: [([(FieldName, String)], AccountEditor.Fault?)] = [
      ([(.email, "b@example.com")], .emailTaken), ([(.phone, "+4790000002")], .phoneTaken),
      ([(.role, "mentor")], .phoneTaken),
      ([(.email, "b@example.com"), (.phone, "+4790000002")], nil),
    ]
    for (typed, fault) in cases {
      var driver = ConsoleDriver.editing(Self.tara)
      for (field, text) in typed { driver.handle(.page(.fieldEdited(field, text))) }
      driver.press(.saveAccount)
      driver.refuse("/admin/accounts/tara", .accountExists)

      #expect(driver.form?.faults == (fault.map { [$0] } ?? []))
      #expect(driver.form?.notice == (fault == nil ? .accountExists : nil))
    }
  }

  @Test(
    "T-16 every other refusal has a sentence, and no input is lost",
    arguments: [
      (.permissionDenied, .notPermitted), (.lastAdministrator, .lastAdministrator),
      (.invalidRequest, .refused), (.ownAccount, .ownAccount), (.accountNotFound, .accountGone),
      (.illegalTransition, .accountChangedElsewhere), (.serverError, .failed(.serverFault)),
    ] as [(ErrorCode, ConsoleNotice)]
  )
  func refused(_ code: ErrorCode, _ notice: ConsoleNotice) {
    var driver = ConsoleDriver.editing(Self.tara)
    driver.handle(.page(.fieldEdited(.name, "Tara Berg")))
    driver.press(.saveAccount)
    driver.refuse("/admin/accounts/tara", code)

    #expect(driver.form?.notice == notice && driver.form?.name == "Tara Berg" && !notice.isSuccess)
    #expect(driver.context.focus?.part == .account)
    driver.press(.back)
    driver.press(.confirm)
    #expect(driver.form == nil && driver.home.account != nil)
  }

  @Test("T-16 administrators change only the name of their own account")
  func own() {
    var driver = ConsoleDriver.editing(ConsoleDriver.entry("ada", role: "administrator"))
    #expect(driver.form?.extent == .name)
    for (field, text) in [
      (FieldName.email, "x@example.com"), (.phone, "+4790000002"), (.role, "rider"),
      (.name, "Ada"),
    ] {
      driver.handle(.page(.fieldEdited(field, text)))
    }
    driver.press(.toggleOrganization, "north")
    driver.press(.saveAccount)

    #expect(driver.body == .members([JSONMember("name", "Ada")]))
  }

  @Test("T-16 an administrator of one organization creates accounts in that organization")
  func creation() {
    var driver = ConsoleDriver.listed(Self.tara, for: ConsoleDriver.local("administrator"))
    driver.press(.newAccount)
    #expect(driver.home.creation?.organizations == [OrganizationID("north")])
    driver.answer(
      "/admin/organizations", 200,
      .members([
        JSONMember(
          "organizations",
          .array([.members([JSONMember("id", "north"), JSONMember("name", "North")])]))
      ]))
    driver.press(.toggleOrganization, "north")
    driver.handle(.page(.fieldEdited(.name, "Nina Dahl")))
    driver.handle(.page(.fieldEdited(.email, "nina@example.com")))
    driver.handle(.page(.fieldEdited(.phone, "+4790000042")))
    driver.press(.saveAccount)
    #expect(driver.home.creation?.faults == [.organizationNeeded])
    #expect(driver.context.focus?.part == .organizations)

    driver.press(.toggleOrganization, "north")
    driver.press(.saveAccount)
    #expect(driver.body?["organizations"] == .array([.string("north")]))
  }
}

import JSONText
import SignInModel
import SignInWire
import Testing

@testable import SignInFlow

extension ConsoleDesk {
  /// The open form of an account, with the organizations that the administrator may see.
  static func editing(
    _ entry: AccountEntry, for permissions: [PermissionEntry] = everything,
    seeing organizations: [String] = ["north", "south"]
  ) -> ConsoleDesk {
    var desk = opened(entry, for: permissions)
    desk.press(.editAccount)
    let known = organizations.map {
      JSON.members([JSONMember("id", $0), JSONMember("name", "Name of " + $0)])
    }
    desk.answer(
      "/admin/organizations", 200, .members([JSONMember("organizations", .array(known))]))
    return desk
  }

  var form: AccountEditor? { home.account?.editor }

  var body: JSON? {
    if case .json(let json)? = asked.last?.apiRequest.body { json } else { nil }
  }
}

@Suite("Changing an account in the console")
struct AccountEditorTests {
  private static let tara = ConsoleDesk.entry("tara", organizations: ["north"])

  @Test("T-16 only changed values are sent, in one request")
  func change() {
    var desk = ConsoleDesk.editing(Self.tara)
    #expect(desk.context.focus?.target == .account && desk.form?.extent == .everything)
    desk.happen(.fieldEdited(.name, " Tara Berg "))
    desk.happen(.fieldEdited(.email, "BERG@example.com"))
    desk.happen(.fieldEdited(.phone, "00 47 900-00-002"))
    desk.happen(.fieldEdited(.role, "mentor"))
    desk.press(.toggleOrganization, "south")
    desk.press(.toggleOrganization, "north")
    desk.press(.saveAccount)

    let apiRequest = desk.asked.last?.apiRequest
    #expect(apiRequest?.method == .patch && apiRequest?.path == "/admin/accounts/tara")
    #expect(
      desk.body
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
    var desk = ConsoleDesk.editing(Self.tara)
    desk.happen(.fieldEdited(field, text))
    desk.press(.saveAccount)

    #expect(desk.body == .members([JSONMember(member, text)]))
  }

  @Test("T-16 nothing is sent when no value changed, in any notation")
  func nothing() {
    var desk = ConsoleDesk.editing(Self.tara)
    desk.happen(.fieldEdited(.phone, "00 47 900 00 001"))
    desk.happen(.fieldEdited(.email, "TARA@example.com"))
    let before = desk.asked.count
    desk.press(.saveAccount)

    #expect(desk.form?.notice == .nothingChanged && desk.asked.count == before)
    #expect(desk.announcements == [.console(.nothingChanged)])
  }

  @Test(
    "T-16 invalid values are explained at their fields; the first one gets focus, and input stays")
  func faults() {
    var desk = ConsoleDesk.editing(Self.tara)
    let before = desk.asked.count
    desk.happen(.fieldEdited(.name, "  "))
    desk.happen(.fieldEdited(.email, "tara"))
    desk.happen(.fieldEdited(.phone, "900 00 001"))
    desk.press(.saveAccount)

    #expect(desk.form?.faults == [.nameNeeded, .emailMalformed, .phoneMalformed])
    #expect(desk.context.focus?.target == .name && desk.asked.count == before)
    #expect(desk.announcements == [.accountFault(.nameNeeded)])
    #expect(desk.form?.email == "tara" && desk.form?.phone == "900 00 001")
    desk.happen(.fieldEdited(.name, "Tara"))
    #expect(desk.form?.faults == [.emailMalformed, .phoneMalformed])
  }

  @Test("T-16 a name that is too long is not called missing", arguments: [100, 101])
  func longName(_ length: Int) {
    var desk = ConsoleDesk.editing(Self.tara)
    desk.happen(.fieldEdited(.name, String(repeating: "x", count: length)))
    desk.press(.saveAccount)

    #expect(desk.form?.faults == (length > 100 ? [.nameTooLong] : []))
  }

  @Test("T-16 only a rider may have no e-mail address")
  func email() {
    var desk = ConsoleDesk.editing(Self.tara)
    desk.happen(.fieldEdited(.email, " "))
    desk.press(.saveAccount)
    #expect(desk.form?.faults == [.emailNeeded] && desk.context.focus?.target == .email)

    desk.happen(.fieldEdited(.role, "rider"))
    desk.press(.saveAccount)
    #expect(
      desk.body == .members([JSONMember("email", JSON.null), JSONMember("role", "rider")]))
  }

  @Test("T-16 a change is reported with its consequences and shown in the list")
  func done() {
    var desk = ConsoleDesk.editing(Self.tara)
    desk.happen(.fieldEdited(.phone, "+4790000002"))
    desk.press(.saveAccount)
    desk.press(.saveAccount)
    desk.press(.back)
    #expect(desk.asked.filter { $0.apiRequest.method == .patch }.count == 1 && desk.form != nil)

    let changed = AccountEntry(
      id: AccountID("tara"), name: "Name of tara", email: "new@example.com",
      phone: "+4790000002", role: "mentor", status: "active", organizations: [],
      hasPassword: true, failuresInRow: 0, lockedUntil: nil, lockedDevices: 0,
      createdAt: Walk.noon)
    desk.answer("/admin/accounts/tara", 200, changed.json)

    let notice = ConsoleNotice.edited([.newPhone, .newEmail, .newRole, .lostOrganization])
    #expect(desk.form == nil && desk.home.account?.notice == notice)
    #expect(desk.announcements == [.console(notice)] && notice.isSuccess)
    #expect(desk.home.accounts.entries?.first?.phone == "+4790000002")
    #expect(desk.context.focus?.target == .account)
  }

  @Test("T-16 the form knows a new, a removed and a malformed e-mail address")
  func newEmail() {
    let cases = [
      ("tara@example.com", false), ("TARA@example.com", false), ("tara", false), (" ", true),
      ("new@example.com", true),
    ]
    for (typed, isNew) in cases {
      var desk = ConsoleDesk.editing(Self.tara)
      desk.happen(.fieldEdited(.email, typed))
      #expect(desk.form?.isEmailNew == isNew, "\(typed)")
    }
  }

  @Test("T-16 an added organization is no loss, a removed one is")
  func lostOrganization() {
    var desk = ConsoleDesk.editing(Self.tara)
    desk.press(.toggleOrganization, "south")
    #expect(desk.form?.losesOrganization == false)
    desk.press(.toggleOrganization, "north")
    #expect(desk.form?.losesOrganization == true)
    desk.press(.toggleOrganization, "north")
    #expect(desk.form?.losesOrganization == false)
  }

  @Test("T-16 the names of organizations are read only for an account that has one")
  func organizationNames() {
    for (entry, count) in [(Self.tara, 1), (ConsoleDesk.entry("tara"), 0)] {
      var desk = ConsoleDesk.opened(entry)
      desk.press(.back)
      desk.press(.openAccount, "tara")
      let asked = desk.asked.filter { $0.apiRequest.path == "/admin/organizations" }
      #expect(asked.count == count)
    }
  }

  @Test("T-16 a lost answer keeps the input, and the retry uses the same key")
  func lost() throws {
    var desk = ConsoleDesk.editing(Self.tara)
    desk.happen(.fieldEdited(.name, "Tara Berg"))
    desk.press(.saveAccount)
    let first = try #require(desk.asked.last)
    desk.happen(.answered(first.id, .noNetwork))

    #expect(desk.form?.notice == .failed(.noConnection) && desk.form?.name == "Tara Berg")
    desk.press(.saveAccount)
    #expect(desk.asked.last?.apiRequest.idempotencyKey == first.apiRequest.idempotencyKey)
    desk.refuse("/admin/accounts/tara", .temporarilyUnavailable)
    desk.happen(.fieldEdited(.name, "Tara B"))
    desk.press(.saveAccount)
    #expect(desk.asked.last?.apiRequest.idempotencyKey != first.apiRequest.idempotencyKey)
  }

  @Test("T-16 an e-mail or phone number in use is reported at its field when the field is certain")
  func taken() {
    let cases: [([(FieldName, String)], AccountEditor.Fault?)] = [
      ([(.email, "b@example.com")], .emailTaken), ([(.phone, "+4790000002")], .phoneTaken),
      ([(.role, "mentor")], .phoneTaken),
      ([(.email, "b@example.com"), (.phone, "+4790000002")], nil),
    ]
    for (typed, fault) in cases {
      var desk = ConsoleDesk.editing(Self.tara)
      for (field, text) in typed { desk.happen(.fieldEdited(field, text)) }
      desk.press(.saveAccount)
      desk.refuse("/admin/accounts/tara", .accountExists)

      #expect(desk.form?.faults == (fault.map { [$0] } ?? []))
      #expect(desk.form?.notice == (fault == nil ? .accountExists : nil))
    }
  }

  @Test(
    "T-16 every other refusal has a sentence, and no input is lost",
    arguments: [
      (.permissionDenied, .notPermitted), (.lastAdministrator, .lastAdministrator),
      (.invalidRequest, .refused), (.ownAccount, .ownAccount), (.accountNotFound, .accountGone),
      (.illegalTransition, .changedMeanwhile), (.serverError, .failed(.serverFault)),
    ] as [(ErrorCode, ConsoleNotice)]
  )
  func refused(_ code: ErrorCode, _ notice: ConsoleNotice) {
    var desk = ConsoleDesk.editing(Self.tara)
    desk.happen(.fieldEdited(.name, "Tara Berg"))
    desk.press(.saveAccount)
    desk.refuse("/admin/accounts/tara", code)

    #expect(desk.form?.notice == notice && desk.form?.name == "Tara Berg" && !notice.isSuccess)
    #expect(desk.context.focus?.target == .account)
    desk.press(.back)
    #expect(desk.form == nil && desk.home.account != nil)
  }

  @Test("T-16 administrators change only the name of their own account")
  func own() {
    var desk = ConsoleDesk.editing(ConsoleDesk.entry("ada", role: "administrator"))
    #expect(desk.form?.extent == .name)
    for (field, text) in [
      (FieldName.email, "x@example.com"), (.phone, "+4790000002"), (.role, "rider"),
      (.name, "Ada"),
    ] {
      desk.happen(.fieldEdited(field, text))
    }
    desk.press(.toggleOrganization, "north")
    desk.press(.saveAccount)

    #expect(desk.body == .members([JSONMember("name", "Ada")]))
  }

  @Test("T-16 an administrator of one organization creates technicians in that organization")
  func creation() {
    var desk = ConsoleDesk.listed(Self.tara, for: ConsoleDesk.local("administrator"))
    desk.press(.newTechnician)
    #expect(desk.home.creation?.organizations == [OrganizationID("north")])
    desk.answer(
      "/admin/organizations", 200,
      .members([
        JSONMember(
          "organizations",
          .array([.members([JSONMember("id", "north"), JSONMember("name", "North")])]))
      ]))
    desk.press(.toggleOrganization, "north")
    desk.happen(.fieldEdited(.name, "Nina Dahl"))
    desk.happen(.fieldEdited(.email, "nina@example.com"))
    desk.happen(.fieldEdited(.phone, "+4790000042"))
    desk.press(.createTechnician)
    #expect(desk.home.creation?.faults == [.organizationNeeded])
    #expect(desk.context.focus?.target == .organizations)

    desk.press(.toggleOrganization, "north")
    desk.press(.createTechnician)
    #expect(desk.body?["organizations"] == .array([.string("north")]))
  }
}

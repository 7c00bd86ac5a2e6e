import JSONText
import SignInModel
import SignInWire
import Testing

@testable import SignInFlow

extension ConsoleDesk {
  /// The form of an account, with the organizations that one may see.
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

  @Test("T-16 only what differs is sent, all of it in one request")
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
    "T-16 each member is sent alone when it alone differs",
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

  @Test("T-16 nothing is sent when nothing differs, however it is written")
  func nothing() {
    var desk = ConsoleDesk.editing(Self.tara)
    desk.happen(.fieldEdited(.phone, "00 47 900 00 001"))
    desk.happen(.fieldEdited(.email, "TARA@example.com"))
    let before = desk.asked.count
    desk.press(.saveAccount)

    #expect(desk.form?.notice == .nothingChanged && desk.asked.count == before)
    #expect(desk.announcements == [.console(.nothingChanged)])
  }

  @Test("T-16 what cannot be is told at its field, from the first one on, and stays")
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

  @Test("T-16 only a rider can do without an e-mail address")
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

  @Test("T-16 what was changed is told with what it means, and shown in the list")
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

  @Test("T-16 a lost answer keeps what was typed, and is asked for again under the same key")
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

  @Test("T-16 an address or a number that is taken is told at its field, where that is sure")
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
    "T-16 every other refusal is a sentence, and nothing that was typed is lost",
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

  @Test("T-16 of one's own account one changes the name only")
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

  @Test("T-16 a technician of an administrator of one organization is made in it")
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
    #expect(desk.home.creation?.faults == [.organizations])
    #expect(desk.context.focus?.target == .organizations)

    desk.press(.toggleOrganization, "north")
    desk.press(.createTechnician)
    #expect(desk.body?["organizations"] == .array([.string("north")]))
  }
}

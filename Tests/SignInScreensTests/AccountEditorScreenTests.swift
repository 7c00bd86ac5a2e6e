import JSONText
import SignInModel
import SignInWire
import Testing

@testable import SignInEngine
@testable import SignInFlow
@testable import SignInScreens

@Suite("Changing, exporting and erasing an account on screen")
struct AccountEditorScreenTests {
  private static func localizer(_ language: Language = .english) -> Localizer {
    var context = FlowContext()
    context.setApp(.console, page: "page")
    context.setLocale(LocalePreferences(chosen: language), WallClock())
    context.setTime(at: ScreenDriver.startTime)
    return Localizer(context)
  }

  private static let organizations = JSON.members([
    JSONMember(
      "organizations",
      .array(
        ["north", "south"].map {
          .members([JSONMember("id", $0), JSONMember("name", "Name of " + $0)])
        }))
  ])

  private func entry() -> AccountEntry {
    var entry = AccountEntry(
      id: AccountID("tara"), name: "Tara Lind", email: "tara@example.com", phone: "+4790000001",
      role: "technician", status: "active", organizations: [OrganizationID("north")],
      hasPassword: true, failuresInRow: 0, lockedUntil: nil, lockedDevices: 0,
      createdAt: ScreenDriver.startTime
    )
    entry.phoneUnverifiedSince = ScreenDriver.startTime
    entry.permissions = [
      PermissionEntry(level: "viewer", organization: nil),
      PermissionEntry(level: "support", organization: OrganizationID("north")),
    ]
    return entry
  }

  /// The open account after these events.
  private func opened(
    _ events: Event..., knowing organizations: JSON = Self.organizations
  ) -> ConsoleHome {
    var context = FlowContext()
    context.setApp(.console, page: "page")
    var home = ConsoleHome()
    _ = home.open(&context)
    home.setAccount(ConsoleScreenTests.administrator, &context)
    let page = JSON.members([JSONMember("accounts", .array([entry().json]))])
    func answerAll(_ path: String, _ body: JSON) {
      for asked in context.takeQueuedRequests() where asked.apiRequest.path.hasPrefix(path) {
        let answer = Answer.received(status: 200, body: body, serverSeconds: nil)
        _ = home.handle(.answered(asked.id, answer), &context)
      }
    }
    _ = home.handle(.home(.itemPressed(.consoleTab, item: "accounts")), &context)
    answerAll("/admin/accounts", page)
    _ = home.handle(.home(.itemPressed(.openAccount, item: "tara")), &context)
    answerAll("/admin/organizations", organizations)
    for event in events { _ = home.handle(event, &context) }
    return home
  }

  private func parts(_ home: ConsoleHome, _ language: Language = .english) -> [Part] {
    for case .split(_, _, let opened, _) in home.view(Self.localizer(language)).parts {
      return opened
    }
    return []
  }

  private func fields(_ parts: [Part]) -> [Field] {
    parts.compactMap { if case .field(let field) = $0 { field } else { nil } }
  }

  private func facts(_ home: ConsoleHome) -> [Detail] {
    parts(home).flatMap { part -> [Detail] in
      if case .details(_, _, _, let shown) = part { shown } else { [] }
    }
  }

  @Test("T-16 the facts include the permissions and a number that is not confirmed")
  func facts() {
    let details = facts(opened())

    #expect(
      details.first { $0.label == "Permissions" }?.text
        == Phrase("Viewer in all organizations, Support in Name of north"))
    #expect(
      details.first { $0.label == "Organizations" }?.text == Phrase("Name of north"))
    #expect(details.contains { $0.label == "Number unconfirmed since" })
  }

  @Test("T-16 an organization that the administrator may not read is shown by its identifier")
  func unreadableOrganization() {
    let none = JSON.members([JSONMember("organizations", .array([]))])
    let details = facts(opened(knowing: none))

    #expect(details.first { $0.label == "Organizations" }?.text == Phrase("north"))
    #expect(
      details.first { $0.label == "Permissions" }?.text
        == Phrase("Viewer in all organizations, Support in north"))
  }

  @Test("T-16 the form has every member and a box for each organization")
  func form() {
    let parts = parts(opened(.page(.buttonPressed(.editAccount))))

    #expect(fields(parts).map(\.id) == ["name", "email", "phone", "role"])
    #expect(
      fields(parts).map(\.value)
        == ["Tara Lind", "tara@example.com", "+4790000001", "technician"])
    #expect(fields(parts).allSatisfy { $0.help == nil && $0.error == nil })
    var checks: [Checks.Check] = []
    for case .checks(let shown) in parts {
      checks = shown.checks
      #expect(shown.help == nil)
    }
    #expect(checks.map(\.label) == ["Name of north", "Name of south"])
    #expect(checks.map(\.isOn) == [true, false] && checks.allSatisfy(\.isEnabled))
    #expect(opened(.page(.buttonPressed(.editAccount))).view(Self.localizer()).back == .back)
  }

  @Test("T-16 a changed field shows the consequences before saving")
  func help() {
    let parts = parts(
      opened(
        .page(.buttonPressed(.editAccount)), .page(.fieldEdited(.phone, "+4790000002")),
        .page(.fieldEdited(.role, "administrator"))))

    let helps = fields(parts).map { $0.help ?? "" }
    #expect(helps[2].contains("The next code goes to this number"))
    #expect(helps[3] == "Saving ends every session.")
  }

  @Test("T-16 a removed number shows its consequence before saving", arguments: Language.allCases)
  func removedNumber(_ language: Language) {
    let localizer = Self.localizer(language)
    let parts = parts(
      opened(.page(.buttonPressed(.editAccount)), .page(.fieldEdited(.phone, ""))), language)

    #expect(fields(parts)[2].help == localizer.say(.newRoleHelp))
    #expect(localizer.refused(.phoneNeeded) != localizer.refused(.phoneMalformed))
  }

  @Test(
    "T-16 a new e-mail and a removed organization show their consequences before saving",
    arguments: Language.allCases)
  func otherHelp(_ language: Language) {
    let localizer = Self.localizer(language)
    let parts = parts(
      opened(
        .page(.buttonPressed(.editAccount)), .page(.fieldEdited(.email, "new@example.com")),
        .home(.itemPressed(.toggleOrganization, item: "north"))), language)
    var checks: Checks?
    for case .checks(let shown) in parts { checks = shown }

    #expect(fields(parts)[1].help == localizer.say(.newEmailHelp))
    #expect(checks?.help == localizer.say(.lostOrganizationHelp) && checks?.error == nil)
    #expect(checks?.json["help"]?.text == checks?.help)
  }

  @Test("T-16 each mistake is reported at its field, in words", arguments: Language.allCases)
  func mistakes(_ language: Language) {
    let localizer = Self.localizer(language)
    let parts = parts(
      opened(
        .page(.buttonPressed(.editAccount)), .page(.fieldEdited(.name, "")),
        .page(.fieldEdited(.email, "")),
        .page(.fieldEdited(.phone, "1")), .page(.buttonPressed(.saveAccount))), language)

    let errors = fields(parts).map(\.error)
    #expect(
      errors == [
        localizer.refused(.nameNeeded), localizer.refused(.emailNeeded),
        localizer.refused(.phoneMalformed), nil,
      ])
    #expect(Set(errors.compactMap { $0 }).count == 3)
  }

  @Test("T-16 every consequence of a change has a sentence", arguments: Language.allCases)
  func consequences(_ language: Language) {
    let localizer = Self.localizer(language)
    let plain = localizer.edited([])
    for consequence in AccountEditor.Consequence.allCases {
      #expect(localizer.edited([consequence]).count > plain.count)
    }
    // The end of the sessions is mentioned once.
    #expect(localizer.edited([.newPhone, .newRole]) == localizer.edited([.newPhone]))
    #expect(localizer.edited([.removedPhone, .newRole]) == localizer.edited([.removedPhone]))
  }

  @Test("T-16 erasing asks for the account's name, and the red button is disabled until then")
  func erasing() {
    for (typed, isEnabled) in [("", false), ("Tara", false), ("Tara Lind", true)] {
      let home = opened(
        .home(.itemPressed(.accountAction, item: "erase")),
        .page(.fieldEdited(.confirmation, typed)))
      guard
        case .sheet("question", let title, _, let form?, let buttons)? =
          home.view(Self.localizer()).parts.first
      else {
        Issue.record("nothing is asked")
        return
      }
      #expect(title == "Erase Tara Lind permanently?")
      #expect(form.paragraphs.count == 2 && form.field.value == typed)
      #expect(form.field.id == "confirmation" && form.field.autofill == "off")
      #expect(buttons.map(\.kind) == [.dangerous, .quiet])
      #expect(buttons[0].isEnabled == isEnabled && buttons[1].isEnabled)
    }
  }

  @Test("T-16 the shell gets the field of a question, the boxes of a form and the name of the file")
  func crossing() {
    let home = opened(.home(.itemPressed(.accountAction, item: "erase")))
    let sheet = home.view(Self.localizer()).parts.first?.json
    #expect(sheet?["field"]?["id"]?.text == "confirmation")
    #expect(sheet?["paragraphs"]?.elements?.count == 2)

    let form = parts(opened(.page(.buttonPressed(.editAccount))))
    let checks = form.map(\.json).first { $0["part"]?.text == "checks" }
    #expect(checks?["button"]?.text == "toggle_organization")
    #expect(checks?["checks"]?.elements?.first?["checked"]?.flag == true)

    let call = Call(
      .file(.adminExport(Endpoint.Segment("tara")), as: "a.json", timeoutSeconds: 1),
      token: Secret("t"))
    let effect = PageEffect.engine(.call(RequestID(1), call))
    let json = effect.json(in: FlowContext(), of: ConsoleHome.self)
    #expect(json["file_name"]?.text == "a.json")
  }
}

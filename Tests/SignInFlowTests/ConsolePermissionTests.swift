import JSONText
import SignInModel
import SignInWire
import Testing

@testable import SignInFlow

@Suite("Actions that the console offers")
struct ConsolePermissionTests {
  private static let tara = ConsoleDesk.entry("tara", failures: 1, organizations: ["north"])
  private static let both = ConsoleDesk.entry("tara", organizations: ["north", "south"])

  struct Offer {
    let permissions: [PermissionEntry]?
    let entry: AccountEntry
    var actions: [AccountAction] = []
    var data: [AccountAction] = []
    var extent: AccountEditor.Extent?
  }

  private static let offers: [Offer] = [
    Offer(permissions: nil, entry: tara),
    Offer(permissions: ConsoleDesk.local("viewer"), entry: tara),
    Offer(
      permissions: ConsoleDesk.local("support"), entry: tara, actions: [.unlock, .resetPassword]),
    Offer(
      permissions: ConsoleDesk.local("administrator"), entry: tara,
      actions: [.unlock, .resetPassword, .deactivate], data: [.export, .erase],
      extent: .everything),
    Offer(permissions: ConsoleDesk.local("administrator", "south"), entry: tara),
    Offer(
      permissions: ConsoleDesk.local("administrator"), entry: both, extent: .organizations),
    Offer(permissions: ConsoleDesk.local("support"), entry: both),
    Offer(
      permissions: [PermissionEntry(level: "support", organization: nil)], entry: both,
      actions: [.resetPassword]),
    Offer(
      permissions: ConsoleDesk.everything,
      entry: ConsoleDesk.entry("ada", role: "administrator"),
      actions: [.resetPassword], data: [.export], extent: .name),
  ]

  @Test(
    "T-16 actions that a permission does not allow are not offered, and pressing them does nothing",
    arguments: offers.indices)
  func offered(_ index: Int) {
    let offer = Self.offers[index]
    var desk = ConsoleDesk.opened(offer.entry, for: offer.permissions)

    #expect(desk.home.account?.actions == offer.actions)
    #expect(desk.home.account?.dataActions == offer.data)
    #expect(desk.home.account?.isEditable == (offer.extent != nil))
    for action in AccountAction.allCases
    where !offer.actions.contains(action) && !offer.data.contains(action) {
      desk.press(.accountAction, action.rawValue)
      #expect(desk.home.account?.asking == nil, "\(action)")
    }
    desk.press(.editAccount)
    #expect(desk.home.account?.editor?.extent == offer.extent)
  }

  @Test("T-16 an administrator does not change an account with more permissions")
  func higher() {
    var entry = ConsoleDesk.entry("nia", role: "administrator", organizations: ["north"])
    entry.permissions = ConsoleDesk.everything
    let desk = ConsoleDesk.opened(entry, for: ConsoleDesk.local("administrator"))

    #expect(desk.home.account?.actions == [] && desk.home.account?.dataActions == [])
    #expect(desk.home.account?.isEditable == false)
  }

  @Test("T-16 support sends an invitation without seeing it")
  func invitation() {
    let entry = ConsoleDesk.entry("tara", organizations: ["north"], hasPassword: false)
    var desk = ConsoleDesk.opened(entry, for: ConsoleDesk.local("support"))
    #expect(desk.home.account?.actions == [.sendInvitation])
    desk.press(.accountAction, "send_invitation")
    desk.press(.confirm)
    #expect(desk.body == .members([JSONMember("send", true)]))

    let sent = InvitationAnswer(invitation: nil, link: nil, expiresAt: Walk.noon)
    desk.answer("/admin/accounts/tara/invitation", 201, sent.json)
    #expect(desk.home.account?.notice == .done(.sendInvitation))
    #expect(desk.home.account?.invitation == nil)
  }

  @Test("T-16 administrators remove an account only from their own organization")
  func leaving() {
    var desk = ConsoleDesk.editing(
      Self.both, for: ConsoleDesk.local("administrator"), seeing: ["north"])
    desk.happen(.fieldEdited(.name, "Other"))
    desk.press(.toggleOrganization, "south")
    desk.press(.toggleOrganization, "north")
    desk.press(.saveAccount)

    #expect(
      desk.body == .members([JSONMember("organizations", .array([.string("south")]))]))
  }

  @Test("T-16 an administrator of one organization cannot remove an account's last organization")
  func lastOrganization() {
    var desk = ConsoleDesk.editing(
      Self.tara, for: ConsoleDesk.local("administrator"), seeing: ["north"])
    desk.press(.toggleOrganization, "north")
    desk.press(.saveAccount)

    #expect(desk.form?.faults == [.organizationNeeded])
    #expect(desk.context.focus?.target == .organizations)
  }

  @Test("T-16 only administrators create accounts")
  func creation() {
    for (permissions, isOffered) in [
      (ConsoleDesk.local("support"), false), (ConsoleDesk.local("administrator"), true),
      (ConsoleDesk.everything, true),
    ] {
      var desk = ConsoleDesk.listed(Self.tara, for: permissions)
      #expect(desk.home.mayCreate == isOffered)
      desk.press(.newTechnician)
      #expect((desk.home.creation != nil) == isOffered)
    }
  }

  @Test("T-16 an administrator of one organization opens and changes its policy")
  func localPolicy() {
    var desk = ConsoleDesk.policies(for: ConsoleDesk.local("administrator"))
    #expect(!desk.home.policies.seesApps)
    // The policy of the whole app is not readable with this permission.
    desk.press(.openPolicy, "client-rider-app")
    #expect(desk.home.policies.page == nil)
    desk.press(.openPolicy, "organization-north")
    #expect(
      desk.asked.last?.apiRequest.path == "/admin/clients/rider-app/policy?organization=north")
    desk.answer(
      "/admin/clients/rider-app/policy", 200, ConsoleDesk.sheet(ConsoleDesk.failures, of: "north"))
    desk.press(.openValue, ConsoleDesk.failures.key.rawValue)
    desk.save("4")

    #expect(desk.home.policies.mayChangePage)
    #expect(desk.asked.last?.apiRequest.path == "/admin/organizations/north")
  }

  @Test("T-16 an administrator who may only read a policy changes nothing in it")
  func readOnlyPolicy() {
    var desk = ConsoleDesk.policies(for: ConsoleDesk.local("support"))
    desk.press(.openPolicy, "organization-north")
    desk.answer(
      "/admin/clients/rider-app/policy", 200, ConsoleDesk.sheet(ConsoleDesk.failures, of: "north"))
    desk.press(.openValue, ConsoleDesk.failures.key.rawValue)
    let before = desk.asked.count
    desk.save("4")

    #expect(!desk.home.policies.mayChangePage && desk.asked.count == before)
  }
}

@Suite("Exporting and erasing an account in the console")
struct AccountDataTests {
  @Test("T-16 an export is saved as a file named after the identifier, after confirmation")
  func export() throws {
    var desk = ConsoleDesk.opened()
    desk.press(.accountAction, "export")
    #expect(desk.home.account?.asking == .export)
    desk.press(.confirm)

    let asked = try #require(desk.asked.last)
    #expect(
      asked.apiRequest.method == .get && asked.apiRequest.path == "/admin/accounts/tara/export")
    #expect(asked.apiRequest.fileName == "account-tara.json")
    #expect(Call(asked.apiRequest, token: Secret("t")).fileName == "account-tara.json")
    desk.happen(.answered(asked.id, .received(status: 200, body: .null, serverSeconds: nil)))
    #expect(desk.home.account?.notice == .done(.export))
  }

  @Test("T-16 a failed export is reported and may be tried again")
  func failedExport() {
    var desk = ConsoleDesk.opened()
    desk.press(.accountAction, "export")
    desk.press(.confirm)
    desk.refuse("/admin/accounts/tara/export", .permissionDenied)

    #expect(desk.home.account?.notice == .notPermitted)
    #expect(desk.home.account?.dataActions == [.export, .erase])
  }

  @Test(
    "T-16 nothing is erased before the name, e-mail or number was typed",
    arguments: [
      ("", false), (" ", false), ("Name of tar", false), ("Name of tara", true),
      (" name of TARA ", true), ("tara@example.com", true), ("Name of tara.", false),
      ("+4790000001", true), ("tara", false),
    ]
  )
  func confirmation(_ typed: String, _ isConfirmed: Bool) {
    var desk = ConsoleDesk.opened()
    desk.press(.accountAction, "erase")
    desk.happen(.fieldEdited(.confirmation, typed))
    let before = desk.asked.count
    desk.press(.confirm)

    #expect((desk.home.account?.working != nil) == isConfirmed)
    #expect(desk.asked.count == before + (isConfirmed ? 1 : 0))
    #expect(desk.home.account?.confirmation == typed)
  }

  @Test("T-16 after an erasure the list says so and no longer has the account")
  func erased() {
    var desk = ConsoleDesk.listed(ConsoleDesk.entry("a"), ConsoleDesk.entry("tara"))
    desk.press(.openAccount, "tara")
    desk.press(.accountAction, "erase")
    desk.happen(.fieldEdited(.confirmation, "Name of tara"))
    desk.press(.confirm)
    #expect(desk.asked.last?.apiRequest.method == .delete)
    #expect(desk.asked.last?.apiRequest.path == "/admin/accounts/tara")
    desk.press(.back)
    desk.press(.consoleTab, "events")
    #expect(desk.home.account != nil && desk.home.tab == .accounts)
    // The newest request to the account itself is the erasure.
    desk.answer("/admin/accounts/tara", 204)

    #expect(desk.home.account == nil && desk.home.notice == .done(.erase))
    #expect(desk.home.accounts.entries?.map { $0.id.text } == ["a"])
    #expect(desk.announcements == [.console(.done(.erase))])
    #expect(desk.context.focus?.target == .heading)
    desk.happen(.bannerDismissed)
    #expect(desk.home.notice == nil)
  }

  @Test(
    "T-16 a refused erasure leaves the account, and the confirmation starts again",
    arguments: [
      (.permissionDenied, .notPermitted), (.lastAdministrator, .lastAdministrator),
      (.ownAccount, .ownAccount), (.accountNotFound, .accountGone),
    ] as [(ErrorCode, ConsoleNotice)]
  )
  func refused(_ code: ErrorCode, _ notice: ConsoleNotice) {
    var desk = ConsoleDesk.opened()
    desk.press(.accountAction, "erase")
    desk.happen(.fieldEdited(.confirmation, "tara@example.com"))
    desk.press(.confirm)
    desk.refuse("/admin/accounts/tara", code)

    #expect(desk.home.account?.notice == notice && desk.home.account?.asking == nil)
    desk.press(.accountAction, "erase")
    #expect(desk.home.account?.confirmation == "")
  }

  @Test("T-16 text typed to confirm one erasure does not confirm another action")
  func cancelled() {
    var desk = ConsoleDesk.opened()
    desk.press(.accountAction, "erase")
    desk.happen(.fieldEdited(.confirmation, "Name of tara"))
    desk.press(.cancel)
    desk.press(.accountAction, "erase")

    #expect(desk.home.account?.isConfirmed == false)
    #expect(desk.context.focus?.target == .question)
  }
}

import EngineTesting
import JSONText
import SignInModel
import SignInWire
import Testing

@testable import SignInEngine
@testable import SignInFlow

@Suite("Actions that the console offers")
struct ConsolePermissionTests {
  private static let tara = ConsoleDriver.entry("tara", failures: 1, organizations: ["north"])
  private static let both = ConsoleDriver.entry("tara", organizations: ["north", "south"])

  struct Offer {
    let permissions: [PermissionEntry]?
    let entry: AccountEntry
    var actions: [AccountAction] = []
    var data: [AccountAction] = []
    var extent: AccountEditor.Extent?
  }

  private static let offers: [Offer] = [
    Offer(permissions: nil, entry: tara),
    Offer(permissions: ConsoleDriver.local("viewer"), entry: tara),
    Offer(
      permissions: ConsoleDriver.local("support"), entry: tara, actions: [.unlock, .resetPassword]),
    Offer(
      permissions: ConsoleDriver.local("administrator"), entry: tara,
      actions: [.unlock, .resetPassword, .deactivate], data: [.export, .erase],
      extent: .everything),
    Offer(permissions: ConsoleDriver.local("administrator", "south"), entry: tara),
    Offer(
      permissions: ConsoleDriver.local("administrator"), entry: both, extent: .organizations),
    Offer(permissions: ConsoleDriver.local("support"), entry: both),
    Offer(
      permissions: [PermissionEntry(level: "support", organization: nil)], entry: both,
      actions: [.resetPassword]),
    Offer(
      permissions: ConsoleDriver.everything,
      entry: ConsoleDriver.entry("ada", role: "administrator"),
      data: [.export], extent: .name),
  ]

  @Test(
    "T-16 actions that a permission does not allow are not offered, and pressing them does nothing",
    arguments: offers.indices)
  func offered(_ index: Int) {
    let offer = Self.offers[index]
    var driver = ConsoleDriver.opened(offer.entry, for: offer.permissions)

    #expect(driver.home.account?.actions == offer.actions)
    #expect(driver.home.account?.dataActions == offer.data)
    #expect(driver.home.account?.isEditable == (offer.extent != nil))
    for action in AccountAction.allCases
    where !offer.actions.contains(action) && !offer.data.contains(action) {
      driver.press(.accountAction, action.rawValue)
      #expect(driver.home.account?.asking == nil, "\(action)")
    }
    driver.press(.editAccount)
    #expect(driver.home.account?.editor?.extent == offer.extent)
  }

  @Test("T-16 an administrator does not change an account with more permissions")
  func higher() {
    var entry = ConsoleDriver.entry("nia", role: "administrator", organizations: ["north"])
    entry.permissions = ConsoleDriver.everything
    let driver = ConsoleDriver.opened(entry, for: ConsoleDriver.local("administrator"))

    #expect(driver.home.account?.actions == [] && driver.home.account?.dataActions == [])
    #expect(driver.home.account?.isEditable == false)
  }

  @Test("T-16 support sends an invitation without seeing it")
  func invitation() {
    let entry = ConsoleDriver.entry("tara", organizations: ["north"], hasPassword: false)
    var driver = ConsoleDriver.opened(entry, for: ConsoleDriver.local("support"))
    #expect(driver.home.account?.actions == [.sendInvitation])
    driver.press(.accountAction, "send_invitation")
    driver.press(.confirm)
    #expect(driver.body == .members([JSONMember("send", true)]))

    let sent = InvitationAnswer(invitation: nil, link: nil, expiresAt: FlowDriver.startTime)
    driver.answer("/admin/accounts/tara/invitation", 201, sent.json)
    #expect(driver.home.account?.notice == .done(.sendInvitation))
    #expect(driver.home.account?.invitation == sent)
  }

  @Test("T-16 administrators remove an account only from their own organization")
  func leaving() {
    var driver = ConsoleDriver.editing(
      Self.both, for: ConsoleDriver.local("administrator"), seeing: ["north"])
    driver.handle(.page(.fieldEdited(.name, "Other")))
    driver.press(.toggleOrganization, "south")
    driver.press(.toggleOrganization, "north")
    driver.press(.saveAccount)

    #expect(
      driver.body == .members([JSONMember("organizations", .array([.string("south")]))]))
  }

  @Test("T-16 an administrator of one organization cannot remove an account's last organization")
  func lastOrganization() {
    var driver = ConsoleDriver.editing(
      Self.tara, for: ConsoleDriver.local("administrator"), seeing: ["north"])
    driver.press(.toggleOrganization, "north")
    driver.press(.saveAccount)

    #expect(driver.form?.faults == [.organizationNeeded])
    #expect(driver.context.focus?.part == .organizations)
  }

  @Test("T-16 only administrators create accounts")
  func creation() {
    for (permissions, isOffered) in [
      (ConsoleDriver.local("support"), false), (ConsoleDriver.local("administrator"), true),
      (ConsoleDriver.everything, true),
    ] {
      var driver = ConsoleDriver.listed(Self.tara, for: permissions)
      #expect(driver.home.mayCreate == isOffered)
      driver.press(.newAccount)
      #expect((driver.home.creation != nil) == isOffered)
    }
  }

  @Test("T-16 an administrator of one organization opens and changes its policy")
  func localPolicy() {
    var driver = ConsoleDriver.policies(for: ConsoleDriver.local("administrator"))
    #expect(!driver.home.policies.seesApps)
    // The policy of the whole app is not readable with this permission.
    driver.press(.openPolicy, "client-rider-app")
    #expect(driver.home.policies.page == nil)
    driver.press(.openPolicy, "organization-north")
    #expect(
      driver.asked.last?.apiRequest.path == "/admin/clients/rider-app/policy?organization=north")
    driver.answer(
      "/admin/clients/rider-app/policy", 200,
      ConsoleDriver.sheet(ConsoleDriver.failures, of: "north"))
    driver.press(.openValue, ConsoleDriver.failures.key.rawValue)
    driver.save("4")

    #expect(driver.home.policies.mayChangePage)
    #expect(driver.asked.last?.apiRequest.path == "/admin/organizations/north")
  }

  @Test("T-16 an administrator who may only read a policy changes nothing in it")
  func readOnlyPolicy() {
    var driver = ConsoleDriver.policies(for: ConsoleDriver.local("support"))
    driver.press(.openPolicy, "organization-north")
    driver.answer(
      "/admin/clients/rider-app/policy", 200,
      ConsoleDriver.sheet(ConsoleDriver.failures, of: "north"))
    driver.press(.openValue, ConsoleDriver.failures.key.rawValue)
    let before = driver.asked.count
    driver.save("4")

    #expect(!driver.home.policies.mayChangePage && driver.asked.count == before)
  }
}

@Suite("Exporting and erasing an account in the console")
struct AccountDataTests {
  @Test("T-16 an export is saved as a file named after the identifier, after confirmation")
  func export() throws {
    var driver = ConsoleDriver.opened()
    driver.press(.accountAction, "export")
    #expect(driver.home.account?.asking == .export)
    driver.press(.confirm)

    let asked = try #require(driver.asked.last)
    #expect(
      asked.apiRequest.method == .get && asked.apiRequest.path == "/admin/accounts/tara/export")
    #expect(asked.apiRequest.bodyTarget == BodyTarget(.file, "account-tara.json"))
    #expect(Call(asked.apiRequest, token: Secret("t")).bodyTarget?.name == "account-tara.json")
    driver.handle(.answered(asked.id, .received(status: 200, body: .null, serverSeconds: nil)))
    #expect(driver.home.account?.notice == .done(.export))
  }

  @Test("T-16 a failed export is reported and may be tried again")
  func failedExport() {
    var driver = ConsoleDriver.opened()
    driver.press(.accountAction, "export")
    driver.press(.confirm)
    driver.refuse("/admin/accounts/tara/export", .permissionDenied)

    #expect(driver.home.account?.notice == .notPermitted)
    #expect(driver.home.account?.dataActions == [.export, .erase])
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
    var driver = ConsoleDriver.opened()
    driver.press(.accountAction, "erase")
    driver.handle(.page(.fieldEdited(.confirmation, typed)))
    let before = driver.asked.count
    driver.press(.confirm)

    #expect((driver.home.account?.working != nil) == isConfirmed)
    #expect(driver.asked.count == before + (isConfirmed ? 1 : 0))
    #expect(driver.home.account?.confirmation == typed)
  }

  @Test("T-16 after an erasure the list says so and no longer has the account")
  func erased() {
    var driver = ConsoleDriver.listed(ConsoleDriver.entry("a"), ConsoleDriver.entry("tara"))
    driver.press(.openAccount, "tara")
    driver.press(.accountAction, "erase")
    driver.handle(.page(.fieldEdited(.confirmation, "Name of tara")))
    driver.press(.confirm)
    #expect(driver.asked.last?.apiRequest.method == .delete)
    #expect(driver.asked.last?.apiRequest.path == "/admin/accounts/tara")
    driver.press(.back)
    driver.press(.consoleTab, "events")
    #expect(driver.home.account != nil && driver.home.tab == .accounts)
    // The newest request to the account itself is the erasure.
    driver.answer("/admin/accounts/tara", 204)

    #expect(driver.home.account == nil && driver.home.notice == .done(.erase))
    #expect(driver.home.accounts.entries?.map { $0.id.text } == ["a"])
    #expect(driver.announcements == [.console(.notice(.done(.erase)))])
    #expect(driver.context.focus?.part == .heading)
    driver.handle(.page(.bannerDismissed))
    #expect(driver.home.notice == nil)
  }

  @Test(
    "T-16 a refused erasure leaves the account, and the confirmation starts again",
    arguments: [
      (.permissionDenied, .notPermitted), (.lastAdministrator, .lastAdministrator),
      (.ownAccount, .ownAccount), (.accountNotFound, .accountGone),
    ] as [(ErrorCode, ConsoleNotice)]
  )
  func refused(_ code: ErrorCode, _ notice: ConsoleNotice) {
    var driver = ConsoleDriver.opened()
    driver.press(.accountAction, "erase")
    driver.handle(.page(.fieldEdited(.confirmation, "tara@example.com")))
    driver.press(.confirm)
    driver.refuse("/admin/accounts/tara", code)

    #expect(driver.home.account?.notice == notice && driver.home.account?.asking == nil)
    driver.press(.accountAction, "erase")
    #expect(driver.home.account?.confirmation == "")
  }

  @Test("T-16 text typed to confirm one erasure does not confirm another action")
  func cancelled() {
    var driver = ConsoleDriver.opened()
    driver.press(.accountAction, "erase")
    driver.handle(.page(.fieldEdited(.confirmation, "Name of tara")))
    driver.press(.cancel)
    driver.press(.accountAction, "erase")

    #expect(driver.home.account?.isConfirmed == false)
    #expect(driver.context.focus?.part == .question)
  }
}

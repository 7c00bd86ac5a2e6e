import EngineTesting
import JSONText
import SignInModel
import SignInWire

@testable import SignInEngine
@testable import SignInFlow

extension UnawaitedEventTests {
  /// What a session without pages awaits.
  private static let withoutPages = resumed.subtracting([
    "account_menu", "sign_out", "where_signed_in", "switch_organization 1",
  ])

  static let homeStates: [State] = {
    var dashboard = RiderDriver.opening(.rider)
    if let id = dashboard.call(to: Endpoint.dashboard.path)?.id {
      let body = dashboard.dashboardAnswer.json
      dashboard.handle(.answered(id, .received(status: 200, body: body, serverSeconds: nil)))
    }
    var notes = MentorDriver.atActivity()
    notes.handle(.page(.fieldEdited(.notes, "2")))
    var saving = notes
    saving.pass(milliseconds: 1000)
    saving.handle(.device(.used))
    return [
      State("loading jobs", FlowDriver.signedIn(), begun.union(["place"])),
      State(
        "jobs", FlowDriver.atJobs(),
        begun.union(["network changed", "refresh", "shown", "toggle_fold"])),
      State(
        "activities", MentorDriver.atActivities(),
        resumed.union(["network changed", "refresh", "shown", "open_activity 1", "toggle_fold"])),
      State(
        "an activity", MentorDriver.atActivity(),
        resumed.union([
          "back", "notes", "open_activity 1", "network changed", "refresh", "shown", "toggle_fold",
        ])),
      State(
        "changed notes", notes,
        resumed.union([
          "back", "notes", "open_activity 1", "network changed", "refresh", "save_notes", "shown",
          "toggle_fold",
        ])),
      State(
        "saving notes", saving,
        resumed.union([
          "back", "notes", "open_activity 1", "network changed", "refresh", "shown", "toggle_fold",
        ])),
      State("loading the dashboard", RiderDriver.opening(.rider), resumed.union(["place"])),
      State(
        "dashboard", dashboard,
        resumed.union(["place", "network changed", "refresh", "shown", "toggle_fold"])),
      State("an app without a home", AppDriver<NoHome>.opening(.technician), withoutPages),
    ]
  }()

  /// The events that the home with products awaits on each of its pages, beside its list.
  private static let products = resumed.union([
    "network", "network changed", "refresh", "rows shown", "search", "shown",
  ])

  private typealias ProductDriver = AppDriver<ProductsHome>

  static let productStates: [State] = {
    var owner = Owner()
    owner.open()
    owner.sync([SyncedListTests.product("1", "Oven"), SyncedListTests.product("2", "Kettle")])
    owner.handle(.home(.offlineCopy(.written(.done))))
    owner.handle(.device(.used))
    let list = owner.driver
    var offline = owner
    offline.handle(.device(.shown))
    offline.loseServer()
    offline.handle(.device(.used))
    var card = list
    card.handle(.home(.itemPressed(.openProduct, item: "1")))
    var request = card
    request.press(.raiseRequest)
    request.handle(.page(.fieldEdited(.description, "It stays cold.")))
    var sending = request
    sending.press(.sendRequest)
    var transfer = card
    transfer.press(.transferOwnership)
    transfer.handle(.page(.fieldEdited(.receiver, "nina@example.com")))
    var confirmation = transfer
    confirmation.press(.continueTransfer)
    var transferring = confirmation
    transferring.press(.confirmTransfer)
    return [
      State(
        "loading products", ProductDriver.opening(.product),
        resumed.union(["network", "network changed", "refresh", "rows shown", "search"])),
      State("products", list, products.union(["open_product 1"])),
      State(
        "products without a network", offline.driver,
        products.union(["open_product 1"])),
      State(
        "a product", card,
        products.union(["back", "raise_request", "transfer_ownership"])),
      State(
        "a service request", request,
        products.union(["back", "description", "open_product 1", "send_request"])),
      State(
        "sending a service request", sending,
        products.subtracting(["place opened"])),
      State(
        "a transfer", transfer,
        products.union(["back", "continue_transfer", "open_product 1", "receiver"])),
      State(
        "confirming a transfer", confirmation,
        products.union(["back", "cancel", "confirm_transfer", "open_product 1"])),
      State(
        "transferring", transferring,
        products.subtracting(["place opened"])),
    ]
  }()

  /// The events that the console awaits on each of its pages.
  private static let console: Set<String> = ["refresh", "search", "status"]

  /// The events that a list which can be saved awaits, also beside an open account.
  private static let savable = console.union(["export_list"])

  /// The events of a log, which has other filters than the accounts.
  private static let log: Set<String> = [
    "export_list", "from", "kind", "new_account", "outcome", "client", "refresh", "search", "until",
  ]

  /// The events that the form with changed text awaits, also because the console asks whether the
  /// text may be discarded.
  private static let changedForm = savable.union([
    "back", "back 1", "console_tab", "console_tab 1", "new_account", "new_account 1",
    "open_account", "open_account 1", "open_value", "open_value 1", "policy_app",
  ])

  static let consoleStates: [State] = {
    var events = ConsoleDriver.listed(ConsoleDriver.entry("1"))
    events.press(.consoleTab, "events")
    var messages = events
    messages.press(.consoleTab, "messages")
    let card = ConsoleDriver.opened(ConsoleDriver.entry("1"))
    var asking = card
    asking.press(.accountAction, "deactivate")
    var acting = asking
    acting.handle(.page(.fieldEdited(.reason, "Left the company")))
    acting.press(.confirm)
    return [
      State(
        "loading the console", AppDriver<ConsoleHome>.opening(.console),
        resumed.union(["refresh", "search", "status"])),
      State(
        "accounts", console: .listed(ConsoleDriver.entry("1"), cursor: "next"),
        savable.union(["new_account", "open_account 1", "read_more"])),
      State("events", console: events, log.union(["open_account 1"])),
      State(
        "messages", console: messages,
        log.union(["open_account 1"])),
      State(
        "an account", console: card,
        savable.union(["back", "edit_account", "new_account", "open_account 1"])),
      State(
        "asking about an action", console: asking,
        savable.union(["cancel", "new_account", "open_account 1", "reason"])),
      State("acting", console: acting, savable),
    ] + consoleProductStates + editorStates + policyStates
  }()

  private static let consoleProductStates: [State] = {
    let card = ConsoleDriver.openedProduct()
    let asking = ConsoleDriver.transferring(to: "new@example.com")
    var sending = asking
    sending.press(.confirm)
    return [
      State(
        "a product in the console", console: card,
        console.union(["back", "new_account", "transfer_ownership"])),
      State(
        "asking about a transfer", console: asking,
        console.union(["cancel", "confirm", "receiver"])),
      State("transferring in the console", console: sending, console),
    ]
  }()

  private static let editorStates: [State] = {
    let editing = ConsoleDriver.editing(ConsoleDriver.entry("1", organizations: ["north"]))
    var changed = editing
    changed.fill((.name, "Tara Berg"))
    var saving = changed
    saving.press(.saveAccount)
    var leaving = changed
    leaving.press(.back)
    var creating = ConsoleDriver.creating()
    creating.fill((.role, "rider"), (.name, "Rani"), (.phone, "+4790000042"))
    var sending = creating
    sending.press(.saveAccount)
    return [
      State(
        "account editor", console: editing,
        savable.union([
          "back", "email", "name", "new_account", "open_account 1", "phone", "save_account",
        ])),
      State(
        "changed account", console: changed,
        changedForm.union(["email", "name", "phone", "save_account"])),
      State("saving an account", console: saving, savable),
      State("leaving a changed account", console: leaving, ["cancel", "confirm"]),
      State(
        "a new account", console: creating,
        changedForm.union(["email", "name", "phone", "save_account"])),
      State("creating an account", console: sending, savable),
    ]
  }()

  /// The events that the page of a policy awaits, also beside an open value.
  private static let policy: Set<String> = ["refresh", "search", "toggle_differing 1"]

  private static let policyStates: [State] = {
    let list = ConsoleDriver.policies()
    var page = list
    page.press(.openPolicy, "client-rider-app")
    page.answer(
      "/admin/clients/rider-app/policy", 200, ConsoleDriver.sheet(ConsoleDriver.failures))
    let editor = ConsoleDriver.editing()
    var asking = editor
    asking.save("9")
    var saving = asking
    saving.press(.confirm)
    return [
      State("policies", console: list, ["refresh"]),
      State("a policy", console: page, policy.union(["back", "back 1"])),
      State(
        "a value", console: editor,
        policy.union(["back", "back 1", "policy_value", "save_value"])),
      State("asking about a value", console: asking, policy.union(["cancel", "confirm"])),
      State("saving a value", console: saving, policy),
    ]
  }()
}

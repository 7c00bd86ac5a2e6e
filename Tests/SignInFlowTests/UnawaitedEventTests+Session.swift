import EngineTesting
import JSONText
import SignInModel
import SignInWire

@testable import SignInEngine
@testable import SignInFlow

extension UnawaitedEventTests {
  /// A stored session was read, and the device has answered whether it supports a lock.
  static let resumed: Set<String> = [
    "account_menu", "sign_out", "hidden", "where_signed_in", "request", "token",
    "switch_organization 1", "place opened",
  ]

  /// The session was just begun, so storage may refuse it, and a lock may be offered.
  static let begun = resumed.union(["refused", "changed", "lock possible"])

  /// The names of the events in which a person types or presses a button of a page.
  ///
  /// The language is a setting of the app, not of the session.
  private static let typed = Set(
    Event.samples.filter { if case .page = $0 { $0.name != "language" } else { false } }.map(\.name)
  )

  static let sessionStates: [State] = {
    let sessions = FlowDriver.atSessions()
    var ending = sessions
    ending.press(.endOtherSessions)
    let asking = ending
    ending.press(.confirm)
    var password = sessions
    password.press(.openPasswordChange)
    var changing = password
    changing.handle(.page(.fieldEdited(.currentPassword, "old words")))
    changing.handle(.page(.fieldEdited(.newPassword, "mossy stones")))
    changing.press(.savePassword)
    return lockStates + confirmationStates + updateStates + renewalStates + ownAccountStates + [
      State(
        "sessions", sessions,
        begun.union([
          "back", "end_other_sessions", "open_own_account", "open_password_change", "refresh",
        ])),
      State(
        "asking about sessions", asking,
        begun.union([
          "back", "cancel", "confirm", "open_own_account", "open_password_change", "refresh",
        ])),
      State(
        "ending sessions", ending,
        begun.union(["back", "open_own_account", "open_password_change", "refresh"])),
      State(
        "password change", password,
        begun.union(["back", "current_password", "new_password", "reveal", "save_password"])),
      State("changing the own password", changing, begun.union(["back", "reveal"])),
    ]
  }()

  private static let ownAccountStates: [State] = {
    var opening = FlowDriver.atSessions()
    opening.press(.openOwnAccount)
    let none = JSONMember("contact_changes", .array([]))
    var proving = opening
    proving.answer(200, .members([none]))
    var asking = proving
    asking.press(.eraseAccount)
    proving.handle(.page(.fieldEdited(.contact, "tara@example.org")))
    proving.press(.sendCode)
    let sent = ContactChangePrompt(session: Secret("handle"), prompt: proving.prompt())
    proving.answer(202, sent.json)
    var requested = opening
    let erasure = JSONMember("erasure", .members([JSONMember("due_at", 1_900_000_000)]))
    requested.answer(200, .members([none, erasure]))
    let form = begun.union([
      "back", "contact", "current_password", "name", "reveal", "save_account", "send_code",
    ])
    return [
      State("own account", opening, form.union(["erase_account"])),
      State("code to a new address", proving, form.union(["code", "erase_account", "verify"])),
      State("asking to erase the account", asking, form.union(["cancel", "confirm"])),
      State("erasure requested", requested, form.union(["keep_account"])),
    ]
  }()

  private static let lockStates: [State] = {
    var offered = FlowDriver.atJobs()
    offered.handle(.session(.lockSupportChecked(true)))
    var unlocked = FlowDriver.unlocked()
    unlocked.handle(.device(.used))
    var hidden = FlowDriver.atJobs()
    hidden.hide()
    return [
      State("locked app", FlowDriver.appLocked(), ["unlock", "use_another_way"]),
      State("unlocking", FlowDriver.unlocking(), ["use_another_way", "unlocked", "unlock failed"]),
      State(
        "lock offered", offered,
        resumed.union([
          "changed", "not_now", "network changed", "refresh", "refused", "set_lock", "shown",
          "stay_signed_in",
          "toggle_fold",
        ])),
      State(
        "setting a lock", FlowDriver.settingLock(),
        resumed.union([
          "changed", "lock refused", "lock set", "network changed", "refresh", "refused", "shown",
          "toggle_fold",
        ])),
      State(
        "unlocked", unlocked,
        resumed.union(["network changed", "refresh", "remove_lock", "shown", "toggle_fold"])),
      State("hidden", hidden, begun.union(["network changed", "refresh", "shown", "toggle_fold"])),
    ]
  }()

  private static let confirmationStates: [State] = {
    let claiming = FlowDriver.confirming()
    var calling = claiming
    let stored = FlowDriver.stored(1, expiresIn: 3600, unlock: "biometric")
    calling.handle(.storage(.renewalClaimed(.value(stored))))
    var offline = calling
    offline.fail(.unreachable)
    var reading = calling
    reading.answer(
      200,
      FlowDriver.tokens(
        2, expiresIn: 300, terms: FlowDriver.terms(of: "session-1", unlock: "biometric")
      ).json)
    reading.answer(200, FlowDriver.account.json)
    return [
      State("confirming", claiming, ["sign_out", "claimed", "used elsewhere"]),
      State("confirming by a renewal", calling, ["sign_out", "used elsewhere"]),
      State(
        "confirming without a network", offline,
        ["network", "sign_out", "try_again", "used elsewhere"]),
      State(
        "confirmed, reading storage", reading,
        ["sign_out", "storage", "try_again", "used elsewhere"]),
    ]
  }()

  private static let updateStates: [State] = {
    var update = AccountUpdate()
    update.notices = [AccountUpdate.Notice(id: "n-1", kind: "new_device", at: FlowDriver.startTime)]
    let body = JSON.object(
      [JSONMember("version", "v1"), JSONMember("session", FlowDriver.terms.json)] + update.members)
    var news = FlowDriver.signedIn()
    if let id = news.call(to: Endpoint.sessionEvents.path)?.id {
      news.handle(.answered(id, .received(status: 200, body: body, serverSeconds: nil)))
    }
    var replying = news
    replying.press(.dismissAccountUpdate)
    return [
      State("account update", news, begun.union(["dismiss_news", "place"])),
      State("replying to an account update", replying, begun.union(["place"])),
    ]
  }()

  private static let renewalStates: [State] = {
    var claiming = FlowDriver.atJobs()
    claiming.handle(.home(.itemPressed(.switchOrganization, item: "south")))
    var calling = claiming
    calling.handle(.storage(.renewalClaimed(.value(FlowDriver.stored(1, expiresIn: 300)))))
    var idle = FlowDriver.atJobs()
    idle.pass(seconds: 3560)
    return [
      State(
        "switching the organization", claiming,
        resumed.union([
          "claimed", "lock possible", "network changed", "refresh", "refused", "shown",
          "toggle_fold",
        ])),
      State(
        "renewing for an organization", calling,
        resumed.union([
          "claimed", "lock possible", "network changed", "refresh", "shown", "toggle_fold",
        ])),
      State(
        "idle warning", idle,
        begun.union(typed).union(["network changed", "shown", "used elsewhere"])),
    ]
  }()
}

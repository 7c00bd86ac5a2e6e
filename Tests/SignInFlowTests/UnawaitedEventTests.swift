import JSONText
import SignInModel
import Testing

@testable import SignInFlow

/// In every state, an unexpected event changes nothing and causes no effect.
@Suite struct UnawaitedEventTests {
  private static let events = Dictionary(
    Event.samples.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })

  private static let loadingJobs: Set<String> = [
    "account_menu", "sign_out", "refused", "changed", "hidden", "lock possible", "where_signed_in",
    "request", "token",
  ]

  /// A stored session was read, and the device has answered whether it supports a lock.
  private static let resumed = loadingJobs.subtracting(["refused", "changed", "lock possible"])

  private static let providerStates: [(name: String, driver: FlowDriver, awaited: Set<String>)] = [
    ("preparing a provider", .preparingProvider(), ["verifier", "cancel"]),
    ("requesting a provider", .requestingProvider(), ["cancel"]),
    ("storing a sign-in", .savingProvider(), ["saved", "cancel"]),
    ("at a provider", .atProvider(), ["shown", "cancel", "provider returned"]),
    ("redeeming for a provider", .redeemingProvider(), ["cancel"]),
    ("waiting to redeem", .waitingProvider(), ["try_again", "cancel", "provider returned"]),
  ]

  private static let homeStates: [(name: String, driver: FlowDriver, awaited: Set<String>)] = [
    ("loading jobs", .signedIn(), loadingJobs),
    ("jobs", .atJobs(), loadingJobs.union(["refresh", "shown"])),
    ("activities", .atActivities(), resumed.union(["refresh", "place", "shown"])),
    (
      "an activity", .atActivity(),
      resumed.union(["refresh", "back", "notes", "place", "shown"])
    ),
    ("loading the dashboard", .opening(.rider), resumed),
    (
      "loading products", .opening(.product),
      resumed.union(["refresh", "search", "rows shown", "network", "network changed"])
    ),
    ("loading the console", .opening(.console), resumed.union(["refresh", "search", "status"])),
    (
      "sessions", .atSessions(),
      loadingJobs.union(["refresh", "back", "end_other_sessions", "open_password_change"])
    ),
  ]

  private static let states: [(name: String, driver: FlowDriver, awaited: Set<String>)] = {
    var making = FlowDriver.typed()
    making.press(.login)
    var unreadable = FlowDriver.opened()
    unreadable.happen(.storage(.read(.temporarilyUnreadable)))
    var sending = FlowDriver.riderTyped()
    sending.press(.sendCode)
    return providerStates + homeStates + [
      ("number", .riderTyped(), ["phone", "send_code", "sign_up", "provider returned"]),
      ("signing up", .riderAtSignUp(), ["name", "phone", "register", "back"]),
      ("registering", .riderRegistering(), ["back"]),
      ("registered", .riderRegistered(), ["back"]),
      ("making a rider's verifier", sending, ["verifier", "cancel"]),
      ("sending", .riderSending(), ["cancel"]),
      ("rider's code", .riderAtCode(), ["code", "change_number", "verify", "hidden"]),
      ("checking a rider's code", .riderChecking(), ["change_number", "hidden"]),
      ("resending to a rider", .riderResending(), ["change_number", "hidden"]),
      ("redeeming for a rider", .riderRedeeming(), ["change_number", "hidden"]),
      ("rider locked", .riderLocked(), ["change_number"]),
      ("starting", FlowDriver(), ["started"]),
      ("reading storage", .opened(), ["storage"]),
      ("storage unreadable", unreadable, ["try_again", "sign_in_again"]),
      (
        "credentials", .typed(),
        ["email", "password", "reveal", "login", "forgot_password", "provider returned"]
      ),
      ("making a verifier", making, ["verifier", "cancel"]),
      ("submitting", .submitting(), ["cancel"]),
      ("code", .atCode(), ["code", "verify", "back", "hidden"]),
      ("checking", .checking(), ["back", "hidden"]),
      ("resending", .resending(), ["back", "hidden"]),
      ("redeeming", .redeeming(), ["back", "hidden"]),
      ("locked", .locked(), ["forgot_password", "use_another_account"]),
      ("reset", .atReset(), ["email", "send_code", "back"]),
      ("asking to reset", .askingToReset(), ["back"]),
      ("reset code", .atResetCode(), ["code", "new_password", "reveal", "verify", "back"]),
      ("changing the password", .changingPassword(), ["back"]),
      ("resending to reset", .resendingToReset(), ["back"]),
      ("locked for resets too", .lockedByReset(), ["use_another_account"]),
      ("locked app", .appLocked(), ["unlock", "use_another_way"]),
      ("unlocking", .unlocking(), ["use_another_way", "unlocked", "unlock failed"]),
      (
        "confirming", .confirming(), ["sign_out", "claimed", "used elsewhere", "hidden"]
      ),
    ]
  }()

  @Test("T-09 an unexpected event changes nothing", arguments: states.indices)
  func unawaited(_ index: Int) {
    let state = Self.states[index]
    for (name, event) in Self.events {
      var driver = state.driver
      let before = driver.flow.stage

      driver.happen(event)

      // A late claim is released, so that no other tab waits for it.
      let expected: [Effect] = name == "claimed" ? [.releaseRenewal] : []
      let isUnchanged =
        driver.flow.stage == before && driver.effects == expected
        && driver.flow.takeReplies().isEmpty
      #expect(isUnchanged != state.awaited.contains(name), "\(state.name): \(name)")
    }
  }
}

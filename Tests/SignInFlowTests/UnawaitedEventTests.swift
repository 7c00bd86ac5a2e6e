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

  /// A state of an app, and the events that it awaits.
  private struct State: Sendable {
    let name: String
    let awaited: Set<String>
    /// Whether the event changes nothing and causes no effects but the given ones.
    let ignores: @Sendable (Event, [Effect]) -> Bool

    init<Home>(_ name: String, _ driver: AppDriver<Home>, _ awaited: Set<String>) {
      self.name = name
      self.awaited = awaited
      ignores = { event, expected in
        var driver = driver
        let before = driver.flow.stage
        driver.happen(event)
        return driver.flow.stage == before && driver.effects == expected
          && driver.flow.takeReplies().isEmpty
      }
    }
  }

  private static let providerStates: [State] = [
    State("preparing a provider", MentorDriver.preparingProvider(), ["verifier", "cancel"]),
    State("requesting a provider", MentorDriver.requestingProvider(), ["cancel"]),
    State("storing a sign-in", MentorDriver.savingProvider(), ["saved", "cancel"]),
    State("at a provider", MentorDriver.atProvider(), ["shown", "cancel", "provider returned"]),
    State("redeeming for a provider", MentorDriver.redeemingProvider(), ["cancel"]),
    State(
      "waiting to redeem", MentorDriver.waitingProvider(),
      ["try_again", "cancel", "provider returned"]),
  ]

  private static let homeStates: [State] = [
    State("loading jobs", FlowDriver.signedIn(), loadingJobs),
    State("jobs", FlowDriver.atJobs(), loadingJobs.union(["refresh", "shown"])),
    State("activities", MentorDriver.atActivities(), resumed.union(["refresh", "place", "shown"])),
    State(
      "an activity", MentorDriver.atActivity(),
      resumed.union(["refresh", "back", "notes", "place", "shown"])
    ),
    State("loading the dashboard", RiderDriver.opening(.rider), resumed),
    State(
      "loading products", AppDriver<ProductsHome>.opening(.product),
      resumed.union(["refresh", "search", "rows shown", "network", "network changed"])
    ),
    State(
      "loading the console", AppDriver<ConsoleHome>.opening(.console),
      resumed.union(["refresh", "search", "status"])),
    State(
      "sessions", FlowDriver.atSessions(),
      loadingJobs.union(["refresh", "back", "end_other_sessions", "open_password_change"])
    ),
  ]

  private static let states: [State] = {
    var making = FlowDriver.typed()
    making.press(.login)
    var unreadable = FlowDriver.opened()
    unreadable.happen(.storage(.read(.temporarilyUnreadable)))
    var sending = RiderDriver.riderTyped()
    sending.press(.sendCode)
    return providerStates + homeStates + [
      State(
        "number", RiderDriver.riderTyped(), ["phone", "send_code", "sign_up", "provider returned"]),
      State("signing up", RiderDriver.riderAtSignUp(), ["name", "phone", "register", "back"]),
      State("registering", RiderDriver.riderRegistering(), ["back"]),
      State("registered", RiderDriver.riderRegistered(), ["back"]),
      State("making a rider's verifier", sending, ["verifier", "cancel"]),
      State("sending", RiderDriver.riderSending(), ["cancel"]),
      State(
        "rider's code", RiderDriver.riderAtCode(), ["code", "change_number", "verify", "hidden"]),
      State("checking a rider's code", RiderDriver.riderChecking(), ["change_number", "hidden"]),
      State("resending to a rider", RiderDriver.riderResending(), ["change_number", "hidden"]),
      State("redeeming for a rider", RiderDriver.riderRedeeming(), ["change_number", "hidden"]),
      State("rider locked", RiderDriver.riderLocked(), ["change_number"]),
      State("starting", FlowDriver(), ["started"]),
      State("reading storage", FlowDriver.opened(), ["storage"]),
      State("storage unreadable", unreadable, ["try_again", "sign_in_again"]),
      State(
        "credentials", FlowDriver.typed(),
        ["email", "password", "reveal", "login", "forgot_password", "provider returned"]
      ),
      State("making a verifier", making, ["verifier", "cancel"]),
      State("submitting", FlowDriver.submitting(), ["cancel"]),
      State("code", FlowDriver.atCode(), ["code", "verify", "back", "hidden"]),
      State("checking", FlowDriver.checking(), ["back", "hidden"]),
      State("resending", FlowDriver.resending(), ["back", "hidden"]),
      State("redeeming", FlowDriver.redeeming(), ["back", "hidden"]),
      State("locked", FlowDriver.locked(), ["forgot_password", "use_another_account"]),
      State("reset", FlowDriver.atReset(), ["email", "send_code", "back"]),
      State("asking to reset", FlowDriver.askingToReset(), ["back"]),
      State(
        "reset code", FlowDriver.atResetCode(),
        ["code", "new_password", "reveal", "verify", "back"]),
      State("changing the password", FlowDriver.changingPassword(), ["back"]),
      State("resending to reset", FlowDriver.resendingToReset(), ["back"]),
      State("locked for resets too", FlowDriver.lockedByReset(), ["use_another_account"]),
      State("locked app", FlowDriver.appLocked(), ["unlock", "use_another_way"]),
      State("unlocking", FlowDriver.unlocking(), ["use_another_way", "unlocked", "unlock failed"]),
      State(
        "confirming", FlowDriver.confirming(), ["sign_out", "claimed", "used elsewhere", "hidden"]
      ),
    ]
  }()

  @Test("T-09 an unexpected event changes nothing", arguments: states.indices)
  func unawaited(_ index: Int) {
    let state = Self.states[index]
    for (name, event) in Self.events {
      // A late claim is released, so that no other tab waits for it.
      let expected: [Effect] = name == "claimed" ? [.releaseRenewal] : []
      let isUnchanged = state.ignores(event, expected)
      #expect(isUnchanged != state.awaited.contains(name), "\(state.name): \(name)")
    }
  }
}

import EngineTesting
import JSONText
import SignInModel
import SignInWire
import Testing

@testable import SignInEngine
@testable import SignInFlow

/// In every state, an unexpected event changes nothing and causes no effect.
@Suite struct UnawaitedEventTests {
  /// A state of an app or of its home, and the events that it awaits.
  struct State: Sendable {
    let name: String
    let place: Place?
    /// Whether the app has pages, with buttons.
    let hasPages: Bool
    let awaited: Set<String>
    /// Whether the event changes nothing and causes no effect.
    let ignores: @Sendable (Event) -> Bool

    init<Home>(_ name: String, _ driver: AppDriver<Home>, _ awaited: Set<String>) {
      self.name = name
      self.awaited = awaited
      place = Place(driver)
      hasPages = Home.Page.self == PageEvent.self
      ignores = { event in
        var driver = driver
        let before = driver.flow.stage
        driver.handle(event)
        // A late claim is released, so that no other tab waits for it.
        let expected: [AppEffect<Home.Page>] =
          event.kind == .claimed ? [.engine(.releaseRenewal)] : []
        return driver.flow.stage == before && driver.output == expected
          && driver.flow.takeReplies().isEmpty
      }
    }

    /// A page of the console, where the person stays signed in.
    init(_ name: String, console driver: ConsoleDriver, _ awaited: Set<String>) {
      self.name = name
      self.awaited = awaited
      place = nil
      hasPages = true
      ignores = { event in
        var driver = driver
        let (home, asked) = (driver.home, driver.asked.count)
        driver.handle(event)
        return driver.home == home && driver.output.isEmpty && driver.asked.count == asked
      }
    }
  }

  static let states =
    signInStates + resetStates + riderStates + providerStates
    + sessionStates + homeStates + productStates + consoleStates

  @Test("T-09 an unexpected event changes nothing", arguments: states.indices)
  func unawaited(_ index: Int) {
    let state = Self.states[index]
    let awaited = Event.samples.filter { !state.ignores($0) }.map(\.name)

    #expect(Set(awaited) == state.awaited, "\(state.name)")
  }

  @Test("T-09 the states include every step of every sign-in")
  func everyPlace() {
    #expect(Set(Self.states.compactMap(\.place)) == Set(Place.allCases))
  }
}

/// The part of an app that awaits the next event.
enum Place: CaseIterable {
  case starting, readingStorage, storageUnreadable, locked, confirming, signedIn
  case credentials, submitting, code, technicianLocked, invitation
  case resetEmail, askingToReset, resetCode
  case number, sending, riderCode, riderLocked, details, registering, registered
  case registrationCode, registrationApproved
  case preparing, requesting, saving, inBrowser, redeeming, waiting, providerCode

  /// The compiler requires a place for a new step.
  init?<Home>(_ driver: AppDriver<Home>) {
    switch driver.flow.stage {
    case .starting: self = .starting
    case .readingStorage: self = .readingStorage
    case .storageUnreadable: self = .storageUnreadable
    case .locked: self = .locked
    case .confirming: self = .confirming
    case .signedIn: self = .signedIn
    case .signedOut:
      guard let place = driver.signIn.flatMap({ Place($0.step) }) else { return nil }
      self = place
    case .riderSignedOut:
      guard let place = driver.rider.flatMap({ Place($0.step) }) else { return nil }
      self = place
    case .atProvider(let signIn): self = Place(signIn.step)
    }
  }

  private init?(_ step: TechnicianSignIn.Step) {
    switch step {
    case .enteringCredentials: self = .credentials
    case .submittingCredentials: self = .submitting
    case .enteringCode: self = .code
    case .locked: self = .technicianLocked
    case .acceptingInvitation: self = .invitation
    case .resettingPassword(let reset):
      switch reset.step {
      case .enteringEmail: self = .resetEmail
      case .askingForCode: self = .askingToReset
      case .enteringCode: self = .resetCode
      }
    // The app opens the session in the same event.
    case .finished: return nil
    }
  }

  private init?(_ step: RiderSignIn.Step) {
    switch step {
    case .enteringNumber: self = .number
    case .sendingCode: self = .sending
    case .enteringCode: self = .riderCode
    case .locked: self = .riderLocked
    case .signingUp(let registration):
      switch registration.step {
      case .enteringDetails: self = .details
      case .sending: self = .registering
      case .enteringCode: self = .registrationCode
      case .sent: self = .registered
      case .approved: self = .registrationApproved
      }
    case .finished: return nil
    }
  }

  private init<Code>(_ step: ProviderSignIn<Code>.Step) {
    switch step {
    case .preparing: self = .preparing
    case .requesting: self = .requesting
    case .saving: self = .saving
    case .inBrowser: self = .inBrowser
    case .redeeming: self = .redeeming
    case .waiting: self = .waiting
    case .enteringCode: self = .providerCode
    }
  }
}

// MARK: - Signing in

extension UnawaitedEventTests {
  private static let signInStates: [State] = {
    var making = FlowDriver.typed()
    making.press(.login)
    var unreadable = FlowDriver.opened()
    unreadable.handle(.storage(.read(.temporarilyUnreadable)))
    return [
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
      State("locked", FlowDriver.locked(), ["forgot_password", "use_another_account", "lockouts"]),
      State(
        "invitation", FlowDriver.invited(), ["new_password", "reveal", "save_password", "back"]),
      State("accepting an invitation", FlowDriver.acceptingInvitation(), ["reveal", "back"]),
    ]
  }()

  private static let resetStates: [State] = [
    State("reset", FlowDriver.atReset(), ["email", "send_code", "back"]),
    State("asking to reset", FlowDriver.askingToReset(), ["back"]),
    State(
      "reset code", FlowDriver.atResetCode(), ["code", "new_password", "reveal", "verify", "back"]),
    State("changing the password", FlowDriver.changingPassword(), ["back"]),
    State("resending to reset", FlowDriver.resendingToReset(), ["back"]),
    State("locked for resets too", FlowDriver.lockedByReset(), ["use_another_account"]),
  ]

  private static let riderStates: [State] = {
    var making = RiderDriver.riderTyped()
    making.press(.sendCode)
    return [
      State(
        "number", RiderDriver.riderTyped(), ["phone", "send_code", "sign_up", "provider returned"]),
      State("signing up", RiderDriver.riderAtSignUp(), ["name", "phone", "register", "back"]),
      State("registering", RiderDriver.riderRegistering(), ["back"]),
      State("registered", RiderDriver.riderRegistered(), ["back"]),
      State(
        "code of a registration", RiderDriver.riderAtRegistrationCode(),
        ["code", "verify", "back"]),
      State("checking a registration", RiderDriver.riderProvingNumber(), ["back"]),
      State("approved", RiderDriver.riderApproved(), ["back"]),
      State("making a rider's verifier", making, ["verifier", "cancel"]),
      State("sending", RiderDriver.riderSending(), ["cancel"]),
      State(
        "rider's code", RiderDriver.riderAtCode(), ["code", "change_number", "verify", "hidden"]),
      State("checking a rider's code", RiderDriver.riderChecking(), ["change_number", "hidden"]),
      State("resending to a rider", RiderDriver.riderResending(), ["change_number", "hidden"]),
      State("redeeming for a rider", RiderDriver.riderRedeeming(), ["change_number", "hidden"]),
      State("rider locked", RiderDriver.riderLocked(), ["change_number", "lockouts"]),
    ]
  }()

  private static let providerStates: [State] = {
    var code = MentorDriver.redeemingProvider()
    code.sendCode()
    return [
      State("preparing a provider", MentorDriver.preparingProvider(), ["verifier", "cancel"]),
      State("requesting a provider", MentorDriver.requestingProvider(), ["cancel"]),
      State("storing a sign-in", MentorDriver.savingProvider(), ["saved", "cancel"]),
      State("at a provider", MentorDriver.atProvider(), ["shown", "cancel", "provider returned"]),
      State("redeeming for a provider", MentorDriver.redeemingProvider(), ["cancel"]),
      State(
        "waiting to redeem", MentorDriver.waitingProvider(),
        ["try_again", "cancel", "provider returned"]),
      State("code after a provider", code, ["code", "verify", "back", "cancel", "hidden"]),
    ]
  }()
}

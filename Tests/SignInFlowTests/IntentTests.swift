import JSONText
import SignInModel
import SignInWire
import Testing

@testable import SignInEngine
@testable import SignInFlow

/// The intents of an app with its own screens: each has one result.
@Suite struct IntentTests {
  private static let phone = PhoneNumber(typed: "+919812345678")
  private static let address = EmailAddress(typed: "tech@example.com")
  private static let name = PersonName(typed: "Asha Rao")

  /// Each intent of a person who is not signed in.
  static let signInIntents: [SignInIntent] = {
    guard let phone, let address, let name else { return [] }
    return [
      .enterPassword(address, Secret("demo-Technician-1")), .sendCode(to: phone),
      .openProvider("bankid"), .findProvider(of: address), .returnFromProvider(Secret("q")),
      .submitCode(Secret("123456")), .resendCode, .requestPasswordReset(of: address),
      .setPassword(Secret("mossy stones"), code: Secret("123456")), .register(name, phone), .cancel,
    ]
  }()

  // MARK: Every state

  @Test("P-06 an app with forms ignores the intents of a sign-in in every state")
  func forms() {
    for state in UnawaitedEventTests.states where state.place != nil {
      for intent in Self.signInIntents {
        let isIgnored = state.ignores(.intent(.signIn(intent, ticket: nil)))
        #expect(isIgnored, "\(state.name): \(intent)")
      }
    }
  }

  @Test("P-06 an intent has the same effect as its button in every state")
  func buttons() {
    let pairs: [(SessionIntent, String)] = [
      (.unlock, "unlock"), (.signInInstead, "use_another_way"), (.setLock, "set_lock"),
      (.removeLock, "remove_lock"), (.staySignedIn, "stay_signed_in"), (.signOut, "sign_out"),
      (.switchOrganization(OrganizationID("1")), "switch_organization 1"),
    ]
    for state in UnawaitedEventTests.states where state.place != nil && state.hasPages {
      for (intent, button) in pairs {
        let isIgnored = state.ignores(.intent(.session(intent)))
        #expect(isIgnored != state.awaited.contains(button), "\(state.name): \(button)")
      }
      let isRetried = state.place == .storageUnreadable || state.place == .confirming
      let ignoresRetry = state.ignores(.intent(.session(.tryAgain)))
      // Any intent counts as use, which ends a warning about an idle session.
      let isWarning = state.awaited.contains("stay_signed_in")
      #expect(ignoresRetry || isRetried || isWarning, "\(state.name)")
    }
  }

  @Test("P-06 where no sign-in is possible, each intent is refused", arguments: signInIntents)
  func notPossible(_ intent: SignInIntent) {
    var starting = IntentDriver()
    starting.want(intent, ticket: 4)
    #expect(starting.results == [4: .refused(.notPossible)])

    var signedIn = IntentDriver.signedIn()
    signedIn.want(intent, ticket: 4)
    #expect(signedIn.results == [4: .refused(.notPossible)])
  }

  @Test("P-06 without a code, an intent about a code is refused")
  func noCode() {
    for intent in [
      SignInIntent.submitCode(Secret("123456")), .resendCode,
      .setPassword(Secret("mossy"), code: Secret("123456")),
    ] {
      var driver = IntentDriver.signedOut()
      driver.want(intent, ticket: 4)
      #expect(driver.results == [4: .refused(.notPossible)], "\(intent)")
    }
  }

  // MARK: Signing in

  @Test("T-01 P-06 a password and a code sign in, and each intent has one result")
  func password() {
    var driver = IntentDriver.signedOut()
    driver.enterPassword(ticket: 1)
    #expect(driver.results.isEmpty)
    driver.sendCode()
    #expect(driver.results == [1: .succeeded])

    driver.want(.submitCode(Secret("12 34 56")), ticket: 2)
    driver.answer(200, .members([JSONMember("authorization_code", "code-1")]))
    #expect(driver.results.isEmpty)
    driver.answer(200, IntentDriver.tokens(1, expiresIn: 300).json)

    #expect(driver.results == [2: .succeeded])
    #expect(driver.signedIn != nil)
  }

  @Test("T-06 P-06 each failure of a code has its own result")
  func codes() {
    var driver = IntentDriver.atCode()
    driver.want(.submitCode(Secret("123")), ticket: 2)
    #expect(driver.results == [2: .refused(.codeIncomplete(digits: 6))])

    driver.want(.submitCode(Secret("123456")), ticket: 3)
    driver.refuse(.invalidOTP) { $0.attemptsLeft = 2 }
    #expect(driver.results == [3: .refused(.codeRefused(attemptsLeft: 2))])

    driver.want(.submitCode(Secret("123456")), ticket: 4)
    driver.fail()
    #expect(driver.results == [4: .refused(.notice(.noConnection))])

    driver.want(.submitCode(Secret("123456")), ticket: 5)
    driver.refuse(.invalidOTP) { $0.attemptsLeft = 0 }
    #expect(driver.results == [5: .refused(.notice(.codeRefused))])
    #expect(driver.intents?.isAtStart == true)
  }

  @Test("T-06 P-06 another code is refused before its time and sent after it")
  func resend() throws {
    var driver = IntentDriver.atCode()
    let resendAt = try #require(driver.intents?.verification?.prompt.resendAt)
    driver.want(.resendCode, ticket: 2)
    #expect(driver.results == [2: .refused(.notice(.codeTooSoon(until: resendAt)))])

    driver.pass(seconds: 60)
    driver.want(.resendCode, ticket: 3)
    let resending = driver
    driver.want(.submitCode(Secret("123456")), ticket: 4)
    #expect(driver.effects.isEmpty)
    #expect(driver.results == [4: .refused(.notPossible)])

    driver = resending
    driver.sendCode()
    #expect(driver.results == [3: .succeeded])
  }

  @Test("T-04 T-05 P-06 a known lockout is the result, without a request")
  func lockout() {
    var driver = IntentDriver.signedOut()
    driver.enterPassword(ticket: 1)
    driver.lock(minutes: 15)
    let until = driver.serverNow.adding(seconds: 900)
    #expect(driver.results == [1: .refused(.locked(until: until))])
    #expect(driver.intents?.lockedUntil == until)

    driver.want(.enterPassword(driver.address, Secret("demo-Technician-1")), ticket: 2)
    #expect(driver.effects.isEmpty)
    #expect(driver.results == [2: .refused(.locked(until: until))])
  }

  @Test("P-06 another sign-in cancels the one in progress")
  func cancelled() {
    var driver = IntentDriver.signedOut()
    driver.enterPassword(ticket: 1)
    driver.enterPassword(ticket: 2)
    #expect(driver.results == [1: .refused(.cancelled)])
    driver.refuse(.invalidCredentials) { _ in }

    #expect(driver.results == [2: .refused(.notice(.invalidCredentials))])
  }

  @Test("R-05 P-06 a code that was sent before can still be entered")
  func earlierCode() throws {
    var driver = IntentDriver.signedOut(app: .phoneApp)
    let phone = try #require(Self.phone)
    driver.sendCode(to: phone, ticket: 1)
    driver.sendCode()
    #expect(driver.results == [1: .succeeded])

    driver.sendCode(to: phone, ticket: 2)
    driver.refuse(.resendTooSoon) { $0.retryIn = 45 }
    let reason = Notice.codeTooSoon(until: driver.serverNow.adding(seconds: 45))
    #expect(driver.results == [2: .refused(.notice(reason))])
    driver.want(.submitCode(Secret("123456")), ticket: 3)

    #expect(driver.lastCall?.call.form?["otp"] == "123456")
  }

  // MARK: Resets and registrations

  @Test("T-11 P-06 a reset tells why a password is refused, and when it takes effect")
  func reset() {
    var driver = IntentDriver.signedOut()
    driver.want(.requestPasswordReset(of: driver.address), ticket: 1)
    driver.sendResetCode()
    #expect(driver.results == [1: .succeeded])
    #expect(driver.intents?.resetVerification != nil)

    driver.want(.setPassword(Secret("password"), code: Secret("123456")), ticket: 2)
    driver.refuse(.passwordTooCommon) { _ in }
    #expect(driver.results == [2: .refused(.passwordRefused(.tooCommon))])

    driver.want(.setPassword(Secret("mossy stones"), code: Secret("12")), ticket: 3)
    #expect(driver.results == [3: .refused(.codeIncomplete(digits: 6))])

    driver.want(.setPassword(Secret("mossy stones"), code: Secret("123456")), ticket: 4)
    driver.answer(200, .members([]))
    #expect(driver.results == [4: .passwordSet(from: nil)])
    #expect(driver.intents?.resetVerification == nil)
  }

  @Test("T-11 P-06 a lockout of a reset is the result")
  func resetLockout() {
    var driver = IntentDriver.signedOut()
    driver.want(.requestPasswordReset(of: driver.address), ticket: 1)
    driver.lock(minutes: 15)

    let until = driver.serverNow.adding(seconds: 900)
    #expect(driver.results == [1: .refused(.locked(until: until))])
  }

  @Test("R-11 P-06 a registration succeeds, or its country is refused")
  func registration() throws {
    var driver = IntentDriver.signedOut(app: .phoneApp)
    let (name, phone) = (try #require(Self.name), try #require(Self.phone))
    driver.want(.register(name, phone), ticket: 1)
    driver.refuse(.invalidRequest) { _ in }
    #expect(driver.results == [1: .refused(.countryRefused)])

    driver.want(.register(name, phone), ticket: 2)
    driver.answer(202, .members([JSONMember("status", "pending")]))
    #expect(driver.results == [2: .succeeded])
  }

  // MARK: Providers

  @Test("P-02 P-06 a sign-in at a provider needs a browser, and another intent leaves it")
  func provider() {
    var driver = IntentDriver.signedOut()
    driver.want(.openProvider("bankid"), ticket: 1)
    driver.happen(.signIn(.verifierMade(verifier: Secret("verifier"), challenge: "challenge")))
    driver.redirectToWeb()
    driver.happen(.storage(.pendingSignInSaved(true)))
    #expect(driver.results == [1: .succeeded])
    #expect(driver.providerSignIn?.isAway == true)

    driver.enterPassword(ticket: 2)
    #expect(driver.providerSignIn == nil)
    driver.sendCode()
    #expect(driver.results == [2: .succeeded])
  }

  @Test("P-02 P-06 an address without a provider needs a password")
  func noProvider() {
    var driver = IntentDriver.signedOut()
    driver.want(.findProvider(of: driver.address), ticket: 1)
    driver.happen(.signIn(.verifierMade(verifier: Secret("verifier"), challenge: "challenge")))
    driver.refuse(.invalidRequest) { _ in }

    #expect(driver.results == [1: .refused(.notice(.invalidCredentials))])
  }

  @Test("P-02 P-06 the query of an unknown sign-in is refused")
  func unknownReturn() {
    var driver = IntentDriver.signedOut()
    driver.want(.returnFromProvider(Secret("code=1&state=2")), ticket: 1)

    #expect(driver.results == [1: .refused(.notice(.atProvider(.unknown)))])
  }
}

/// An app with its own screens.
typealias IntentDriver = AppDriver<NoHome>

extension AppProfile {
  static let phoneApp = AppProfile(
    clientID: "drivers-app", signInKind: .phoneCode, scope: "openid offline_access")
}

extension IntentDriver {
  static func signedOut(
    app: AppProfile = AppProfile(
      clientID: "orders-app", signInKind: .passwordAndCode, scope: "openid orders")
  ) -> IntentDriver {
    var driver = IntentDriver()
    driver.happen(.started(utcOffsetSeconds: 0, app: app))
    driver.happen(.storage(.read(.absent)))
    return driver
  }

  static func atCode() -> IntentDriver {
    var driver = signedOut()
    driver.enterPassword()
    driver.sendCode()
    return driver
  }

  static func signedIn() -> IntentDriver {
    var driver = atCode()
    driver.want(.submitCode(Secret("123456")))
    driver.answer(200, .members([JSONMember("authorization_code", "code-1")]))
    driver.answer(200, tokens(1, expiresIn: 300).json)
    return driver
  }

  var intents: IntentSignIn? {
    switch flow.stage {
    case .signedOut(let signIn), .riderSignedOut(let signIn): signIn
    case .starting, .readingStorage, .storageUnreadable, .signedIn, .atProvider, .locked,
      .confirming:
      nil
    }
  }

  /// The results that were not read yet, by their ticket.
  var results: [Int64: IntentResult] {
    mutating get {
      var results: [Int64: IntentResult] = [:]
      for reply in flow.takeReplies() {
        if case .result(let result) = reply.content { results[reply.ticket] = result }
      }
      return results
    }
  }

  var address: EmailAddress {
    guard let address = EmailAddress(typed: "tech@example.com") else { preconditionFailure() }
    return address
  }

  mutating func want(_ intent: SignInIntent, ticket: Int64? = nil) {
    happen(.intent(.signIn(intent, ticket: ticket)))
  }

  mutating func enterPassword(ticket: Int64? = nil) {
    want(.enterPassword(address, Secret("demo-Technician-1")), ticket: ticket)
    happen(.signIn(.verifierMade(verifier: Secret("verifier"), challenge: "challenge")))
  }

  mutating func sendCode(to phone: PhoneNumber, ticket: Int64? = nil) {
    want(.sendCode(to: phone), ticket: ticket)
    happen(.signIn(.verifierMade(verifier: Secret("verifier"), challenge: "challenge")))
  }
}

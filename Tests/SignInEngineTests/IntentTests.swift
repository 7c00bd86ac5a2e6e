import EngineTesting
import JSONText
import SignInModel
import SignInWire
import Testing

@testable import SignInEngine

/// The intents of an app with its own screens: each has one result.
@Suite struct IntentTests {
  private static let phone = PhoneNumber(typed: "+919812345678")
  private static let name = PersonName(typed: "Asha Rao")

  /// Each intent of a person who is not signed in.
  static let signInIntents: [SignInIntent] = {
    guard let phone, let name else { preconditionFailure("The number and the name are valid.") }
    return [
      .enterPassword(EngineDriver.address, Secret("demo-Technician-1")), .sendCode(to: phone),
      .openProvider("bankid"), .findProvider(of: EngineDriver.address),
      .returnFromProvider(Secret("q")),
      .submitCode(Secret("123456")), .resendCode, .requestPasswordReset(of: EngineDriver.address),
      .setPassword(Secret("mossy stones"), code: Secret("123456")), .register(name, phone), .cancel,
    ]
  }()

  // MARK: Intents that are refused

  /// Each stage in which no sign-in is possible.
  static let stagesWithoutSignIn: [(name: String, driver: EngineDriver)] = [
    ("starting", EngineDriver()), ("reading storage", .opened()),
    ("storage unreadable", .opened(.temporarilyUnreadable)), ("signed in", .signedIn()),
    ("locked", .appLocked()), ("confirming", .confirming()),
  ]

  @Test("P-06 where no sign-in is possible, each intent is refused", arguments: signInIntents)
  func notPossible(_ intent: SignInIntent) {
    for (name, driver) in Self.stagesWithoutSignIn {
      var driver = driver
      let before = driver.flow.stage
      driver.send(intent, ticket: 4)
      #expect(driver.takeResults() == [4: .refused(.notPossible)], "\(name)")
      #expect(driver.flow.stage == before, "\(name)")
    }
  }

  @Test("P-06 without a code, an intent about a code is refused")
  func noCode() {
    for intent in [
      SignInIntent.submitCode(Secret("123456")), .resendCode,
      .setPassword(Secret("mossy"), code: Secret("123456")),
    ] {
      var driver = EngineDriver.signedOut()
      driver.send(intent, ticket: 4)
      #expect(driver.takeResults() == [4: .refused(.notPossible)], "\(intent)")
    }
  }

  // MARK: Signing in

  @Test("T-01 P-06 a password and a code sign in, and each intent has one result")
  func password() {
    var driver = EngineDriver.signedOut()
    driver.signIn(ticket: 1)
    #expect(driver.takeResults().isEmpty)
    driver.sendCode()
    #expect(driver.takeResults() == [1: .succeeded])

    driver.submit(code: "12 34 56", ticket: 2)
    driver.answer(200, .members([JSONMember("authorization_code", "code-1")]))
    #expect(driver.takeResults().isEmpty)
    driver.answer(200, EngineDriver.tokens(1, expiresIn: 300).json)

    #expect(driver.takeResults() == [2: .succeeded])
    #expect(driver.signedIn != nil)
  }

  @Test("T-06 P-06 each failure of a code has its own result")
  func codes() {
    var driver = EngineDriver.atCode()
    driver.submit(code: "123", ticket: 2)
    #expect(driver.takeResults() == [2: .refused(.codeIncomplete(digits: 6))])

    driver.submit(code: "123456", ticket: 3)
    driver.refuse(.invalidOTP) { $0.attemptsLeft = 2 }
    #expect(driver.takeResults() == [3: .refused(.codeRefused(attemptsLeft: 2))])

    driver.submit(code: "123456", ticket: 4)
    driver.fail()
    #expect(driver.takeResults() == [4: .refused(.notice(.noConnection))])

    driver.submit(code: "123456", ticket: 5)
    driver.refuse(.invalidOTP) { $0.attemptsLeft = 0 }
    #expect(driver.takeResults() == [5: .refused(.notice(.codeRefused))])
    #expect(driver.signedOut?.isAtStart == true)
  }

  @Test("T-06 P-06 another code is refused before its time and sent after it")
  func resend() throws {
    var driver = EngineDriver.atCode()
    let resendAt = try #require(driver.signedOut?.verification?.prompt.resendAt)
    driver.resend(ticket: 2)
    #expect(driver.takeResults() == [2: .refused(.notice(.codeTooSoon(until: resendAt)))])

    driver.pass(seconds: 60)
    driver.resend(ticket: 3)
    let resending = driver
    driver.submit(code: "123456", ticket: 4)
    #expect(driver.effects.isEmpty)
    #expect(driver.takeResults() == [4: .refused(.notPossible)])

    driver = resending
    driver.sendCode()
    #expect(driver.takeResults() == [3: .succeeded])
  }

  @Test("T-04 T-05 P-06 a known lockout is the result, without a request")
  func lockout() {
    var driver = EngineDriver.signedOut()
    driver.signIn(ticket: 1)
    driver.lockOut(minutes: 15)
    let until = driver.serverNow.adding(seconds: 900)
    #expect(driver.takeResults() == [1: .refused(.locked(until: until))])
    #expect(driver.signedOut?.lockedUntil == until)

    driver.send(.enterPassword(EngineDriver.address, Secret("demo-Technician-1")), ticket: 2)
    // The shell reads the known lockouts with this effect.
    #expect(driver.effects == [.makeVerifier])
    driver.makeVerifier()
    #expect(driver.effects.isEmpty)
    #expect(driver.takeResults() == [2: .refused(.locked(until: until))])
  }

  @Test("P-06 another sign-in cancels the one in progress")
  func cancelled() {
    var driver = EngineDriver.signedOut()
    driver.signIn(ticket: 1)
    driver.signIn(ticket: 2)
    #expect(driver.takeResults() == [1: .refused(.cancelled)])
    driver.refuse(.invalidCredentials) { _ in }

    #expect(driver.takeResults() == [2: .refused(.notice(.invalidCredentials))])
  }

  @Test("R-05 P-06 a code that was sent before can still be entered")
  func earlierCode() throws {
    var driver = EngineDriver.signedOut(EngineDriver.phoneApp)
    let phone = try #require(Self.phone)
    driver.sendCode(to: phone, ticket: 1)
    driver.sendCode()
    #expect(driver.takeResults() == [1: .succeeded])

    driver.sendCode(to: phone, ticket: 2)
    driver.refuse(.resendTooSoon) { $0.retryIn = 45 }
    let reason = Notice.codeTooSoon(until: driver.serverNow.adding(seconds: 45))
    #expect(driver.takeResults() == [2: .refused(.notice(reason))])
    driver.submit(code: "123456", ticket: 3)

    #expect(driver.lastCall?.call.form?["otp"] == "123456")
  }

  @Test("T-15 the first request of a technician and of a rider asks for their language")
  func language() throws {
    for app in AppName.allCases {
      var driver = EngineDriver()
      driver.handle(
        .started(
          utcOffsetSeconds: 0, app: AppProfile(app), locale: LocalePreferences(listed: ["hi-IN"])))
      driver.handle(.storage(.read(.absent)))
      if app == .rider {
        driver.sendCode(to: try #require(Self.phone))
      } else {
        driver.signIn()
      }

      let call = try #require(driver.call(to: Endpoint.challenge.path)?.call)
      #expect(call.form?["ui_locales"] == "hi-IN hi")
    }
  }

  // MARK: Resets and registrations

  @Test("T-11 P-06 a reset tells why a password is refused, and when it takes effect")
  func reset() {
    var driver = EngineDriver.signedOut()
    driver.send(.requestPasswordReset(of: EngineDriver.address), ticket: 1)
    driver.sendResetCode()
    #expect(driver.takeResults() == [1: .succeeded])
    #expect(driver.signedOut?.resetVerification != nil)

    driver.send(.setPassword(Secret("password"), code: Secret("123456")), ticket: 2)
    driver.refuse(.passwordTooCommon) { _ in }
    #expect(driver.takeResults() == [2: .refused(.passwordRefused(.tooCommon))])

    driver.send(.setPassword(Secret("mossy stones"), code: Secret("12")), ticket: 3)
    #expect(driver.takeResults() == [3: .refused(.codeIncomplete(digits: 6))])

    driver.send(.setPassword(Secret("mossy stones"), code: Secret("123456")), ticket: 4)
    driver.answer(200, .members([]))
    #expect(driver.takeResults() == [4: .passwordSet(from: nil)])
    #expect(driver.signedOut?.resetVerification == nil)
  }

  @Test("T-11 P-06 a lockout of a reset is the result")
  func resetLockout() {
    var driver = EngineDriver.signedOut()
    driver.send(.requestPasswordReset(of: EngineDriver.address), ticket: 1)
    driver.lockOut(minutes: 15)

    let until = driver.serverNow.adding(seconds: 900)
    #expect(driver.takeResults() == [1: .refused(.locked(until: until))])
  }

  @Test("R-06 P-06 an earlier code is reported, and the newer one can still be entered")
  func supersededCode() {
    var driver = EngineDriver.resending()
    driver.sendCode()
    driver.submit(code: "123456", ticket: 1)
    driver.refuse(.otpExpired) { $0.superseded = .byNewerCode }
    #expect(driver.takeResults() == [1: .refused(.codeSuperseded)])
    #expect(driver.code != nil)

    driver.submit(code: "123456", ticket: 2)
    driver.refuse(.otpExpired) {
      $0.superseded = .byAnotherDevice
      $0.reason = SupersededCode.anotherDevice
    }
    #expect(driver.takeResults() == [2: .refused(.codeExpired)])
  }

  @Test("R-11 P-06 a registration succeeds, or its country is refused")
  func registration() throws {
    var driver = EngineDriver.signedOut(EngineDriver.phoneApp)
    let (name, phone) = (try #require(Self.name), try #require(Self.phone))
    driver.send(.register(name, phone), ticket: 1)
    driver.refuse(.invalidRequest) { _ in }
    #expect(driver.takeResults() == [1: .refused(.countryRefused)])

    driver.send(.register(name, phone), ticket: 2)
    driver.answer(202, .members([JSONMember("status", "pending")]))
    #expect(driver.takeResults() == [2: .registered(.waitsForApproval)])
  }

  @Test("R-11 P-06 a code proves the number of a registration, and a later code has a result too")
  func registrationWithCode() throws {
    var driver = EngineDriver.signedOut(EngineDriver.phoneApp)
    let (name, phone) = (try #require(Self.name), try #require(Self.phone))
    driver.send(.register(name, phone), ticket: 1)
    let sent = RegistrationAnswer.codeSent(session: Secret("registration-1"), driver.prompt())
    driver.answer(202, sent.json)
    #expect(driver.takeResults() == [1: .registered(.codeSent)])

    driver.submit(code: "111111", ticket: 2)
    driver.refuse(.invalidOTP) { $0.attemptsLeft = 4 }
    #expect(driver.takeResults() == [2: .refused(.codeRefused(attemptsLeft: 4))])

    driver.submit(code: "123456", ticket: 3)
    driver.answer(200, RegistrationAnswer.settled(.active).json)
    #expect(driver.takeResults() == [3: .registered(.approved)])

    driver.submit(code: "123456", ticket: 4)
    #expect(driver.takeResults() == [4: .refused(.notPossible)])
  }

  // MARK: Providers

  @Test("P-02 P-06 a sign-in at a provider needs a browser, and another intent leaves it")
  func provider() {
    var driver = EngineDriver.signedOut()
    driver.send(.openProvider("bankid"), ticket: 1)
    driver.makeVerifier()
    driver.redirectToWeb()
    driver.handle(.storage(.pendingSignInSaved(true)))
    #expect(driver.takeResults() == [1: .succeeded])
    #expect(driver.providerSignIn?.isAway == true)

    driver.signIn(ticket: 2)
    #expect(driver.providerSignIn == nil)
    driver.sendCode()
    #expect(driver.takeResults() == [2: .succeeded])
  }

  @Test("P-02 P-06 an address without a provider needs a password")
  func noProvider() {
    var driver = EngineDriver.signedOut()
    driver.send(.findProvider(of: EngineDriver.address), ticket: 1)
    driver.makeVerifier()
    driver.refuse(.invalidRequest) { _ in }

    #expect(driver.takeResults() == [1: .refused(.passwordNeeded)])
    driver.signIn(ticket: 2)
    driver.refuse(.invalidCredentials) { _ in }
    #expect(driver.takeResults() == [2: .refused(.notice(.invalidCredentials))])
  }

  @Test("L-27 cancelling leaves an open browser and forgets the stored sign-in")
  func cancelInBrowser() throws {
    for comesBack in [false, true] {
      var driver = EngineDriver.signedOut()
      driver.send(.openProvider("bankid"), ticket: 1)
      driver.makeVerifier()
      driver.redirectToWeb()
      let state = try #require(driver.storedSignIn().flatMap { PendingProviderSignIn($0) }).state
      driver.handle(.storage(.pendingSignInSaved(true)))
      // The app shows the form again, and the result of the browser could still arrive.
      if comesBack { driver.show() }

      driver.send(.cancel)

      #expect(driver.effects.contains(.erasePendingSignIn))
      #expect(driver.signedOut?.isAtStart == true)
      driver.send(.returnFromProvider(Secret("code=1&state=\(state)")), ticket: 2)
      _ = driver.takeResults()
      #expect(driver.lastCall == nil && driver.providerSignIn == nil)
    }
  }

  @Test("P-02 P-06 the query of an unknown sign-in is refused")
  func unknownReturn() {
    var driver = EngineDriver.signedOut()
    driver.send(.returnFromProvider(Secret("code=1&state=2")), ticket: 1)

    #expect(driver.takeResults() == [1: .refused(.notice(.atProvider(.unknown)))])
  }
}

extension PendingProviderSignIn {
  fileprivate init?(_ text: Secret) { self.init(text: text.revealed) }
}

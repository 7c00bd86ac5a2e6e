import EngineTesting
import SignInModel
import Testing

@testable import SignInEngine
@testable import SignInFlow
@testable import SignInWire

/// How the code screen learns the state of its message, and how often it asks.
@Suite struct DeliveryTests {
  @Test("R-12 the screen asks soon, then less and less often, and at most ten times")
  func asksLessOften() {
    var driver = FlowDriver.atCode()

    let moments = driver.questions(seconds: 290) { $0.deliver(.sent) }

    #expect(moments == [2, 5, 10, 18, 31, 52, 86, 141, 196, 251])
  }

  @Test("L-25 unanswered status requests count like answered ones")
  func lostAnswers() {
    var driver = FlowDriver.atCode()

    let moments = driver.questions(seconds: 290) { $0.fail(.timedOut) }

    #expect(moments.count == DeliveryWatch.restsSeconds.count)
    #expect(driver.entry?.notice == nil)
    #expect(driver.delivery?.status == .overdue)
  }

  @Test("R-12 no status request is sent for a code that is too old, to the second")
  func expired() {
    for (seconds, asks): (Int64, Bool) in [(299, true), (300, false), (301, false)] {
      var driver = FlowDriver.atCode()
      driver.pass(seconds: seconds)
      #expect(driver.isCalling == asks, "\(seconds)")
    }
  }

  @Test("R-12 one status request at a time, in the sign-in to which the code was sent")
  func oneAtATime() throws {
    var driver = FlowDriver.atCode()

    driver.pass(seconds: 2)
    let call = try #require(driver.lastCall).call
    #expect(call.path == Endpoint.challenge.path)
    #expect(call.form?["auth_session"] == "session-1")
    #expect(call.form?["status"] == "true")
    #expect(call.timeoutSeconds == DeliveryWatch.timeoutSeconds)
    for _ in 0..<9 {
      driver.pass(seconds: 1)
      #expect(!driver.isCalling)
    }
  }

  @Test(
    "R-12 delivered or failed messages are announced, and the status requests end",
    arguments: [
      (CodePrompt.Delivery.delivered, DeliveryUpdate.State.delivered), (.failed, .failed),
    ])
  func settled(_ told: CodePrompt.Delivery, _ status: DeliveryUpdate.State) {
    var driver = FlowDriver.atCode()
    driver.pass(seconds: 2)

    driver.deliver(told)

    #expect(driver.announcements == [.delivery(DeliveryUpdate(status: status, isCall: false))])
    #expect(driver.delivery?.status == status)
    #expect(driver.questions(seconds: 200) { $0.deliver(.sent) } == [])
  }

  @Test("R-12 a delay is announced once, and the sent state is not announced again")
  func delayed() {
    var driver = FlowDriver.atCode()
    driver.pass(seconds: 2)
    driver.deliver(.sent)
    #expect(driver.announcements == [])
    driver.pass(seconds: 3)
    driver.deliver(.delayed)
    #expect(driver.announcements.count == 1)

    driver.pass(seconds: 5)
    driver.deliver(.delayed)

    #expect(driver.announcements == [])
    #expect(driver.delivery?.status == .delayed)
  }

  @Test("R-12 after a failed delivery another code may be requested at once")
  func failedOpensResend() {
    var driver = FlowDriver.atCode()
    driver.pass(seconds: 2)

    driver.deliver(.failed, resendIn: 0)
    #expect(driver.entry?.canResend(at: driver.flow.context.now) == true)
    driver.press(.resend)

    #expect(driver.lastCall?.call.form?["resend"] == "true")
  }

  @Test("L-11 the screen says so when a code for another device replaced this one")
  func replaced() {
    var driver = FlowDriver.atCode()
    driver.handle(.page(.fieldEdited(.code, "123")))
    driver.pass(seconds: 2)
    let resendAt = driver.flow.context.now.adding(seconds: 40)

    driver.refuse(.otpExpired) {
      $0.resendAt = resendAt
      $0.superseded = .byAnotherDevice
      $0.reason = SupersededCode.anotherDevice
    }

    #expect(driver.announcements == [.codeReplaced])
    #expect(driver.entry?.fault == .replaced)
    #expect(driver.entry?.text == "")
    #expect(driver.entry?.prompt.resendAt == resendAt)
    #expect(driver.questions(seconds: 60) { $0.deliver(.sent) } == [])
  }

  @Test("R-12 a hidden screen asks nothing, and shows the state at once when it returns")
  func hidden() throws {
    var driver = FlowDriver.atCode()
    driver.pass(seconds: 2)
    let question = try #require(driver.lastCall).id

    driver.handle(.device(.hidden))
    #expect(driver.effects == [.cancelCall(question)])
    #expect(driver.questions(seconds: 60) { $0.deliver(.sent) } == [])
    driver.handle(.device(.shown))

    #expect(driver.questions(seconds: 1) { $0.deliver(.sent) } == [1])
  }

  @Test("L-24 an answer to a cancelled status request changes nothing")
  func lateAnswer() throws {
    var driver = FlowDriver.atCode()
    driver.pass(seconds: 2)
    let question = try #require(driver.lastCall).id
    driver.handle(.device(.hidden))
    let before = driver.flow.stage

    driver.handle(.answered(question, .unreachable))

    #expect(driver.flow.stage == before)
    #expect(driver.effects == [])
  }

  @Test("R-12 entering a code cancels the status request; after a wrong code it is sent again")
  func entered() throws {
    var driver = FlowDriver.atCode()
    driver.pass(seconds: 2)
    let question = try #require(driver.lastCall).id

    driver.handle(.page(.fieldEdited(.code, "123456")))
    #expect(driver.effects.contains(.cancelCall(question)))
    driver.refuse(.invalidOTP) { $0.attemptsLeft = 4 }
    driver.pass(seconds: 1)

    #expect(driver.lastCall?.call.form?["status"] == "true")
  }

  @Test("T-10 going back cancels the status request in both apps")
  func left() throws {
    func check<Home>(_ start: AppDriver<Home>, _ back: ButtonName) throws {
      var driver = start
      driver.pass(seconds: 2)
      let question = try #require(driver.lastCall).id

      driver.press(back)

      #expect(driver.effects.contains(.cancelCall(question)))
    }
    try check(FlowDriver.atCode(), .back)
    try check(RiderDriver.riderAtCode(), .changeNumber)
  }

  @Test("R-12 a message without any report is late after thirty seconds, to the second")
  func overdue() {
    for (seconds, status): (Int64, DeliveryUpdate.State) in [
      (29, .sent), (30, .overdue), (31, .overdue),
    ] {
      var driver = FlowDriver.atCode()
      _ = driver.questions(seconds: 5) { $0.deliver(.sent) }
      driver.elapse(seconds: seconds - 6)
      driver.pass(seconds: 1)
      #expect(driver.delivery?.status == status, "\(seconds)")
      let isShown =
        driver.announcements == [
          .delivery(DeliveryUpdate(status: .overdue, isCall: false))
        ]
      #expect(isShown == (status == .overdue), "\(seconds)")
    }
  }

  @Test("T-03 a reset asks nothing, because an answer would show whether the account exists")
  func reset() {
    var driver = FlowDriver.atResetCode()

    #expect(driver.questions(seconds: 290) { $0.deliver(.failed) } == [])
    #expect(driver.resetDelivery?.status == .overdue)
    driver.press(.resend)
    driver.sendResetCode("reset-2")
    #expect(driver.questions(seconds: 290) { $0.deliver(.failed) } == [])
  }

  @Test("T-06 the status requests end when the server no longer knows the sign-in")
  func invalidSession() {
    var driver = FlowDriver.atCode()
    driver.pass(seconds: 2)

    driver.refuse(.invalidSession)

    #expect(driver.entry?.notice == nil)
    #expect(driver.questions(seconds: 200) { $0.deliver(.sent) } == [])
  }

  @Test("R-12 a call is offered if the server can make one and another code may be sent")
  func call() throws {
    var driver = FlowDriver.atCode()
    driver.pass(seconds: 2)
    driver.press(.callInstead)
    #expect(!driver.isCalling)

    driver.pass(seconds: 1)
    var prompt = driver.prompt()
    prompt.delivery = .failed
    prompt.channels = ["sms", "voice"]
    prompt.resendAt = driver.serverNow
    driver.answerQuestion(prompt, at: try #require(driver.question))
    #expect(driver.step?.verification.canCall(at: driver.flow.context.now) == true)
    driver.press(.callInstead)
    let form = try #require(driver.lastCall).call.form
    #expect(form?["resend"] == "true")
    #expect(form?["channel"] == "voice")
    #expect(driver.announcements == [.calling])

    var called = driver.prompt()
    called.channel = "voice"
    driver.refuse(.insufficientAuthorization) {
      $0.authSession = Secret("session-2")
      $0.challenge = called
    }
    #expect(driver.announcements == [.called])
    #expect(driver.entry?.prompt.channel == "voice")
    #expect(driver.entry?.notice == nil)
  }

  @Test("R-02 a person who typed the number can change it, and the screen says so")
  func canChangeNumber() {
    func check<Home>(_ start: AppDriver<Home>, canChange: Bool) {
      var driver = start
      driver.pass(seconds: 2)

      driver.deliver(.failed)

      let update = DeliveryUpdate(status: .failed, isCall: false, canChangeNumber: canChange)
      #expect(driver.announcements == [.delivery(update)])
      #expect(driver.delivery == update)
    }
    check(FlowDriver.atCode(), canChange: false)
    check(RiderDriver.riderAtCode(), canChange: true)
  }
}

extension AppDriver {
  fileprivate var step: CodeStep? {
    if case .enteringCode(let code)? = signIn?.step { return code }
    if case .enteringCode(let code)? = rider?.step { return code }
    return nil
  }

  fileprivate var delivery: DeliveryUpdate? { step?.verification.delivery(at: flow.context.now) }

  fileprivate var resetDelivery: DeliveryUpdate? {
    guard case .enteringCode(let code)? = reset?.step else { return nil }
    return code.verification.delivery(at: flow.context.now)
  }

  fileprivate var question: RequestID? {
    (Int64(0)..<20).reversed().map { RequestID($0) }.first {
      step?.verification.isAsking($0) == true
    }
  }

  /// Answers the status request that the last event sent.
  fileprivate mutating func deliver(_ delivery: CodePrompt.Delivery, resendIn: Int64 = 60) {
    var prompt = prompt()
    prompt.delivery = delivery
    prompt.resendAt = serverNow.adding(seconds: resendIn)
    guard let id = lastCall?.id else { return }
    answerQuestion(prompt, at: id)
  }

  fileprivate mutating func answerQuestion(_ prompt: CodePrompt, at id: RequestID) {
    var error = Refusal(.insufficientAuthorization)
    error.authSession = Secret("session-1")
    error.challenge = prompt
    let body = error.json
    handle(.answered(id, .received(status: 403, body: body, serverSeconds: serverNow.seconds)))
  }

  /// Passes time second by second and answers each status request.
  ///
  /// The result is the seconds at which a status request was sent.
  fileprivate mutating func questions(
    seconds: Int64, answering: (inout Self) -> Void
  ) -> [Int64] {
    var moments: [Int64] = []
    for second in 1...seconds {
      pass(seconds: 1)
      guard isCalling else { continue }
      moments.append(second)
      answering(&self)
    }
    return moments
  }
}

import SignInModel
import SignInWire
import Testing

@testable import SignInFlow

/// How the code screen learns the state of its message, and how often it asks.
@Suite struct DeliveryTests {
  @Test("R-12 the screen asks soon, then less and less often, and at most ten times")
  func asksLessOften() {
    var walk = Walk.atCode()

    let moments = walk.questions(seconds: 290) { $0.tell(.sent) }

    #expect(moments == [2, 5, 10, 18, 31, 52, 86, 141, 196, 251])
  }

  @Test("L-25 unanswered status requests count like answered ones")
  func lostAnswers() {
    var walk = Walk.atCode()

    let moments = walk.questions(seconds: 290) { $0.fail(.timedOut) }

    #expect(moments.count == DeliveryWatch.restsSeconds.count)
    #expect(walk.entry?.notice == nil)
    #expect(walk.delivery?.status == .overdue)
  }

  @Test("R-12 no status request is sent for a code that is too old, to the second")
  func expired() {
    for (seconds, asks): (Int64, Bool) in [(299, true), (300, false), (301, false)] {
      var walk = Walk.atCode()
      walk.pass(seconds: seconds)
      #expect(walk.isCalling == asks, "\(seconds)")
    }
  }

  @Test("R-12 one status request at a time, in the sign-in to which the code was sent")
  func oneAtATime() throws {
    var walk = Walk.atCode()

    walk.pass(seconds: 2)
    let call = try #require(walk.lastCall).call
    #expect(call.path == Endpoint.challenge)
    #expect(call.form?["auth_session"] == "session-1")
    #expect(call.form?["status"] == "true")
    #expect(call.timeoutSeconds == DeliveryWatch.timeoutSeconds)
    for _ in 0..<9 {
      walk.pass(seconds: 1)
      #expect(!walk.isCalling)
    }
  }

  @Test(
    "R-12 delivered or failed messages are announced, and the status requests end",
    arguments: [
      (CodePrompt.Delivery.delivered, DeliveryUpdate.State.delivered), (.failed, .failed),
    ])
  func settled(_ told: CodePrompt.Delivery, _ status: DeliveryUpdate.State) {
    var walk = Walk.atCode()
    walk.pass(seconds: 2)

    walk.tell(told)

    #expect(walk.announcements == [.delivery(DeliveryUpdate(status: status, isCall: false))])
    #expect(walk.delivery?.status == status)
    #expect(walk.questions(seconds: 200) { $0.tell(.sent) } == [])
  }

  @Test("R-12 a delay is announced once, and the sent state is not announced again")
  func delayed() {
    var walk = Walk.atCode()
    walk.pass(seconds: 2)
    walk.tell(.sent)
    #expect(walk.announcements == [])
    walk.pass(seconds: 3)
    walk.tell(.delayed)
    #expect(walk.announcements.count == 1)

    walk.pass(seconds: 5)
    walk.tell(.delayed)

    #expect(walk.announcements == [])
    #expect(walk.delivery?.status == .delayed)
  }

  @Test("R-12 after a failed delivery another code may be requested at once")
  func failedOpensResend() {
    var walk = Walk.atCode()
    walk.pass(seconds: 2)

    walk.tell(.failed, resendIn: 0)
    #expect(walk.entry?.canResend(at: walk.flow.context.now) == true)
    walk.press(.resend)

    #expect(walk.lastCall?.call.form?["resend"] == "true")
  }

  @Test("L-11 the screen says so when a code for another device replaced this one")
  func replaced() {
    var walk = Walk.atCode()
    walk.happen(.fieldEdited(.code, "123"))
    walk.pass(seconds: 2)
    let resendAt = walk.flow.context.now.adding(seconds: 40)

    walk.refuse(.otpExpired) { $0.resendAt = resendAt }

    #expect(walk.announcements == [.codeExpired])
    #expect(walk.entry?.isExpired == true)
    #expect(walk.entry?.text == "")
    #expect(walk.entry?.prompt.resendAt == resendAt)
    #expect(walk.questions(seconds: 60) { $0.tell(.sent) } == [])
  }

  @Test("R-12 a hidden screen asks nothing, and shows the state at once when it returns")
  func hidden() throws {
    var walk = Walk.atCode()
    walk.pass(seconds: 2)
    let question = try #require(walk.lastCall).id

    walk.happen(.device(.hidden))
    #expect(walk.effects == [.cancelCall(question)])
    #expect(walk.questions(seconds: 60) { $0.tell(.sent) } == [])
    walk.happen(.device(.shown))

    #expect(walk.questions(seconds: 1) { $0.tell(.sent) } == [1])
  }

  @Test("L-24 an answer to a cancelled status request changes nothing")
  func lateAnswer() throws {
    var walk = Walk.atCode()
    walk.pass(seconds: 2)
    let question = try #require(walk.lastCall).id
    walk.happen(.device(.hidden))
    let before = walk.flow.stage

    walk.happen(.answered(question, .unreachable))

    #expect(walk.flow.stage == before)
    #expect(walk.effects == [])
  }

  @Test("R-12 entering a code cancels the status request; after a wrong code it is sent again")
  func entered() throws {
    var walk = Walk.atCode()
    walk.happen(.fieldEdited(.code, "123456"))
    walk.pass(seconds: 2)
    let question = try #require(walk.lastCall).id

    walk.press(.verify)
    #expect(walk.effects.first == .cancelCall(question))
    walk.refuse(.invalidOTP) { $0.attemptsLeft = 4 }
    walk.pass(seconds: 1)

    #expect(walk.lastCall?.call.form?["status"] == "true")
  }

  @Test("T-10 going back cancels the status request in both apps")
  func left() throws {
    for (start, back) in [(Walk.atCode(), ButtonName.back), (.riderAtCode(), .changeNumber)] {
      var walk = start
      walk.pass(seconds: 2)
      let question = try #require(walk.lastCall).id

      walk.press(back)

      #expect(walk.effects.contains(.cancelCall(question)))
    }
  }

  @Test("R-12 a message without any report is late after thirty seconds, to the second")
  func overdue() {
    for (seconds, status): (Int64, DeliveryUpdate.State) in [
      (29, .sent), (30, .overdue), (31, .overdue),
    ] {
      var walk = Walk.atCode()
      _ = walk.questions(seconds: 5) { $0.tell(.sent) }
      walk.elapse(seconds: seconds - 6)
      walk.pass(seconds: 1)
      #expect(walk.delivery?.status == status, "\(seconds)")
      let isShown =
        walk.announcements == [
          .delivery(DeliveryUpdate(status: .overdue, isCall: false))
        ]
      #expect(isShown == (status == .overdue), "\(seconds)")
    }
  }

  @Test("T-03 a reset asks nothing, because an answer would show whether the account exists")
  func reset() {
    var walk = Walk.atResetCode()

    #expect(walk.questions(seconds: 290) { $0.tell(.failed) } == [])
    #expect(walk.resetDelivery?.status == .overdue)
    walk.press(.resend)
    walk.sendResetCode("reset-2")
    #expect(walk.questions(seconds: 290) { $0.tell(.failed) } == [])
  }

  @Test("T-06 the status requests end when the server no longer knows the sign-in")
  func invalidSession() {
    var walk = Walk.atCode()
    walk.pass(seconds: 2)

    walk.refuse(.invalidSession)

    #expect(walk.entry?.notice == nil)
    #expect(walk.questions(seconds: 200) { $0.tell(.sent) } == [])
  }

  @Test("R-12 a call is offered if the server can make one and another code may be sent")
  func call() throws {
    var walk = Walk.atCode()
    walk.pass(seconds: 2)
    walk.press(.callInstead)
    #expect(!walk.isCalling)

    walk.pass(seconds: 1)
    var prompt = walk.prompt()
    prompt.delivery = .failed
    prompt.channels = ["sms", "voice"]
    prompt.resendAt = walk.serverNow
    walk.answerQuestion(prompt, at: try #require(walk.question))
    #expect(walk.step?.canCall(at: walk.flow.context.now) == true)
    walk.press(.callInstead)
    let form = try #require(walk.lastCall).call.form
    #expect(form?["resend"] == "true")
    #expect(form?["channel"] == "voice")
    #expect(walk.announcements == [.calling])

    var called = walk.prompt()
    called.channel = "voice"
    walk.refuse(.insufficientAuthorization) {
      $0.authSession = "session-2"
      $0.challenge = called
    }
    #expect(walk.announcements == [.called])
    #expect(walk.entry?.prompt.channel == "voice")
    #expect(walk.entry?.notice == nil)
  }

  @Test("R-02 a person who typed the number can change it, and the screen says so")
  func canChangeNumber() {
    for (start, canChange) in [(Walk.atCode(), false), (.riderAtCode(), true)] {
      var walk = start
      walk.pass(seconds: 2)

      walk.tell(.failed)

      let news = DeliveryUpdate(status: .failed, isCall: false, canChangeNumber: canChange)
      #expect(walk.announcements == [.delivery(news)])
      #expect(walk.delivery == news)
    }
  }

  @Test("Every refusal of a sign-in is an error code of the wire contract")
  func refusals() {
    for refusal in SignInRefusal.allCases {
      #expect(ErrorCode(rawValue: refusal.rawValue).flatMap { SignInRefusal($0) } == refusal)
    }
  }
}

extension Walk {
  fileprivate var step: CodeStep? {
    if case .enteringCode(let code)? = signIn?.step { return code }
    if case .enteringCode(let code)? = rider?.step { return code }
    return nil
  }

  fileprivate var delivery: DeliveryUpdate? { step?.delivery(at: flow.context.now) }

  fileprivate var resetDelivery: DeliveryUpdate? {
    guard case .enteringCode(let code)? = reset?.step else { return nil }
    return code.delivery(at: flow.context.now)
  }

  fileprivate var question: RequestID? {
    for number in (Int64(0)..<20).reversed() where step?.isAsking(RequestID(number)) == true {
      return RequestID(number)
    }
    return nil
  }

  /// Answers the status request that the last event sent.
  fileprivate mutating func tell(_ delivery: CodePrompt.Delivery, resendIn: Int64 = 60) {
    var prompt = prompt()
    prompt.delivery = delivery
    prompt.resendAt = serverNow.adding(seconds: resendIn)
    guard let id = lastCall?.id else { return }
    answerQuestion(prompt, at: id)
  }

  fileprivate mutating func answerQuestion(_ prompt: CodePrompt, at id: RequestID) {
    var error = ErrorAnswer(.insufficientAuthorization)
    error.authSession = "session-1"
    error.challenge = prompt
    let body = error.json
    happen(.answered(id, .received(status: 403, body: body, serverSeconds: serverNow.seconds)))
  }

  /// Passes time second by second and answers each status request.
  ///
  /// The result is the seconds at which a status request was sent.
  fileprivate mutating func questions(
    seconds: Int64, answering: (inout Walk) -> Void
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

import SignInModel
import SignInWire
import Testing

@testable import SignInFlow

/// What the code screen learns of its message, and how often it asks.
@Suite struct DeliveryTests {
  @Test("R-12 the screen asks soon, then ever more rarely, and no more than ten times")
  func asksEverMoreRarely() {
    var walk = Walk.atCode()

    let moments = walk.questions(seconds: 290) { $0.tell(.sent) }

    #expect(moments == [2, 5, 10, 18, 31, 52, 86, 141, 196, 251])
  }

  @Test("L-25 questions that find no answer are counted like those that do")
  func lostAnswers() {
    var walk = Walk.atCode()

    let moments = walk.questions(seconds: 290) { $0.fail(.timedOut) }

    #expect(moments.count == DeliveryWatch.restsSeconds.count)
    #expect(walk.entry?.notice == nil)
    #expect(walk.delivery?.standing == .overdue)
  }

  @Test("R-12 nothing is asked of a code that is too old, to the second")
  func expired() {
    for (seconds, asks): (Int64, Bool) in [(299, true), (300, false), (301, false)] {
      var walk = Walk.atCode()
      walk.pass(seconds: seconds)
      #expect(walk.isCalling == asks, "\(seconds)")
    }
  }

  @Test("R-12 one question at a time, with the session the code was sent in")
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
    "R-12 what arrived, or never will, is asked about no more, and is announced",
    arguments: [
      (CodePrompt.Delivery.delivered, DeliveryNews.Standing.delivered), (.failed, .failed),
    ])
  func over(_ told: CodePrompt.Delivery, _ standing: DeliveryNews.Standing) {
    var walk = Walk.atCode()
    walk.pass(seconds: 2)

    walk.tell(told)

    #expect(walk.announcements == [.delivery(DeliveryNews(standing: standing, isCall: false))])
    #expect(walk.delivery?.standing == standing)
    #expect(walk.questions(seconds: 200) { $0.tell(.sent) } == [])
  }

  @Test("R-12 a delay is announced once; that it was sent is not said again")
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
    #expect(walk.delivery?.standing == .delayed)
  }

  @Test("R-12 after a message that reached nobody another may be asked for at once")
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

  @Test("R-12 nothing is asked while nobody looks; whoever comes back is told at once")
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

  @Test("L-24 an answer to a question taken back changes nothing")
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

  @Test("R-12 an entered code takes the question back; after a wrong one it is asked again")
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

  @Test("T-10 whoever goes back takes the question back, at either app")
  func left() throws {
    for (start, back) in [(Walk.atCode(), ButtonName.back), (.riderAtCode(), .changeNumber)] {
      var walk = start
      walk.pass(seconds: 2)
      let question = try #require(walk.lastCall).id

      walk.press(back)

      #expect(walk.effects.contains(.cancelCall(question)))
    }
  }

  @Test("R-12 with no word of it a message is late after thirty seconds, to the second")
  func overdue() {
    for (seconds, standing): (Int64, DeliveryNews.Standing) in [
      (29, .sent), (30, .overdue), (31, .overdue),
    ] {
      var walk = Walk.atCode()
      _ = walk.questions(seconds: 5) { $0.tell(.sent) }
      walk.elapse(seconds: seconds - 6)
      walk.pass(seconds: 1)
      #expect(walk.delivery?.standing == standing, "\(seconds)")
      let isTold =
        walk.announcements == [
          .delivery(DeliveryNews(standing: .overdue, isCall: false))
        ]
      #expect(isTold == (standing == .overdue), "\(seconds)")
    }
  }

  @Test("T-03 a reset asks nothing, because an answer would tell who has an account")
  func reset() {
    var walk = Walk.atResetCode()

    #expect(walk.questions(seconds: 290) { $0.tell(.failed) } == [])
    #expect(walk.resetDelivery?.standing == .overdue)
    walk.press(.resend)
    walk.sendResetCode("reset-2")
    #expect(walk.questions(seconds: 290) { $0.tell(.failed) } == [])
  }

  @Test("T-06 a sign-in the server knows no more is not asked about again")
  func invalidSession() {
    var walk = Walk.atCode()
    walk.pass(seconds: 2)

    walk.refuse(.invalidSession)

    #expect(walk.entry?.notice == nil)
    #expect(walk.questions(seconds: 200) { $0.tell(.sent) } == [])
  }

  @Test("R-12 a call is offered where the server can make one, once another code may be sent")
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

  @Test("R-02 whoever typed the number is told that they can change it")
  func canChangeNumber() {
    for (start, canChange) in [(Walk.atCode(), false), (.riderAtCode(), true)] {
      var walk = start
      walk.pass(seconds: 2)

      walk.tell(.failed)

      let news = DeliveryNews(standing: .failed, isCall: false, canChangeNumber: canChange)
      #expect(walk.announcements == [.delivery(news)])
      #expect(walk.delivery == news)
    }
  }

  @Test("Every refusal of a sign-in is one the wire knows")
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

  fileprivate var delivery: DeliveryNews? { step?.delivery(at: flow.context.now) }

  fileprivate var resetDelivery: DeliveryNews? {
    guard case .enteringCode(let code)? = reset?.step else { return nil }
    return code.delivery(at: flow.context.now)
  }

  fileprivate var question: RequestID? {
    for number in (Int64(0)..<20).reversed() where step?.isAsking(RequestID(number)) == true {
      return RequestID(number)
    }
    return nil
  }

  /// Answers the question of the last event.
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

  /// Lets time pass second by second and answers: after which seconds something was asked.
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

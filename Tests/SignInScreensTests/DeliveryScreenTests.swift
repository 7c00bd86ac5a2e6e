import SignInFlow
import SignInModel
import SignInWire
import Testing

@testable import SignInScreens

/// What a person reads and hears of their message, and what they can do.
@Suite struct DeliveryScreenTests {
  @Test("R-12 the code screen says what became of the message, in a quiet line of its own")
  func words() {
    let cases: [(CodePrompt.Delivery, String, Severity)] = [
      (.sending, "Sending your code…", .neutral),
      (.sent, "Your code is on its way.", .neutral),
      (.delivered, "Delivered to your phone.", .success),
      (.delayed, "Your message is delayed. Check your signal, or ask for another code.", .warning),
      (
        .failed,
        "Your message could not be delivered. Ask for another code, or have the number corrected.",
        .error
      ),
    ]
    for (delivery, text, severity) in cases {
      var stage = Stage.code()

      stage.tell(delivery)

      #expect(stage.text("note") == text)
      #expect(stage.noteSeverity == severity)
    }
  }

  @Test("R-12 failure interrupts whoever listens, other news wait for their turn")
  func spoken() {
    for (delivery, politeness): (CodePrompt.Delivery, Spoken.Politeness) in [
      (.delivered, .polite), (.delayed, .polite), (.failed, .assertive),
    ] {
      var stage = Stage.code()

      stage.tell(delivery)

      #expect(stage.spoken.map(\.text) == [stage.text("note") ?? ""])
      #expect(stage.spoken.first?.politeness == politeness)
    }
  }

  @Test("R-02 a rider whose message failed is pointed to the number, and may send at once")
  func riderFailed() {
    var stage = Stage.riderSending()
    stage.sendRiderCode()

    stage.tell(.failed, resendIn: 0)

    #expect(
      stage.text("note")
        == "Your message could not be delivered. Check the number, or ask for another code.")
    #expect(stage.button(.resend)?.isEnabled == true)
    #expect(stage.button(.resend)?.reason == nil)
  }

  @Test("R-12 with no word of it, the screen says what to do after half a minute")
  func overdue() {
    for (seconds, text): (Int64, String) in [
      (29, ""), (30, "No message yet? Check your signal, or ask for another code."),
    ] {
      var stage = Stage.resetCode()
      stage.pass(seconds: seconds)
      #expect(stage.text("note") == text)
    }
  }

  @Test("T-12 the last minute of a code counts more than where its message is, failure excepted")
  func lastMinute() {
    for (delivery, isShown): (CodePrompt.Delivery, Bool) in [(.delivered, false), (.failed, true)] {
      var stage = Stage.code()
      stage.tell(delivery)
      stage.pass(seconds: 250)
      let says = stage.text("note")?.hasPrefix("This code expires in") == true
      #expect(says != isShown)
      stage.pass(seconds: 60)
      #expect(stage.text("note") == "This code has expired. Press Resend OTP for a new one.")
    }
  }

  @Test("R-12 a call stands below Resend where there is one to be had, and is busy when pressed")
  func call() {
    var stage = Stage.code()
    stage.tell(.delayed, resendIn: 5, channels: ["sms", "voice"])
    #expect(stage.button(.callInstead) == nil)

    stage.pass(seconds: 5)
    #expect(stage.button(.callInstead)?.label == "Get a call instead")
    #expect(stage.screen.parts.last.map(Self.isCall) == true)
    stage.press(.callInstead)
    #expect(stage.button(.callInstead)?.isBusy == true)
    #expect(stage.button(.callInstead)?.label == "Calling you…")
    #expect(stage.button(.resend)?.isEnabled == false)
    #expect(stage.button(.verify)?.isEnabled == false)

    stage.called()
    #expect(stage.text("lead") == "A call to ***-***-1234 will tell you your code")
    #expect(stage.spoken.map(\.text) == ["A call will tell you your code."])
    #expect(stage.button(.callInstead) == nil)
  }

  private static func isCall(_ part: Part) -> Bool {
    if case .button(let button) = part { button.id == "call_instead" } else { false }
  }
}

extension Stage {
  fileprivate var noteSeverity: Severity? {
    for part in screen.parts {
      if case .note("note", _, let severity) = part { return severity }
    }
    return nil
  }

  /// Lets the screen ask what became of the message, and answers.
  fileprivate mutating func tell(
    _ delivery: CodePrompt.Delivery, resendIn: Int64 = 60, channels: [String] = ["sms"]
  ) {
    pass(seconds: 2)
    var prompt = prompt(resendIn: resendIn)
    prompt.delivery = delivery
    prompt.channels = channels
    answer(prompt)
  }

  fileprivate mutating func called() {
    var prompt = prompt(resendIn: 60)
    prompt.channel = "voice"
    answer(prompt)
  }

  private func prompt(resendIn: Int64) -> CodePrompt {
    CodePrompt(
      destination: "***-***-1234", digits: 6, expiresAt: Stage.noon.adding(seconds: 300),
      resendAt: time.adding(seconds: resendIn), attemptsLeft: 5
    )
  }

  private mutating func answer(_ prompt: CodePrompt) {
    var error = ErrorAnswer(.insufficientAuthorization)
    error.authSession = "s"
    error.challenge = prompt
    refuse(error)
  }
}

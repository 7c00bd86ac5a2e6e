import SignInEngine
import SignInFlow
import SignInModel
import Testing

@testable import SignInScreens
@testable import SignInWire

/// The text and announcements about a message, and the offered actions.
@Suite struct DeliveryScreenTests {
  @Test("R-12 the code screen shows the state of the message on a separate, unobtrusive line")
  func words() {
    let cases: [(CodePrompt.Delivery, String, Severity)] = [
      (.sending, "Sending your code…", .neutral),
      (.sent, "We've sent your code.", .neutral),
      (.delivered, "Delivered to your phone.", .success),
      (.delayed, "Your message is delayed. Check your signal, or request a new code.", .warning),
      (
        .failed,
        "We could not deliver your message. Request a new code, or ask to correct your number.",
        .error
      ),
    ]
    for (delivery, text, severity) in cases {
      var driver = ScreenDriver.code()

      driver.deliver(delivery)

      #expect(driver.text("note") == text)
      #expect(driver.noteSeverity == severity)
    }
  }

  @Test("R-12 a failed delivery interrupts the screen reader, other delivery updates wait")
  func spoken() {
    for (delivery, politeness): (CodePrompt.Delivery, LocalizedAnnouncement.Politeness) in [
      (.delivered, .polite), (.delayed, .polite), (.failed, .assertive),
    ] {
      var driver = ScreenDriver.code()

      driver.deliver(delivery)

      #expect(driver.spoken.map(\.text) == [driver.text("note") ?? ""])
      #expect(driver.spoken.first?.politeness == politeness)
    }
  }

  @Test("R-02 a rider whose message failed is asked to check the number and may resend at once")
  func riderFailed() {
    var driver = RiderScreenDriver.riderSending()
    driver.sendRiderCode()

    driver.deliver(.failed, resendIn: 0)

    #expect(
      driver.text("note")
        == "We could not deliver your message. Check the number, or request a new code.")
    #expect(driver.button(.resend)?.isEnabled == true)
    #expect(driver.button(.resend)?.reason == nil)
  }

  @Test("R-12 without a report on the message, the screen says what to do after half a minute")
  func overdue() {
    for (seconds, text): (Int64, String) in [
      (29, ""), (30, "No message yet? Check your signal, or request a new code."),
    ] {
      var driver = ScreenDriver.resetCode()
      driver.pass(seconds: seconds)
      #expect(driver.text("note") == text)
    }
  }

  @Test(
    "T-12 the last minute of a code has priority over the state of the message, except a failure")
  func lastMinute() {
    for (delivery, isShown): (CodePrompt.Delivery, Bool) in [(.delivered, false), (.failed, true)] {
      var driver = ScreenDriver.code()
      driver.deliver(delivery)
      driver.pass(seconds: 250)
      let says = driver.text("note")?.hasPrefix("Your code expires in") == true
      #expect(says != isShown)
      driver.pass(seconds: 60)
      #expect(driver.text("note") == "Your code expired. Select “Resend OTP” for a new one.")
    }
  }

  @Test("R-12 a call is offered below Resend where possible, and is busy when pressed")
  func call() {
    var driver = ScreenDriver.code()
    driver.deliver(.delayed, resendIn: 5, channels: ["sms", "voice"])
    #expect(driver.button(.callInstead) == nil)

    driver.pass(seconds: 5)
    #expect(driver.button(.callInstead)?.label == "Get a call instead")
    #expect(driver.screen.parts.last.map(Self.isCall) == true)
    driver.press(.callInstead)
    #expect(driver.button(.callInstead)?.isBusy == true)
    #expect(driver.button(.callInstead)?.label == "Calling you…")
    #expect(driver.button(.resend)?.isEnabled == false)
    #expect(driver.button(.verify)?.isEnabled == false)

    driver.called()
    #expect(driver.text("lead") == "We'll call ***-***-1234 with your code")
    #expect(driver.spoken.map(\.text) == ["We'll call you with your code."])
    #expect(driver.button(.callInstead) == nil)
  }

  private static func isCall(_ part: Part) -> Bool {
    if case .button(let button) = part { button.id == "call_instead" } else { false }
  }
}

extension AppScreenDriver {
  fileprivate var noteSeverity: Severity? {
    for part in parts {
      if case .note("note", _, let severity) = part { return severity }
    }
    return nil
  }

  /// Lets the screen ask for the state of the message and answers it.
  fileprivate mutating func deliver(
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
      destination: "***-***-1234", digits: 6,
      expiresAt: ScreenDriver.startTime.adding(seconds: 300),
      resendAt: time.adding(seconds: resendIn), attemptsLeft: 5
    )
  }

  private mutating func answer(_ prompt: CodePrompt) {
    var error = Refusal(.insufficientAuthorization)
    error.authSession = Secret("s")
    error.challenge = prompt
    refuse(error)
  }
}

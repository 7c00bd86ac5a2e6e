import JSONText
import SignInFlow
import SignInModel
import SignInWire
import Testing

@testable import SignInScreens

@Suite struct SignInScreenTests {
  @Test("T-02 a wrong password is reported in a banner above the form and interrupts")
  func wrongPassword() {
    let stage = Stage.refused(.invalidCredentials)

    #expect(stage.banner?.text == "Invalid email or password")
    #expect(stage.banner?.severity == .error)
    #expect(stage.banner?.dismissal == "Dismiss")
    #expect(stage.screen.id == "credentials")
    #expect(stage.field(.password)?.value == "")
    #expect(stage.screen.focus?.part == "password")
    #expect(stage.spoken.first?.text == "Invalid email or password")
    #expect(stage.spoken.first?.politeness == .assertive)
  }

  @Test("T-04 the sentence of a deactivated account")
  func deactivated() {
    let stage = Stage.refused(.accountDeactivated)

    #expect(
      stage.banner?.text
        == "Your account has been deactivated. Please contact your administrator.")
  }

  @Test("T-05 the lock page shows the reason, the end and the minutes")
  func lockPage() {
    var stage = Stage.locked()

    #expect(stage.screen.id == "locked")
    #expect(
      stage.text("lock")
        == "Your account is temporarily locked. "
        + "Please try again in 15 minutes or reset your password.")
    #expect(stage.text("until") == "Locked until ⟨22:28⟩")
    #expect(stage.button(.forgotPassword)?.label == "Reset password")
    #expect(stage.spoken.first?.text == stage.text("lock"))
    #expect(stage.spoken.first?.politeness == .assertive)

    for (seconds, words): (Int64, String) in [
      (59, "in 15 minutes"), (1, "in 14 minutes"), (779, "in 2 minutes"), (1, "in 1 minute "),
      (59, "in 1 minute "),
    ] {
      stage.pass(seconds: seconds)
      #expect(stage.text("lock")?.contains(words) == true, "\(stage.time.seconds)")
    }
    stage.pass(seconds: 1)
    #expect(stage.screen.id == "credentials")
    #expect(stage.spoken.first?.text == "You can sign in again now.")
  }

  @Test("T-05 a longer lockout shows its own minutes")
  func longerLock() {
    #expect(Stage.locked(minutes: 30).text("lock")?.contains("in 30 minutes") == true)
  }

  @Test("T-06 a wrong code is reported beside its field; the field is empty and has the focus")
  func wrongCode() {
    var stage = Stage.wrongCode(attemptsLeft: 3)
    #expect(stage.field(.code)?.error == "Invalid or expired OTP. Please try again.")
    #expect(stage.field(.code)?.value == "")
    #expect(stage.screen.focus?.part == "code")

    stage = Stage.wrongCode(attemptsLeft: 2)
    #expect(stage.field(.code)?.error?.hasSuffix("2\u{A0}attempts\u{A0}left.") == true)
    #expect(stage.spoken.first?.politeness == .assertive)
    stage = Stage.wrongCode(attemptsLeft: 1)
    #expect(stage.field(.code)?.error?.hasSuffix("One\u{A0}attempt\u{A0}left.") == true)
  }

  @Test("T-07 no network")
  func noNetwork() {
    var stage = Stage.submitting()
    for effect in stage.effects {
      if case .call(let id, _) = effect { stage.happen(.answered(id, .noNetwork)) }
    }

    #expect(
      stage.banner?.text
        == "No internet connection. Please check your connection and try again.")
  }

  @Test("T-08 Resend waits with a countdown beside it")
  func resendCountdown() {
    var stage = Stage.code()
    #expect(stage.button(.resend)?.label == "Resend OTP")
    #expect(stage.button(.resend)?.isEnabled == false)
    #expect(stage.button(.resend)?.reason == "in 1:00")

    stage.pass(seconds: 18)
    #expect(stage.button(.resend)?.reason == "in 0:42")
    stage.pass(seconds: 41)
    #expect(stage.button(.resend)?.reason == "in 0:01")
    #expect(stage.button(.resend)?.isEnabled == false)
    stage.pass(seconds: 1)
    #expect(stage.button(.resend)?.reason == nil)
    #expect(stage.button(.resend)?.isEnabled == true)
    #expect(stage.spoken.map(\.text) == ["You can request a new code now."])
  }

  @Test("T-09 both fields have labels and the right keyboard and autofill")
  func credentials() throws {
    let stage = Stage.credentials()
    let email = try #require(stage.field(.email))
    let password = try #require(stage.field(.password))

    #expect(email.label == "Email")
    #expect(email.kind == .email)
    #expect(email.autofill == "username")
    #expect(password.label == "Password")
    #expect(
      password.kind == .password(isRevealed: false, reveal: "Show", revealName: "Show password"))
    #expect(password.autofill == "current-password")
    #expect(stage.button(.login)?.isEnabled == false)
    #expect(stage.button(.forgotPassword)?.label == "Forgot Password?")
    #expect(stage.button(.forgotPassword)?.kind == .link)
    #expect(stage.screen.focus == nil)
  }

  @Test("T-09 loading shows the action, then that it is slow, then what to do")
  func loading() {
    var stage = Stage.submitting()
    #expect(stage.button(.login)?.label == "Signing in…")
    #expect(stage.button(.login)?.isBusy == true)
    #expect(stage.field(.email)?.isEnabled == false)
    #expect(stage.text("note") == "")
    let places = stage.screen.parts.count

    stage.pass(seconds: 5)
    #expect(stage.text("note") == "This is taking longer than usual.")
    #expect(stage.button(.cancel) == nil)
    stage.pass(seconds: 10)
    #expect(stage.text("note") == "Still no answer. Keep waiting or cancel.")
    #expect(stage.button(.cancel) != nil)
    #expect(stage.screen.parts.count == places)
  }

  @Test("T-09 the layout does not change when an error appears")
  func nothingShifts() {
    #expect(
      Stage.refused(.invalidCredentials).screen.parts.count
        == Stage.credentials().screen.parts.count)
    #expect(
      Stage.wrongCode(attemptsLeft: 2).screen.parts.count == Stage.code().screen.parts.count)
  }

  @Test("T-10 the code screen shows the destination and the length of the code")
  func codeScreen() throws {
    let stage = Stage.code()
    let field = try #require(stage.field(.code))

    #expect(stage.text("heading") == "Enter the code")
    #expect(stage.text("lead") == "An OTP has been sent to ***-***-1234")
    #expect(field.kind == .code(digits: 6))
    #expect(field.label == "6-digit code")
    #expect(field.autofill == "one-time-code")
    #expect(stage.button(.verify)?.isEnabled == false)
    #expect(stage.screen.back == "back")
    #expect(stage.spoken.first?.text == "An OTP has been sent to the number ending in 1234.")
    #expect(stage.spoken.first?.politeness == .polite)
  }

  @Test("T-12 the expiry is shown only in the last minute")
  func expiry() {
    var stage = Stage.code()

    for (seconds, note): (Int64, String) in [
      (29, ""), (211, "No message yet? Check your signal, or request a new code."),
      (1, "Your code expires in 0:59."), (58, "Your code expires in 0:01."),
      (1, "Your code expired. Select “Resend OTP” for a new one."),
    ] {
      stage.pass(seconds: seconds)
      #expect(stage.text("note") == note)
    }
  }

  @Test("P-03 a rate limit counts down in seconds, then minutes")
  func rateLimit() {
    for (wait, words): (Int64, String) in [
      (1, "in 1 second."), (2, "in 2 seconds."), (90, "in 90 seconds."), (91, "in 2 minutes."),
    ] {
      var stage = Stage.submitting()
      var error = ErrorAnswer(.rateLimited)
      error.retryIn = wait
      stage.refuse(error)
      #expect(stage.banner?.text == "Too many attempts. Try again " + words)
    }
  }

  @Test("T-15 every part of every screen has its own identity")
  func identities() {
    let stages = [
      Stage(), .credentials(), .submitting(), .refused(.serverError), .code(),
      .wrongCode(attemptsLeft: 1), .locked(), .reset(), .resetCode(), .jobs([]),
      .jobs([Stage.job("1", hours: 0)]),
    ]
    for stage in stages {
      var seen: Set<String> = []
      for part in stage.screen.parts {
        let id = part.json["id"]?.text ?? ""
        #expect(!id.isEmpty)
        #expect(seen.insert(id).inserted, "\(stage.screen.id): \(id)")
      }
    }
  }
}

@Suite struct JobsScreenTests {
  @Test("T-16 today comes first, then the future, then the past")
  func order() {
    let stage = Stage.jobs([
      Stage.job("past", hours: -30), Stage.job("later", hours: 72), Stage.job("now", hours: 0),
      Stage.job("next", hours: 24),
    ])

    #expect(stage.sections.map { $0.rows.first?.id } == ["now", "next", "later", "past"])
    #expect(stage.sections.prefix(2).map(\.title.plain) == ["Today", "Tomorrow"])
    #expect(stage.sections[2].title.plain == "⟨Friday 17 November⟩")
  }

  @Test("T-16 a day ends in the person's time zone, not in Greenwich")
  func timeZones() {
    // The time is 22:13 in Greenwich. Three hours later it is tomorrow there, and still today in
    // New York.
    let late = Stage.job("late", hours: 3)

    let here = Stage.jobs([late])
    #expect(here.sections.last?.title.plain == "Tomorrow")
    let west = Stage.jobs([late], utcOffsetSeconds: -5 * 3600)
    #expect(west.sections.count == 1)
    #expect(west.sections.first?.title.plain == "Today")
  }

  @Test("T-16 a day without jobs says so, and an empty list says what to do")
  func nothing() {
    let later = Stage.jobs([Stage.job("later", hours: 48)])
    #expect(later.sections.first?.emptyText == "No jobs today.")

    let none = Stage.jobs([])
    #expect(none.sections.isEmpty)
    #expect(none.button(.refresh)?.label == "Refresh")
  }

  @Test("T-16 a job shows its time, place, customer and status in words")
  func row() throws {
    let stage = Stage.jobs([Stage.job("1", hours: 0, status: "in_progress")])
    let row = try #require(stage.sections.first?.rows.first)

    #expect(row.from == Moment(seconds: 1_700_000_000, style: .clock, text: "22:13"))
    #expect(row.lines.map(\.text) == ["A. Larsen", "12 Harbour Road"])
    #expect(row.badge == Badge(text: "In progress", severity: .warning))
  }

  @Test("T-07 offline, the jobs stay and the bar shows their time")
  func offline() {
    var stage = Stage.jobs([Stage.job("1", hours: 0)])
    stage.press(.refresh)
    #expect(stage.button(.refresh)?.isBusy == true)

    for effect in stage.effects {
      if case .call(let id, let call) = effect, call.path == Endpoint.jobs {
        stage.happen(.answered(id, .noNetwork))
      }
    }

    #expect(stage.screen.statusBar?.text.plain.hasPrefix("You're offline.") == true)
    #expect(stage.sections.count == 1)
  }
}

@Suite struct CrossingTests {
  private func answer(_ text: String) -> String {
    var app = JSONApp()
    return String(decoding: app.handle([UInt8](text.utf8)), as: UTF8.self)
  }

  @Test("T-09 an unreadable event changes nothing and is reported")
  func faults() {
    #expect(answer("{") == "{\"error\":\"not JSON\"}")
    #expect(answer("{\"event\":\"x\",\"at\":1}") == "{\"error\":\"unknown event\"}")
    #expect(
      answer("{\"event\":\"button_pressed\",\"button\":\"x\",\"at\":1}")
        == "{\"error\":\"unknown event\"}")
    #expect(answer("{\"event\":\"ticked\"}") == "{\"error\":\"no time\"}")
  }

  @Test("T-09 an event goes in, the screen and the effects come out")
  func crossing() {
    let text = answer("{\"event\":\"started\",\"utc_offset\":0,\"at\":1700000000000}")

    #expect(text.hasPrefix("{\"screen\":{\"id\":\"opening\""))
    #expect(
      text.hasSuffix(
        "\"effects\":[{\"effect\":\"read_session\"},{\"effect\":\"start_ticking\"}]}"))
  }
}

import JSONText
import SignInEngine
import SignInFlow
import SignInModel
import Testing

@testable import SignInScreens
@testable import SignInWire

@Suite struct SignInScreenTests {
  @Test("T-02 a wrong password is reported in a banner above the form and interrupts")
  func wrongPassword() {
    let driver = ScreenDriver.refused(.invalidCredentials)

    #expect(driver.banner?.text == "Invalid email or password")
    #expect(driver.banner?.severity == .error)
    #expect(driver.banner?.dismissal == "Dismiss")
    #expect(driver.screen.id == "credentials")
    #expect(driver.field(.password)?.value == "")
    #expect(driver.screen.focus?.part == "password")
    #expect(driver.spoken.first?.text == "Invalid email or password")
    #expect(driver.spoken.first?.politeness == .assertive)
  }

  @Test("T-04 the sentence of a deactivated account")
  func deactivated() {
    let driver = ScreenDriver.refused(.accountDeactivated)

    #expect(
      driver.banner?.text
        == "Your account has been deactivated. Please contact your administrator.")
  }

  @Test("T-05 the lock page shows the reason, the end and the minutes")
  func lockPage() {
    var driver = ScreenDriver.locked()

    #expect(driver.screen.id == "locked")
    #expect(
      driver.text("lock")
        == "Your account is temporarily locked. "
        + "Please try again in 15 minutes or reset your password.")
    #expect(driver.text("until") == "Locked until ⟨22:28⟩")
    #expect(driver.button(.forgotPassword)?.label == "Reset password")
    #expect(driver.spoken.first?.text == driver.text("lock"))
    #expect(driver.spoken.first?.politeness == .assertive)

    for (seconds, words): (Int64, String) in [
      (59, "in 15 minutes"), (1, "in 14 minutes"), (779, "in 2 minutes"), (1, "in 1 minute "),
      (59, "in 1 minute "),
    ] {
      driver.pass(seconds: seconds)
      #expect(driver.text("lock")?.contains(words) == true, "\(driver.time.seconds)")
    }
    driver.pass(seconds: 1)
    #expect(driver.screen.id == "credentials")
    #expect(driver.spoken.first?.text == "You can sign in again now.")
  }

  @Test("T-05 a longer lockout shows its own minutes")
  func longerLock() {
    #expect(ScreenDriver.locked(minutes: 30).text("lock")?.contains("in 30 minutes") == true)
  }

  @Test("T-06 a wrong code is reported beside its field; the field is empty and has the focus")
  func wrongCode() {
    var driver = ScreenDriver.wrongCode(attemptsLeft: 3)
    #expect(driver.field(.code)?.error == "Invalid or expired OTP. Please try again.")
    #expect(driver.field(.code)?.value == "")
    #expect(driver.screen.focus?.part == "code")

    driver = ScreenDriver.wrongCode(attemptsLeft: 2)
    #expect(driver.field(.code)?.error?.hasSuffix("2\u{A0}attempts\u{A0}left.") == true)
    #expect(driver.spoken.first?.politeness == .assertive)
    driver = ScreenDriver.wrongCode(attemptsLeft: 1)
    #expect(driver.field(.code)?.error?.hasSuffix("One\u{A0}attempt\u{A0}left.") == true)
  }

  @Test("T-07 no network")
  func noNetwork() {
    var driver = ScreenDriver.submitting()
    for effect in driver.effects {
      if case .call(let id, _) = effect { driver.handle(.answered(id, .noNetwork)) }
    }

    #expect(
      driver.banner?.text
        == "No internet connection. Please check your connection and try again.")
  }

  @Test("T-08 Resend waits with a countdown beside it")
  func resendCountdown() {
    var driver = ScreenDriver.code()
    #expect(driver.button(.resend)?.label == "Resend OTP")
    #expect(driver.button(.resend)?.isEnabled == false)
    #expect(driver.button(.resend)?.reason == "in 1:00")

    driver.pass(seconds: 18)
    #expect(driver.button(.resend)?.reason == "in 0:42")
    driver.pass(seconds: 41)
    #expect(driver.button(.resend)?.reason == "in 0:01")
    #expect(driver.button(.resend)?.isEnabled == false)
    driver.pass(seconds: 1)
    #expect(driver.button(.resend)?.reason == nil)
    #expect(driver.button(.resend)?.isEnabled == true)
    #expect(driver.spoken.map(\.text) == ["You can request a new code now."])
  }

  @Test("T-12 R-06 Resend is the primary button from the end of the code until another is sent")
  func expiredCode() {
    func kinds(_ driver: ScreenDriver) -> [Button.Kind?] {
      [driver.button(.verify)?.kind, driver.button(.resend)?.kind]
    }
    var driver = ScreenDriver.code()
    driver.pass(seconds: 299)
    #expect(kinds(driver) == [.primary, .secondary])
    driver.pass(seconds: 1)
    #expect(kinds(driver) == [.secondary, .primary])
    #expect(driver.button(.resend)?.isEnabled == true)

    driver.press(.resend)
    #expect(kinds(driver) == [.secondary, .primary] && driver.button(.resend)?.isBusy == true)
    driver.sendCode()
    #expect(kinds(driver) == [.primary, .secondary])
  }

  @Test("T-06 Verify stays the primary button while a code is checked that then expires")
  func expiryWhileChecking() {
    var driver = ScreenDriver.code()
    driver.pass(seconds: 299)
    driver.handle(.page(.fieldEdited(.code, "123456")))
    driver.pass(seconds: 1)
    #expect(driver.button(.verify)?.kind == .primary && driver.button(.verify)?.isBusy == true)
  }

  @Test("T-09 both fields have labels and the right keyboard and autofill")
  func credentials() throws {
    let driver = ScreenDriver.credentials()
    let email = try #require(driver.field(.email))
    let password = try #require(driver.field(.password))

    #expect(email.label == "Email")
    #expect(email.kind == .email)
    #expect(email.autofill == "username")
    #expect(password.label == "Password")
    #expect(
      password.kind == .password(isRevealed: false, reveal: "Show", revealName: "Show password"))
    #expect(password.autofill == "current-password")
    #expect(driver.button(.login)?.isEnabled == false)
    #expect(driver.button(.forgotPassword)?.label == "Forgot Password?")
    #expect(driver.button(.forgotPassword)?.kind == .link)
    #expect(driver.screen.focus == nil)
  }

  @Test("T-09 loading shows the action, then that it is slow, then what to do")
  func loading() {
    var driver = ScreenDriver.submitting()
    #expect(driver.button(.login)?.label == "Signing in…")
    #expect(driver.button(.login)?.isBusy == true)
    #expect(driver.field(.email)?.isEnabled == false)
    #expect(driver.text("note") == "")
    let places = driver.screen.parts.count

    driver.pass(seconds: 5)
    #expect(driver.text("note") == "This is taking longer than usual.")
    #expect(driver.button(.cancel) == nil)
    driver.pass(seconds: 10)
    #expect(driver.text("note") == "Still no answer. Keep waiting or cancel.")
    #expect(driver.button(.cancel) != nil)
    #expect(driver.screen.parts.count == places)
  }

  @Test("T-09 the layout does not change when an error appears")
  func nothingShifts() {
    #expect(
      ScreenDriver.refused(.invalidCredentials).screen.parts.count
        == ScreenDriver.credentials().screen.parts.count)
    #expect(
      ScreenDriver.wrongCode(attemptsLeft: 2).screen.parts.count
        == ScreenDriver.code().screen.parts.count)
  }

  @Test("T-10 the code screen shows the destination and the length of the code")
  func codeScreen() throws {
    let driver = ScreenDriver.code()
    let field = try #require(driver.field(.code))

    #expect(driver.text("heading") == "Enter the code")
    #expect(driver.text("lead") == "An OTP has been sent to ***-***-1234")
    #expect(field.kind == .code(digits: 6))
    #expect(field.label == "6-digit code")
    #expect(field.autofill == "one-time-code")
    #expect(driver.button(.verify)?.isEnabled == false)
    #expect(driver.screen.back == "back")
    #expect(driver.spoken.first?.text == "An OTP has been sent to the number ending in 1234.")
    #expect(driver.spoken.first?.politeness == .polite)
  }

  @Test("T-12 the expiry is shown only in the last minute")
  func expiry() {
    var driver = ScreenDriver.code()

    for (seconds, note): (Int64, String) in [
      (29, ""), (211, "No message yet? Check your signal, or request a new code."),
      (1, "Your code expires in 0:59."), (58, "Your code expires in 0:01."),
      (1, "Your code expired. Select “Resend OTP” for a new one."),
    ] {
      driver.pass(seconds: seconds)
      #expect(driver.text("note") == note)
    }
  }

  @Test("P-03 a rate limit counts down in seconds, then minutes")
  func rateLimit() {
    for (wait, words): (Int64, String) in [
      (1, "in 1 second."), (2, "in 2 seconds."), (90, "in 90 seconds."), (91, "in 2 minutes."),
    ] {
      var driver = ScreenDriver.submitting()
      var error = Refusal(.rateLimited)
      error.retryIn = wait
      driver.refuse(error)
      #expect(driver.banner?.text == "Too many attempts. Try again " + words)
    }
  }

  @Test("T-15 every part of every screen has its own identity")
  func identities() {
    let stages = [
      ScreenDriver(), .credentials(), .submitting(), .refused(.serverError), .code(),
      .wrongCode(attemptsLeft: 1), .locked(), .reset(), .resetCode(), .jobs([]),
      .jobs([ScreenDriver.job("1", hours: 0)]),
    ]
    for driver in stages {
      var seen: Set<String> = []
      for part in driver.screen.parts {
        let id = part.json["id"]?.text ?? ""
        #expect(!id.isEmpty)
        #expect(seen.insert(id).inserted, "\(driver.screen.id): \(id)")
      }
    }
  }
}

@Suite struct JobsScreenTests {
  @Test("T-16 today comes first, then the future, then the past")
  func order() {
    let driver = ScreenDriver.jobs([
      ScreenDriver.job("past", hours: -30), ScreenDriver.job("later", hours: 72),
      ScreenDriver.job("now", hours: 0),
      ScreenDriver.job("next", hours: 24),
    ])

    #expect(driver.sections.map { $0.rows.first?.id } == ["now", nil, "next", "later", "past"])
    #expect(driver.sections.prefix(3).map(\.title.plain) == ["Next job", "Today", "Tomorrow"])
    #expect(driver.sections[1].emptyText == "No other jobs today.")
    #expect(driver.sections[3].title.plain == "⟨Friday 17 November⟩")
  }

  @Test("T-16 the jobs in progress come first, then the next job, then the others of the day")
  func next() {
    for (status, ids, titles) in [
      ("scheduled", [["first"], ["second", "blocked"]], ["Next job", "Today"]),
      (
        "in_progress", [["second"], ["first"], ["blocked"]], ["In progress", "Next job", "Today"]
      ),
      ("on_the_way", [["second"], ["first"], ["blocked"]], ["In progress", "Next job", "Today"]),
      ("problem", [["first"], ["second", "blocked"]], ["Next job", "Today"]),
    ] {
      let driver = ScreenDriver.jobs([
        ScreenDriver.job("first", hours: -1), ScreenDriver.job("second", hours: 0, status: status),
        ScreenDriver.job("blocked", hours: 1, status: "problem"),
      ])
      #expect(driver.sections.map { $0.rows.map(\.id) } == ids)
      #expect(driver.sections.map(\.title.plain) == titles)
      // Only the first section is emphasized.
      #expect(driver.sections.map(\.isNext) == ids.indices.map { $0 == 0 })
    }
  }

  @Test("T-16 a job that was begun on another day stays in progress, and its row has the day")
  func begunEarlier() {
    let driver = ScreenDriver.jobs([
      ScreenDriver.job("yesterday", hours: -30, status: "in_progress"),
      ScreenDriver.job("now", hours: 0, status: "on_the_way"),
      ScreenDriver.job("tomorrow", hours: 24),
    ])

    #expect(driver.sections.map { $0.rows.map(\.id) } == [["yesterday", "now"], [], ["tomorrow"]])
    #expect(driver.sections[0].rows.map { $0.day != nil } == [true, false])
    #expect(driver.sections[1].emptyText == "No other jobs today.")
    let earlier = ScreenDriver.jobs([
      ScreenDriver.job("yesterday", hours: -30, status: "in_progress")
    ])
    #expect(earlier.sections.map(\.emptyText) == ["", "No jobs today."])
  }

  @Test("T-16 a day ends in the person's time zone, not in Greenwich")
  func timeZones() {
    // The time is 22:13 in Greenwich. Three hours later it is tomorrow there, and still today in
    // New York.
    let late = ScreenDriver.job("late", hours: 3)

    let here = ScreenDriver.jobs([late])
    #expect(here.sections.last?.title.plain == "Tomorrow")
    let west = ScreenDriver.jobs([late], utcOffsetSeconds: -5 * 3600)
    #expect(west.sections.map(\.title.plain) == ["Next job", "Today"])
  }

  @Test("T-16 a day without jobs says so, and an empty list says what to do")
  func nothing() {
    let later = ScreenDriver.jobs([ScreenDriver.job("later", hours: 48)])
    #expect(later.sections.first?.emptyText == "No jobs today.")

    let none = ScreenDriver.jobs([])
    #expect(none.sections.isEmpty)
    #expect(none.button(.refresh)?.label == "Refresh")
  }

  @Test("T-16 finished jobs are folded below the others, with their count and the day of each")
  func finished() throws {
    var driver = ScreenDriver.jobs([
      ScreenDriver.job("early", hours: -30, status: "done"),
      ScreenDriver.job("now", hours: 0, status: "done"), ScreenDriver.job("next", hours: 24),
      ScreenDriver.job("later", hours: 1, status: "paused"),
    ])
    #expect(driver.sections.map { $0.rows.map(\.id) } == [["later"], ["next"], []])
    let fold = try #require(driver.sections.last)
    #expect(fold.title.plain == "Finished (2)" && fold.fold?.isOpen == false)

    driver.press(.toggleFold)
    #expect(driver.sections.last?.fold?.isOpen == true)
    #expect(driver.sections.last?.rows.map(\.id) == ["now", "early"])
    #expect(driver.sections.last?.rows.map { $0.day?.text } == [nil, "Monday 13 November"])
    #expect(driver.screen.path == "?finished=true")

    driver.handle(.home(.itemPressed(.openItem, item: "now")))
    #expect(driver.screen.path == "jobs/now?finished=true")
    driver.press(.back)
    #expect(driver.screen.path == "?finished=true" && driver.sections.last?.rows.count == 2)
    driver.press(.toggleFold)
    #expect(driver.screen.path == "" && driver.sections.last?.rows.isEmpty == true)
  }

  @Test("T-16 a day whose jobs are all finished says so")
  func allFinished() {
    let driver = ScreenDriver.jobs([ScreenDriver.job("now", hours: 0, status: "done")])
    #expect(driver.sections.first?.emptyText == "Today's jobs are finished.")
    #expect(driver.sections.first?.title.plain == "Today" && driver.sections.count == 2)
  }

  @Test("T-16 a job shows its time, place, customer and status in words")
  func row() throws {
    let driver = ScreenDriver.jobs([ScreenDriver.job("1", hours: 0, status: "in_progress")])
    let row = try #require(driver.sections.first?.rows.first)

    #expect(row.from == Moment(seconds: 1_700_000_000, style: .clock, text: "22:13"))
    #expect(row.lines.map(\.text) == ["A. Larsen", "12 Harbour Road"])
    #expect(row.badge == Badge(text: "In progress", severity: .warning))
  }

  @Test("T-07 offline, the jobs stay and the bar shows their time")
  func offline() {
    var driver = ScreenDriver.jobs([ScreenDriver.job("1", hours: 0)])
    driver.press(.refresh)
    #expect(driver.button(.refresh)?.isBusy == true)

    for effect in driver.effects {
      if case .call(let id, let call) = effect, call.path == Endpoint.jobs.path {
        driver.handle(.answered(id, .noNetwork))
      }
    }

    #expect(driver.screen.statusBar?.text.plain.hasPrefix("You're offline.") == true)
    #expect(driver.sections.count == 2)
  }
}

@Suite struct CrossingTests {
  private func answer(_ text: String) -> String {
    var app = JSONApp<JobsHome>()
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

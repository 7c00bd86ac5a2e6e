import JSONText
import SignInEngine
import SignInFlow
import SignInModel
import SignInWire
import Testing

@testable import SignInScreens

@Suite("Messages at empty fields")
struct FieldScreenTests {
  private func expectExplaining<Home>(_ driver: AppScreenDriver<Home>, _ button: ButtonName) {
    let shown = driver.button(button)
    #expect(shown?.isEnabled == false && shown?.explainsItself == true, "\(button)")
  }

  @Test("P-01 T-09 the login screen explains both fields, and only after Login was pressed")
  func login() {
    var driver = ScreenDriver.credentials()
    #expect(driver.field(.email)?.error == nil && driver.field(.password)?.error == nil)
    expectExplaining(driver, .login)

    driver.press(.login)

    #expect(driver.field(.email)?.error == "Enter your email.")
    #expect(driver.field(.password)?.error == "Enter your password.")
    #expect(driver.screen.focus?.part == "email")
    #expect(
      driver.spoken == [
        LocalizedAnnouncement(
          .fieldsMissing([.email, .password]), in: driver.flow.context, of: JobsHome.self)
      ])
    #expect(driver.spoken.first?.text == "Enter your email. Enter your password.")
    #expect(driver.spoken.first?.politeness == .assertive)
    #expect(driver.button(.login)?.isEnabled == false)

    driver.handle(.page(.fieldEdited(.email, "tech@example.com")))
    driver.handle(.page(.fieldEdited(.password, "x")))
    #expect(driver.field(.email)?.error == nil && driver.field(.password)?.error == nil)
    #expect(driver.button(.login)?.isEnabled == true)
    #expect(driver.button(.login)?.explainsItself == false)
  }

  @Test("P-01 a busy button shows no explanation")
  func busy() {
    #expect(ScreenDriver.submitting().button(.login)?.explainsItself == false)
    #expect(ScreenDriver.changingPassword().button(.verify)?.explainsItself == false)
  }

  @Test("P-01 Verify explains an empty code and a code with too few digits")
  func code() {
    var driver = ScreenDriver.code()
    expectExplaining(driver, .verify)
    driver.press(.verify)
    #expect(driver.field(.code)?.error == "Enter the code.")
    #expect(driver.screen.focus?.part == "code" && driver.spoken.first?.text == "Enter the code.")

    driver.handle(.page(.fieldEdited(.code, "12345")))
    #expect(driver.field(.code)?.error == nil)
    driver.press(.verify)
    #expect(driver.field(.code)?.error == "Enter all 6 digits of the code.")
    #expect(driver.spoken.first?.text == "Enter all 6 digits of the code.")
    driver.handle(.page(.fieldEdited(.code, "123456")))
    #expect(driver.field(.code)?.error == nil && driver.button(.verify)?.isEnabled == true)
  }

  @Test("P-01 after a wrong code an empty field says that the code is missing")
  func codeAfterWrong() {
    var driver = ScreenDriver.wrongCode(attemptsLeft: 4)
    driver.press(.verify)
    #expect(driver.field(.code)?.error == "Enter the code.")
  }

  @Test("P-01 the reset explains its e-mail, its code and its password")
  func reset() {
    var driver = ScreenDriver.credentials()
    driver.press(.forgotPassword)
    expectExplaining(driver, .sendCode)
    driver.press(.sendCode)
    #expect(driver.field(.email)?.error == "Enter your email.")
    #expect(driver.screen.focus?.part == "email")

    driver = ScreenDriver.resetCode()
    expectExplaining(driver, .verify)
    driver.press(.verify)
    #expect(driver.field(.code)?.error == "Enter the code.")
    #expect(driver.field(.newPassword)?.error == "Enter a new password.")
    #expect(driver.screen.focus?.part == "code")
    driver.handle(.page(.fieldEdited(.code, "123456")))
    driver.press(.verify)
    #expect(driver.screen.focus?.part == "new_password")
    #expect(driver.spoken.first?.text == "Enter a new password.")
    driver.handle(.page(.fieldEdited(.newPassword, "long enough")))
    #expect(driver.field(.newPassword)?.error == nil && driver.button(.verify)?.isEnabled == true)
  }

  @Test("P-01 R-07 a rider learns what is missing, at the sign-in and at the registration")
  func rider() {
    var driver = RiderScreenDriver()
    driver.handle(.started(utcOffsetSeconds: 0, app: .rider, locale: ScreenDriver.britain))
    driver.handle(.storage(.read(.absent)))
    expectExplaining(driver, .sendCode)
    driver.press(.sendCode)
    #expect(driver.field(.phone)?.error == "Enter your mobile number.")
    #expect(driver.screen.focus?.part == "phone")

    driver.press(.signUp)
    #expect(driver.field(.phone)?.error == nil)
    expectExplaining(driver, .register)
    driver.press(.register)
    #expect(driver.field(.name)?.error == "Enter your name.")
    #expect(driver.field(.phone)?.error == "Enter your mobile number.")
    #expect(driver.screen.focus?.part == "name")
    driver.handle(.page(.fieldEdited(.name, "Ravi")))
    driver.press(.register)
    #expect(driver.field(.name)?.error == nil && driver.screen.focus?.part == "phone")
  }

  @Test("P-01 an invited person learns that a password is missing")
  func invitation() {
    var driver = ScreenDriver()
    driver.handle(.started(utcOffsetSeconds: 0, locale: ScreenDriver.britain))
    driver.handle(.signIn(.invited(Secret("i"))))
    driver.handle(.storage(.read(.absent)))
    expectExplaining(driver, .savePassword)

    driver.press(.savePassword)

    #expect(driver.field(.newPassword)?.error == "Enter a new password.")
    #expect(driver.screen.focus?.part == "new_password")
  }

  @Test("P-01 fields for passwords and codes have placeholders")
  func placeholders() {
    #expect(ScreenDriver.credentials().field(.password)?.placeholder == "Your password")
    #expect(ScreenDriver.code().field(.code)?.placeholder == "000000")
    #expect(ScreenDriver.resetCode().field(.newPassword)?.placeholder == "Choose a password")
  }

  @Test("P-03 the three sentences, in every language")
  func threeSentences() {
    let sentences: [(Language, [String])] = [
      (
        .english,
        [
          "No internet connection. Please check your connection and try again.",
          "Service unavailable. We cannot reach it right now. Try again in a moment.",
          "Something went wrong on our side. Try again.",
        ]
      ),
      (.hindi, ["इंटरनेट कनेक्शन नहीं है", "सेवा उपलब्ध नहीं है", "हमारी ओर से कुछ गड़बड़ी हुई"]),
      (
        .norwegian,
        ["Ingen internettforbindelse", "Tjenesten er utilgjengelig", "Noe gikk galt hos oss"]
      ),
    ]
    let answers: [Answer] = [
      .noNetwork, .unreachable, .received(status: 500, body: .null, serverSeconds: nil),
    ]
    for (language, texts) in sentences {
      for (answer, text) in zip(answers, texts) {
        var driver = ScreenDriver.submitting()
        let asked = driver.effects
        driver.handle(.page(.fieldEdited(.language, language.rawValue)))
        driver.effects = asked
        driver.answerLast(answer)
        #expect(driver.banner?.text.hasPrefix(text) == true, "\(language) \(answer)")
      }
    }
  }

  @Test(
    "O-08 a failed sync leaves only the time of the copy; a failed refresh is reported beside it")
  func silentSync() {
    let fault = Answer.received(status: 500, body: .null, serverSeconds: nil)
    for answer in [Answer.timedOut, fault] {
      var driver = ScreenDriver.jobs([ScreenDriver.job("1", hours: 0)])
      driver.handle(.device(.shown))
      driver.answerLast(answer)
      #expect(driver.screen.statusBar == nil && driver.banner == nil && driver.spoken.isEmpty)
      #expect(driver.toolbar == "Updated ⟨22:13⟩" && driver.sections.count == 2, "\(answer)")

      driver.press(.refresh)
      #expect(driver.toolbar == "Updated ⟨22:13⟩")
      driver.answerLast(answer)
      #expect(driver.screen.statusBar == nil && driver.banner == nil, "\(answer)")
      #expect(driver.toolbar == "Refresh failed. Updated ⟨22:13⟩", "\(answer)")
      #expect(driver.spoken.map(\.politeness) == [.polite], "\(answer)")
    }
  }

  @Test("O-01 the bar calls the copy offline, and the device only if it has no network")
  func outOfReach() {
    for (answer, text) in [
      (Answer.noNetwork, "You're offline. Showing jobs from ⟨22:13⟩."),
      (.unreachable, "Offline Mode. Viewing offline data from ⟨22:13⟩."),
    ] {
      var driver = ScreenDriver.jobs([ScreenDriver.job("1", hours: 0)])
      driver.handle(.device(.shown))
      driver.answerLast(answer)
      #expect(driver.screen.statusBar?.text.plain == text && driver.banner == nil)
    }
  }

  @Test("S-08 the sign-in says that the stored session is damaged")
  func damaged() {
    var driver = ScreenDriver()
    driver.handle(.started(utcOffsetSeconds: 0, locale: ScreenDriver.britain))
    driver.handle(.storage(.read(.damaged)))

    #expect(driver.screen.id == "credentials")
    #expect(
      driver.banner?.text == "The session saved on this device is damaged. Sign in again.")
  }

  @Test("P-03 S-08 each shell report about network and storage is read with its meaning")
  func crossing() {
    func said(_ text: String) -> Event? {
      do throws(JSONMalformed) {
        return Event(json: try JSONReader.read([UInt8](text.utf8)), of: .technician)
      } catch {
        return nil
      }
    }
    let id = RequestID(1)
    let answered = #"{"event":"answered","request":1,"failure":"#
    #expect(said(answered + #""unreachable","network":false}"#) == .answered(id, .noNetwork))
    #expect(said(answered + #""timed_out","network":false}"#) == .answered(id, .noNetwork))
    #expect(said(answered + #""unreachable","network":true}"#) == .answered(id, .unreachable))
    #expect(said(answered + #""unreachable"}"#) == .answered(id, .unreachable))
    #expect(said(answered + #""timed_out","network":true}"#) == .answered(id, .timedOut))
    #expect(
      said(#"{"event":"answered","request":1,"on_device":true}"#) == .answered(id, .onDevice))
    #expect(said(#"{"event":"storage_read","storage":"damaged"}"#) == .storage(.read(.damaged)))
    #expect(
      said(#"{"event":"storage_read","storage":"x"}"#) == .storage(.read(.temporarilyUnreadable)))
  }
}

extension AppScreenDriver {
  /// Answers the last request for data that is shown.
  mutating func answerLast(_ answer: Answer) {
    for effect in effects.reversed() {
      guard case .call(let id, let call) = effect, call.path != Endpoint.me.path,
        !call.path.hasPrefix(Endpoint.sessionEvents.path)
      else { continue }
      return handle(.answered(id, answer))
    }
  }

  var toolbar: String? {
    for part in parts { if case .toolbar(_, let text, _) = part { return text.plain } }
    return nil
  }
}

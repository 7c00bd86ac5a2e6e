import JSONText
import SignInFlow
import SignInModel
import SignInWire
import Testing

@testable import SignInScreens

@Suite("Messages at empty fields")
struct FieldScreenTests {
  private func expectExplaining(_ stage: Stage, _ button: ButtonName) {
    let shown = stage.button(button)
    #expect(shown?.isEnabled == false && shown?.explainsItself == true, "\(button)")
  }

  @Test("P-01 T-09 the login screen explains both fields, and only after Login was pressed")
  func login() {
    var stage = Stage.credentials()
    #expect(stage.field(.email)?.error == nil && stage.field(.password)?.error == nil)
    expectExplaining(stage, .login)

    stage.press(.login)

    #expect(stage.field(.email)?.error == "Enter your email.")
    #expect(stage.field(.password)?.error == "Enter your password.")
    #expect(stage.screen.focus?.part == "email")
    #expect(
      stage.spoken == [
        LocalizedAnnouncement(.fieldsMissing([.email, .password]), in: stage.flow.context)
      ])
    #expect(stage.spoken.first?.text == "Enter your email. Enter your password.")
    #expect(stage.spoken.first?.politeness == .assertive)
    #expect(stage.button(.login)?.isEnabled == false)

    stage.happen(.fieldEdited(.email, "tech@example.com"))
    stage.happen(.fieldEdited(.password, "x"))
    #expect(stage.field(.email)?.error == nil && stage.field(.password)?.error == nil)
    #expect(stage.button(.login)?.isEnabled == true)
    #expect(stage.button(.login)?.explainsItself == false)
  }

  @Test("P-01 a busy button shows no explanation")
  func busy() {
    #expect(Stage.submitting().button(.login)?.explainsItself == false)
    #expect(Stage.changingPassword().button(.verify)?.explainsItself == false)
  }

  @Test("P-01 Verify explains an empty code and a code with too few digits")
  func code() {
    var stage = Stage.code()
    expectExplaining(stage, .verify)
    stage.press(.verify)
    #expect(stage.field(.code)?.error == "Enter the code.")
    #expect(stage.screen.focus?.part == "code" && stage.spoken.first?.text == "Enter the code.")

    stage.happen(.fieldEdited(.code, "12345"))
    #expect(stage.field(.code)?.error == nil)
    stage.press(.verify)
    #expect(stage.field(.code)?.error == "Enter all 6 digits of the code.")
    #expect(stage.spoken.first?.text == "Enter all 6 digits of the code.")
    stage.happen(.fieldEdited(.code, "123456"))
    #expect(stage.field(.code)?.error == nil && stage.button(.verify)?.isEnabled == true)
  }

  @Test("P-01 after a wrong code an empty field says that the code is missing")
  func codeAfterWrong() {
    var stage = Stage.wrongCode(attemptsLeft: 4)
    stage.press(.verify)
    #expect(stage.field(.code)?.error == "Enter the code.")
  }

  @Test("P-01 the reset explains its e-mail, its code and its password")
  func reset() {
    var stage = Stage.credentials()
    stage.press(.forgotPassword)
    expectExplaining(stage, .sendCode)
    stage.press(.sendCode)
    #expect(stage.field(.email)?.error == "Enter your email.")
    #expect(stage.screen.focus?.part == "email")

    stage = Stage.resetCode()
    expectExplaining(stage, .verify)
    stage.press(.verify)
    #expect(stage.field(.code)?.error == "Enter the code.")
    #expect(stage.field(.newPassword)?.error == "Enter a new password.")
    #expect(stage.screen.focus?.part == "code")
    stage.happen(.fieldEdited(.code, "123456"))
    stage.press(.verify)
    #expect(stage.screen.focus?.part == "new_password")
    #expect(stage.spoken.first?.text == "Enter a new password.")
    stage.happen(.fieldEdited(.newPassword, "long enough"))
    #expect(stage.field(.newPassword)?.error == nil && stage.button(.verify)?.isEnabled == true)
  }

  @Test("P-01 R-07 a rider learns what is missing, at the sign-in and at the registration")
  func rider() {
    var stage = Stage()
    stage.happen(.started(utcOffsetSeconds: 0, app: .rider, locale: Stage.britain))
    stage.happen(.storageRead(.absent))
    expectExplaining(stage, .sendCode)
    stage.press(.sendCode)
    #expect(stage.field(.phone)?.error == "Enter your mobile number.")
    #expect(stage.screen.focus?.part == "phone")

    stage.press(.signUp)
    #expect(stage.field(.phone)?.error == nil)
    expectExplaining(stage, .register)
    stage.press(.register)
    #expect(stage.field(.name)?.error == "Enter your name.")
    #expect(stage.field(.phone)?.error == "Enter your mobile number.")
    #expect(stage.screen.focus?.part == "name")
    stage.happen(.fieldEdited(.name, "Ravi"))
    stage.press(.register)
    #expect(stage.field(.name)?.error == nil && stage.screen.focus?.part == "phone")
  }

  @Test("P-01 an invited person learns that a password is missing")
  func invitation() {
    var stage = Stage()
    stage.happen(.started(utcOffsetSeconds: 0, locale: Stage.britain))
    stage.happen(.device(.invited(Secret("i"))))
    stage.happen(.storageRead(.absent))
    expectExplaining(stage, .savePassword)

    stage.press(.savePassword)

    #expect(stage.field(.newPassword)?.error == "Enter a new password.")
    #expect(stage.screen.focus?.part == "new_password")
  }

  @Test("P-01 fields for passwords and codes have placeholders")
  func placeholders() {
    #expect(Stage.credentials().field(.password)?.placeholder == "Your password")
    #expect(Stage.code().field(.code)?.placeholder == "000000")
    #expect(Stage.resetCode().field(.newPassword)?.placeholder == "Choose a password")
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
        var stage = Stage.submitting()
        let asked = stage.effects
        stage.happen(.fieldEdited(.language, language.rawValue))
        stage.effects = asked
        stage.answerLast(answer)
        #expect(stage.banner?.text.hasPrefix(text) == true, "\(language) \(answer)")
      }
    }
  }

  @Test(
    "O-08 a failed sync leaves only the time of the copy; a failed refresh is reported beside it")
  func silentSync() {
    let fault = Answer.received(status: 500, body: .null, serverSeconds: nil)
    for answer in [Answer.timedOut, fault] {
      var stage = Stage.jobs([Stage.job("1", hours: 0)])
      stage.happen(.device(.shown))
      stage.answerLast(answer)
      #expect(stage.screen.statusBar == nil && stage.banner == nil && stage.spoken.isEmpty)
      #expect(stage.toolbar == "Updated ⟨22:13⟩" && stage.sections.count == 1, "\(answer)")

      stage.press(.refresh)
      #expect(stage.toolbar == "Updated ⟨22:13⟩")
      stage.answerLast(answer)
      #expect(stage.screen.statusBar == nil && stage.banner == nil, "\(answer)")
      #expect(stage.toolbar == "Refresh failed. Updated ⟨22:13⟩", "\(answer)")
      #expect(stage.spoken.map(\.politeness) == [.polite], "\(answer)")
    }
  }

  @Test("O-01 the bar calls the copy offline, and the device only if it has no network")
  func outOfReach() {
    for (answer, text) in [
      (Answer.noNetwork, "You're offline. Showing jobs from ⟨22:13⟩."),
      (.unreachable, "Offline Mode. Viewing offline data from ⟨22:13⟩."),
    ] {
      var stage = Stage.jobs([Stage.job("1", hours: 0)])
      stage.happen(.device(.shown))
      stage.answerLast(answer)
      #expect(stage.screen.statusBar?.text.plain == text && stage.banner == nil)
    }
  }

  @Test("S-08 the sign-in says that the stored session is damaged")
  func damaged() {
    var stage = Stage()
    stage.happen(.started(utcOffsetSeconds: 0, locale: Stage.britain))
    stage.happen(.storageRead(.damaged))

    #expect(stage.screen.id == "credentials")
    #expect(
      stage.banner?.text == "The session saved on this device is damaged. Sign in again.")
  }

  @Test("P-03 S-08 each shell report about network and storage is read with its meaning")
  func crossing() {
    func said(_ text: String) -> Event? {
      do throws(JSONMalformed) {
        return Event(json: try JSONReader.read([UInt8](text.utf8)))
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
    #expect(said(#"{"event":"storage_read","storage":"damaged"}"#) == .storageRead(.damaged))
    #expect(said(#"{"event":"storage_read","storage":"x"}"#) == .storageRead(.cannotTell))
  }
}

extension Stage {
  /// Answers the last request for data that is shown.
  mutating func answerLast(_ answer: Answer) {
    for effect in effects.reversed() {
      guard case .call(let id, let call) = effect, call.path != Endpoint.me,
        !call.path.hasPrefix(Endpoint.sessionEvents)
      else { continue }
      return happen(.answered(id, answer))
    }
  }

  var toolbar: String? {
    for part in screen.parts { if case .toolbar(_, let text, _) = part { return text.plain } }
    return nil
  }
}

import JSONText
import SignInFlow
import SignInModel
import SignInWire
import Testing

@testable import SignInScreens

/// The screens of a lock, of the sessions, and before an idle end.
@Suite struct SessionScreenTests {
  private static let card = #"{"version":1,"name":"Tess Technician","organization":"north"}"#

  private func locked() -> Stage {
    var stage = Stage()
    stage.happen(.started(utcOffsetSeconds: 0, locale: Stage.britain))
    stage.happen(.storageRead(.locked(card: Self.card)))
    return stage
  }

  private func sheet(_ stage: Stage) -> (title: String, text: String, buttons: [String])? {
    for part in stage.screen.parts {
      if case .sheet(_, let title, let text, _, let buttons) = part {
        return (title, text.plain, buttons.map { $0.id })
      }
    }
    return nil
  }

  private func menu(_ stage: Stage) -> [String] {
    stage.screen.header?.menu.items.map { $0.id } ?? []
  }

  private func text(_ stage: Stage) -> String { stage.screen.json.utf8.text }

  // MARK: The lock

  @Test("S-02 a locked app names its account and offers two ways in, with focus on the first")
  func lockedScreen() {
    let stage = locked()

    #expect(stage.screen.id == "app-lock")
    #expect(stage.text("who") == "Tess Technician")
    #expect(stage.button(.unlock)?.isBusy == false)
    #expect(stage.button(.useAnotherWay) != nil)
    #expect(stage.screen.focus?.part == "unlock")
    #expect(stage.screen.header == nil)
  }

  @Test("S-02 during unlocking the button is busy; after a cancelled prompt the screen explains")
  func unlocking() {
    var stage = locked()
    stage.press(.unlock)
    #expect(stage.button(.unlock)?.isBusy == true)

    stage.happen(.device(.unlockFailed(.cancelled)))

    #expect(stage.button(.unlock)?.isBusy == false)
    #expect(stage.banner?.text.hasPrefix("Fieldpass is still locked.") == true)
  }

  @Test("P-07 a lock is offered over the home screen and can be declined")
  func offer() {
    var stage = Stage.code()
    stage.happen(.fieldEdited(.code, "123456"))
    stage.press(.verify)
    stage.answer(200, .members([JSONMember("authorization_code", "c")]))
    stage.answer(200, Self.tokens.json)

    stage.happen(.device(.lockSupportChecked(true)))

    #expect(sheet(stage)?.buttons == ["set_lock", "not_now"])
    #expect(stage.screen.focus?.part == "sheet")
    stage.press(.notNow)
    #expect(sheet(stage) == nil)
    #expect(menu(stage).contains("set_lock"))
  }

  private static let tokens = TokenAnswer(
    accessToken: Secret("a"), tokenType: "DPoP", expiresIn: 600, refreshToken: Secret("r"),
    idToken: nil, scope: "",
    session: TokenAnswer.SessionTerms(
      id: SessionID("s"), expiresAt: Stage.noon.adding(seconds: 86400), idleTimeout: 3600,
      backgroundTimeout: 300, unlock: "none", organization: nil
    )
  )

  @Test("S-06 during the server check no data of the session is visible")
  func confirming() {
    var before = Stage.jobs([Stage.job("1", hours: 1)])
    before.happen(.device(.hidden))
    before.time = before.time.adding(seconds: 3600)

    before.happen(.device(.shown))

    #expect(before.screen.id == "confirming")
    #expect(!text(before).contains("Job 1"))
  }

  // MARK: Idle

  @Test(
    "S-07 before the idle timeout a sheet counts down, and one press continues the session")
  func idleWarning() {
    var stage = Stage.jobs([])
    for _ in 0..<357 { stage.pass(seconds: 10) }

    #expect(sheet(stage)?.title == "Are you still there?")
    #expect(sheet(stage)?.buttons == ["stay_signed_in", "sign_out"])
    let first = sheet(stage)?.text
    stage.pass(seconds: 1)
    #expect(sheet(stage)?.text != first)
    stage.press(.staySignedIn)
    #expect(sheet(stage) == nil)
  }

  // MARK: Other sessions of the person

  private func sessions() -> Stage {
    var stage = Stage.jobs([])
    stage.press(.whereSignedIn)
    let entries = [("s", true), ("s2", false), ("s3", false)].map { id, isCurrent in
      JSON.members([
        JSONMember("id", id), JSONMember("client_id", "technician-app"),
        JSONMember("organization", "north"), JSONMember("started_at", Stage.noon.seconds),
        JSONMember("last_used_at", Stage.noon.seconds), JSONMember("current", isCurrent),
      ])
    }
    stage.answer(200, .members([JSONMember("sessions", .array(entries))]))
    return stage
  }

  private func cards(_ stage: Stage) -> [ActionCard] {
    for part in stage.screen.parts { if case .actionCards(_, let cards) = part { return cards } }
    return []
  }

  @Test(
    "S-08 every session is listed with app, organization and last use; the current one is marked")
  func sessionList() {
    let stage = sessions()

    #expect(stage.screen.id == "sessions")
    #expect(stage.screen.back == "back")
    #expect(cards(stage).map { $0.id } == ["s", "s2", "s3"])
    #expect(cards(stage).first?.badge?.text == "This device")
    #expect(cards(stage).first?.button == nil)
    #expect(cards(stage).last?.button?.item == "s3")
    #expect(cards(stage).first?.lines.first?.plain == "north")
    #expect(stage.button(.endOtherSessions) != nil)
  }

  @Test("S-08 a session is busy while it is ended, and its end is reported")
  func endSession() {
    var stage = sessions()

    stage.happen(.home(.itemPressed(.endSession, item: "s2")))
    #expect(cards(stage)[1].button?.isBusy == true)
    #expect(cards(stage)[2].button?.isBusy == false)
    stage.answer(204, .null)

    #expect(stage.banner?.text == "Device signed out.")
    stage.press(.back)
    #expect(stage.screen.id == "jobs")
  }
}

extension [UInt8] {
  fileprivate var text: String { String(decoding: self, as: UTF8.self) }
}

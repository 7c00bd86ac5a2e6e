import JSONText
import SignInEngine
import SignInFlow
import SignInModel
import Testing

@testable import SignInScreens
@testable import SignInWire

@Suite struct ActivitiesScreenTests {
  private typealias MentorScreenDriver = AppScreenDriver<ActivitiesHome>

  private static func activity(_ id: String, days: Int64) -> ActivityEntry {
    let start = MentorScreenDriver.startTime.adding(seconds: days * 86400)
    return ActivityEntry(
      id: id, title: "Walk", startsAt: start, endsAt: start.adding(seconds: 3600),
      place: "Frogner", companion: "Ola N.", status: "planned", notes: "")
  }

  private static func listed(_ entries: [ActivityEntry]) -> MentorScreenDriver {
    var driver = MentorScreenDriver()
    driver.handle(.started(utcOffsetSeconds: 0, app: .mentor, locale: ScreenDriver.britain))
    driver.handle(.storage(.read(.value(ScreenDriver.session), seen: ScreenDriver.seen)))
    let effects = driver.effects
    driver.handle(.home(.screenStateRead(nil)))
    for effect in effects {
      guard case .call(let id, let call) = effect, call.path == Endpoint.activities.path else {
        continue
      }
      let body = JSON.members([JSONMember("activities", .array(entries.map { $0.json }))])
      driver.handle(.answered(id, .received(status: 200, body: body, serverSeconds: nil)))
    }
    return driver
  }

  @Test("S-09 the activities open on today, and those of earlier days are folded")
  func today() {
    var driver = Self.listed([
      Self.activity("old", days: -9), Self.activity("yesterday", days: -1),
      Self.activity("now", days: 0), Self.activity("next", days: 1),
    ])
    #expect(
      driver.sections.map(\.title.plain) == ["Today", "Tomorrow", "Earlier (2)"])
    #expect(driver.sections.map { $0.rows.map(\.id) } == [["now"], ["next"], []])

    driver.press(.toggleFold)
    #expect(driver.sections.last?.rows.map(\.id) == ["yesterday", "old"])
    #expect(driver.sections.last?.rows.allSatisfy { $0.day != nil } == true)
    #expect(driver.screen.path == "?earlier=true")
  }

  @Test("S-09 a day without activities says so, and unsent notes of an earlier day stay in sight")
  func unsent() {
    var driver = Self.listed([Self.activity("old", days: -2)])
    #expect(driver.sections.first?.emptyText == "No activity today.")
    driver.handle(.home(.itemPressed(.openActivity, item: "old")))
    driver.handle(.page(.fieldEdited(.notes, Secret("We walked."))))
    driver.press(.back)

    #expect(driver.sections.map { $0.rows.map(\.id) } == [[], ["old"]])
    #expect(driver.sections.last?.fold == nil)
  }

  @Test("S-09 what happens to notes is said beside the field, and a failure has a button")
  func savingNotes() {
    var driver = Self.listed([Self.activity("now", days: 0)])
    driver.handle(.home(.itemPressed(.openActivity, item: "now")))
    driver.handle(.page(.fieldEdited(.notes, Secret("We walked."))))
    #expect(driver.outcome == "Saving…" && driver.button(.saveNotes) == nil)
    #expect(driver.text("time") == "⟨22:13⟩ – ⟨23:13⟩")

    driver.handle(.page(.buttonPressed(.saveNotes)))
    driver.answerLast(.noNetwork)

    #expect(driver.outcome == "Not sent yet. It will be sent when you are online.")
    #expect(driver.button(.saveNotes)?.label == "Try again")
    driver.press(.signOut)
    let labels = driver.sheetButtons.map(\.label)
    #expect(labels == ["Cancel", "Sign out"])
  }
}

extension AppScreenDriver {
  /// The text beside the field or the buttons.
  fileprivate var outcome: String? {
    for part in parts {
      if case .note("outcome", let text, _) = part { return text }
    }
    return nil
  }

  fileprivate var sheetButtons: [Button] {
    for part in parts { if case .sheet(_, _, _, _, let buttons) = part { return buttons } }
    return []
  }
}

import JSONText
import SignInEngine
import SignInFlow
import SignInModel
import SignInWire
import Testing

@testable import SignInScreens

@Suite("A list and the page of an item, side by side if there is enough width")
struct PanesScreenTests {
  private struct Panes {
    let list: [Part]
    let opened: [Part]
    let chosen: String?
  }

  private static func panes<Home>(_ driver: AppScreenDriver<Home>) -> Panes? {
    for part in driver.screen.parts {
      if case .split("panes", let list, let opened, let chosen) = part {
        return Panes(list: list, opened: opened, chosen: chosen)
      }
    }
    return nil
  }

  private static func advice(_ panes: Panes) -> String? {
    guard case .text(_, let text, _)? = panes.opened.first else { return nil }
    return text.plain
  }

  private static func jobs() -> ScreenDriver {
    .jobs([ScreenDriver.job("1", hours: 0), ScreenDriver.job("2", hours: 1)])
  }

  @Test("T-01 beside the list the page says what to choose, and then shows the chosen job")
  func choosing() throws {
    var driver = Self.jobs()
    let before = try #require(Self.panes(driver))
    #expect(before.chosen == "" && Self.advice(before) == "Choose a job to see it here.")

    driver.handle(.home(.itemPressed(.openItem, item: "2")))
    let opened = try #require(Self.panes(driver))
    #expect(opened.chosen == "2" && opened.list == before.list)
    #expect(driver.text("time") != nil && driver.sections.count == 2)
    #expect(driver.screen.focus?.part == "record" && driver.screen.id == "work")

    driver.press(.back)
    #expect(Self.panes(driver)?.chosen == "")
    #expect(driver.screen.focus?.part == "heading")
  }

  @Test("T-16 finished jobs can be shown and hidden while a job is open")
  func fold() {
    var driver = ScreenDriver.jobs([
      ScreenDriver.job("1", hours: 0), ScreenDriver.job("2", hours: 1, status: "done"),
    ])
    driver.handle(.home(.itemPressed(.openItem, item: "1")))
    driver.press(.toggleFold)
    #expect(driver.sections.last?.rows.map(\.id) == ["2"])
    #expect(driver.screen.path == "jobs/1?finished=true")
    driver.press(.back)
    #expect(driver.screen.path == "?finished=true")
  }

  @Test("T-16 a question about the status covers list and item, and Cancel returns to its button")
  func question() {
    var driver = Self.jobs()
    driver.handle(.home(.itemPressed(.openItem, item: "1")))
    driver.handle(.home(.itemPressed(.setStatus, item: "problem")))
    #expect(driver.screen.focus?.part == "question")
    guard case .sheet(_, _, _, _, let buttons)? = driver.screen.parts.last else {
      Issue.record("the question is not beside the panes")
      return
    }
    #expect(buttons.map(\.kind) == [.dangerous, .quiet])
    driver.press(.cancel)
    #expect(driver.screen.focus?.part == "set_status-problem")
  }

  @Test("O-05 the list says which status is not sent yet")
  func unsent() {
    var driver = Self.jobs()
    driver.handle(.home(.screenStateRead(nil)))
    driver.handle(.home(.itemPressed(.openItem, item: "1")))
    driver.handle(.home(.itemPressed(.setStatus, item: "on_the_way")))
    let unsent = "Not sent yet. Stored on this device."
    #expect(driver.sections.first?.rows.first?.lines.count == 2)
    for effect in driver.effects {
      guard case .call(let id, let call) = effect, call.path == "/api/jobs/1" else { continue }
      driver.handle(.answered(id, .noNetwork))
    }
    #expect(driver.sections.first?.rows.first?.lines.last?.text == unsent)
    #expect(driver.sections[1].rows.map(\.lines.count) == [2])
  }

  @Test("T-16 the button that finishes a job is the main one, and not a dangerous one")
  func finish() {
    var driver = ScreenDriver.jobs([ScreenDriver.job("1", hours: 0, status: "in_progress")])
    driver.handle(.home(.itemPressed(.openItem, item: "1")))
    driver.handle(.home(.itemPressed(.setStatus, item: "done")))
    guard case .sheet(_, _, _, _, let buttons)? = driver.screen.parts.last else {
      Issue.record("nothing is asked")
      return
    }
    #expect(buttons.map(\.kind) == [.primary, .quiet])
  }

  @Test("T-01 R-01 S-09 an empty list has the whole page, and so has an unknown item")
  func alone() {
    #expect(Self.panes(ScreenDriver.jobs([])) == nil)
    var driver = Self.jobs()
    driver.handle(.home(.placeOpened("jobs/unknown")))
    #expect(Self.panes(driver) == nil && driver.screen.id == "unknown-place")
    #expect(Self.panes(RiderScreenDriver.dashboard())?.chosen == "")
  }

  @Test("O-02 T-15 the panes reach the shell with the chosen row")
  func crossing() {
    let json = Part.beside([], [], chosen: "1").json
    #expect(json["part"]?.text == "split" && json["chosen"]?.text == "1")
    #expect(Part.split(id: "x", list: [], opened: []).json["chosen"] == nil)
  }

  @Test("T-01 R-01 O-01 S-09 a form names the app that the person signs in to")
  func mark() {
    func app<Home>(_ driver: AppScreenDriver<Home>) -> String? {
      guard case .mark(_, "Fieldpass", let app)? = driver.screen.parts.first else { return nil }
      return app
    }
    #expect(app(ScreenDriver.credentials()) == "Technician app")
    #expect(app(RiderScreenDriver.rider()) == "Rider app")
    #expect(app(ScreenDriver.code()) == "Technician app")
  }
}

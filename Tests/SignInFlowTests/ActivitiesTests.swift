import JSONText
import SignInModel
import SignInWire
import Testing

@testable import SignInFlow

/// A mentor's activities in two organizations.
@Suite struct ActivitiesTests {
  @Test("S-09 the open activity and its draft are there after a restart")
  func restart() throws {
    var before = MentorDriver.atActivity()
    before.happen(.page(.fieldEdited(.notes, "Talked about his sister")))
    let place = try #require(before.kept)
    #expect(place.session == "session-1")

    var driver = MentorDriver()
    driver.happen(.started(utcOffsetSeconds: 3600, app: .mentor))
    driver.happen(.storage(.read(.value(FlowDriver.stored(1, expiresIn: 3600)))))
    #expect(driver.effects.contains(.readScreenState("session-1")))
    let opening = driver.effects
    driver.happen(.home(.screenStateRead(Secret(place.text))))
    driver.effects = opening
    driver.answerActivities()

    let entry = try #require(driver.activities?.entry)
    #expect(entry.id == "a1")
    #expect(driver.activities?.notes(of: entry) == "Talked about his sister")
    #expect(driver.activities?.isChanged(entry) == true)
  }

  @Test("S-09 a damaged place record opens no activity")
  func damagedPlace() {
    var driver = MentorDriver.opening(.mentor)

    driver.happen(.home(.screenStateRead(Secret("{"))))

    #expect(driver.activities?.opened == nil)
  }

  @Test("S-09 a press and notes before the stored drafts are read do not replace them")
  func pressBeforeReading() throws {
    var before = MentorDriver.atActivities()
    before.happen(.home(.itemPressed(.openActivity, item: "a2")))
    before.happen(.page(.fieldEdited(.notes, "Talked about his sister")))
    let stored = try #require(before.kept)

    var driver = MentorDriver.opening(.mentor)
    let read = try #require(driver.call(to: Endpoint.activities.path))
    let body = JSON.members([JSONMember("activities", .array([driver.activity("a1").json]))])
    driver.happen(.answered(read.id, .received(status: 200, body: body, serverSeconds: nil)))
    driver.happen(.home(.itemPressed(.openActivity, item: "a1")))
    #expect(driver.kept == nil)
    driver.happen(.page(.fieldEdited(.notes, "Rain")))
    #expect(driver.kept == nil)
    driver.happen(.home(.screenStateRead(Secret(stored.text))))

    let written = try #require(driver.kept?.text)
    #expect(written.contains("Rain") && written.contains("Talked about his sister"))
    #expect(driver.activities?.opened == "a1")
  }

  @Test("S-09 Back after a press is not undone by the stored place")
  func backAfterPress() throws {
    let stored = try #require(MentorDriver.atActivity().kept)
    var driver = MentorDriver.opening(.mentor)
    driver.happen(.home(.itemPressed(.openActivity, item: "a2")))
    driver.press(.back)

    driver.happen(.home(.screenStateRead(Secret(stored.text))))

    #expect(driver.activities?.opened == nil)
  }

  @Test("S-09 saved notes are no longer a draft; text typed during the save still is")
  func save() throws {
    var driver = MentorDriver.atActivity()
    driver.happen(.page(.fieldEdited(.notes, "One")))
    driver.press(.saveNotes)
    let call = try #require(driver.lastCall)
    #expect(call.call.method == .patch)
    #expect(call.call.path == "/api/activities/a1")
    driver.happen(.page(.fieldEdited(.notes, "One and two")))

    let body = driver.activity("a1", notes: "One").json
    driver.happen(.answered(call.id, .received(status: 200, body: body, serverSeconds: nil)))

    let entry = try #require(driver.activities?.entry)
    #expect(driver.activities?.notice == .session(.notesSaved))
    #expect(driver.activities?.notes(of: entry) == "One and two")
    #expect(driver.activities?.isChanged(entry) == true)
  }

  @Test("L-25 notes that could not be sent stay, and the person is informed")
  func saveFails() throws {
    var driver = MentorDriver.atActivity()
    driver.happen(.page(.fieldEdited(.notes, "One")))
    driver.press(.saveNotes)

    driver.fail(.noNetwork)

    let entry = try #require(driver.activities?.entry)
    #expect(driver.activities?.notice == .noConnection)
    #expect(driver.activities?.notes(of: entry) == "One")
  }

  @Test("S-09 notes may be as long as the server accepts, to the byte")
  func notesLimit() throws {
    for (count, isTaken) in [(4095, true), (4096, true), (4097, false)] {
      var driver = MentorDriver.atActivity()
      driver.happen(.page(.fieldEdited(.notes, String(repeating: "n", count: count))))
      let entry = try #require(driver.activities?.entry)
      #expect(driver.activities?.isChanged(entry) == isTaken, "\(count)")
    }
  }

  // MARK: Organizations

  private func switching() throws -> MentorDriver {
    var driver = MentorDriver.atActivity()
    driver.happen(.home(.itemPressed(.switchOrganization, item: "south")))
    #expect(driver.effects.contains(.claimRenewal))
    driver.happen(
      .storage(.renewalClaimed(.value(try #require(driver.renewingSession).record.text.revealed))))
    #expect(driver.lastCall?.call.form?["organization"] == "south")
    return driver
  }

  @Test("S-05 a switch is one refresh: a new session, and nothing of the old one remains")
  func switches() throws {
    var driver = try switching()
    let terms = FlowDriver.terms(of: "session-2", organization: "south")

    driver.answer(200, FlowDriver.tokens(2, expiresIn: 300, terms: terms).json)

    guard case .replaceSession(let old, let new)? = driver.effects.first else {
      Issue.record("not replaced")
      return
    }
    #expect(old.revealed.contains("session-1") && new.revealed.contains("session-2"))
    #expect(driver.effects.contains(.eraseScreenState))
    #expect(driver.effects.contains(.readScreenState("session-2")))
    #expect(driver.activities?.opened == nil)
    #expect(driver.activities?.activities.value == nil)
    #expect(driver.renewingSession?.wantedOrganization == nil)
    let call = try #require(driver.call(to: "/api/activities")).call
    #expect(call.authorization == .proofWithToken(Secret("access-2")))
  }

  @Test("S-05 a failed switch changes nothing and says so")
  func switchFails() throws {
    var driver = try switching()
    driver.refuse(.notAMember)
    #expect(driver.signedIn?.notice == .session(.notAMember))
    #expect(driver.renewingSession?.wantedOrganization == nil)

    driver = try switching()
    driver.fail(.noNetwork)
    #expect(driver.signedIn?.notice == .noConnection)
    #expect(driver.activities?.opened == "a1")
  }

  @Test("L-24 a late answer for the old organization is ignored after the switch")
  func lateAnswer() throws {
    var driver = MentorDriver.atActivities()
    driver.press(.refresh)
    let late = try #require(driver.call(to: "/api/activities")).id
    driver.happen(.home(.itemPressed(.switchOrganization, item: "south")))
    driver.happen(
      .storage(.renewalClaimed(.value(try #require(driver.renewingSession).record.text.revealed))))
    let terms = FlowDriver.terms(of: "session-2", organization: "south")
    driver.answer(200, FlowDriver.tokens(2, expiresIn: 300, terms: terms).json)

    let body = JSON.members([JSONMember("activities", .array([driver.activity("a1").json]))])
    driver.happen(.answered(late, .received(status: 200, body: body, serverSeconds: nil)))

    #expect(driver.activities?.activities.value == nil)
  }

  @Test("S-05 L-23 a switch whose answer was lost is found at the next renewal")
  func lostSwitch() throws {
    var driver = FlowDriver.opened()
    driver.happen(.storage(.read(.value(FlowDriver.stored(1, expiresIn: 0)))))
    driver.happen(.storage(.renewalClaimed(.value(FlowDriver.stored(1, expiresIn: 0)))))
    let terms = FlowDriver.terms(of: "session-2", organization: "south")

    driver.answer(200, FlowDriver.tokens(2, expiresIn: 300, terms: terms).json)

    #expect(driver.renewingSession?.record.terms.id == SessionID("session-2"))
    #expect(driver.call(to: "/api/jobs")?.call.authorization == .proofWithToken(Secret("access-2")))
  }
}

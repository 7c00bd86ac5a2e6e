import EngineTesting
import JSONText
import SignInModel
import SignInWire
import Testing

@testable import SignInEngine
@testable import SignInFlow

/// A mentor's activities in two organizations.
@Suite struct ActivitiesTests {
  @Test("S-09 the open activity and its draft are there after a restart")
  func restart() throws {
    var before = MentorDriver.atActivity()
    before.handle(.page(.fieldEdited(.notes, "Talked about his sister")))
    let place = try #require(before.kept)
    #expect(place.session == "session-1")

    var driver = MentorDriver()
    driver.handle(.started(utcOffsetSeconds: 3600, app: .mentor))
    driver.handle(.storage(.read(.value(FlowDriver.stored(1, expiresIn: 3600)))))
    #expect(driver.effects.contains(.readScreenState("session-1")))
    let opening = driver.effects
    driver.handle(.home(.screenStateRead(Secret(place.text))))
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

    driver.handle(.home(.screenStateRead(Secret("{"))))

    #expect(driver.activities?.opened == nil)
  }

  @Test("S-09 a press and notes before the stored drafts are read do not replace them")
  func pressBeforeReading() throws {
    var before = MentorDriver.atActivities()
    before.handle(.home(.itemPressed(.openActivity, item: "a2")))
    before.handle(.page(.fieldEdited(.notes, "Talked about his sister")))
    let stored = try #require(before.kept)

    var driver = MentorDriver.opening(.mentor)
    let read = try #require(driver.call(to: Endpoint.activities.path))
    let body = JSON.members([JSONMember("activities", .array([driver.activity("a1").json]))])
    driver.handle(.answered(read.id, .received(status: 200, body: body, serverSeconds: nil)))
    driver.handle(.home(.itemPressed(.openActivity, item: "a1")))
    #expect(driver.kept == nil)
    driver.handle(.page(.fieldEdited(.notes, "Rain")))
    #expect(driver.kept == nil)
    driver.handle(.home(.screenStateRead(Secret(stored.text))))

    let written = try #require(driver.kept?.text)
    #expect(written.contains("Rain") && written.contains("Talked about his sister"))
    #expect(driver.activities?.opened == "a1")
  }

  @Test("S-09 Back after a press is not undone by the stored place")
  func backAfterPress() throws {
    let stored = try #require(MentorDriver.atActivity().kept)
    var driver = MentorDriver.opening(.mentor)
    driver.handle(.home(.itemPressed(.openActivity, item: "a2")))
    driver.press(.back)

    driver.handle(.home(.screenStateRead(Secret(stored.text))))

    #expect(driver.activities?.opened == nil)
  }

  @Test("S-09 notes are sent a second after the last key, and typing postpones that")
  func savesItself() throws {
    var driver = MentorDriver.atActivity()
    driver.type("One")
    driver.pass(milliseconds: 999)
    driver.type("One and")
    driver.pass(milliseconds: 999)
    #expect(driver.notesCall == nil)
    #expect(driver.notesState == .saving)

    driver.pass(milliseconds: 1)

    let call = try #require(driver.notesCall)
    #expect(call.method == .patch && call.path == "/api/activities/a1")
    #expect(call.body == .json(NotesBody { $0.notes = "One and" }.json))
    driver.confirmNotes("One and")
    #expect(driver.notesState == .saved(driver.time))
    #expect(driver.activities?.unsentCount == 0)
    #expect(driver.announcements.contains(.notice(.session(.notesSaved))))
  }

  @Test("S-09 text typed during a save is still a draft, and is sent after it")
  func typedDuringSave() throws {
    var driver = MentorDriver.atActivity()
    driver.type("One")
    driver.pass(milliseconds: 1000)
    let id = driver.call(to: "/api/activities/a1")?.id
    driver.type("One and two")

    driver.confirmNotes("One", id)

    let entry = try #require(driver.activities?.entry)
    #expect(driver.activities?.notes(of: entry) == "One and two")
    #expect(driver.notesState == .saving && driver.notesCall == nil)
    driver.pass(milliseconds: 1000)
    #expect(driver.notesCall?.body == .json(NotesBody { $0.notes = "One and two" }.json))
  }

  @Test("S-09 the first text typed again is sent, because the server may have another one")
  func typedBack() {
    var driver = MentorDriver.atActivity()
    driver.type("One")
    driver.pass(milliseconds: 1000)
    let id = driver.call(to: "/api/activities/a1")?.id
    driver.type("")
    driver.confirmNotes("One", id)
    #expect(driver.shownNotes == "")

    driver.pass(milliseconds: 1000)

    #expect(driver.notesCall?.body == .json(NotesBody { $0.notes = "" }.json))
  }

  @Test("S-09 Back sends the notes at once")
  func leaving() {
    var driver = MentorDriver.atActivity()
    driver.type("One")

    driver.press(.back)

    #expect(driver.notesCall.isPresent)
  }

  @Test("L-25 notes without a network stay and are sent with the same key when it returns")
  func sentLater() throws {
    for event in [Event.device(.networkReturned), .page(.buttonPressed(.saveNotes))] {
      var driver = MentorDriver.atActivity()
      driver.type("One")
      driver.pass(milliseconds: 1000)
      let first = try #require(driver.notesCall)
      driver.fail(.noNetwork)
      #expect(driver.notesState == .unsent && driver.shownNotes == "One")
      #expect(driver.announcements.contains(.notice(.session(.statusUnsent))))

      driver.handle(event)

      let second = try #require(driver.notesCall)
      #expect(second.idempotencyKey == first.idempotencyKey && second.body == first.body)
      driver.confirmNotes("One")
      #expect(driver.notesState == .saved(driver.time))
    }
  }

  @Test("L-25 unsent notes are tried again by themselves, and only the first failure is announced")
  func triedAgain() {
    var driver = MentorDriver.atActivity()
    driver.type("One")
    driver.pass(milliseconds: 1000)
    driver.fail(.noNetwork)

    driver.pass(milliseconds: 6000)

    #expect(driver.notesCall.isPresent && driver.notesState == .unsent)
    driver.fail(.noNetwork)
    #expect(!driver.announcements.contains(.notice(.session(.statusUnsent))))
  }

  @Test("S-09 unsent notes of an earlier run are sent with the key that they were stored with")
  func sentAfterRestart() throws {
    var before = MentorDriver.atActivity()
    before.type("One")
    before.pass(milliseconds: 1000)
    let key = try #require(before.notesCall?.idempotencyKey)
    let stored = try #require(before.kept?.text)

    var driver = MentorDriver.opening(.mentor)
    driver.handle(.home(.screenStateRead(Secret(stored))))

    #expect(driver.notesCall?.idempotencyKey == key)
  }

  @Test("S-09 notes that the server refuses stay, and are sent again only if the person acts")
  func refused() throws {
    var driver = MentorDriver.atActivity()
    driver.type("One")
    driver.pass(milliseconds: 1000)
    driver.refuseNotes()
    guard case .refused? = driver.notesState else {
      Issue.record("not refused")
      return
    }
    driver.pass(milliseconds: 90_000)
    driver.handle(.device(.networkReturned))
    #expect(driver.notesCall == nil && driver.activities?.unsentCount == 1)

    driver.press(.saveNotes)
    #expect(driver.notesCall.isPresent)
  }

  @Test("S-09 notes may be as long as the server accepts, to the byte")
  func notesLimit() {
    let limit = ActivityEntry.notesByteLimit
    for (count, isSent) in [(limit - 1, true), (limit, true), (limit + 1, false)] {
      var driver = MentorDriver.atActivity()
      let text = String(repeating: "n", count: count)
      driver.type(text)
      driver.pass(milliseconds: 1000)
      #expect(driver.notesCall.isPresent == isSent, "\(count)")
      #expect((driver.notesState == .tooLong) == !isSent && driver.shownNotes == text)
    }
  }

  // MARK: Leaving

  @Test("S-09 a sign-out asks first if notes are not sent, and Cancel changes nothing")
  func signOutAsks() {
    var driver = MentorDriver.atActivity()
    driver.type("One")
    driver.press(.signOut)
    #expect(driver.signedIn?.sheet == .unsentChanges(.signOut))
    #expect(driver.focus == .sheet)

    driver.press(.cancel)
    #expect(driver.signedIn?.sheet == nil && driver.shownNotes == "One")
    #expect(driver.focus?.rawValue == ButtonName.accountMenu.rawValue)

    driver.press(.signOut)
    driver.press(.signOut)
    #expect(driver.signedIn == nil)
  }

  @Test("S-05 a switch asks first if notes are not sent, because it erases them")
  func switchAsks() {
    var driver = MentorDriver.atActivity()
    driver.type("One")
    let pressed = Event.home(.itemPressed(.switchOrganization, item: "south"))
    driver.handle(pressed)
    let asked = SignedIn<ActivitiesHome>.Sheet.unsentChanges(
      .switchOrganization(OrganizationID("south")))
    #expect(driver.signedIn?.sheet == asked)
    #expect(driver.renewingSession?.wantedOrganization == nil)

    driver.handle(pressed)

    #expect(driver.signedIn?.sheet == nil)
    #expect(driver.renewingSession?.wantedOrganization == OrganizationID("south"))
  }

  @Test("S-09 a sign-out with all notes sent does not ask")
  func signOut() {
    var driver = MentorDriver.atActivity()
    driver.type("One")
    driver.pass(milliseconds: 1000)
    driver.confirmNotes("One")

    driver.press(.signOut)

    #expect(driver.signedIn == nil)
  }

  // MARK: Organizations

  private func switching() throws -> MentorDriver {
    var driver = MentorDriver.atActivity()
    driver.handle(.home(.itemPressed(.switchOrganization, item: "south")))
    #expect(driver.effects.contains(.claimRenewal))
    driver.handle(
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
    driver.handle(.home(.itemPressed(.switchOrganization, item: "south")))
    driver.handle(
      .storage(.renewalClaimed(.value(try #require(driver.renewingSession).record.text.revealed))))
    let terms = FlowDriver.terms(of: "session-2", organization: "south")
    driver.answer(200, FlowDriver.tokens(2, expiresIn: 300, terms: terms).json)

    let body = JSON.members([JSONMember("activities", .array([driver.activity("a1").json]))])
    driver.handle(.answered(late, .received(status: 200, body: body, serverSeconds: nil)))

    #expect(driver.activities?.activities.value == nil)
  }

  @Test("S-05 L-23 a switch whose answer was lost is found at the next renewal")
  func lostSwitch() throws {
    var driver = FlowDriver.opened()
    driver.handle(.storage(.read(.value(FlowDriver.stored(1, expiresIn: 0)))))
    driver.handle(.storage(.renewalClaimed(.value(FlowDriver.stored(1, expiresIn: 0)))))
    let terms = FlowDriver.terms(of: "session-2", organization: "south")

    driver.answer(200, FlowDriver.tokens(2, expiresIn: 300, terms: terms).json)

    #expect(driver.renewingSession?.record.terms.id == SessionID("session-2"))
    #expect(driver.call(to: "/api/jobs")?.call.authorization == .proofWithToken(Secret("access-2")))
  }
}

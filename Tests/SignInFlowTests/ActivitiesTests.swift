import JSONText
import SignInModel
import SignInWire
import Testing

@testable import SignInFlow

/// A mentor's activities in two organizations.
@Suite struct ActivitiesTests {
  @Test("S-09 the open activity and its draft are there after a restart")
  func restart() throws {
    var before = Walk.atActivity()
    before.happen(.fieldEdited(.notes, "Talked about his sister"))
    let place = try #require(before.kept)
    #expect(place.session == "session-1")

    var walk = Walk()
    walk.happen(.started(utcOffsetSeconds: 3600, app: .mentor))
    walk.happen(.storageRead(.value(Walk.stored(1, expiresIn: 3600))))
    #expect(walk.effects.contains(.readScreenState("session-1")))
    let opening = walk.effects
    walk.happen(.home(.screenStateRead(place.text)))
    walk.effects = opening
    walk.answerActivities()

    let entry = try #require(walk.activities?.entry)
    #expect(entry.id == "a1")
    #expect(walk.activities?.notes(of: entry) == "Talked about his sister")
    #expect(walk.activities?.isChanged(entry) == true)
  }

  @Test("S-09 a damaged place record opens no activity")
  func damagedPlace() {
    var walk = Walk.atActivities()

    walk.happen(.home(.screenStateRead("{")))

    #expect(walk.activities?.opened == nil)
  }

  @Test("S-09 saved notes are no longer a draft; text typed during the save still is")
  func save() throws {
    var walk = Walk.atActivity()
    walk.happen(.fieldEdited(.notes, "One"))
    walk.press(.saveNotes)
    let call = try #require(walk.lastCall)
    #expect(call.call.method == .patch)
    #expect(call.call.path == "/api/activities/a1")
    walk.happen(.fieldEdited(.notes, "One and two"))

    let body = walk.activity("a1", notes: "One").json
    walk.happen(.answered(call.id, .received(status: 200, body: body, serverSeconds: nil)))

    let entry = try #require(walk.activities?.entry)
    #expect(walk.activities?.notice == .session(.notesSaved))
    #expect(walk.activities?.notes(of: entry) == "One and two")
    #expect(walk.activities?.isChanged(entry) == true)
  }

  @Test("L-25 notes that could not be sent stay, and the person is informed")
  func saveFails() throws {
    var walk = Walk.atActivity()
    walk.happen(.fieldEdited(.notes, "One"))
    walk.press(.saveNotes)

    walk.fail(.noNetwork)

    let entry = try #require(walk.activities?.entry)
    #expect(walk.activities?.notice == .noConnection)
    #expect(walk.activities?.notes(of: entry) == "One")
  }

  @Test("S-09 notes may be as long as the server accepts, to the byte")
  func notesLimit() throws {
    for (count, isTaken) in [(4095, true), (4096, true), (4097, false)] {
      var walk = Walk.atActivity()
      walk.happen(.fieldEdited(.notes, String(repeating: "n", count: count)))
      let entry = try #require(walk.activities?.entry)
      #expect(walk.activities?.isChanged(entry) == isTaken, "\(count)")
    }
  }

  // MARK: Organizations

  private func switching() throws -> Walk {
    var walk = Walk.atActivity()
    walk.happen(.home(.itemPressed(.switchOrganization, item: "south")))
    #expect(walk.effects.contains(.claimRenewal))
    walk.happen(.renewalClaimed(.value(try #require(walk.renewingSession).record.text.revealed)))
    #expect(walk.lastCall?.call.form?["organization"] == "south")
    return walk
  }

  @Test("S-05 a switch is one refresh: a new session, and nothing of the old one remains")
  func switches() throws {
    var walk = try switching()
    let terms = Walk.terms(of: "session-2", organization: "south")

    walk.answer(200, Walk.tokens(2, expiresIn: 300, terms: terms).json)

    guard case .replaceSession(let old, let new)? = walk.effects.first else {
      Issue.record("not replaced")
      return
    }
    #expect(old.revealed.contains("session-1") && new.revealed.contains("session-2"))
    #expect(walk.effects.contains(.eraseScreenState))
    #expect(walk.effects.contains(.readScreenState("session-2")))
    #expect(walk.activities?.opened == nil)
    #expect(walk.activities?.activities.value == nil)
    #expect(walk.renewingSession?.wantedOrganization == nil)
    let call = try #require(walk.call(to: "/api/activities")).call
    #expect(call.authorization == .proofWithToken(Secret("access-2")))
  }

  @Test("S-05 a failed switch changes nothing and says so")
  func switchFails() throws {
    var walk = try switching()
    walk.refuse(.notAMember)
    #expect(walk.signedIn?.notice == .session(.notAMember))
    #expect(walk.renewingSession?.wantedOrganization == nil)

    walk = try switching()
    walk.fail(.noNetwork)
    #expect(walk.signedIn?.notice == .noConnection)
    #expect(walk.activities?.opened == "a1")
  }

  @Test("L-24 a late answer for the old organization is ignored after the switch")
  func lateAnswer() throws {
    var walk = Walk.atActivities()
    walk.press(.refresh)
    let late = try #require(walk.call(to: "/api/activities")).id
    walk.happen(.home(.itemPressed(.switchOrganization, item: "south")))
    walk.happen(.renewalClaimed(.value(try #require(walk.renewingSession).record.text.revealed)))
    let terms = Walk.terms(of: "session-2", organization: "south")
    walk.answer(200, Walk.tokens(2, expiresIn: 300, terms: terms).json)

    let body = JSON.members([JSONMember("activities", .array([walk.activity("a1").json]))])
    walk.happen(.answered(late, .received(status: 200, body: body, serverSeconds: nil)))

    #expect(walk.activities?.activities.value == nil)
  }

  @Test("S-05 L-23 a switch whose answer was lost is found at the next renewal")
  func lostSwitch() throws {
    var walk = Walk.opened()
    walk.happen(.storageRead(.value(Walk.stored(1, expiresIn: 0))))
    walk.happen(.renewalClaimed(.value(Walk.stored(1, expiresIn: 0))))
    let terms = Walk.terms(of: "session-2", organization: "south")

    walk.answer(200, Walk.tokens(2, expiresIn: 300, terms: terms).json)

    #expect(walk.renewingSession?.record.terms.id == SessionID("session-2"))
    #expect(walk.call(to: "/api/jobs")?.call.authorization == .proofWithToken(Secret("access-2")))
  }
}

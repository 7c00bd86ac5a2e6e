import EngineTesting
import JSONText
import SignInEngine
import SignInFlow
import SignInModel
import SignInWire

typealias MentorDriver = AppDriver<ActivitiesHome>

/// Steps of a mentor through the app.
extension MentorDriver {
  var activities: ActivitiesHome? { signedIn?.home }

  static var mentor: AccountAnswer {
    AccountAnswer(
      id: AccountID("m1"), name: "Mette Mentor", email: nil, phone: "***-***-0001", role: "mentor",
      organizations: [
        OrganizationEntry(id: OrganizationID("north"), name: "North"),
        OrganizationEntry(id: OrganizationID("south"), name: "South"),
      ],
      session: terms
    )
  }

  var shownNotes: String? {
    activities.flatMap { home in home.entry.map { home.notes(of: $0) } }
  }

  var notesState: ActivitiesHome.NotesState? {
    activities.flatMap { home in home.entry.map { home.state(of: $0) } }
  }

  /// The request that saves notes, if the last event has caused one.
  var notesCall: Call? { call(to: "/api/activities/a1")?.call }

  mutating func type(_ notes: String) { handle(.page(.fieldEdited(.notes, Secret(notes)))) }

  /// The server has saved the notes of the last request, or of the one with this identifier.
  mutating func confirmNotes(_ notes: String, _ id: RequestID? = nil) {
    guard let id = id ?? call(to: "/api/activities/a1")?.id else { return }
    let body = activity("a1", notes: notes).json
    handle(.answered(id, .received(status: 200, body: body, serverSeconds: nil)))
  }

  mutating func refuseNotes() {
    guard let id = call(to: "/api/activities/a1")?.id else { return }
    let body = JSON.members([JSONMember("code", "no_such_activity")])
    handle(.answered(id, .received(status: 404, body: body, serverSeconds: nil)))
  }

  mutating func pass(milliseconds: Int64) {
    time = time.adding(milliseconds: milliseconds)
    handle(.ticked)
  }

  func activity(_ id: String, notes: String = "") -> ActivityEntry {
    ActivityEntry(
      id: id, title: "Walk in the park", startsAt: serverNow,
      endsAt: serverNow.adding(seconds: 3600), place: "Frogner", companion: "Ola N.",
      status: "planned", notes: notes
    )
  }

  static func atActivities() -> MentorDriver {
    var driver = MentorDriver()
    driver.handle(.started(utcOffsetSeconds: 3600, app: .mentor))
    driver.handle(.storage(.read(.value(stored(1, expiresIn: 3600)))))
    driver.answerActivities()
    return driver
  }

  static func atActivity() -> MentorDriver {
    var driver = atActivities()
    driver.handle(.home(.itemPressed(.openActivity, item: "a1")))
    return driver
  }

  mutating func answerActivities() {
    let calls = effects
    if calls.readsScreenState { handle(.home(.screenStateRead(nil))) }
    for effect in calls {
      guard case .call(let id, let call) = effect else { continue }
      let body: JSON
      switch call.path {
      case Endpoint.me.path: body = Self.mentor.json
      case Endpoint.activities.path:
        body = .members([
          JSONMember("activities", .array([activity("a1").json, activity("a2").json]))
        ])
      default: continue
      }
      handle(.answered(id, .received(status: 200, body: body, serverSeconds: nil)))
    }
  }
}

/// Steps of a person through their sessions.
extension AppDriver {
  /// The app with a stored session, before the server answers.
  static func opening(_ app: AppProfile) -> Self {
    var driver = Self()
    driver.handle(.started(utcOffsetSeconds: 3600, app: app))
    driver.handle(.storage(.read(.value(stored(1, expiresIn: 3600)))))
    return driver
  }

  static func session(_ id: String, isCurrent: Bool = false) -> JSON {
    .members([
      JSONMember("id", id), JSONMember("client_id", "technician-app"),
      JSONMember("started_at", startTime.seconds), JSONMember("last_used_at", startTime.seconds),
      JSONMember("expires_at", startTime.adding(seconds: 86_400).seconds),
      JSONMember("current", isCurrent),
    ])
  }

  static func atSessions() -> Self {
    var driver = atJobs()
    driver.press(.whereSignedIn)
    driver.answer(
      200,
      .members([
        JSONMember(
          "sessions",
          .array([session("session-1", isCurrent: true), session("s2"), session("s3")]))
      ]))
    return driver
  }

  var kept: (session: String, text: String)? {
    for effect in effects {
      if case .saveScreenState(let session, let text) = effect { return (session, text.revealed) }
    }
    return nil
  }
}

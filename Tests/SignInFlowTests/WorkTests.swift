import EngineTesting
import JSONText
import SignInModel
import SignInWire
import Testing

@testable import SignInEngine
@testable import SignInFlow

/// A person opens a job or a delivery and changes its status.
@Suite struct WorkTests {
  private static func jobs(_ status: String = "scheduled") -> JSON {
    let job = JobEntry(
      id: "j-1", title: "Pump", customer: "A. Larsen", place: "1 Road",
      startsAt: FlowDriver.startTime,
      endsAt: FlowDriver.startTime, status: status, phone: "+47 22", instructions: "Ring twice."
    )
    return JobsAnswer([job]).json
  }

  /// At an open job, after the stored changes were read.
  private func atJob(_ status: String = "scheduled", stored: Secret? = nil) -> FlowDriver {
    var driver = beforeReading(status)
    driver.handle(.home(.screenStateRead(stored)))
    return driver
  }

  /// At an open job, before the stored changes were read.
  private func beforeReading(_ status: String = "scheduled") -> FlowDriver {
    var driver = FlowDriver.opening(.technician)
    if let id = driver.call(to: Endpoint.jobs.path)?.id {
      let body = Self.jobs(status)
      driver.handle(.answered(id, .received(status: 200, body: body, serverSeconds: nil)))
    }
    driver.handle(.home(.itemPressed(.openItem, item: "j-1")))
    return driver
  }

  private func home(_ driver: FlowDriver) throws -> JobsHome {
    try #require(driver.signedIn?.home)
  }

  private func status(_ driver: FlowDriver) throws -> String? {
    let home = try home(driver)
    return home.answer.value.flatMap { home.shown($0).status(of: "j-1") }
  }

  @Test("T-01 an opened job has an address, and a new status is shown, sent and stored")
  func change() throws {
    var driver = atJob()
    #expect(driver.signedIn?.place == "jobs/j-1")

    driver.handle(.home(.itemPressed(.setStatus, item: "in_progress")))

    let call = try #require(driver.lastCall)
    #expect(call.call.path == "/api/jobs/j-1")
    #expect(call.call.body == .json(WorkStatusBody { $0.status = "in_progress" }.json))
    #expect(try status(driver) == "in_progress")
    #expect(driver.kept != nil)
    #expect(try !home(driver).isUnsent("j-1"))
    let entry = JobsAnswer(json: Self.jobs("in_progress"))?.jobs.first?.json ?? .null
    driver.handle(.answered(call.id, .received(status: 200, body: entry, serverSeconds: nil)))
    let home = try home(driver)
    #expect(home.changes.isEmpty)
    #expect(home.answer.value?.status(of: "j-1") == "in_progress")
    guard case .saved? = home.outcome else {
      Issue.record("not saved: \(String(describing: home.outcome))")
      return
    }
  }

  @Test("O-05 a status that was changed without a network is sent when the network returns")
  func offline() throws {
    var driver = atJob()
    driver.handle(.home(.itemPressed(.setStatus, item: "in_progress")))
    let call = try #require(driver.lastCall)

    driver.handle(.answered(call.id, .noNetwork))

    #expect(driver.announcements.contains(.notice(.session(.statusUnsent))))
    #expect(try home(driver).changes.map(\.status) == ["in_progress"])
    #expect(try status(driver) == "in_progress")
    #expect(try home(driver).isUnsent("j-1") && !home(driver).isUnsent("j-2"))
    driver.handle(.device(.networkReturned))
    #expect(try home(driver).changes.first?.request != nil)
    #expect(try home(driver).isUnsent("j-1"))
  }

  @Test("O-05 a list that was read before a change does not replace the new status")
  func olderList() throws {
    var driver = atJob()
    driver.handle(.home(.itemPressed(.setStatus, item: "in_progress")))
    let change = try #require(driver.lastCall)
    driver.press(.refresh)
    let read = try #require(driver.call(to: Endpoint.jobs.path))
    let entry = JobsAnswer(json: Self.jobs("in_progress"))?.jobs.first?.json ?? .null
    driver.handle(.answered(change.id, .received(status: 200, body: entry, serverSeconds: nil)))

    let older = Self.jobs("scheduled")
    driver.handle(.answered(read.id, .received(status: 200, body: older, serverSeconds: nil)))

    #expect(try status(driver) == "in_progress")
  }

  @Test("S-09 a status that was not sent is sent after a restart")
  func restart() throws {
    var before = atJob()
    before.handle(.home(.itemPressed(.setStatus, item: "in_progress")))
    let stored = try #require(before.kept)

    var driver = FlowDriver.opening(.technician)
    driver.handle(.home(.screenStateRead(Secret(stored.text))))

    #expect(try home(driver).changes.map(\.item) == ["j-1"])
    #expect(driver.lastCall?.call.path == "/api/jobs/j-1")
  }

  @Test("S-09 a change before the stored ones are read is stored and sent after them")
  func changeBeforeReading() throws {
    let stored = """
      {"version":1,"changes":[{"item":"j-0","status":"done","key":"k-0"},\
      {"item":"j-1","status":"problem","key":"k-1"}]}
      """
    var driver = beforeReading()

    driver.handle(.home(.itemPressed(.setStatus, item: "in_progress")))

    #expect(driver.kept == nil && !driver.isCalling)
    #expect(try status(driver) == "in_progress")
    for event in [Event.device(.networkReturned), .device(.shown), .ticked] {
      driver.handle(event)
      #expect(driver.kept == nil && driver.call(to: "/api/jobs/j-1") == nil)
    }
    driver.handle(.home(.screenStateRead(Secret(stored))))
    #expect(try home(driver).changes.map(\.item) == ["j-0", "j-1"])
    #expect(try home(driver).changes.map(\.status) == ["done", "in_progress"])
    let written = try #require(driver.kept?.text)
    #expect(written.contains("k-0") && !written.contains("k-1"))
    #expect(driver.lastCall?.call.path == "/api/jobs/j-0")
    // Later readings say nothing new.
    driver.handle(.home(.screenStateRead(Secret(stored))))
    #expect(try home(driver).changes.map(\.status) == ["done", "in_progress"])
  }

  @Test("S-09 stored changes that were only read are sent and not stored again")
  func onlyRead() throws {
    let stored = #"{"version":1,"changes":[{"item":"j-0","status":"done","key":"k-0"}]}"#

    let driver = atJob(stored: Secret(stored))

    #expect(driver.kept == nil)
    #expect(driver.lastCall?.call.idempotencyKey == "k-0")
  }

  @Test("O-05 a change that is sent again keeps its idempotency key, also after a restart")
  func sameKey() throws {
    var before = atJob()
    before.handle(.home(.itemPressed(.setStatus, item: "in_progress")))
    let stored = try #require(before.kept)
    let first = try #require(before.lastCall)
    let key = try #require(first.call.idempotencyKey)

    before.handle(.answered(first.id, .received(status: 503, body: .null, serverSeconds: nil)))
    before.handle(.device(.networkReturned))
    #expect(before.call(to: "/api/jobs/j-1")?.call.idempotencyKey == key)

    let after = atJob(stored: Secret(stored.text))
    #expect(after.lastCall?.call.idempotencyKey == key)
  }

  @Test("O-05 another choice for the same item has another idempotency key")
  func otherKey() throws {
    var driver = atJob()
    driver.handle(.home(.itemPressed(.setStatus, item: "on_the_way")))
    let first = try #require(driver.lastCall)
    driver.handle(.answered(first.id, .noNetwork))

    driver.handle(.home(.itemPressed(.setStatus, item: "in_progress")))

    let second = try #require(driver.lastCall)
    #expect(second.call.path == "/api/jobs/j-1")
    #expect(second.call.idempotencyKey != first.call.idempotencyKey)
  }

  @Test("T-01 a refused status is taken back, with the reason beside the buttons")
  func refused() throws {
    var driver = atJob()
    driver.handle(.home(.itemPressed(.setStatus, item: "in_progress")))
    let call = try #require(driver.lastCall)
    let refusal = JSON.members([JSONMember("code", "illegal_transition")])

    driver.handle(.answered(call.id, .received(status: 409, body: refusal, serverSeconds: nil)))

    #expect(try home(driver).changes.isEmpty)
    #expect(try status(driver) == "scheduled")
    guard case .refused? = try home(driver).outcome else {
      Issue.record("not refused")
      return
    }
  }

  @Test("T-01 a status that cannot be changed afterwards is confirmed first")
  func final() throws {
    var driver = atJob("in_progress")
    driver.handle(.home(.itemPressed(.setStatus, item: "done")))
    #expect(try home(driver).asking?.status == "done")
    #expect(try home(driver).changes.isEmpty)

    driver.press(.cancel)
    #expect(try home(driver).asking == nil)
    driver.handle(.home(.itemPressed(.setStatus, item: "done")))
    driver.press(.confirm)

    #expect(try home(driver).changes.map(\.status) == ["done"])
  }

  @Test("T-01 Cancel returns the focus to the button of the status, and nothing is sent")
  func cancelled() throws {
    for status in ["done", "problem"] {
      var driver = atJob("in_progress")
      driver.handle(.home(.itemPressed(.setStatus, item: status)))
      #expect(driver.focus == .question)

      driver.press(.cancel)

      #expect(driver.focus?.rawValue == "set_status-\(status)")
      #expect(try home(driver).asking == nil && home(driver).changes.isEmpty)
      let shown = driver.flow.context.focus
      driver.press(.cancel)
      #expect(driver.flow.context.focus == shown)
    }
  }

  private func atProblem() -> FlowDriver {
    var driver = atJob("in_progress")
    driver.handle(.home(.itemPressed(.setStatus, item: "problem")))
    return driver
  }

  @Test("T-01 a problem needs a note, which is sent, shown and stored with the status")
  func problem() throws {
    var driver = atProblem()
    #expect(try home(driver).asking?.status == "problem" && driver.focus == .question)
    driver.handle(.page(.fieldEdited(.description, "A part is missing.")))
    driver.press(.confirm)

    let body = WorkStatusBody {
      $0.status = "problem"
      $0.note = "A part is missing."
    }
    #expect(driver.lastCall?.call.body == .json(body.json))
    let home = try home(driver)
    let shown = try #require(home.answer.value.map { home.shown($0) })
    #expect(shown.jobs.first?.statusNote == "A part is missing.")
    let stored = try #require(driver.kept)
    var restarted = FlowDriver.opening(.technician)
    restarted.handle(.home(.screenStateRead(Secret(stored.text))))
    #expect(restarted.lastCall?.call.body == .json(body.json))
  }

  @Test("T-01 a note that is missing or too long is explained at its field, and nothing is sent")
  func noteMistakes() throws {
    let limit = WorkStatusBody.noteByteLimit
    let cases: [(String, StatusQuestion.Mistake?)] = [
      ("", .noNote), (" \n", .noNote), (String(repeating: "n", count: limit - 1), nil),
      (String(repeating: "n", count: limit), nil),
      (String(repeating: "n", count: limit + 1), .noteTooLong),
    ]
    for (note, mistake) in cases {
      var driver = atProblem()
      driver.handle(.page(.fieldEdited(.description, Secret(note))))
      driver.press(.confirm)
      #expect(try home(driver).asking?.mistake == mistake, "\(note.count)")
      #expect(try home(driver).changes.isEmpty == mistake.isPresent)
      guard let mistake else { continue }
      #expect(driver.focus == .description)
      #expect(driver.announcements.contains(.statusNoteRefused(mistake)))
      driver.handle(.page(.fieldEdited(.description, "x")))
      #expect(try home(driver).asking?.mistake == nil)
    }
  }

  @Test("T-01 a status that was stored without a note is sent without one")
  func storedWithoutNote() {
    var driver = FlowDriver.opening(.technician)
    let stored = #"{"version":1,"changes":[{"item":"j-1","status":"problem","key":"k"}]}"#
    driver.handle(.home(.screenStateRead(Secret(stored))))

    #expect(driver.lastCall?.call.body == .json(WorkStatusBody { $0.status = "problem" }.json))
  }

  @Test("O-05 a sign-out asks first if a status is not sent")
  func signOutAsks() {
    var driver = atJob()
    driver.handle(.home(.itemPressed(.setStatus, item: "in_progress")))
    driver.fail(.noNetwork)
    driver.press(.signOut)
    #expect(driver.signedIn?.sheet == .unsentChanges(.signOut))
    #expect(driver.signedIn?.home.unsentCount == 1)
  }

  @Test("T-01 only a status that may follow can be chosen")
  func impossible() throws {
    var driver = atJob("done")
    for status in ["scheduled", "in_progress", "done", "nothing"] {
      driver.handle(.home(.itemPressed(.setStatus, item: status)))
      #expect(try home(driver).changes.isEmpty && home(driver).asking == nil)
    }
  }

  @Test("R-01 a delivered parcel changes the counts of the day")
  func counts() {
    let startTime = FlowDriver.startTime
    let entry = DashboardAnswer.Entry(
      id: "1", recipient: "R. Rao", place: "1 Road", parcels: 2, startsAt: startTime,
      endsAt: startTime,
      status: "picked_up")
    let day = DashboardAnswer(
      day: startTime, total: 3, delivered: 1, failed: 0, remaining: 2, deliveries: [entry])

    let delivered = day.with(status: "delivered", note: nil, of: "1")
    let failed = day.with(status: "failed", note: nil, of: "1")

    #expect((delivered.delivered, delivered.failed, delivered.remaining) == (2, 0, 1))
    #expect((failed.delivered, failed.failed, failed.remaining) == (1, 1, 1))
    #expect(day.with(status: "delivered", note: nil, of: "2") == day)
  }
}

import EngineTesting
import JSONText
import SignInModel
import SignInWire
import Testing

@testable import SignInEngine
@testable import SignInFlow

/// The offline copies of technicians, riders and mentors work like those of products.
@Suite struct OfflineAnswerTests {
  private static let apps: [AppName] = [.technician, .rider, .mentor]

  private static let startTime = FlowDriver.startTime

  private static func body(_ app: AppName) -> JSON {
    switch app {
    case .rider:
      let delivery = DashboardAnswer.Entry(
        id: "1", recipient: "R. Rao", place: "1 Road", parcels: 2, startsAt: startTime,
        endsAt: startTime,
        status: "assigned"
      )
      return DashboardAnswer(
        day: startTime, total: 1, delivered: 0, failed: 0, remaining: 1, deliveries: [delivery]
      ).json
    case .mentor:
      let activity = ActivityEntry(
        id: "1", title: "Walk", startsAt: startTime, endsAt: startTime, place: "Park",
        companion: "Ola",
        status: "planned", notes: ""
      )
      return ActivitiesAnswer([activity]).json
    case .technician, .product, .console:
      let job = JobEntry(
        id: "1", title: "Pump", customer: "A. Larsen", place: "1 Road", startsAt: startTime,
        endsAt: startTime, status: "scheduled"
      )
      return JobsAnswer([job]).json
    }
  }

  private static func answer(_ owner: any ListOwner, leased: Bool = true) -> Answer {
    guard let list = owner.app.list, let members = body(owner.app).objectMembers else {
      preconditionFailure("this app keeps nothing")
    }
    let lease = leased ? [JSONMember("lease", owner.lease(of: list))] : []
    return .received(
      status: 200, body: .object(members + lease), serverSeconds: owner.time.seconds
    )
  }

  private static func path(_ app: AppName) -> String {
    switch app {
    case .rider: Endpoint.dashboard.path
    case .mentor: Endpoint.activities.path
    case .technician, .product, .console: Endpoint.jobs.path
    }
  }

  private struct Shown: Equatable {
    let count: Int?
    let asOf: Instant?
    let isSealed: Bool
    let isOffline: Bool
    let isMemoryOnly: Bool
    let isRefreshFailed: Bool
  }

  private func shown(_ owner: any ListOwner) -> Shown {
    func listState<Value>(_ answer: OfflineAnswer<Value>?, _ count: Int?) -> Shown {
      guard let answer else { preconditionFailure("no account is signed in") }
      return Shown(
        count: count, asOf: answer.fetched.asOf, isSealed: answer.isSealed(at: owner.time),
        isOffline: answer.fetched.isOffline, isMemoryOnly: answer.isMemoryOnly,
        isRefreshFailed: answer.isRefreshFailed
      )
    }
    switch owner {
    case let owner as AppOwner<JobsHome>:
      let answer = owner.driver.signedIn?.home.answer
      return listState(answer, answer?.value?.jobs.count)
    case let owner as AppOwner<DashboardHome>:
      let answer = owner.driver.signedIn?.home.answer
      return listState(answer, answer?.value?.deliveries.count)
    case let owner as AppOwner<ActivitiesHome>:
      let answer = owner.driver.signedIn?.home.activities
      return listState(answer, answer?.value?.activities.count)
    default: preconditionFailure("this app keeps nothing")
    }
  }

  private static func owner(_ app: AppName) -> any ListOwner {
    switch app {
    case .rider: AppOwner<DashboardHome>(app: app)
    case .mentor: AppOwner<ActivitiesHome>(app: app)
    case .technician, .product, .console: AppOwner<JobsHome>(app: app)
    }
  }

  private func synced(_ app: AppName) -> any ListOwner {
    var owner = Self.owner(app)
    owner.open()
    owner.answer(Self.path(app), Self.answer(owner))
    return owner
  }

  @Test("O-01 O-10 data that was read is there after a restart without a server", arguments: apps)
  func kept(_ app: AppName) {
    var owner = synced(app)
    #expect(owner.stored.keys.contains("head") && owner.stored.count == 2)

    owner.time = owner.time.adding(seconds: 500)
    owner.open()
    owner.answer(Self.path(app), .noNetwork)

    let seen = shown(owner)
    #expect(seen.count == 1 && seen.asOf == Self.startTime && seen.isOffline && !seen.isSealed)
  }

  @Test("O-08 data is read again on every return to the foreground", arguments: apps)
  func foreground(_ app: AppName) {
    var owner = synced(app)
    #expect(owner.call(to: Self.path(app)) == nil)

    owner.handle(.device(.shown))
    #expect(owner.call(to: Self.path(app)) != nil)
    owner.answer(Self.path(app), .timedOut)

    #expect(shown(owner).count == 1)
  }

  @Test("O-01 a page says that it has no network as soon as the network is lost", arguments: apps)
  func lostNetwork(_ app: AppName) {
    var owner = synced(app)
    owner.handle(.home(.networkChanged))
    owner.answer(Self.path(app), .noNetwork)

    let seen = shown(owner)
    #expect(seen.count == 1 && seen.asOf == Self.startTime && seen.isOffline)
    #expect(owner.announcements == [.offlineMode])
  }

  @Test("O-08 a failed sync over a good copy is silent", arguments: apps)
  func silentFailure(_ app: AppName) {
    let answers: [Answer] = [
      .timedOut, .received(status: 500, body: .null, serverSeconds: nil),
    ]
    for answer in answers {
      var owner = synced(app)
      owner.handle(.device(.shown))
      owner.answer(Self.path(app), answer)

      #expect(shown(owner).count == 1 && shown(owner).asOf == Self.startTime)
      #expect(!shown(owner).isOffline && !shown(owner).isRefreshFailed, "\(answer)")
      #expect(owner.announcements.isEmpty, "\(answer)")
    }
  }

  @Test("O-08 a failed refresh on request is reported until a refresh succeeds")
  func failedRefresh() {
    var owner = synced(.technician)
    owner.handle(.page(.buttonPressed(.refresh)))
    owner.answer(Endpoint.jobs.path, .timedOut)
    #expect(shown(owner).isRefreshFailed && owner.announcements == [.refreshFailed])

    owner.handle(.device(.shown))
    owner.answer(Endpoint.jobs.path, .timedOut)
    #expect(shown(owner).isRefreshFailed && owner.announcements.isEmpty)
    owner.handle(.device(.shown))
    owner.answer(Endpoint.jobs.path, Self.answer(owner))
    #expect(!shown(owner).isRefreshFailed)
  }

  @Test(
    "O-01 L-25 an unreachable server is reported once, as a state",
    arguments: [Answer.noNetwork, .unreachable])
  func outOfReach(_ answer: Answer) {
    var owner = synced(.technician)
    owner.handle(.device(.shown))
    owner.answer(Endpoint.jobs.path, answer)
    #expect(shown(owner).isOffline == (answer == .noNetwork) && !shown(owner).isRefreshFailed)
    #expect(owner.announcements == [.offlineMode])

    for next in [Answer.noNetwork, .unreachable] {
      owner.handle(.device(.shown))
      owner.answer(Endpoint.jobs.path, next)
      #expect(owner.announcements.isEmpty)
    }
  }

  @Test("O-06 an expired lease seals the copy, to the second", arguments: [-1, 0, 1])
  func lease(_ offset: Int64) {
    var owner = synced(.technician)
    owner.time = owner.time.adding(seconds: 1000 + offset)
    owner.open()

    #expect(shown(owner).isSealed == (offset >= 0))
    owner.answer(Endpoint.jobs.path, Self.answer(owner))
    #expect(!shown(owner).isSealed && shown(owner).count == 1)
  }

  @Test("O-06 a lease is renewed before it expires if the server can be reached")
  func renewal() {
    var owner = synced(.technician)

    owner.pass(seconds: 665)
    #expect(owner.call(to: Endpoint.jobs.path) == nil)
    owner.pass(seconds: 1)

    #expect(owner.call(to: Endpoint.jobs.path) != nil)
  }

  @Test("O-06 a lease of zero seconds stores nothing and shows data only while online")
  func noLease() {
    var owner = Self.owner(.technician)
    owner.leaseSeconds = 0
    owner.open()

    owner.answer(Endpoint.jobs.path, Self.answer(owner))
    #expect(owner.stored.isEmpty && !shown(owner).isSealed)
    owner.handle(.device(.shown))
    owner.answer(Endpoint.jobs.path, .noNetwork)

    #expect(shown(owner).isSealed)
  }

  @Test("O-06 an answer without a lease is shown and not stored", arguments: apps)
  func unleased(_ app: AppName) {
    var owner = Self.owner(app)
    owner.open()

    owner.answer(Self.path(app), Self.answer(owner, leased: false))

    #expect(shown(owner).count == 1 && owner.stored.isEmpty)
  }

  @Test("O-06 a copy that does not open, or has another format, is deleted", arguments: apps)
  func damaged(_ app: AppName) {
    var owner = synced(app)
    owner.open(.damaged)
    #expect(owner.stored.isEmpty && shown(owner).count == nil)

    owner = synced(app)
    for key in owner.stored.keys where key != "head" { owner.stored[key] = Array("{}".utf8) }
    owner.open()
    #expect(owner.stored.isEmpty && shown(owner).count == nil)
  }

  @Test("L-33 the copy of one account does not open for another account", arguments: apps)
  func foreign(_ app: AppName) {
    var owner = synced(app)
    let pieces = owner.stored.map { SealedRecord(key: $0.key, bytes: $0.value) }
    owner.restart()
    owner.handle(.started(utcOffsetSeconds: 0, app: AppProfile(app), page: "p"))
    owner.handle(.storage(.read(.value(Owner.record(account: "other-account")))))

    owner.handle(.home(.offlineCopy(.read(.value(pieces)))))

    #expect(shown(owner).count == nil && owner.stored.isEmpty)
  }

  @Test("L-33 signing out deletes the data that was read", arguments: apps)
  func leaving(_ app: AppName) {
    var owner = synced(app)

    owner.handle(.page(.buttonPressed(.signOut)))

    #expect(owner.stored.isEmpty)
  }

  @Test("O-01 an answer that arrives before storage is read is not replaced by the stored copy")
  func race() {
    var owner = synced(.technician)
    let pieces = owner.stored.map { SealedRecord(key: $0.key, bytes: $0.value) }
    owner.restart()
    owner.calls = []
    owner.handle(.started(utcOffsetSeconds: 0, app: .technician, page: "q"))
    owner.handle(.storage(.read(.value(Owner.record()))))
    owner.time = owner.time.adding(seconds: 5)
    owner.answer(Endpoint.jobs.path, Self.answer(owner))

    owner.handle(.home(.offlineCopy(.read(.value(pieces)))))

    #expect(shown(owner).asOf == owner.time)
  }

  @Test("O-09 a full device is reported once, and the data stays visible")
  func full() {
    var owner = Self.owner(.technician)
    owner.isStorageFull = true
    owner.open()

    owner.answer(Endpoint.jobs.path, Self.answer(owner))

    #expect(shown(owner).count == 1 && shown(owner).isMemoryOnly)
  }

  @Test(
    "S-06 setting a lock stores the data again under its key, and so does removing it",
    arguments: apps)
  func locked(_ app: AppName) {
    var owner = synced(app)
    let stored = owner.stored
    owner.handle(.session(.lockSupportChecked(true)))
    owner.handle(.page(.buttonPressed(.setLock)))
    // Storage deletes the data that was sealed under the other key.
    owner.stored = [:]
    owner.handle(.session(.lockSet))
    #expect(owner.stored == stored)

    owner.stored = [:]
    owner.handle(.page(.buttonPressed(.removeLock)))

    #expect(owner.stored == stored)
  }

  @Test("S-09 saved notes are in the copy, and the time of the copy does not change")
  func amended() throws {
    var owner = synced(.mentor)
    owner.handle(.home(.screenStateRead(nil)))
    owner.handle(.home(.itemPressed(.openActivity, item: "1")))
    owner.handle(.page(.fieldEdited(.notes, "Good talk")))
    owner.handle(.page(.buttonPressed(.back)))
    owner.time = owner.time.adding(seconds: 9)
    let entry = ActivityEntry(
      id: "1", title: "Walk", startsAt: Self.startTime, endsAt: Self.startTime, place: "Park",
      companion: "Ola", status: "planned", notes: "Good talk"
    )
    owner.answer(
      Endpoint.activities.path + "/1", .received(status: 200, body: entry.json, serverSeconds: nil))

    owner.open()

    guard let home = (owner as? AppOwner<ActivitiesHome>)?.driver.signedIn?.home else {
      Issue.record("no activities")
      return
    }
    #expect(home.activities.value?.activities.first?.notes == "Good talk")
    #expect(shown(owner).asOf == Self.startTime)
  }
}

/// A person whose app shows one list.
private protocol ListOwner {
  var app: AppName { get }
  var time: Instant { get set }
  var stored: [String: [UInt8]] { get set }
  var calls: [(id: RequestID, call: Call)] { get set }
  var effects: [Effect] { get }
  var announcements: [Announcement] { get }
  var isStorageFull: Bool { get set }
  var leaseSeconds: Int64 { get set }

  mutating func open(_ reading: OfflineCopyReading?)
  mutating func restart()
  mutating func handle(_ event: Event)
  mutating func pass(seconds: Int64)
  mutating func answer(_ prefix: String, _ answer: Answer)
  func call(to prefix: String) -> Call?
  func lease(of list: OfflineLease.List, account: String) -> String
}

extension ListOwner {
  mutating func open() { open(nil) }

  func lease(of list: OfflineLease.List) -> String { lease(of: list, account: "owner") }
}

extension AppOwner: ListOwner {
  fileprivate var time: Instant {
    get { driver.time }
    set { driver.time = newValue }
  }

  fileprivate mutating func restart() { driver.flow = AppFlow<Home>() }
}

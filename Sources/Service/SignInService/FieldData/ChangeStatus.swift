import SignInModel
public import SignInWire

private typealias StatusRecords = DeliveryRecords & JobRecords

extension Job.Status {
  /// The statuses that a technician can choose next.
  ///
  ///     scheduled ⇄ on_the_way → in_progress → done
  ///                              ⇅
  ///                           problem
  ///
  /// A technician may skip statuses forwards, and report a problem at any time before the end. A
  /// done job cannot change.
  public var next: [Job.Status] {
    switch self {
    case .scheduled: [.onTheWay, .inProgress, .problem, .done]
    case .onTheWay: [.scheduled, .inProgress, .problem, .done]
    case .inProgress: [.problem, .done]
    case .problem: [.inProgress, .done]
    case .done: []
    }
  }
}

extension Delivery.Status {
  /// The statuses that a rider can choose next.
  ///
  ///     assigned → picked_up → delivered | failed
  public var next: [Delivery.Status] {
    switch self {
    case .assigned: [.pickedUp, .failed]
    case .pickedUp: [.delivered, .failed]
    case .delivered, .failed: []
    }
  }
}

/// A status that a person chose, with what they wrote about it.
public struct StatusChoice<Status: Sendable>: Sendable {
  public let status: Status
  public let note: String?

  /// A blank note counts as none.
  ///
  /// - Throws: `invalidRequest` if the note is longer than `WorkStatusBody.noteByteLimit`.
  public init(_ status: Status, note: String? = nil) throws(Refusal) {
    let limit = WorkStatusBody.noteByteLimit
    let note = note.map(TypedText.withLineFeeds)
    guard note.map({ $0.utf8.count <= limit }) ?? true else {
      throw Refusal.invalidRequest("the note is longer than \(limit) bytes")
    }
    self.status = status
    // Only spaces and line breaks are no note.
    self.note = note.flatMap { $0.utf8.contains { $0 > 0x20 } ? $0 : nil }
  }
}

/// Changes the status of a job of the signed-in person.
///
/// The note belongs to the status, so the next status replaces it.
///
/// If the job already has the status, nothing changes and the request succeeds, so that it can be
/// repeated. A job of another person, or of another organization than that of the session, gets the
/// same answer as an unknown job (S-05), and one without an organization if the session is limited
/// to one. The change log
/// records who changed the status and when. The security log does not: such changes are frequent
/// and do not change who has access.
public func changeJobStatus(
  of id: String, to choice: StatusChoice<Job.Status>, _ access: Access, in world: World
) async throws(Refusal) -> JobEntry {
  try await changeStatus(of: Job.self, id, to: choice, access, in: world)
}

/// Changes the status of a delivery of the signed-in person, as `changeJobStatus` does.
public func changeDeliveryStatus(
  of id: String, to choice: StatusChoice<Delivery.Status>, _ access: Access, in world: World
) async throws(Refusal) -> DashboardAnswer.Entry {
  try await changeStatus(of: Delivery.self, id, to: choice, access, in: world)
}

private func changeStatus<Record: StatusRecord>(
  of _: Record.Type, _ id: String, to choice: StatusChoice<Record.Status>, _ access: Access,
  in world: World
) async throws(Refusal) -> Record.Entry {
  let (account, now) = (access.account.id, world.clock.now())
  let organization = access.session.organization
  let limit = world.limit(of: access.session, access.account)
  let status = choice.status
  return try await world.decide(about: [.account(account)]) {
    (transaction: any ChangeRecords & StatusRecords & VersionRecords) throws in
    let keys = RecordName.keys(id, in: organization, of: access.account)
    var known: Record?
    for key in keys where known == nil {
      known = try Record.found(key, transaction)
      if known?.isShown(to: account, in: organization, within: limit) == false { known = nil }
    }
    guard var record = known else { throw Record.notFound }
    if record.status == status { return record.entry(as: id) }
    guard Record.next(after: record.status).contains(status) else {
      throw Refusal.illegalStatus(record.status.rawValue)
    }
    record.status = status
    record.statusNote = choice.note
    record.version = try transaction.nextVersion(in: record.organization)
    try record.save(transaction)
    try transaction.append(
      DataChange(
        at: now, kind: Record.kind, key: record.key, act: .statusChanged, account: account,
        status: status.rawValue, version: record.version
      ))
    return record.entry(as: id)
  }
}

/// A record with a status that its person changes.
private protocol StatusRecord: Sendable {
  associatedtype Status: RawRepresentable<String>, Equatable, Sendable
  /// The form of the record in an answer.
  associatedtype Entry: Sendable

  static var kind: DataChange.Kind { get }
  static var notFound: Refusal { get }
  static func next(after status: Status) -> [Status]
  static func found(_ key: RecordKey, _ transaction: any StatusRecords) throws(StoreFault)
    -> Self?

  var account: AccountID { get }
  var organization: OrganizationID? { get }
  var key: RecordKey { get }
  var status: Status { get set }
  var statusNote: String? { get set }
  var version: Int64 { get set }
  func entry(as id: String) -> Entry
  func save(_ transaction: any StatusRecords) throws(StoreFault)
}

extension StatusRecord {
  /// Whether the app of this person shows the record in a session of this organization.
  ///
  /// A record without an organization concerns the account in all of them.
  fileprivate func isShown(
    to person: AccountID, in organization: OrganizationID?, within limit: OrganizationID?
  ) -> Bool {
    account == person && (limit == nil || self.organization == limit)
      && (self.organization == nil || organization == nil || self.organization == organization)
  }
}

extension Job: StatusRecord {
  fileprivate static var kind: DataChange.Kind { .job }
  fileprivate static var notFound: Refusal { DataKind.jobs.notFound }
  fileprivate static func next(after status: Status) -> [Status] { status.next }

  fileprivate static func found(
    _ key: RecordKey, _ transaction: any StatusRecords
  ) throws(StoreFault) -> Job? {
    try transaction.job(key)
  }

  fileprivate func save(_ transaction: any StatusRecords) throws(StoreFault) {
    try transaction.save(self)
  }
}

extension Delivery: StatusRecord {
  fileprivate static var kind: DataChange.Kind { .delivery }
  fileprivate static var notFound: Refusal { DataKind.deliveries.notFound }
  fileprivate static func next(after status: Status) -> [Status] { status.next }

  fileprivate static func found(
    _ key: RecordKey, _ transaction: any StatusRecords
  ) throws(StoreFault) -> Delivery? {
    try transaction.delivery(key)
  }

  fileprivate func save(_ transaction: any StatusRecords) throws(StoreFault) {
    try transaction.save(self)
  }
}

extension Refusal {
  fileprivate static func illegalStatus(_ present: String) -> Refusal {
    Refusal.illegalTransition("the status \(present) does not allow this change")
  }
}

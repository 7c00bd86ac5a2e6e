import SignInModel
public import SignInWire

extension Job.Status {
  /// The statuses that a technician may give a job that has this one.
  ///
  ///     scheduled ⇄ on_the_way → in_progress → done
  ///
  /// Steps may be left out forwards; what is done stays done.
  public var next: [Job.Status] {
    switch self {
    case .scheduled: [.onTheWay, .inProgress, .done]
    case .onTheWay: [.scheduled, .inProgress, .done]
    case .inProgress: [.done]
    case .done: []
    }
  }
}

extension Delivery.Status {
  /// The statuses that a rider may give a delivery that has this one.
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

/// Gives a job of the person who is signed in another status.
///
/// The status that it has is no change and no refusal, so that a request may be repeated. A job of
/// another person is answered like one that does not exist (S-05). The table of changes tells who
/// gave which status when. The security log does not: such changes are routine and many, and they
/// give access to no one.
public func changeJobStatus(
  of id: String, to status: Job.Status, _ access: Access, in world: World
) async -> Outcome<JobEntry> {
  await changeStatus(of: Job.self, id, to: status, access, in: world)
}

/// Gives a delivery of the person who is signed in another status, as `changeJobStatus` does.
public func changeDeliveryStatus(
  of id: String, to status: Delivery.Status, _ access: Access, in world: World
) async -> Outcome<DashboardAnswer.Entry> {
  await changeStatus(of: Delivery.self, id, to: status, access, in: world)
}

private func changeStatus<Record: StatusRecord>(
  of _: Record.Type, _ id: String, to status: Record.Status, _ access: Access, in world: World
) async -> Outcome<Record.Entry> {
  let (account, now) = (access.account.id, world.clock.now())
  return await world.decide { (transaction) throws(StoreFault) in
    guard var record = try Record.found(id, transaction), record.account == account else {
      return .refusal(Record.notFound)
    }
    if record.status == status { return .success(record.entry) }
    guard Record.next(after: record.status).contains(status) else {
      return .refusal(.illegalStatus(record.status.rawValue))
    }
    record.status = status
    record.version = try transaction.nextVersion()
    try record.save(transaction)
    try transaction.append(
      DataChange(
        at: now, kind: Record.kind, id: id, act: .statusChanged, account: account,
        status: status.rawValue, version: record.version
      ))
    return .success(record.entry)
  }
}

/// A record whose status the person it is for changes.
private protocol StatusRecord: Sendable {
  associatedtype Status: RawRepresentable<String>, Equatable, Sendable
  /// What an answer shows of it.
  associatedtype Entry: Sendable

  static var kind: DataChange.Kind { get }
  static var notFound: ErrorAnswer { get }
  static func next(after status: Status) -> [Status]
  static func found(_ id: String, _ transaction: any Transaction) throws(StoreFault) -> Self?

  var account: AccountID { get }
  var status: Status { get set }
  var version: Int64 { get set }
  var entry: Entry { get }
  func save(_ transaction: any Transaction) throws(StoreFault)
}

extension Job: StatusRecord {
  fileprivate static var kind: DataChange.Kind { .job }
  fileprivate static var notFound: ErrorAnswer { DataKind.jobs.notFound }
  fileprivate static func next(after status: Status) -> [Status] { status.next }

  fileprivate static func found(
    _ id: String, _ transaction: any Transaction
  ) throws(StoreFault) -> Job? {
    try transaction.job(id)
  }

  fileprivate func save(_ transaction: any Transaction) throws(StoreFault) {
    try transaction.save(self)
  }
}

extension Delivery: StatusRecord {
  fileprivate static var kind: DataChange.Kind { .delivery }
  fileprivate static var notFound: ErrorAnswer { DataKind.deliveries.notFound }
  fileprivate static func next(after status: Status) -> [Status] { status.next }

  fileprivate static func found(
    _ id: String, _ transaction: any Transaction
  ) throws(StoreFault) -> Delivery? {
    try transaction.delivery(id)
  }

  fileprivate func save(_ transaction: any Transaction) throws(StoreFault) {
    try transaction.save(self)
  }
}

extension ErrorAnswer {
  fileprivate static func illegalStatus(_ present: String) -> ErrorAnswer {
    ErrorAnswer(.illegalTransition, "not from the status \(present)")
  }
}

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
/// another person is answered like one that does not exist (S-05).
public func changeJobStatus(
  of id: String, to status: Job.Status, _ access: Access, in world: World
) async -> Outcome<JobEntry> {
  let (account, now) = (access.account.id, world.clock.now())
  return await world.decide { (transaction) throws(StoreFault) in
    guard var job = try transaction.job(id), job.account == account else {
      return .refusal(DataKind.jobs.notFound)
    }
    if job.status == status { return .success(job.entry) }
    guard job.status.next.contains(status) else {
      return .refusal(.illegalStatus(job.status.rawValue))
    }
    job.status = status
    job.version = try transaction.nextVersion()
    try transaction.save(job)
    try transaction.append(
      DataChange(
        at: now, kind: .job, id: id, act: .statusChanged, account: account,
        status: status.rawValue, version: job.version
      ))
    return .success(job.entry)
  }
}

/// Gives a delivery of the person who is signed in another status, as `changeJobStatus` does.
public func changeDeliveryStatus(
  of id: String, to status: Delivery.Status, _ access: Access, in world: World
) async -> Outcome<DashboardAnswer.Entry> {
  let (account, now) = (access.account.id, world.clock.now())
  return await world.decide { (transaction) throws(StoreFault) in
    guard var delivery = try transaction.delivery(id), delivery.account == account else {
      return .refusal(DataKind.deliveries.notFound)
    }
    if delivery.status == status { return .success(delivery.entry) }
    guard delivery.status.next.contains(status) else {
      return .refusal(.illegalStatus(delivery.status.rawValue))
    }
    delivery.status = status
    delivery.version = try transaction.nextVersion()
    try transaction.save(delivery)
    try transaction.append(
      DataChange(
        at: now, kind: .delivery, id: id, act: .statusChanged, account: account,
        status: status.rawValue, version: delivery.version
      ))
    return .success(delivery.entry)
  }
}

extension ErrorAnswer {
  fileprivate static func illegalStatus(_ present: String) -> ErrorAnswer {
    ErrorAnswer(.illegalTransition, "not from the status \(present)")
  }
}

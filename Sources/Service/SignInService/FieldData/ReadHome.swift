import SignInModel
public import SignInWire

/// The signed-in account, for the account menu.
///
/// A session that is limited to an organization names no other one.
public func readAccount(_ access: Access, in world: World) async throws(Refusal) -> AccountAnswer {
  let now = world.clock.now()
  return try await world.read { (transaction: any AccountUpdateRecords) throws in
    var answer = access.answer(in: world)
    answer.accountUpdate = try transaction.update(for: access.session, at: now, in: world)
    return answer
  }
}

extension Access {
  fileprivate func answer(in world: World) -> AccountAnswer {
    var answer = AccountAnswer(
      id: account.id, name: account.name, email: account.email?.text,
      phone: account.phone?.masked, role: account.role.rawValue,
      organizations: world.organizations(of: account, in: session).map { world.organization($0) },
      session: client.terms(of: session)
    )
    let limit = world.limit(of: session, account)
    answer.permissions = account.permission.entries.filter { entry in
      limit == nil || entry.organization == limit
    }
    return answer
  }
}

/// The limit of records in one answer, so that its size is bounded.
public enum HomeLimits {
  /// Jobs, deliveries of a day, or activities in one answer.
  public static let entries = 500
}

/// The jobs that are assigned to the signed-in technician, in order of their start (T-16).
///
/// Jobs of another organization than that of the session are left out (S-05), and those without an
/// organization if the session is limited to one. The list has at most
/// `HomeLimits.entries`. If there are more, jobs that are done are left out
/// first.
public func listJobs(
  _ access: Access, in world: World, _ transaction: any JobRecords
) throws(StoreFault) -> JobsAnswer {
  let organization = access.session.organization
  let isWhole = world.limit(of: access.session, access.account) == nil
  let jobs = try transaction.jobs(
    of: access.account.id, in: organization, withShared: isWhole, limit: HomeLimits.entries)
  let ids = ShownIDs(jobs.map(\.key), in: organization)
  return JobsAnswer(jobs.map { $0.entry(as: ids.id(of: $0.key)) })
}

extension Job {
  var entry: JobEntry { entry(as: id) }

  func entry(as id: String) -> JobEntry {
    JobEntry(
      id: id, title: title, customer: customer, place: place, startsAt: startsAt, endsAt: endsAt,
      status: status.rawValue, phone: phone, instructions: instructions,
      statusNote: statusNote
    )
  }
}

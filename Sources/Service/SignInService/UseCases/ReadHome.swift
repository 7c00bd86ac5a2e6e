import SignInModel
public import SignInWire

/// Who is signed in, for the account menu.
public func readAccount(_ access: Access, in world: World) -> AccountAnswer {
  AccountAnswer(
    id: access.account.id, name: access.account.name, email: access.account.email?.text,
    phone: access.account.phone.masked, role: access.account.role.rawValue,
    organizations: access.account.organizations.map { world.organization($0) },
    session: access.client.terms(of: access.session)
  )
}

/// The jobs assigned to whoever is signed in, by start time (US-076).
public func listJobs(_ access: Access, in world: World) async -> Outcome<JobsAnswer> {
  let account = access.account.id
  return await world.look { (transaction) throws(StoreFault) in
    var entries: [JobEntry] = []
    for job in try transaction.jobs(of: account) {
      entries.append(
        JobEntry(
          id: job.id, title: job.title, customer: job.customer, place: job.place,
          startsAt: job.startsAt, endsAt: job.endsAt, status: job.status.rawValue
        )
      )
    }
    return .success(JobsAnswer(entries))
  }
}

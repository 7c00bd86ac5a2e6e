import SignInModel
public import SignInWire

private typealias DemoWriting =
  AccountRecords & DataRecord.WritingRecords & IdentityRecords & ProductPhotoRecords

/// Creates the demo accounts that do not exist yet, and moves their jobs and other records to
/// today.
///
/// Existing accounts are not changed, so that a restart undoes no changes that users made.
///
/// - Returns: The names of the accounts that were created.
public func prepareDemo(in world: World) async throws(Refusal) -> [String] {
  var made: [String] = []
  for person in Demo.people {
    var account = person.account
    let id = account.id
    let known: Bool = try await world.read { (transaction: any AccountRecords) throws in
      try transaction.account(id) != nil
    }
    if known { continue }
    if let password = person.password {
      account.passwordHash = try await world.hash(of: password)
    }
    let complete = account
    try await world.decide(about: [.installation]) { (transaction: any AccountRecords) throws in
      try transaction.insert(complete)
    }
    made.append(account.name)
  }
  let now = world.clock.now()
  let names = made
  return try await world.decide(about: [.installation]) {
    (transaction: any DemoWriting) throws in
    for var job in Demo.jobs(at: now) {
      job.version = try transaction.nextVersion(in: job.organization)
      try transaction.save(job)
    }
    for var activity in Demo.activities(at: now) {
      activity.notes = try transaction.activity(activity.key)?.notes ?? ""
      activity.version = try transaction.nextVersion(in: activity.organization)
      try transaction.save(activity)
    }
    for var delivery in Demo.deliveries(at: now) {
      delivery.version = try transaction.nextVersion(in: delivery.organization)
      try transaction.save(delivery)
    }
    try transaction.linkPracticePeople(in: world, at: now)
    for var product in Demo.products(at: now) where try transaction.product(product.id) == nil {
      if let photo = Demo.photos.first(where: { $0.product == product.id }) {
        try transaction.save(photo)
        product.entry.photo = photo.summary
      }
      try transaction.put(product)
    }
    return names
  }
}

/// Creates the accounts `load-0001@example.com` … for load tests, all with the same password.
///
/// - Returns: The number of these accounts that exist now.
public func makeLoadAccounts(count: Int, in world: World) async throws(Refusal) -> Int {
  let hash = try await world.hash(of: Secret("demo-Load-1"))
  let now = world.clock.now()
  var accounts: [Account] = []
  for number in 1...count { accounts.append(loadAccount(number, passwordHash: hash, at: now)) }
  let wanted = accounts
  return try await world.decide(about: [.installation]) {
    (transaction: any AccountRecords) throws in
    for account in wanted where try transaction.account(account.id) == nil {
      try transaction.insert(account)
    }
    return wanted.count
  }
}

private func loadAccount(_ number: Int, passwordHash: String, at now: Instant) -> Account {
  let text = String(number)
  let digits = String(repeating: "0", count: max(0, 4 - text.utf8.count)) + text
  do throws(Malformed) {
    return Account(
      id: AccountID("load-\(digits)"),
      email: try EmailAddress(parsing: "load-\(digits)@example.com"),
      phone: try PhoneNumber(parsing: "+1555020\(digits)"), name: "Load \(digits)",
      role: .technician, status: .active, passwordHash: passwordHash, organizations: [],
      createdAt: now, isDemo: true, emailProof: .operatorCommand, phoneProof: .operatorCommand
    )
  } catch {
    preconditionFailure("a load account's number has at most four digits")
  }
}

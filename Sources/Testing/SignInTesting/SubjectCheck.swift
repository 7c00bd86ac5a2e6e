internal import SignInModel
internal import SignInRules
internal import SignInService
internal import SignInWire

extension MemoryTables {
  /// The accounts of records that differ in `after`, each with the name of one such table.
  ///
  /// `includesRemovals` says whether a removed record counts as different.
  func changedAccounts(in after: MemoryTables, includesRemovals: Bool) -> [AccountID: String] {
    var changes = ChangedAccounts(includesRemovals: includesRemovals)
    changes.compare("account", accounts, after.accounts) { $0.id }
    changes.compare("attempt", attempts, after.attempts) { $0.account }
    changes.compare("reset", resets, after.resets) { $0.account }
    changes.compare("waiting password", waitingPasswords, after.waitingPasswords) { $0.account }
    changes.compare("invitation", invitations, after.invitations) { $0.account }
    changes.compare("notice", notices, after.notices) { $0.account }
    changes.compare("session", sessions, after.sessions) { $0.account }
    changes.compare("message", messages, after.messages) { $0.account }
    changes.compare("device", knownDevices, after.knownDevices) { $0.account }
    changes.compare("job", jobs, after.jobs) { $0.account }
    changes.compare("delivery", deliveries, after.deliveries) { $0.account }
    changes.compare("activity", activities, after.activities) { $0.account }
    changes.compare("product", products, after.products) { $0.owner }
    compareWaitingProducts(to: after, &changes)
    compareFormerContacts(to: after, &changes)
    compareAnswers(to: after, &changes)
    changes.compare("identity", identities, after.identities) { $0.account }
    changes.compare("proposal", contactProposals, after.contactProposals) { $0.account }
    changes.compare("revocable change", revocableChanges, after.revocableChanges) { $0.account }
    changes.compareKeys("challenge", challenges, after.challenges) { $0.account }
    changes.compareKeys("lockout", lockouts, after.lockouts) { $0.account }
    return changes.tables
  }

  /// A product that waits for an address is also of the account with this address.
  private func compareWaitingProducts(to after: MemoryTables, _ changes: inout ChangedAccounts) {
    guard products != after.products else { return }
    let holders = Dictionary(
      accounts.values.compactMap { account in account.email.map { ($0, account.id) } },
      uniquingKeysWith: { first, _ in first })
    changes.compare("waiting product", products, after.products) { product in
      if case .awaiting(let address) = product.holder { holders[address] } else { nil }
    }
  }

  /// A former contact that appears, or gets another proof, is a change of its account.
  ///
  /// An erasure removes former contacts by its addresses, and the removal of expired records dates
  /// them. Neither is a change.
  private func compareFormerContacts(to after: MemoryTables, _ changes: inout ChangedAccounts) {
    guard formerContacts != after.formerContacts else { return }
    for (place, contact) in after.formerContacts
    where formerContacts[place].map({ $0.proof != contact.proof }) ?? true {
      changes.note("former contact", place.account)
    }
  }

  /// An answer that loses its content is not a change.
  ///
  /// An erasure empties the answers of others that contain the person's addresses or name, and no
  /// decision depends on the content of an answer.
  private func compareAnswers(to after: MemoryTables, _ changes: inout ChangedAccounts) {
    guard rememberedAnswers != after.rememberedAnswers else { return }
    var answers = after.rememberedAnswers
    for (place, answer) in answers where answer.body.isEmpty {
      answers[place] = rememberedAnswers[place] ?? answer
    }
    changes.compare("answer", rememberedAnswers, answers) { $0.owner }
  }

  /// The accounts that the subjects include.
  ///
  /// It is nil for every account.
  func accounts(of subjects: [Subject]) -> Set<AccountID>? {
    if subjects.contains(.installation) { return nil }
    return Set(subjects.flatMap { accounts(of: $0) })
  }

  private func accounts(of subject: Subject) -> [AccountID] {
    switch subject {
    case .account(let id): [id]
    case .email(let address): accounts.values.filter { $0.email == address }.map(\.id)
    case .number(let phone): accounts.values.filter { $0.phone == phone }.map(\.id)
    case .signInAttempt(let digest): attempts[digest].map { [$0.account] } ?? []
    case .authorizationCode(let digest):
      attempts.values.filter { $0.progress.codeDigest == digest }.map(\.account)
    case .passwordReset(let digest): resets[digest].map { [$0.account] } ?? []
    case .session(let id): sessions[id].map { [$0.account] } ?? []
    case .identity(let issuer, let subject):
      identities[IdentityPlace(issuer: issuer, subject: subject)].map { [$0.account] } ?? []
    case .message(let id): messages[id]?.account.map { [$0] } ?? []
    case .fieldRecord(let id):
      jobs.values.filter { $0.id == id }.map(\.account)
        + deliveries.values.filter { $0.id == id }.map(\.account)
        + activities.values.filter { $0.id == id }.map(\.account)
    case .invitation(let digest):
      invitations.values.filter { $0.digest == digest }.map(\.account)
    case .product(let id):
      products.values.filter { $0.entry.id == id }.flatMap { product in
        switch product.holder {
        case .owner(let account): [account]
        case .awaiting(let address): accounts(of: .email(address))
        }
      }
    case .providerJourney, .providerDevice, .assertion, .policy,
      .globalAdministrators, .expiredRecords, .installation:
      []
    }
  }
}

/// The accounts whose records differ between two versions of the tables.
private struct ChangedAccounts {
  let includesRemovals: Bool
  var tables: [AccountID: String] = [:]

  init(includesRemovals: Bool) { self.includesRemovals = includesRemovals }

  /// A new record of an account that a table did not have before counts, too.
  mutating func compare<Key, Record: Equatable>(
    _ name: String, _ before: [Key: Record], _ after: [Key: Record],
    account: (Record) -> AccountID?
  ) {
    // Tables that were not written share their memory, so this is fast for them.
    guard before != after else { return }
    for (key, record) in after where before[key] != record {
      note(name, account(record))
      note(name, before[key].flatMap(account))
    }
    guard includesRemovals else { return }
    for (key, record) in before where after[key] == nil { note(name, account(record)) }
  }

  mutating func compareKeys<Key, Record: Equatable>(
    _ name: String, _ before: [Key: Record], _ after: [Key: Record], account: (Key) -> AccountID
  ) {
    guard before != after else { return }
    for (key, record) in after where before[key] != record { note(name, account(key)) }
    guard includesRemovals else { return }
    for key in before.keys where after[key] == nil { note(name, account(key)) }
  }

  fileprivate mutating func note(_ name: String, _ account: AccountID?) {
    if let account { tables[account] = name }
  }
}

/// Checks that a decision wrote only records of its subjects.
///
/// An account that did not exist before has no other decision, so its records can be written.
func checkSubjects(_ subjects: [Subject], of before: MemoryTables, _ after: MemoryTables) {
  guard let allowed = before.accounts(of: subjects) else { return }
  let changed = before.changedAccounts(
    in: after, includesRemovals: !subjects.contains(.expiredRecords))
  for (account, table) in changed where !allowed.contains(account) {
    let isNew = before.accounts[account] == nil && after.accounts[account] != nil
    precondition(
      isNew, "a decision about \(subjects) changed a record of \(account): \(table)")
  }
}

internal import Cryptography
internal import SignInModel
internal import SignInService
internal import SignInWire

extension MemoryTransaction: PersonRecords {
  func activities(of account: AccountID) -> [Activity] {
    tables.activities.values.filter { $0.account == account }
      .sorted { ($0.startsAt, $0.id) < ($1.startsAt, $1.id) }
  }

  func messages(of id: AccountID) -> [OutboxMessage] {
    let account = tables.accounts[id]
    let found = tables.messages.values.filter { message in
      message.account == id || account.map { message.isAddressed(to: $0) } ?? false
    }
    return newest(found, after: nil, limit: .max) {
      ListCursor(createdAt: $0.createdAt, id: $0.id)
    }
  }

  func accounts(withRecordsFor addresses: Set<Recipient>) -> Set<AccountID> {
    let messages = tables.messages.values.filter { addresses.contains($0.to) }
    let proposals = tables.contactProposals.values.filter { addresses.contains($0.value) }
    return Set(messages.compactMap(\.account) + proposals.map(\.account))
  }

  func serviceRequests(of account: AccountID) -> [ServiceRequestEntry] {
    newest(
      tables.serviceRequests.values.filter { $0.account == account }, after: nil, limit: .max
    ) { ListCursor(createdAt: $0.createdAt, id: $0.id) }
  }

  func invitation(of account: AccountID) -> Invitation? { tables.invitations[account] }
}

extension OutboxMessage {
  func isAddressed(to account: Account) -> Bool {
    to.text == account.phone?.e164 || to.text == account.email?.text
  }
}

extension MemoryTransaction: PasswordHashKindRecords {
  func passwordHashKinds() -> Set<PasswordHashKind> { tables.passwordHashKinds }

  func save(_ kind: PasswordHashKind) throws(StoreFault) {
    try write { tables in _ = tables.passwordHashKinds.insert(kind) }
  }

  func removeUnusedPasswordHashKinds() throws(StoreFault) {
    try write { tables in
      let used = tables.accounts.values.compactMap { account in
        account.passwordHash.flatMap { PasswordHashKind(of: $0) }
      }
      tables.passwordHashKinds.formIntersection(used)
    }
  }
}

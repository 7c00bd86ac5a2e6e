internal import SignInModel
internal import SignInService

extension MemoryTransaction {
  func formerContacts(of account: AccountID) -> [FormerContact] {
    tables.formerContacts.values.filter { $0.account == account }
      .sorted { $0.value.text < $1.value.text }
  }

  func dateFormerContacts(at moment: Instant) throws(StoreFault) {
    try write { tables in
      tables.formerContacts = tables.formerContacts.mapValues { former in
        FormerContact(
          account: former.account, value: former.value, proof: former.proof,
          replacedAt: former.replacedAt ?? moment)
      }
    }
  }

  func removeFormerContacts(replacedBefore moment: Instant) throws(StoreFault) {
    try write { tables in
      tables.formerContacts = tables.formerContacts.filter { _, former in
        former.replacedAt.map { $0 >= moment } ?? true
      }
    }
  }
}

extension MemoryTables {
  /// Stores the address and the number that saving this account replaces or removes.
  mutating func keepContacts(replacedBy account: Account) {
    guard let before = accounts[account.id] else { return }
    var replaced: [Recipient] = []
    if let email = before.email, email != account.email { replaced.append(.email(email)) }
    if let phone = before.phone, phone != account.phone { replaced.append(.phone(phone)) }
    for value in replaced {
      let place = ContactPlace(account: account.id, value: value)
      formerContacts[place] = FormerContact(
        account: account.id, value: value,
        proof: before.proof(of: value) ?? formerContacts[place]?.proof, replacedAt: nil)
    }
  }
}

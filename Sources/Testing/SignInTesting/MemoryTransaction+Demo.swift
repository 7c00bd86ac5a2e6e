internal import SignInModel
internal import SignInRules
internal import SignInService
internal import SignInWire

extension MemoryTransaction: DemoRecords {
  func hasDemoAccounts() -> Bool { tables.accounts.values.contains { $0.isDemo } }

  func hasAccounts() -> Bool { !tables.accounts.isEmpty }

  func demoAccounts(limit: Int) -> [AccountID] {
    let found = tables.accounts.values.filter(\.isDemo).map(\.id)
    return Array(found.sorted { $0.text < $1.text }.prefix(limit))
  }

  func removeAccount(
    _ id: AccountID, addresses: Set<Recipient>
  ) throws(StoreFault) -> Int {
    try write { tables throws(StoreFault) in
      guard tables.accounts[id] != nil else { throw .conflict }
      return tables.removeRecords(of: id, addresses)
    }
  }
}

extension MemoryTables {
  fileprivate mutating func removeRecords(of id: AccountID, _ addresses: Set<Recipient>) -> Int {
    var count = messages.removeAll { _, message in
      message.account == id || addresses.contains(message.to)
    }
    let name = NameInText(accounts[id]?.name ?? "")
    count += emptyAnswers(containing: [id.text] + addresses.map(\.text), or: name.inJSON)
    func awaits(_ product: Product) -> Bool {
      if case .awaiting(let address) = product.holder {
        addresses.contains(.email(address))
      } else {
        false
      }
    }
    let removed = products.values.filter { $0.owner == id || awaits($0) }.map(\.id)
    count += photos.removeAll { product, _ in removed.contains(product) }
    count += products.removeAll { awaits($1) }
    count += contactProposals.removeAll { addresses.contains($1.value) }
    count += eventNotes.removeAll { _, note in
      note.account == id || name.occurs(in: note.text)
        || addresses.contains { note.text.contains($0.text) }
    }
    count += identities.removeAll { $1.account == id }
    count += contactProposals.removeAll { $1.account == id }
    count += revocableChanges.removeAll { $1.account == id }
    count += formerContacts.removeAll { $1.account == id || addresses.contains($1.value) }
    count += providerJourneys.removeAll { _, journey in
      addresses.contains { $0.text == journey.loginHint }
    }
    count += attempts.removeAll { $1.account == id }
    count += challenges.removeAll { place, _ in place.account == id }
    count += resets.removeAll { $1.account == id }
    count += waitingPasswords.removeAll { key, _ in key == id }
    count += invitations.removeAll { key, _ in key == id }
    count += notices.removeAll { $1.account == id }
    count += sessions.removeAll { $1.account == id }
    count += knownDevices.removeAll { $1.account == id }
    count += lockouts.removeAll { key, _ in key.account == id }
    count += refusals.removeAll { $1.account == id || $0.subject == id.text }
    count += rememberedAnswers.removeAll { place, _ in place.owner == id }
    count += jobs.removeAll { $1.account == id }
    count += deliveries.removeAll { $1.account == id }
    count += activities.removeAll { $1.account == id }
    count += serviceRequests.removeAll { $1.account == id }
    count += removals.removeAll { place, _ in place.owner == id }
    count += feeds.removeAll { key, _ in key == id }
    count += products.removeAll { $1.owner == id }
    let before = changes.count
    changes.removeAll { $0.account == id }
    count += before - changes.count
    count += accounts.removeAll { key, _ in key == id }
    return count
  }
}

extension MemoryTables {
  private mutating func emptyAnswers(containing texts: [String], or name: NameInText) -> Int {
    var count = 0
    for (place, answer) in rememberedAnswers {
      let body = String(decoding: answer.body, as: UTF8.self)
      guard name.occurs(in: body) || texts.contains(where: { body.contains($0) }) else {
        continue
      }
      rememberedAnswers[place] = RememberedAnswer(
        owner: answer.owner, key: answer.key, fingerprint: answer.fingerprint, body: [],
        expiresAt: answer.expiresAt)
      count += 1
    }
    return count
  }
}

extension Dictionary {
  /// Removes the entries that satisfy `isDue`.
  ///
  /// It returns their number.
  fileprivate mutating func removeAll(where isDue: (Key, Value) -> Bool) -> Int {
    let before = count
    self = filter { !isDue($0.key, $0.value) }
    return before - count
  }
}

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

  func removeAccount(_ id: AccountID) throws(StoreFault) -> Int {
    try write { tables throws(StoreFault) in
      guard let account = tables.accounts[id] else { throw .conflict }
      return tables.removeRecords(of: account)
    }
  }
}

extension MemoryTables {
  fileprivate mutating func removeRecords(of account: Account) -> Int {
    let id = account.id
    var count = messages.removeAll { _, message in
      message.account == id || message.isAddressed(to: account)
    }
    let named = [id.text, account.phone?.e164, account.email?.text].compactMap { $0 }
    count += rememberedAnswers.removeAll { _, answer in
      let body = String(decoding: answer.body, as: UTF8.self)
      return named.contains { body.contains($0) }
    }
    let removed = products.values.filter { product in
      product.owner == id || account.email.map { product.holder == .awaiting($0) } ?? false
    }.map(\.id)
    count += photos.removeAll { product, _ in removed.contains(product) }
    count += products.removeAll { _, product in
      switch product.holder {
      case .awaiting(let address): address == account.email
      case .owner: false
      }
    }
    count += identities.removeAll { $1.account == id }
    count += contactProposals.removeAll { $1.account == id }
    count += providerJourneys.removeAll { _, journey in
      journey.loginHint != nil && journey.loginHint == account.email?.text
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

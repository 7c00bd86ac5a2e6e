internal import SignInModel
internal import SignInService

extension MemoryTransaction: RevocableChangeRecords {
  func insert(_ change: RevocableChange) throws(StoreFault) {
    try write { tables throws(StoreFault) in
      try tables.revocableChanges.insertNew(change, for: change.id)
    }
  }

  func update(_ change: RevocableChange) throws(StoreFault) {
    try write { tables in
      guard tables.revocableChanges[change.id]?.account == change.account else { return }
      tables.revocableChanges[change.id] = change
    }
  }

  func revocableChanges(of account: AccountID) -> [RevocableChange] {
    tables.revocableChanges.values.filter { $0.account == account }
      .sorted { ($0.madeAt, $0.id) < ($1.madeAt, $1.id) }
  }

  func revocableChange(digest: [UInt8]) -> RevocableChange? {
    tables.revocableChanges.values.first { $0.digest == digest }
  }

  func dueErasures(at moment: Instant, limit: Int) -> [RevocableChange] {
    let due = tables.revocableChanges.values.filter {
      $0.kind == .erasure && $0.endsAt <= moment && $0.undoneAt == nil
    }
    return Array(due.sorted { ($0.endsAt, $0.id) < ($1.endsAt, $1.id) }.prefix(limit))
  }

  func removeRevocableChange(_ id: String, of account: AccountID) throws(StoreFault) {
    try write { tables in
      if tables.revocableChanges[id]?.account == account { tables.revocableChanges[id] = nil }
    }
  }

  func removeRevocableChanges(
    endedBefore moment: Instant, limit: Int
  ) throws(StoreFault) -> Int {
    try write { tables in
      tables.revocableChanges.remove(
        limit, by: { $0.endsAt },
        where: { ($0.kind != .erasure || $0.undoneAt != nil) && $0.endsAt < moment })
    }
  }
}

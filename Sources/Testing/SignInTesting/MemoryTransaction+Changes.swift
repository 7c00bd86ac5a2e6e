internal import SignInModel
internal import SignInService

extension MemoryTransaction: VersionRecords {
  func nextVersion() throws(StoreFault) -> Int64 {
    try write { tables in
      tables.lastVersion += 1
      return tables.lastVersion
    }
  }
}

extension MemoryTransaction: ChangeRecords {
  func append(_ change: DataChange) throws(StoreFault) {
    try write { tables in
      var change = change
      tables.lastChange += 1
      change.sequence = tables.lastChange
      tables.changes.append(change)
    }
  }

  func changes(after sequence: Int64, limit: Int) -> [DataChange] {
    Array(tables.changes.filter { $0.sequence > sequence }.prefix(limit))
  }

  func changeBounds() -> (removed: Int64, last: Int64) {
    (tables.removedChange, tables.lastChange)
  }

  func removeChanges(
    madeBefore moment: Instant, limit: Int
  ) throws(StoreFault) -> Int {
    try write { tables in
      let removed = tables.changes.filter { $0.at < moment }.prefix(limit)
      tables.changes.removeAll { change in
        removed.contains { $0.sequence == change.sequence }
      }
      if !removed.isEmpty {
        tables.removedChange = tables.changes.first.map { $0.sequence - 1 } ?? tables.lastChange
      }
      return removed.count
    }
  }
}

extension MemoryTransaction: ChangeReceiverRecords {
  func acceptedChange(by receiver: String) -> Int64? { tables.acceptedChanges[receiver] }

  func saveAcceptedChange(_ sequence: Int64, by receiver: String) throws(StoreFault) {
    try write { tables in tables.acceptedChanges[receiver] = sequence }
  }
}

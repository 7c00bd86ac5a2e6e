internal import SignInModel
internal import SignInService

extension MemoryTransaction: VersionRecords {
  func nextVersion(in organization: OrganizationID?) throws(StoreFault) -> Int64 {
    try write { tables in
      if let organization {
        let next = (tables.lastVersions[organization] ?? 1) + 1
        tables.lastVersions[organization] = next
        return next
      }
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

  func changes(
    after sequence: Int64, of organizations: [OrganizationID]?, limit: Int
  ) -> [DataChange] {
    let found = tables.changes.filter { change in
      guard let organizations else { return change.sequence > sequence }
      return change.sequence > sequence
        && change.organization.map { organizations.contains($0) } ?? false
    }
    return Array(found.prefix(limit))
  }

  func removedChange(of organizations: [OrganizationID]) -> Int64 {
    organizations.compactMap { tables.removedChanges[$0] }.max() ?? 0
  }

  func changeBounds() -> (removed: Int64, last: Int64) {
    (tables.removedChange, tables.lastChange)
  }

  func removeChanges(
    madeBefore moment: Instant, limit: Int
  ) throws(StoreFault) -> Int {
    try write { tables in
      let removed = tables.changes.filter { $0.at < moment }.prefix(limit)
      for change in removed {
        if let organization = change.organization {
          tables.removedChanges[organization] = change.sequence
        }
      }
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

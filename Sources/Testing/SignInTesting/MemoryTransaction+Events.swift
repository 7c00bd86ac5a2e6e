internal import SignInModel
internal import SignInService

extension MemoryTransaction: EventRecords {
  func addUnlinked(_ content: EventContent, writerCode: [UInt8]) throws(StoreFault) {
    try write { tables in
      tables.lastUnlinkedEvent += 1
      tables.unlinkedEvents.append(
        UnlinkedEvent(
          id: tables.lastUnlinkedEvent, content: content, writerCode: writerCode))
    }
  }

  func unlinkedEvents(after id: Int64, limit: Int) -> [UnlinkedEvent] {
    Array(tables.unlinkedEvents.lazy.filter { $0.id > id }.prefix(limit))
  }

  func removeUnlinked(_ ids: [Int64]) throws(StoreFault) {
    let removed = Set(ids)
    try write { tables in tables.unlinkedEvents.removeAll { removed.contains($0.id) } }
  }

  func refuseUnlinked(_ ids: [Int64]) throws(StoreFault) {
    let refused = Set(ids)
    try write { tables in
      tables.refusedEvents += tables.unlinkedEvents.filter { refused.contains($0.id) }
      tables.unlinkedEvents.removeAll { refused.contains($0.id) }
    }
  }

  func refusedEventCount() -> Int64 { Int64(tables.refusedEvents.count) }

  /// The store in memory runs one decision after another.
  func lockLog(waits: Bool) -> Bool { true }

  func append(_ events: [SecurityEvent]) throws(StoreFault) {
    try write { tables throws(StoreFault) in
      for event in events {
        guard event.sequence > tables.events.last?.sequence ?? 0 else { throw .conflict }
        tables.events.append(event)
      }
    }
  }

  func lastEvent() -> SecurityEvent? { tables.events.last }

  func events(of account: AccountID?, before sequence: Int64?, limit: Int) -> [SecurityEvent] {
    let chosen = tables.events.reversed().lazy.filter { event in
      event.sequence < sequence ?? .max && (account == nil || event.account == account)
    }
    return Array(chosen.prefix(limit))
  }

  func events(_ query: EventQuery, in numbers: Range<Int64>, limit: Int) -> [SecurityEvent] {
    let chosen = tables.events.reversed().lazy.filter {
      numbers.contains($0.sequence) && query.finds($0)
    }
    return Array(chosen.prefix(limit))
  }

  func events(after sequence: Int64, limit: Int) -> [SecurityEvent] {
    Array(tables.events.lazy.filter { $0.sequence > sequence }.prefix(limit))
  }

  func save(_ note: EventText) throws(StoreFault) {
    try write { tables throws(StoreFault) in
      try tables.eventNotes.insertNew(note, for: note.reference)
    }
  }

  func eventNote(_ reference: String) -> EventText? { tables.eventNotes[reference] }

  func removeEventNotes(writtenBefore moment: Instant) throws(StoreFault) {
    try write { tables in
      tables.eventNotes = tables.eventNotes.filter { moment <= $0.value.writtenAt }
    }
  }

  func logStart() -> LogStart { tables.logStart }

  func removeEvents(at start: LogStart) throws(StoreFault) {
    try write { tables in
      tables.logStart = start
      tables.events.removeAll { $0.sequence <= start.sequence }
    }
  }
}

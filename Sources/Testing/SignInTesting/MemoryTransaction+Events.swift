internal import SignInModel
internal import SignInService

extension MemoryTransaction: EventRecords {
  func append(_ event: SecurityEvent) throws(StoreFault) {
    try write { tables throws(StoreFault) in
      guard event.sequence > tables.events.last?.sequence ?? 0 else { throw .conflict }
      tables.events.append(event)
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

  func logStart() -> LogStart { tables.logStart }

  func removeEvents(at start: LogStart) throws(StoreFault) {
    try write { tables in
      tables.logStart = start
      tables.events.removeAll { $0.sequence <= start.sequence }
    }
  }
}

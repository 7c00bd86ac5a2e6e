internal import SignInModel
internal import SignInRules
internal import SignInService

extension MemoryTransaction: RefusalRecords {
  func refusalTally(_ source: RefusalSource) -> RefusalTally? {
    lock(source)
    return tables.refusals[source]
  }

  func save(_ tally: RefusalTally) throws(StoreFault) {
    try write { tables in tables.refusals[tally.source] = tally }
  }

  func refusalTallies(reportedUntil moment: Instant, limit: Int) -> [RefusalTally] {
    func order(_ tally: RefusalTally) -> (Instant, String, String, String) {
      let source = tally.source
      return (
        tally.refusals.reportedAt, source.code.rawValue, source.subject, source.network ?? ""
      )
    }
    let due = tables.refusals.values.filter { $0.refusals.reportedAt <= moment }
    return Array(due.sorted { order($0) < order($1) }.prefix(limit))
  }

  func removeRefusalTally(_ source: RefusalSource) throws(StoreFault) {
    try write { tables in tables.refusals[source] = nil }
  }

  func unreportedRefusals() -> [UnreportedRefusals] {
    struct Kind: Hashable {
      let code: String
      let detail: String?
    }
    var sums: [Kind: Int64] = [:]
    for tally in tables.refusals.values where tally.refusals.unreported > 0 {
      let kind = Kind(code: tally.source.code.rawValue, detail: tally.source.detail)
      sums[kind, default: 0] += tally.refusals.unreported
    }
    return sums.sorted { ($0.key.code, $0.key.detail ?? "") < ($1.key.code, $1.key.detail ?? "") }
      .map {
        UnreportedRefusals(
          code: SecurityEvent.Code(rawValue: $0.key.code), detail: $0.key.detail, count: $0.value
        )
      }
  }
}

internal import SignInModel
internal import SignInService

extension MemoryTransaction: ReadinessRecords {
  func saveReadiness(at now: Instant) throws(StoreFault) {
    try write { tables in tables.readinessCheckedAt = now }
  }

  func databaseTime() -> Instant? { databaseClock?() }
}

extension MemoryTransaction: NodeReportRecords {
  func nodeReports() -> [NodeReport] { tables.nodeReports }
}

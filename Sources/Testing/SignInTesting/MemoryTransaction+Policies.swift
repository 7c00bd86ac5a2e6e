internal import SignInService

extension MemoryTransaction: PolicyRecords {
  func policyChanges(of subject: PolicyChanges.Subject) -> PolicyChanges {
    tables.policies[subject] ?? .none
  }

  func save(
    _ changes: PolicyChanges, of subject: PolicyChanges.Subject
  ) throws(StoreFault) {
    try write { tables in tables.policies[subject] = changes }
  }
}

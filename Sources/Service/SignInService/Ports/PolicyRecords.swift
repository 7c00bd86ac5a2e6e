public protocol PolicyRecords {
  /// What administrators changed of the policy, or none.
  func policyChanges(of subject: PolicyChanges.Subject) throws(StoreFault) -> PolicyChanges
  /// Takes the place of the earlier changes of the same subject.
  func save(
    _ changes: PolicyChanges, of subject: PolicyChanges.Subject
  ) throws(StoreFault)
}

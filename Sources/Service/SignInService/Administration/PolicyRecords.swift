public protocol PolicyRecords {
  /// The values that administrators changed, or `PolicyChanges.none`.
  func policyChanges(of subject: PolicyChanges.Subject) throws(StoreFault) -> PolicyChanges
  /// Replaces the earlier changes of the same subject.
  func save(
    _ changes: PolicyChanges, of subject: PolicyChanges.Subject
  ) throws(StoreFault)
}

public import SignInModel

public protocol VersionRecords {
  /// The version for a record that is about to be written in this space: an organization, or none.
  ///
  /// It is greater than every earlier version of any record there. So a record that is removed and
  /// created again never has a version that it had before, and the versions in one organization
  /// say nothing about writes in another.
  func nextVersion(in organization: OrganizationID?) throws(StoreFault) -> Int64
}

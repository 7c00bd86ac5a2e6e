public protocol VersionRecords {
  /// The version for a record that is about to be written.
  ///
  /// It is greater than every earlier version of any record.
  ///
  /// So a record that is removed and created again never has a version that it had before.
  func nextVersion() throws(StoreFault) -> Int64
}

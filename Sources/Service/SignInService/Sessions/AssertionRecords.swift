public import SignInModel

/// The assertions that service accounts have used, so that none is accepted twice (RFC 7523,
/// section 3).
public protocol AssertionRecords {
  /// Whether the assertion with this digest is stored as used.
  func isAssertionUsed(_ digest: [UInt8]) throws(StoreFault) -> Bool
  /// Marks the assertion as used.
  ///
  /// - Throws: `.conflict` if it is marked already.
  func useAssertion(_ digest: [UInt8], until expiry: Instant) throws(StoreFault)
  /// Removes at most `limit` assertions that expired before `moment`, and returns how many.
  func removeAssertions(expiredBefore moment: Instant, limit: Int) throws(StoreFault) -> Int
}

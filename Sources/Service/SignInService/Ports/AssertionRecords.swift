public import SignInModel

/// Assertions that service accounts have used, so that none is taken twice (RFC 7523, section 3).
public protocol AssertionRecords {
  /// Whether the assertion with this digest was used and is not forgotten yet.
  func isAssertionUsed(_ digest: [UInt8]) throws(StoreFault) -> Bool
  /// Marks the assertion as used; faults with `.conflict` when it is already.
  func useAssertion(_ digest: [UInt8], until expiry: Instant) throws(StoreFault)
  /// Forgets those that expired before `moment`, at most `limit`; answers how many.
  func removeAssertions(expiredBefore moment: Instant, limit: Int) throws(StoreFault) -> Int
}

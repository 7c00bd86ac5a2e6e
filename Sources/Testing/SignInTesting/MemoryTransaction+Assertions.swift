internal import SignInModel
internal import SignInService

extension MemoryTransaction: AssertionRecords {
  func isAssertionUsed(_ digest: [UInt8]) -> Bool { tables.usedAssertions[digest] != nil }

  func useAssertion(_ digest: [UInt8], until expiry: Instant) throws(StoreFault) {
    try write { tables throws(StoreFault) in
      try tables.usedAssertions.insertNew(expiry, for: digest)
    }
  }

  func removeAssertions(
    expiredBefore moment: Instant, limit: Int
  ) throws(StoreFault) -> Int {
    try write { tables in
      tables.usedAssertions.remove(limit, by: { $0 }, where: { $0 < moment })
    }
  }
}

internal import SignInModel
internal import SignInService

extension SQLTransaction: AssertionRecords {
  func isAssertionUsed(_ digest: [UInt8]) throws(StoreFault) -> Bool {
    let found = try connection.first(
      "SELECT 1 FROM used_assertions WHERE digest = ?", bind: { $0.bind(digest) },
      read: { row in row.number() })
    return found != nil
  }

  func useAssertion(_ digest: [UInt8], until expiry: Instant) throws(StoreFault) {
    try write("INSERT INTO used_assertions (digest, expires_at) VALUES (?, ?)") {
      $0.bind(digest)
      $0.bind(expiry)
    }
  }

  func removeAssertions(
    expiredBefore moment: Instant, limit: Int
  ) throws(StoreFault) -> Int {
    try removeOldest(
      """
      DELETE FROM used_assertions WHERE digest IN
        (SELECT digest FROM used_assertions WHERE expires_at < ? ORDER BY expires_at LIMIT ?)
      """, before: moment, limit: limit)
  }
}

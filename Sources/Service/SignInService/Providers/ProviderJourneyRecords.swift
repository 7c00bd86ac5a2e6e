public import SignInModel

public protocol ProviderJourneyRecords {
  func insert(_ journey: ProviderJourney) throws(StoreFault)
  func providerJourney(digest: [UInt8]) throws(StoreFault) -> ProviderJourney?
  /// The journey with this digest of its handle at the provider, started or ended.
  func providerJourney(stateDigest: [UInt8]) throws(StoreFault) -> ProviderJourney?
  /// At most `limit` journeys at this provider in the progress `.started` that this browser opened
  /// and that expire after `moment`.
  func startedProviderJourneys(
    browserDigest: [UInt8], at provider: String, expiringAfter moment: Instant, limit: Int
  ) throws(StoreFault) -> [ProviderJourney]
  func update(_ journey: ProviderJourney) throws(StoreFault)
  /// Removes the journeys of this key that have not ended, except the newest `count`.
  func removeOpenProviderJourneys(
    proofKeyThumbprint: String, keeping count: Int
  ) throws(StoreFault)
  /// Removes at most `limit` journeys that expired before `moment`, and returns how many.
  func removeProviderJourneys(expiredBefore moment: Instant, limit: Int) throws(StoreFault) -> Int
}

public protocol IdentityRecords {
  func identity(issuer: String, subject: String) throws(StoreFault) -> Identity?
  /// The identities of the account, in the order of their links.
  func identities(of account: AccountID) throws(StoreFault) -> [Identity]
  /// Inserts the identity.
  ///
  /// - Throws: `.conflict` if the subject of this issuer is linked already.
  func insert(_ identity: Identity) throws(StoreFault)
  func update(_ identity: Identity) throws(StoreFault)
  /// Removes the identity and its contact proposals.
  ///
  /// Does nothing if there is no such identity.
  func removeIdentity(issuer: String, subject: String) throws(StoreFault)
}

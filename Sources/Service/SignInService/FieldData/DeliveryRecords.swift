public import SignInModel

public protocol DeliveryRecords {
  /// The account's deliveries that start at `start` or later and before `end`, in order of their
  /// start.
  func deliveries(
    of account: AccountID, from start: Instant, until end: Instant
  ) throws(StoreFault) -> [Delivery]
  /// At most `limit` of these deliveries, in order of their start.
  ///
  /// With an organization, those of other organizations are left out. Those without an organization
  /// are among them only `withShared`.
  /// If there are more, deliveries that are neither delivered nor failed come first, beginning with
  /// the earliest. The latest of the others fill the rest.
  func deliveries(
    of account: AccountID, in organization: OrganizationID?, withShared: Bool,
    during time: Range<Instant>, limit: Int
  ) throws(StoreFault) -> [Delivery]
  /// The number of these deliveries by status.
  ///
  /// A status without deliveries is absent.
  func deliveryCounts(
    of account: AccountID, in organization: OrganizationID?, withShared: Bool,
    during time: Range<Instant>
  ) throws(StoreFault) -> [Delivery.Status: Int64]
  /// Inserts the delivery, or replaces the one with the same key.
  func save(_ delivery: Delivery) throws(StoreFault)
  func delivery(_ key: RecordKey) throws(StoreFault) -> Delivery?
  /// At most `limit` deliveries of organizations that have this id.
  func deliveries(named id: String, limit: Int) throws(StoreFault) -> [Delivery]
  /// Does nothing if there is no such delivery.
  func removeDelivery(_ key: RecordKey) throws(StoreFault)
}

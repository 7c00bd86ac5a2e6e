public import SignInModel

public protocol DeliveryRecords {
  /// The account's deliveries that start at `start` or later and before `end`, by start time.
  func deliveries(
    of account: AccountID, from start: Instant, until end: Instant
  ) throws(StoreFault) -> [Delivery]
  /// At most `limit` of them, by start time: first those that are neither delivered nor failed, the
  /// earliest first, then the latest of those that are.
  func deliveries(
    of account: AccountID, from start: Instant, until end: Instant, limit: Int
  ) throws(StoreFault) -> [Delivery]
  /// How many of them have which status; a status that none has is absent.
  func deliveryCounts(
    of account: AccountID, from start: Instant, until end: Instant
  ) throws(StoreFault) -> [Delivery.Status: Int64]
  /// Inserts the delivery, or takes the place of the one with the same identifier.
  func save(_ delivery: Delivery) throws(StoreFault)
  func delivery(_ id: String) throws(StoreFault) -> Delivery?
  /// Does nothing when there is no such delivery.
  func removeDelivery(_ id: String) throws(StoreFault)
}

public import SignInModel

public protocol DeliveryRecords {
  /// The account's deliveries that start at `start` or later and before `end`, by start time.
  func deliveries(
    of account: AccountID, from start: Instant, until end: Instant
  ) throws(StoreFault) -> [Delivery]
  /// Inserts the delivery, or takes the place of the one with the same identifier.
  func save(_ delivery: Delivery) throws(StoreFault)
  func delivery(_ id: String) throws(StoreFault) -> Delivery?
  /// Does nothing when there is no such delivery.
  func removeDelivery(_ id: String) throws(StoreFault)
}

public import SignInModel
public import SignInWire

public protocol ProductRecords {
  func product(_ id: ProductID) throws(StoreFault) -> Product?
  /// Newest first, after `position` when there is one, at most `limit`.
  func products(after position: ListPosition?, limit: Int) throws(StoreFault) -> [Product]
  /// The owner's products whose warranty ends on one of `days`, by identifier.
  func products(
    of owner: AccountID, expiringOn days: ClosedRange<CalendarDay>
  ) throws(StoreFault) -> [Product]
  /// The products that wait for this address, by identifier.
  func products(awaiting address: EmailAddress) throws(StoreFault) -> [Product]
  /// Inserts the product, or takes the place of the one with the same identifier; that it was
  /// once removed from the same owner is forgotten.
  func save(_ product: Product) throws(StoreFault)
  /// Does nothing when there is no such product; that it left its owner is saved by itself.
  func removeProduct(_ id: ProductID) throws(StoreFault)
}

public protocol ProductFeedRecords {
  /// The owner's feed; one never saved before is empty.
  func productFeed(of owner: AccountID) throws(StoreFault) -> ProductFeed
  func save(_ feed: ProductFeed) throws(StoreFault)
  /// What the owner has that changed after `position`, by position, at most `limit`.
  func products(
    of owner: AccountID, changedAfter position: Int64, limit: Int
  ) throws(StoreFault) -> [Product]
  /// What the owner lost after `position`, by position, at most `limit`.
  func productRemovals(
    of owner: AccountID, after position: Int64, limit: Int
  ) throws(StoreFault) -> [ProductRemoval]
  /// Takes the place of an earlier removal of the same product from the same owner.
  func save(_ removal: ProductRemoval) throws(StoreFault)
  /// Forgets the removals made before `moment`, at most `limit`; answers how many.
  func removeProductRemovals(madeBefore moment: Instant, limit: Int) throws(StoreFault) -> Int
}

public protocol ServiceRequestRecords {
  func insert(_ request: ServiceRequestEntry) throws(StoreFault)
  func serviceRequest(_ id: String) throws(StoreFault) -> ServiceRequestEntry?
  /// Newest first, after `position` when there is one, at most `limit`.
  func serviceRequests(
    after position: ListPosition?, limit: Int
  ) throws(StoreFault) -> [ServiceRequestEntry]
}

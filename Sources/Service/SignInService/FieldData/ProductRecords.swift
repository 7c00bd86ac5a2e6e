public import SignInModel
public import SignInWire

/// The records of products.
///
/// A `ProductID` is the stored form of a product's `RecordKey`, except where it is `shownAs`.
public protocol ProductRecords {
  func product(_ id: ProductID) throws(StoreFault) -> Product?
  /// The owner's product with this id in the owner's app.
  func product(shownAs id: ProductID, to owner: AccountID) throws(StoreFault) -> Product?
  /// At most `limit` products of organizations that have this id.
  func products(named id: String, limit: Int) throws(StoreFault) -> [Product]
  /// At most `limit` products that match `query`, newest first.
  ///
  /// The list begins after `position` if there is one.
  func products(
    _ query: ProductQuery, after position: ListCursor?, limit: Int
  ) throws(StoreFault) -> [Product]
  /// The owner's products with a warranty that ends on one of `days`, in order of their
  /// identifiers.
  func products(
    of owner: AccountID, expiringOn days: ClosedRange<CalendarDay>
  ) throws(StoreFault) -> [Product]
  /// The products that await this address, in order of their identifiers.
  func products(awaiting address: EmailAddress) throws(StoreFault) -> [Product]
  /// Inserts the product, or replaces the one with the same identifier.
  ///
  /// It also deletes the `ProductRemoval` of this product with the same id in the app of the same
  /// owner.
  func save(_ product: Product) throws(StoreFault)
  /// Does nothing if there is no such product.
  ///
  /// The `ProductRemoval` is saved separately.
  func removeProduct(_ id: ProductID) throws(StoreFault)
}

public protocol ProductFeedRecords {
  /// The owner's feed.
  ///
  /// It is empty if it was never saved.
  func productFeed(of owner: AccountID) throws(StoreFault) -> ProductFeed
  func save(_ feed: ProductFeed) throws(StoreFault)
  /// At most `limit` of the owner's products that changed after `position`, in order of position.
  func products(
    of owner: AccountID, changedAfter position: Int64, limit: Int
  ) throws(StoreFault) -> [Product]
  /// At most `limit` of the owner's removals after `position`, in order of position.
  func productRemovals(
    of owner: AccountID, after position: Int64, limit: Int
  ) throws(StoreFault) -> [ProductRemoval]
  /// Replaces an earlier removal of the same product with the same id from the same owner.
  func save(_ removal: ProductRemoval) throws(StoreFault)
  /// Removes at most `limit` removals made before `moment`, and returns how many.
  func removeProductRemovals(madeBefore moment: Instant, limit: Int) throws(StoreFault) -> Int
}

public protocol ServiceRequestRecords {
  func insert(_ request: ServiceRequestEntry) throws(StoreFault)
  func serviceRequest(_ id: String) throws(StoreFault) -> ServiceRequestEntry?
  /// At most `limit` requests that match `query`, newest first.
  ///
  /// The list begins after `position` if there is one.
  func serviceRequests(
    _ query: ServiceRequestQuery, after position: ListCursor?, limit: Int
  ) throws(StoreFault) -> [ServiceRequestEntry]
}

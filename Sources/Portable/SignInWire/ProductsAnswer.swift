public import JSONText
public import SignInModel

/// One page of changes of a person's product list: the answer of `GET /api/products`.
public struct ProductsAnswer: Equatable, Sendable {
  /// New and changed products, with all their members.
  public let products: [ProductEntry]
  /// Products that are not in the person's list any more, or that this app does not know.
  public let removed: [ProductID]
  /// The cursor for the next request.
  public let cursor: String
  /// `false` if more pages follow before the list is complete.
  public let isComplete: Bool
  /// The server's time of the answer.
  public let syncedAt: Instant
  /// The day for which each `status` is computed.
  public let today: CalendarDay
  /// The signed permission to read the data for a time without the server (`OfflineLease`).
  public let lease: String

  public init(
    products: [ProductEntry], removed: [ProductID], cursor: String, isComplete: Bool,
    syncedAt: Instant, today: CalendarDay, lease: String
  ) {
    self.products = products
    self.removed = removed
    self.cursor = cursor
    self.isComplete = isComplete
    self.syncedAt = syncedAt
    self.today = today
    self.lease = lease
  }

  public var json: JSON {
    .members([
      JSONMember(.products, .array(products.map { $0.json(on: today) })),
      JSONMember(.removed, .array(removed.map { JSON.string($0.text) })),
      JSONMember(.cursor, cursor),
      JSONMember(.complete, isComplete),
      JSONMember(.syncedAt, syncedAt.seconds),
      JSONMember(.lease, lease),
    ])
  }

  /// Returns `nil` if a member is missing or has another type, because a partial page is useless
  /// (O-08).
  public init?(json: JSON) {
    guard let entries = json.elements(.products), let gone = json.elements(.removed),
      let cursor = json.text(.cursor), let isComplete = json.flag(.complete),
      let seconds = json.unixSeconds(.syncedAt), let lease = OfflineLease.token(in: json)
    else { return nil }
    var products: [ProductEntry] = []
    for entry in entries {
      guard let product = ProductEntry(json: entry) else { return nil }
      products.append(product)
    }
    var removed: [ProductID] = []
    for entry in gone {
      guard let id = entry.text else { return nil }
      removed.append(ProductID(id))
    }
    let syncedAt = Instant(seconds: seconds)
    self.init(
      products: products, removed: removed, cursor: cursor, isComplete: isComplete,
      syncedAt: syncedAt, today: CalendarDay(syncedAt), lease: lease
    )
  }
}

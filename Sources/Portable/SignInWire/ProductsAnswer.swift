public import JSONText
public import SignInModel

/// One page of what changed on a person's shelf, as `GET /api/products` answers.
public struct ProductsAnswer: Equatable, Sendable {
  /// New ones and changed ones, each whole.
  public let products: [ProductEntry]
  /// Those the person has lost, or never had as far as this app knows.
  public let removed: [ProductID]
  /// What to ask with next.
  public let cursor: String
  /// False when there is more to fetch before the list is whole.
  public let isComplete: Bool
  /// The server's time: what was read is true of this moment.
  public let syncedAt: Instant
  /// The day that each `status` is of.
  public let today: CalendarDay
  /// How long this may be read without asking again, signed by the server.
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
      JSONMember("products", .array(products.map { $0.json(on: today) })),
      JSONMember("removed", .array(removed.map { JSON.string($0.text) })),
      JSONMember("cursor", cursor),
      JSONMember("complete", isComplete),
      JSONMember("synced_at", syncedAt.seconds),
      JSONMember("lease", lease),
    ])
  }

  /// Nil when a member is missing or of another type: half a page is no page (O-08).
  public init?(json: JSON) {
    guard let entries = json["products"]?.elements, let gone = json["removed"]?.elements,
      let cursor = json["cursor"]?.text, let isComplete = json["complete"]?.flag,
      let seconds = json["synced_at"]?.unixSeconds, let lease = json["lease"]?.text
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

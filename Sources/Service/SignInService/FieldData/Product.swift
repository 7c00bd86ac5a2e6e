public import SignInModel
public import SignInWire

/// One thing that a person owns, and its warranty (O-02).
public struct Product: Equatable, Sendable {
  /// The account or the address that has the product.
  public enum Holder: Equatable, Sendable {
    case owner(AccountID)
    /// The product was transferred to an address that has no account yet, and waits for one.
    case awaiting(EmailAddress)
  }

  /// The id is that of the sender who wrote the product.
  public var entry: ProductEntry
  /// The organization whose sender wrote it; `nil` if a global sender did.
  public let organization: OrganizationID?
  /// The id in the owner's app; `nil` if it is that of `entry`.
  ///
  /// An owner can have products of several organizations with the same id.
  public var shownID: ProductID?
  public let createdAt: Instant
  public var holder: Holder
  /// The position of its last change in the owner's feed.
  public var position: Int64
  /// The version of the record; see `VersionRecords`.
  public var version: Int64

  public init(
    entry: ProductEntry, createdAt: Instant, holder: Holder, position: Int64, version: Int64 = 1,
    organization: OrganizationID? = nil, shownID: ProductID? = nil
  ) {
    self.entry = entry
    self.organization = organization
    self.shownID = shownID
    self.createdAt = createdAt
    self.holder = holder
    self.position = position
    self.version = version
  }

  public var key: RecordKey { RecordKey(organization, entry.id.text) }

  /// The stored form of `key`.
  public var id: ProductID { ProductID(key.text) }

  /// The product as the owner's app reads it.
  public var ownersEntry: ProductEntry {
    var entry = entry
    entry.id = shownID ?? entry.id
    return entry
  }

  public var owner: AccountID? {
    switch holder {
    case .owner(let account): account
    case .awaiting: nil
    }
  }
}

/// A record that a product left its owner, so that the owner's app removes it from its offline copy
/// (L-33).
///
/// There is one for each key of a product and each id that it had in the owner's app. A product of
/// another organization can have this id in the meantime.
public struct ProductRemoval: Equatable, Sendable {
  public let owner: AccountID
  /// The id in the owner's app.
  public let product: ProductID
  public let key: RecordKey
  public let position: Int64
  public let removedAt: Instant

  public init(
    owner: AccountID, product: ProductID, key: RecordKey, position: Int64, removedAt: Instant
  ) {
    self.owner = owner
    self.product = product
    self.key = key
    self.position = position
    self.removedAt = removedAt
  }
}

/// The order in which one owner's products changed.
///
/// Every change gets the next position. A later change of the same product moves it to the later
/// position. So a reader who continues from any position misses nothing and gets nothing twice.
public struct ProductFeed: Equatable, Sendable {
  /// How long removals are stored, in seconds: 90 days.
  ///
  /// An older cursor is unknown.
  public static let retentionSeconds: Int64 = 90 * 24 * 60 * 60
  /// Changes on one page.
  public static let pageLimit = 500
  /// How many times as many changes a page of a limited session reads, to fill its gaps.
  static let readLimit = 10

  public let owner: AccountID
  /// The position of the last change; zero before the first.
  public private(set) var position: Int64
  /// The last day for which changes of the warranty status were added to the feed.
  public var day: CalendarDay?

  public init(owner: AccountID, position: Int64 = 0, day: CalendarDay? = nil) {
    self.owner = owner
    self.position = position
    self.day = day
  }

  /// Adds a change and returns its position.
  public mutating func next() -> Int64 {
    position += 1
    return position
  }

  /// The end days of the warranties that expired or began to expire soon since the feed's day.
  public func daysWithChangedWarranty(by today: CalendarDay) -> [ClosedRange<CalendarDay>] {
    guard let day, day < today else { return [] }
    let lead = WarrantyStatus.expiringDays
    return [
      day...today.adding(days: -1),
      day.adding(days: lead + 1)...today.adding(days: lead),
    ]
  }
}

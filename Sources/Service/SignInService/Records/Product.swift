public import SignInModel
public import SignInWire

/// One thing somebody owns, and its warranty (US-074).
public struct Product: Equatable, Sendable {
  /// Who has it.
  public enum Holder: Equatable, Sendable {
    case owner(AccountID)
    /// It was given to an address that nobody signs in with yet: it waits for them.
    case awaiting(EmailAddress)
  }

  public let entry: ProductEntry
  public let createdAt: Instant
  public var holder: Holder
  /// When it last changed, in its owner's feed.
  public var position: Int64
  /// Which write made it what it is; see `VersionRecords`.
  public var version: Int64

  public init(
    entry: ProductEntry, createdAt: Instant, holder: Holder, position: Int64, version: Int64 = 1
  ) {
    self.entry = entry
    self.createdAt = createdAt
    self.holder = holder
    self.position = position
    self.version = version
  }

  public var id: ProductID { entry.id }

  public var owner: AccountID? {
    switch holder {
    case .owner(let account): account
    case .awaiting: nil
    }
  }
}

/// That a product left its owner: the app that still shows it is to be told (L-33).
public struct ProductRemoval: Equatable, Sendable {
  public let owner: AccountID
  public let product: ProductID
  public let position: Int64
  public let removedAt: Instant

  public init(owner: AccountID, product: ProductID, position: Int64, removedAt: Instant) {
    self.owner = owner
    self.product = product
    self.position = position
    self.removedAt = removedAt
  }
}

/// The order in which one owner's products changed.
///
/// Every change gets the next position; a later change of the same product takes it to the new one,
/// so that whoever reads on from any position misses nothing and is told nothing twice over.
public struct ProductFeed: Equatable, Sendable {
  /// A cursor of this age is unknown: what was removed before is forgotten by then.
  public static let keptSeconds: Int64 = 90 * 24 * 60 * 60
  /// Changes on one page.
  public static let pageLimit = 500

  public let owner: AccountID
  /// Of the last change; zero before the first.
  public private(set) var position: Int64
  /// The day up to which warranties that ended, or are about to, count as changed.
  public var day: CalendarDay?

  public init(owner: AccountID, position: Int64 = 0, day: CalendarDay? = nil) {
    self.owner = owner
    self.position = position
    self.day = day
  }

  /// The position of one more change.
  public mutating func next() -> Int64 {
    position += 1
    return position
  }

  /// The last days of the warranties whose status has changed since the feed's day.
  public func turnedDays(by today: CalendarDay) -> [ClosedRange<CalendarDay>] {
    guard let day, day < today else { return [] }
    let lead = WarrantyStatus.expiringDays
    return [
      day...today.adding(days: -1),
      day.adding(days: lead + 1)...today.adding(days: lead),
    ]
  }
}

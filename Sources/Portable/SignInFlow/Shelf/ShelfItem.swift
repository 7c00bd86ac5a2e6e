public import JSONText
public import SignInModel
public import SignInWire

/// One of many things an app shows from its own copy, with or without a network, and brings up to
/// date change by change.
///
/// What is read whole each time, such as a day's jobs, is a `HomeAnswer`.
public protocol ShelfItem: Equatable, Sendable {
  /// Their shelf in leases and in storage.
  static var shelf: OfflineLease.Shelf { get }
  /// Where they are synced from.
  static var shelfPath: String { get }
  /// How many of the fields are searched, from the first on.
  static var searchedFieldCount: Int { get }

  /// One page of a sync; nil when anything in it is not as it must be.
  static func shelfAnswer(_ json: JSON) -> ShelfAnswer<Self>?

  /// Names the thing on its shelf; no control characters.
  var shelfID: String { get }
  /// What is kept of it, the name it is sorted by first. A later version adds fields at the end.
  var shelfFields: [String] { get }
  /// Nil when the fields are none that any version wrote.
  init?(shelfID: String, fields: [String])
}

public struct ShelfAnswer<Item: ShelfItem>: Equatable, Sendable {
  public let items: [Item]
  public let removed: [String]
  public let cursor: String
  public let isComplete: Bool
  public let asOf: Instant
  public let lease: String

  public init(
    items: [Item], removed: [String], cursor: String, isComplete: Bool, asOf: Instant,
    lease: String
  ) {
    self.items = items
    self.removed = removed
    self.cursor = cursor
    self.isComplete = isComplete
    self.asOf = asOf
    self.lease = lease
  }
}

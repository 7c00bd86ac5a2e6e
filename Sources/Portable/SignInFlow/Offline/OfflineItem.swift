public import JSONText
import SignInEngine
public import SignInModel
public import SignInWire

/// An item of a list that the app shows from its offline copy and updates change by change.
///
/// Data that is read completely each time, such as the jobs of a day, is a `HomeAnswer`.
public protocol OfflineItem: Equatable, Sendable {
  /// The name of the list in leases and in storage.
  static var list: OfflineLease.List { get }
  /// The path that the items are synced from.
  static var syncEndpoint: Endpoint { get }
  /// How many of the fields are searched, from the first one on.
  static var searchedFieldCount: Int { get }
  /// The place of the searched field that is a number, which is also found without its spaces and
  /// hyphens.
  static var numberFieldIndex: Int { get }

  /// Reads one page of a sync; `nil` if a part of it is malformed.
  static func syncPage(_ json: JSON) -> SyncPage<Self>?

  /// Identifies the item in its list.
  ///
  /// It has no control characters.
  var itemID: String { get }
  /// The fields that are stored.
  ///
  /// The first one is the name, which the list is sorted by. A later version adds fields at the
  /// end.
  var itemFields: [String] { get }
  /// `nil` if no version of the app wrote these fields.
  init?(itemID: String, fields: [String])
}

public struct SyncPage<Item: OfflineItem>: Equatable, Sendable {
  public let items: [Item]
  public let removed: [String]
  public let cursor: String
  public let isComplete: Bool
  public let asOf: Instant
  public let lease: String
}

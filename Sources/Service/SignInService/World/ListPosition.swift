public import SignInModel

/// A position in a list that runs from the newest record to the oldest.
///
/// It refers to a record instead of counting records. So records that are added or removed between
/// two pages neither hide nor repeat others.
public struct ListPosition: Equatable, Sendable {
  public static let textByteLimit = 256

  public let createdAt: Instant
  public let id: String

  public init(createdAt: Instant, id: String) {
    self.createdAt = createdAt
    self.id = id
  }

  /// Reads a cursor that this server wrote; nil for any other text.
  init?(cursor: String) {
    guard cursor.utf8.count <= Self.textByteLimit else { return nil }
    let bytes: [UInt8]
    do throws(Malformed) { bytes = try Base64URL.decode(cursor) } catch { return nil }
    let parts = bytes.split(separator: UInt8(ascii: "/"), maxSplits: 1)
    let moments = Instant.earliest.milliseconds...Instant.latest.milliseconds
    guard parts.count == 2, let milliseconds = WholeNumber.read(parts[0], in: moments),
      let id = String(validating: parts[1], as: UTF8.self)
    else { return nil }
    self.init(createdAt: Instant(milliseconds: milliseconds), id: id)
  }

  var cursor: String { Base64URL.encode(Array("\(createdAt.milliseconds)/\(id)".utf8)) }
}

/// One page of a list, and the cursor of the next page; nil on the last page.
public struct ListPage<Entry: Sendable>: Sendable {
  public let entries: [Entry]
  public let cursor: String?
}

/// The number of entries on a page.
public enum PageLimits {
  public static let standard = 50
  public static let longest = 200
}

extension ListPage {
  /// Makes a page of at most `limit` entries.
  ///
  /// If `records` has one record more than that, there is a next page.
  static func page<Record>(
    of records: [Record], limit: Int, position: (Record) -> ListPosition,
    entry: (Record) throws(StoreFault) -> Entry
  ) throws(StoreFault) -> ListPage {
    var entries: [Entry] = []
    for record in records.prefix(limit) { entries.append(try entry(record)) }
    let hasMore = records.count > limit && limit > 0
    return ListPage(entries: entries, cursor: hasMore ? position(records[limit - 1]).cursor : nil)
  }
}

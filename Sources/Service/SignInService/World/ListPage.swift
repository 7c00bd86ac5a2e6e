public import SignInWire

/// The end of one page of a list, which a client sends back as text to get the next page.
public protocol PageCursor: Sendable {
  /// Reads a text that this server wrote; nil for any other text.
  init?(parsing text: String)

  var text: String { get }
}

/// One page of a list, and the cursor of the next page; nil on the last page.
public struct ListPage<Entry: Sendable, Cursor: Sendable>: Sendable {
  public let entries: [Entry]
  public let cursor: Cursor?

  /// The same page with another form of its entries.
  func map<Other>(
    _ form: (Entry) throws(StoreFault) -> Other
  ) throws(StoreFault) -> ListPage<Other, Cursor> {
    var others: [Other] = []
    for entry in entries { others.append(try form(entry)) }
    return ListPage<Other, Cursor>(entries: others, cursor: cursor)
  }
}

/// The page of a list that a caller wants.
public struct PageRequest<Cursor: Sendable>: Sendable {
  /// The end of the page before; nil for the first page.
  let cursor: Cursor?
  let limit: Int

  /// - Throws: A refusal if the limit is not 1 to `PageLimits.longest`.
  public init(
    after cursor: Cursor? = nil, limit: Int = PageLimits.standard
  ) throws(Refusal) {
    guard (1...PageLimits.longest).contains(limit) else {
      throw Refusal.invalidRequest("limit must be 1 to \(PageLimits.longest)")
    }
    self.cursor = cursor
    self.limit = limit
  }
}

extension PageRequest where Cursor: PageCursor {
  /// - Throws: A refusal if the limit is wrong, or if this server did not write the cursor.
  public init(parsing text: String?, limit: Int) throws(Refusal) {
    let cursor = text.map { Cursor(parsing: $0) }
    try self.init(after: cursor ?? nil, limit: limit)
    if case .some(nil) = cursor { throw Refusal.invalidRequest("cursor is unknown") }
  }
}

/// The number of entries on a page.
public enum PageLimits {
  public static let standard = 50
  public static let longest = 200
}

import SignInModel
import SignInTesting
import SignInWire
import Testing

@testable import SignInService

@Suite("Lists that are restricted to organizations")
struct NarrowedPageTests {
  private static let north = Permission([Permission.Grant(.viewer, in: OrganizationID("north"))])

  /// A record of the list; `isOwn` if the administrator may see it.
  private struct Record: Sendable {
    let position: ListCursor
    let isOwn: Bool

    init(_ number: Int, at second: Int64, isOwn: Bool = false) {
      position = ListCursor(
        createdAt: TestWorld.start.adding(seconds: second),
        id: (isOwn ? "own-" : "hidden-") + String(100_000 + number))
      self.isOwn = isOwn
    }
  }

  /// Reads one page of records that are sorted from the newest to the oldest.
  private func page(
    of records: [Record], after cursor: ListCursor?, limit: Int = 2
  ) throws -> ListPage<String, ListCursor> {
    func order(_ position: ListCursor) -> (Instant, String) { (position.createdAt, position.id) }
    let request = try PageRequest(after: cursor, limit: limit)
    return try ListPage.narrowed(request, for: Self.north) {
      (position, count) throws(StoreFault) -> [Record] in
      let rest = records.drop { record in
        position.map { order(record.position) >= order($0) } ?? false
      }
      return Array(rest.prefix(count))
    } cursor: {
      $0.position
    } isSeen: { (record) throws(StoreFault) in
      record.isOwn
    }.map { (record) throws(StoreFault) in record.position.id }
  }

  /// All pages of the records.
  private func pages(
    of records: [Record], limit: Int = 2
  ) throws -> (entries: [[String]], cursors: [ListCursor]) {
    var (entries, cursors): ([[String]], [ListCursor]) = ([], [])
    var cursor: ListCursor?
    repeat {
      let page = try page(of: records, after: cursor, limit: limit)
      entries.append(page.entries)
      cursor = page.cursor
      if let cursor { cursors.append(cursor) }
    } while cursor != nil && entries.count < 20
    return (entries, cursors)
  }

  private func isNamed(_ cursor: ListCursor) throws -> Bool {
    String(decoding: try Base64URL.decode(cursor.text), as: UTF8.self).contains("hidden")
  }

  @Test("T-16 the cursor of a full page names the last entry, not the hidden records after it")
  func fullPage() throws {
    let records = (0..<12).map { Record($0, at: Int64(-$0), isOwn: $0 % 3 == 0) }

    let found = try pages(of: records)

    #expect(found.entries == [["own-100000", "own-100003"], ["own-100006", "own-100009"]])
    #expect(found.cursors.map(\.id) == ["own-100003"])
    #expect(ListCursor(parsing: found.cursors[0].text) == found.cursors[0])
  }

  @Test("T-16 after many hidden records, a page has a cursor without an identifier")
  func hiddenRecords() throws {
    let count = 2 * NarrowedPage.scanLimit + 7
    let hidden = (0..<count).map { Record(count - $0, at: Int64(-$0 / 3)) }
    let records = hidden + [Record(0, at: -90_000, isOwn: true)]

    let found = try pages(of: records)

    #expect(found.entries == [[], [], ["own-100000"]])
    #expect(try found.cursors.allSatisfy { try !isNamed($0) } && found.cursors.count == 2)
    #expect(found.cursors.allSatisfy { ListCursor(parsing: $0.text)?.id == "" })
  }

  @Test("T-16 hidden records of one time are read together, so that none is repeated or left out")
  func oneTime() throws {
    let hidden = (0..<(NarrowedPage.scanLimit + 900)).reversed().map { Record($0, at: 0) }
    let records =
      [Record(0, at: 1, isOwn: true)] + hidden
      + [Record(1, at: -1, isOwn: true), Record(2, at: -2, isOwn: true)]

    let found = try pages(of: records)

    #expect(found.entries.flatMap { $0 } == ["own-100000", "own-100001", "own-100002"])
    #expect(try found.cursors.allSatisfy { try !isNamed($0) })
  }

  @Test("T-16 the limit of a scan is exact", arguments: [-1, 0, 1])
  func scanLimit(beyond: Int) throws {
    let hidden = (0..<(NarrowedPage.scanLimit + beyond)).map { Record($0, at: Int64(-$0)) }
    let records = hidden + [Record(0, at: -90_000, isOwn: true)]

    let first = try page(of: records, after: nil)

    #expect(first.entries == (beyond < 0 ? ["own-100000"] : []))
    #expect((first.cursor == nil) == (beyond < 0))
  }
}

public import SignInModel

/// A position in a list that runs from the newest record to the oldest.
///
/// It refers to a record instead of counting records. So records that are added or removed between
/// two pages neither hide nor repeat others.
public struct ListCursor: Equatable, PageCursor {
  public static let textByteLimit = 256

  public let createdAt: Instant
  public let id: String

  public init(createdAt: Instant, id: String) {
    self.createdAt = createdAt
    self.id = id
  }

  public init?(parsing text: String) {
    guard text.utf8.count <= Self.textByteLimit else { return nil }
    let bytes: [UInt8]
    do throws(Malformed) { bytes = try Base64URL.decode(text) } catch { return nil }
    // The identifier is empty in a cursor between two records.
    let parts = bytes.split(
      separator: UInt8(ascii: "/"), maxSplits: 1, omittingEmptySubsequences: false)
    let moments = Instant.earliest.milliseconds...Instant.latest.milliseconds
    guard parts.count == 2, let milliseconds = WholeNumber.read(parts[0], in: moments),
      let id = String(validating: parts[1], as: UTF8.self)
    else { return nil }
    self.init(createdAt: Instant(milliseconds: milliseconds), id: id)
  }

  public var text: String { Base64URL.encode(Array("\(createdAt.milliseconds)/\(id)".utf8)) }
}

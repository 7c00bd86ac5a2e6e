import JSONText
import SignInEngine

/// The part of a sync that has arrived.
///
/// An interrupted sync continues from it, also after a restart.
struct PartialSync: Equatable, Sendable {
  static let key = "next"
  /// A later version that changes the meaning of a member increases this number, and still reads
  /// older records.
  static let version: Int64 = 1

  /// The cursor of the copy that the changes belong to; `nil` if the pages are the complete list.
  let base: String?
  private(set) var cursor: String?
  private(set) var pages: [ChangeLogPart] = []
  /// The keys of the pages that storage has, in their order.
  var kept: [String] = []
  /// Whether storage accepts pages.
  private(set) var isKept = true

  init(base: String?) {
    self.base = base
    cursor = base
  }

  /// Reads a stored sync; `nil` if a page is missing, or if it belongs to another copy.
  init?(_ pieces: [SealedRecord], base: String?) {
    guard let piece = pieces.first(where: { $0.key == Self.key }),
      let json = Self.parse(piece.bytes), let version = json.count("version"), version >= 1,
      version <= Self.version, let cursor = json.text("cursor"),
      let elements = json.elements("parts")
    else { return nil }
    var keys: [String] = []
    for element in elements {
      guard let key = element.text else { return nil }
      keys.append(key)
    }
    let began = json.text("base")
    guard began == nil || began == base, let parts = OfflineCopy.named(keys, in: pieces),
      let pages = ChangeLogPart.all(parts)
    else { return nil }
    self.base = began
    self.cursor = cursor
    self.pages = pages
    kept = keys
  }

  mutating func add(_ page: ChangeLogPart, upTo cursor: String) {
    pages.append(page)
    self.cursor = cursor
  }

  /// From now on, the pages stay only in memory until the app is closed.
  mutating func stopStoring() {
    isKept = false
    kept = []
  }

  /// The records that storage must keep while the sync continues.
  var keys: [String] { kept.isEmpty ? [] : [Self.key] + kept }

  var piece: SealedRecord {
    let json = JSON.members([
      JSONMember("version", Self.version), JSONMember("base", ifPresent: base),
      JSONMember("cursor", cursor ?? ""),
      JSONMember("parts", .array(kept.map { JSON.string($0) })),
    ])
    return SealedRecord(key: Self.key, bytes: json.utf8)
  }

  private static func parse(_ bytes: [UInt8]) -> JSON? {
    do throws(JSONMalformed) { return try JSONReader.read(bytes) } catch { return nil }
  }
}

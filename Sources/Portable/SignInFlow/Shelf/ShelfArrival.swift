import JSONText

/// What of a sync has arrived: one that was cut off goes on where it was, also after a restart.
struct ShelfArrival: Equatable, Sendable {
  static let key = "next"
  /// A later version that changes the meaning of a member raises this and still reads older ones.
  static let version: Int64 = 1

  /// The cursor of the copy these are changes of; nil where the pages are the whole shelf.
  let base: String?
  private(set) var cursor: String?
  private(set) var pages: [ShelfPart] = []
  /// The pages that storage has, in their order.
  var kept: [String] = []
  /// Whether storage takes pages.
  private(set) var isKept = true

  init(base: String?) {
    self.base = base
    cursor = base
  }

  /// What storage held, where every page is there and belongs to this copy.
  init?(_ pieces: [ShelfPiece], base: String?) {
    guard let piece = pieces.first(where: { $0.key == Self.key }),
      let json = Self.parse(piece.bytes), let version = json["version"]?.count, version >= 1,
      version <= Self.version, let cursor = json["cursor"]?.text,
      let elements = json["parts"]?.elements
    else { return nil }
    var keys: [String] = []
    for element in elements {
      guard let key = element.text else { return nil }
      keys.append(key)
    }
    let began = json["base"]?.text
    guard began == nil || began == base, let parts = KeptCopy.named(keys, in: pieces),
      let pages = ShelfPart.all(parts)
    else { return nil }
    self.base = began
    self.cursor = cursor
    self.pages = pages
    kept = keys
  }

  mutating func add(_ page: ShelfPart, upTo cursor: String) {
    pages.append(page)
    self.cursor = cursor
  }

  /// From here on it lives only as long as the app is open.
  mutating func giveUpKeeping() {
    isKept = false
    kept = []
  }

  /// What storage must not forget while this goes on.
  var keys: [String] { kept.isEmpty ? [] : [Self.key] + kept }

  var piece: ShelfPiece {
    let json = JSON.members([
      JSONMember("version", Self.version), JSONMember("base", ifPresent: base),
      JSONMember("cursor", cursor ?? ""),
      JSONMember("parts", .array(kept.map { JSON.string($0) })),
    ])
    return ShelfPiece(key: Self.key, bytes: json.utf8)
  }

  private static func parse(_ bytes: [UInt8]) -> JSON? {
    do throws(JSONMalformed) { return try JSONReader.read(bytes) } catch { return nil }
  }
}

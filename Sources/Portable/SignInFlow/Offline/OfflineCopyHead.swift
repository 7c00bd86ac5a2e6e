import JSONText
import SignInEngine
import SignInModel

/// The data about a copy as a whole; written with each change of the copy.
struct OfflineCopyHead: Equatable, Sendable {
  static let key = "head"
  /// A later version that changes the meaning of a member increases this number, and still reads
  /// older records.
  static let version: Int64 = 1

  let cursor: String
  let asOf: Instant
  let lease: String
  /// The latest time that this device has known, so that setting the clock back extends no lease.
  var seenAt: Instant
  let parts: [String]

  init(cursor: String, asOf: Instant, lease: String, seenAt: Instant, parts: [String]) {
    self.cursor = cursor
    self.asOf = asOf
    self.lease = lease
    self.seenAt = seenAt
    self.parts = parts
  }

  init?(bytes: [UInt8]) {
    guard let json = Self.parse(bytes), let version = json.count("version"),
      version >= 1, version <= Self.version, let cursor = json.text("cursor"),
      let asOf = json.unixSeconds("as_of"), let lease = json.text("lease"),
      let seenAt = json.unixSeconds("seen_at"), let elements = json.elements("parts")
    else { return nil }
    var parts: [String] = []
    for element in elements {
      guard let key = element.text else { return nil }
      parts.append(key)
    }
    self.init(
      cursor: cursor, asOf: Instant(seconds: asOf), lease: lease,
      seenAt: Instant(seconds: seenAt), parts: parts
    )
  }

  var piece: SealedRecord {
    let json = JSON.members([
      JSONMember("version", Self.version), JSONMember("cursor", cursor),
      JSONMember("as_of", asOf.seconds), JSONMember("lease", lease),
      JSONMember("seen_at", seenAt.seconds),
      JSONMember("parts", .array(parts.map { JSON.string($0) })),
    ])
    return SealedRecord(key: Self.key, bytes: json.utf8)
  }

  private static func parse(_ bytes: [UInt8]) -> JSON? {
    do throws(JSONMalformed) { return try JSONReader.read(bytes) } catch { return nil }
  }
}

public import JSONText

/// The digest and the size of a product's photo; the content has its own URL.
public struct ProductPhoto: Hashable, Sendable {
  /// The maximum size of a photo, in bytes.
  public static let byteLimit = 200_000

  /// The SHA-256 digest of the content, in base64url.
  public let digest: String
  /// The number of bytes of the content.
  public let bytes: Int64

  public init(digest: String, bytes: Int64) {
    self.digest = digest
    self.bytes = bytes
  }

  public var json: JSON {
    .members([JSONMember(.digest, digest), JSONMember(.bytes, bytes)])
  }

  /// Returns `nil` if a member is missing, has another type, or is not valid.
  public init?(json: JSON) {
    guard let digest = json.text(.digest), Self.isDigest(digest),
      let bytes = json[.bytes]?.number(in: 1...Int64(Self.byteLimit))
    else { return nil }
    self.init(digest: digest, bytes: bytes)
  }

  /// The number of characters of a SHA-256 digest in base64url.
  static let digestLength = 43

  private static func isDigest(_ text: String) -> Bool {
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
        continue
      default: return false
      }
    }
    return text.utf8.count == digestLength
  }
}

/// The format of a photo.
///
/// The first bytes of the content decide it, because a header field can say anything. SVG is not
/// among the formats, because it can have scripts.
public enum PhotoFormat: String, CaseIterable, Sendable {
  case jpeg = "image/jpeg"
  case png = "image/png"
  case webp = "image/webp"

  /// Returns `nil` if the content begins like none of the formats.
  public init?(of content: [UInt8]) {
    if content.starts(with: [0xFF, 0xD8, 0xFF]) {
      self = .jpeg
    } else if content.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      self = .png
    } else if content.count >= 12, content.starts(with: [0x52, 0x49, 0x46, 0x46]),
      content[8..<12].elementsEqual([0x57, 0x45, 0x42, 0x50])
    {
      // RIFF, four bytes of the size, WEBP.
      self = .webp
    } else {
      return nil
    }
  }

  /// The value of the field `Content-Type`.
  public var mediaType: String { rawValue }
}

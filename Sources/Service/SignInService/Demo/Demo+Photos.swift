import SignInModel
import SignInWire

extension Demo {
  /// The photos of two of the owner's products.
  ///
  /// They are drawn here, so that the repository has no pictures of others.
  static let photos: [ProductPhotoContent] = [
    photo("product-001", DrawnAppliance(hasDoorWindow: false)),
    photo("product-002", DrawnAppliance(hasDoorWindow: true)),
  ]

  private static func photo(_ id: String, _ appliance: DrawnAppliance) -> ProductPhotoContent {
    ProductPhotoContent(product: ProductID(id), format: .png, content: appliance.png)
  }
}

/// A simple drawing of a dishwasher or of a washing machine, as a PNG image.
private struct DrawnAppliance {
  /// Whether the door has a round window.
  let hasDoorWindow: Bool

  private static let (width, height) = (160, 120)

  /// The colours: wall, floor, housing, edge, panel, light and glass.
  private static let palette: [UInt8] = [
    0xE9, 0xE4, 0xDA, 0xC9, 0xBE, 0xAD, 0xFA, 0xFA, 0xF8, 0xB9, 0xBF, 0xC2,
    0x4A, 0x55, 0x5C, 0x3F, 0xA0, 0x84, 0x7C, 0x9A, 0xAE,
  ]

  /// The index of the colour at a point.
  private func colour(_ x: Int, _ y: Int) -> UInt8 {
    guard (45..<115).contains(x), (14..<106).contains(y) else { return y < 100 ? 0 : 1 }
    if x < 47 || x >= 113 || y < 16 || y >= 104 { return 3 }
    if (20..<30).contains(y) {
      if (52..<80).contains(x) { return 4 }
      return (100..<106).contains(x) && (22..<28).contains(y) ? 5 : 2
    }
    if y == 34 || y == 98 { return 3 }
    guard hasDoorWindow else { return (40..<44).contains(y) && (60..<100).contains(x) ? 4 : 2 }
    let distance = (x - 80) * (x - 80) + (y - 66) * (y - 66)
    return distance < 18 * 18 ? 6 : distance < 23 * 23 ? 3 : 2
  }

  var png: [UInt8] {
    var rows: [UInt8] = []
    for y in 0..<Self.height {
      // Each row begins with its filter: none.
      rows.append(0)
      for x in 0..<Self.width { rows.append(colour(x, y)) }
    }
    let size = Self.bytes(UInt32(Self.width)) + Self.bytes(UInt32(Self.height))
    // Eight bits for each point, which is an index into the palette.
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
      + Self.chunk("IHDR", size + [8, 3, 0, 0, 0]) + Self.chunk("PLTE", Self.palette)
      + Self.chunk("IDAT", Self.stored(rows)) + Self.chunk("IEND", [])
  }

  /// The bytes in the zlib format, in one block without compression (RFC 1950 and RFC 1951).
  private static func stored(_ content: [UInt8]) -> [UInt8] {
    let count = UInt16(content.count)
    let length = [count, ~count].flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    var (low, high): (UInt32, UInt32) = (1, 0)
    for byte in content {
      low = (low + UInt32(byte)) % 65_521
      high = (high + low) % 65_521
    }
    return [0x78, 0x01, 0x01] + length + content + bytes(high << 16 | low)
  }

  private static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
    let checked = Array(type.utf8) + content
    var remainder = UInt32.max
    for byte in checked {
      remainder ^= UInt32(byte)
      for _ in 0..<8 {
        remainder = remainder & 1 == 1 ? 0xEDB8_8320 ^ (remainder >> 1) : remainder >> 1
      }
    }
    return bytes(UInt32(content.count)) + checked + bytes(~remainder)
  }

  private static func bytes(_ number: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }
}

internal import CWebP

/// A WebP picture that does not move (RFC 9649).
struct WebPFile: PictureFile {
  private static let headBytes = 12
  /// The qualities of a picture that is written again, the best first.
  private static let qualities: [Float] = [90, 75, 60]

  private struct Chunk {
    let kind: String
    let content: Range<Int>
  }

  let content: [UInt8]
  let width: Int
  let height: Int
  let orientation: Int

  init(_ content: [UInt8]) throws(PictureFault) {
    var (width, height) = (UInt32(0), UInt32(0))
    guard let chunks = Self.chunks(of: content),
      fp_webp_size(content, content.count, &width, &height) == 1
    else { throw .damaged }
    self.content = content
    (self.width, self.height) = (Int(width), Int(height))
    orientation =
      chunks.first { $0.kind == "EXIF" }.map { Self.orientation(content[$0.content]) } ?? 1
  }

  /// A picture that is stored without loss stays so, if it has few enough bytes.
  func written(_ turn: Turn?, byteLimit: Int) throws(PictureFault) -> [UInt8] {
    var points = try decoded()
    if let turn { points = turn.applied(to: points, width: width, height: height, size: 4) }
    let (across, down) = turn?.swapsSides == true ? (height, width) : (width, height)
    if fp_webp_is_lossless(content, content.count) == 1 {
      let made = try Self.taken { made in
        fp_webp_encode_lossless(points, UInt32(across), UInt32(down), &made)
      }
      if made.count <= byteLimit { return made }
    }
    for quality in Self.qualities {
      let made = try Self.taken { made in
        fp_webp_encode(points, UInt32(across), UInt32(down), quality, &made)
      }
      if made.count <= byteLimit { return made }
    }
    throw .tooLarge
  }

  /// The bytes that a function of the library has allocated.
  private static func taken(
    _ make: (inout UnsafeMutablePointer<UInt8>?) -> Int
  ) throws(PictureFault) -> [UInt8] {
    var made: UnsafeMutablePointer<UInt8>?
    let size = make(&made)
    defer { WebPFree(made) }
    guard size > 0, let made else { throw .damaged }
    return Array(UnsafeBufferPointer(start: made, count: size))
  }

  private func decoded() throws(PictureFault) -> [UInt8] {
    var points = [UInt8](repeating: 0, count: width * height * 4)
    guard fp_webp_decode(content, content.count, &points, points.count, UInt32(width)) == 1 else {
      throw .damaged
    }
    return points
  }

  /// Some programs write the head of a JPEG segment before the metadata.
  private static func orientation(_ exif: ArraySlice<UInt8>) -> Int {
    let head = Array("Exif\0\0".utf8)
    return Exif.orientation(in: exif.starts(with: head) ? exif.dropFirst(head.count) : exif)
  }

  /// The chunks inside the size that the head says; `nil` if they do not fill it.
  private static func chunks(of content: [UInt8]) -> [Chunk]? {
    func number(_ at: Int) -> Int {
      content[at..<(at + 4)].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
    guard content.count >= headBytes else { return nil }
    let end = number(4) + 8
    guard end <= content.count else { return nil }
    var chunks: [Chunk] = []
    var at = headBytes
    while at + 8 <= end {
      let length = number(at + 4)
      guard length <= end - at - 8 else { return nil }
      let kind = String(decoding: content[at..<(at + 4)], as: UTF8.self)
      chunks.append(Chunk(kind: kind, content: (at + 8)..<(at + 8 + length)))
      at += 8 + length + length % 2
    }
    return chunks.isEmpty ? nil : chunks
  }
}

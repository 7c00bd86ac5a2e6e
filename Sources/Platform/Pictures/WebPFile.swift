internal import CWebP

/// A WebP picture that does not move (RFC 9649).
struct WebPFile: PictureFile {
  /// The chunks with the points.
  private static let kept: Set<String> = ["VP8 ", "VP8L", "ALPH", "VP8X"]
  private static let headBytes = 12
  /// The flag of `VP8X` for an alpha channel, the only one that stays.
  private static let alphaFlag: UInt8 = 0x10
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
  private let chunks: [Chunk]

  init(_ content: [UInt8]) throws(PictureFault) {
    var (width, height) = (UInt32(0), UInt32(0))
    guard let chunks = Self.chunks(of: content),
      fp_webp_size(content, content.count, &width, &height) == 1
    else { throw .damaged }
    self.content = content
    self.chunks = chunks
    (self.width, self.height) = (Int(width), Int(height))
    orientation =
      chunks.first { $0.kind == "EXIF" }.map { Self.orientation(content[$0.content]) } ?? 1
  }

  func stripped() throws(PictureFault) -> [UInt8] {
    _ = try decoded()
    var body: [UInt8] = Array("WEBP".utf8)
    for chunk in chunks where Self.kept.contains(chunk.kind) {
      var part = Array(content[chunk.content])
      if chunk.kind == "VP8X" {
        guard let flags = part.first else { throw .damaged }
        part[0] = flags & Self.alphaFlag
      }
      body += Array(chunk.kind.utf8) + Self.little(part.count) + part
      if !part.count.isMultiple(of: 2) { body.append(0) }
    }
    return Array("RIFF".utf8) + Self.little(body.count) + body
  }

  func turned(_ turn: Turn, byteLimit: Int) throws(PictureFault) -> [UInt8] {
    let points = turn.applied(to: try decoded(), width: width, height: height, size: 4)
    let (across, down) = turn.swapsSides ? (height, width) : (width, height)
    for quality in Self.qualities {
      var made: UnsafeMutablePointer<UInt8>?
      let size = fp_webp_encode(points, UInt32(across), UInt32(down), quality, &made)
      defer { WebPFree(made) }
      guard size > 0, let made else { throw .damaged }
      if size <= byteLimit { return Array(UnsafeBufferPointer(start: made, count: size)) }
    }
    throw .tooLarge
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

  private static func little(_ number: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
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

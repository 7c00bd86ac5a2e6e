internal import CPNG

/// A PNG picture (PNG, third edition).
struct PNGFile: PictureFile {
  /// The chunks that say how the points look.
  private static let kept: Set<String> = [
    "IHDR", "PLTE", "IDAT", "IEND", "tRNS", "cHRM", "gAMA", "sBIT", "sRGB",
  ]
  private static let signatureBytes = 8

  private struct Chunk {
    let kind: String
    /// The content alone.
    let content: Range<Int>
    /// With the length before it and the check sum after it.
    let all: Range<Int>
  }

  let content: [UInt8]
  let width: Int
  let height: Int
  let orientation: Int
  private let chunks: [Chunk]

  init(_ content: [UInt8]) throws(PictureFault) {
    guard let chunks = Self.chunks(of: content) else { throw .damaged }
    // The library allocates a line before it finds out that there is none of its bytes.
    guard let head = chunks.first, head.kind == "IHDR", head.content.count == 13 else {
      throw .damaged
    }
    func number(_ at: Int) -> Int { content[at..<(at + 4)].reduce(0) { $0 << 8 | Int($1) } }
    self.content = content
    self.chunks = chunks
    width = number(head.content.lowerBound)
    height = number(head.content.lowerBound + 4)
    orientation =
      chunks.first { $0.kind == "eXIf" }.map { Exif.orientation(in: content[$0.content]) } ?? 1
  }

  func stripped() throws(PictureFault) -> [UInt8] {
    _ = try decoded()
    var made = Array(content.prefix(Self.signatureBytes))
    for chunk in chunks where Self.kept.contains(chunk.kind) { made += content[chunk.all] }
    return made
  }

  func turned(_ turn: Turn, byteLimit: Int) throws(PictureFault) -> [UInt8] {
    let points = turn.applied(to: try decoded(), width: width, height: height, size: 4)
    let (across, down) = turn.swapsSides ? (height, width) : (width, height)
    var made = [UInt8](repeating: 0, count: byteLimit)
    var size = made.count
    guard fp_png_encode(points, UInt32(across), UInt32(down), &made, &size) == 1 else {
      throw .tooLarge
    }
    return Array(made.prefix(size))
  }

  private func decoded() throws(PictureFault) -> [UInt8] {
    var (across, down) = (UInt32(0), UInt32(0))
    guard fp_png_size(content, content.count, &across, &down) == 1, Int(across) == width,
      Int(down) == height
    else { throw .damaged }
    var points = [UInt8](repeating: 0, count: width * height * 4)
    guard fp_png_decode(content, content.count, &points) == 1 else { throw .damaged }
    return points
  }

  /// The chunks up to the end of the picture; `nil` if they do not lead to it.
  private static func chunks(of content: [UInt8]) -> [Chunk]? {
    var chunks: [Chunk] = []
    var at = signatureBytes
    while at + 12 <= content.count {
      let length = content[at..<(at + 4)].reduce(0) { $0 << 8 | Int($1) }
      guard length <= content.count - at - 12 else { return nil }
      let kind = String(decoding: content[(at + 4)..<(at + 8)], as: UTF8.self)
      chunks.append(
        Chunk(kind: kind, content: (at + 8)..<(at + 8 + length), all: at..<(at + 12 + length)))
      if kind == "IEND" { return chunks }
      at += 12 + length
    }
    return nil
  }
}

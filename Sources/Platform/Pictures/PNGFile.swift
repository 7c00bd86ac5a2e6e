internal import CPNG

/// A PNG picture (PNG, third edition).
struct PNGFile: PictureFile {
  private static let signatureBytes = 8

  private struct Chunk {
    let kind: String
    let content: Range<Int>
  }

  let content: [UInt8]
  let width: Int
  let height: Int
  let orientation: Int

  init(_ content: [UInt8]) throws(PictureFault) {
    guard let chunks = Self.chunks(of: content) else { throw .damaged }
    // The library allocates a line before it finds out that there is none of its bytes.
    guard let head = chunks.first, head.kind == "IHDR", head.content.count == 13 else {
      throw .damaged
    }
    func number(_ at: Int) -> Int { content[at..<(at + 4)].reduce(0) { $0 << 8 | Int($1) } }
    self.content = content
    width = number(head.content.lowerBound)
    height = number(head.content.lowerBound + 4)
    orientation =
      chunks.first { $0.kind == "eXIf" }.map { Exif.orientation(in: content[$0.content]) } ?? 1
  }

  func written(_ turn: Turn?, byteLimit: Int) throws(PictureFault) -> [UInt8] {
    var points = try decoded()
    if let turn { points = turn.applied(to: points, width: width, height: height, size: 4) }
    let (across, down) = turn?.swapsSides == true ? (height, width) : (width, height)
    let form = PNGForm(points)
    var made = [UInt8](repeating: 0, count: byteLimit)
    var size = made.count
    guard
      fp_png_encode(
        form.points, UInt32(across), UInt32(down), UInt32(form.channels), form.colors,
        UInt32(form.colors.count / 4), &made, &size) == 1
    else { throw .tooLarge }
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
      chunks.append(Chunk(kind: kind, content: (at + 8)..<(at + 8 + length)))
      if kind == "IEND" { return chunks }
      at += 12 + length
    }
    return nil
  }
}

/// The points of a PNG picture with as few bytes as they need.
struct PNGForm {
  /// A palette has at most this many colours.
  static let colorLimit = 256

  /// Grey, grey and alpha, RGB, or RGBA.
  let channels: Int
  let points: [UInt8]
  /// The colours that the points are numbers of, with four bytes each; empty without a palette.
  let colors: [UInt8]

  /// - Parameter rgba: Four bytes for each point.
  init(_ rgba: [UInt8]) {
    if let (numbers, colors) = Self.palette(of: rgba) {
      (channels, points, self.colors) = (1, numbers, colors)
      return
    }
    var (isGrey, isOpaque) = (true, true)
    for at in stride(from: 0, to: rgba.count, by: 4) {
      isGrey = isGrey && rgba[at] == rgba[at + 1] && rgba[at] == rgba[at + 2]
      isOpaque = isOpaque && rgba[at + 3] == .max
      if !isGrey, !isOpaque { break }
    }
    let kept = (isGrey ? [0] : [0, 1, 2]) + (isOpaque ? [] : [3])
    var made: [UInt8] = []
    made.reserveCapacity(rgba.count / 4 * kept.count)
    for at in stride(from: 0, to: rgba.count, by: 4) {
      for channel in kept { made.append(rgba[at + channel]) }
    }
    (channels, points, colors) = (kept.count, made, [])
  }

  /// The colours in the order of their first point; `nil` if there are too many for a palette.
  private static func palette(of rgba: [UInt8]) -> (points: [UInt8], colors: [UInt8])? {
    var numbers: [UInt32: UInt8] = [:]
    var points: [UInt8] = []
    var colors: [UInt8] = []
    points.reserveCapacity(rgba.count / 4)
    for at in stride(from: 0, to: rgba.count, by: 4) {
      let color = rgba[at..<(at + 4)].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      if let number = numbers[color] {
        points.append(number)
        continue
      }
      guard numbers.count < colorLimit else { return nil }
      let number = UInt8(numbers.count)
      numbers[color] = number
      points.append(number)
      colors += rgba[at..<(at + 4)]
    }
    // The palette of a small picture needs more bytes than it saves.
    return colors.count < points.count ? (points, colors) : nil
  }
}

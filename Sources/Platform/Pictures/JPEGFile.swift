internal import CJPEG

/// A JPEG picture (ITU-T T.81).
struct JPEGFile: PictureFile {
  /// The qualities of a picture that is written again, the best first.
  private static let qualities: [Int32] = [90, 75, 60]

  let content: [UInt8]
  let width: Int
  let height: Int
  let orientation: Int

  init(_ content: [UInt8]) throws(PictureFault) {
    var (width, height) = (UInt32(0), UInt32(0))
    guard Self.scanCount(of: content) <= Picture.scanLimit,
      fp_jpeg_read(content, content.count, &width, &height, nil) == FP_JPEG_READY
    else { throw .damaged }
    self.content = content
    (self.width, self.height) = (Int(width), Int(height))
    orientation = Self.orientation(of: content)
  }

  /// The coefficients of an upright picture stay, so that it loses nothing.
  func written(_ turn: Turn?, byteLimit: Int) throws(PictureFault) -> [UInt8] {
    guard let turn else {
      // Coefficients can be read also where the points cannot.
      guard fp_jpeg_check(content, content.count) == FP_JPEG_READY else { throw .damaged }
      let made = try Self.written(byteLimit) { made, size in
        fp_jpeg_copy(content, content.count, made, size)
      }
      if let made { return made }
      throw .tooLarge
    }
    var points = [UInt8](repeating: 0, count: width * height * 3)
    guard fp_jpeg_read(content, content.count, nil, nil, &points) == FP_JPEG_READY else {
      throw .damaged
    }
    points = turn.applied(to: points, width: width, height: height, size: 3)
    let (across, down) = turn.swapsSides ? (height, width) : (width, height)
    for quality in Self.qualities {
      let made = try Self.written(byteLimit) { made, size in
        fp_jpeg_encode(points, UInt32(across), UInt32(down), quality, made, size)
      }
      if let made { return made }
    }
    throw .tooLarge
  }

  /// The bytes that a function of the library has written; `nil` if they are more than the limit.
  private static func written(
    _ byteLimit: Int, _ write: (UnsafeMutablePointer<UInt8>, UnsafeMutablePointer<Int>) -> Int32
  ) throws(PictureFault) -> [UInt8]? {
    var made = [UInt8](repeating: 0, count: byteLimit + 1)
    var size = made.count
    switch write(&made, &size) {
    case FP_JPEG_READY: return Array(made.prefix(size))
    case FP_JPEG_TOO_LARGE: return nil
    default: throw .damaged
    }
  }

  /// The number of scans, with those of a picture in the metadata.
  private static func scanCount(of content: [UInt8]) -> Int {
    var count = 0
    for index in content.indices.dropLast()
    where content[index] == 0xFF && content[index + 1] == 0xDA {
      count += 1
    }
    return count
  }

  /// Looks through the segments before the first scan.
  private static func orientation(of content: [UInt8]) -> Int {
    let exif = Array("Exif\0\0".utf8)
    var at = 2
    while at + 4 <= content.count, content[at] == 0xFF {
      let marker = content[at + 1]
      if marker == 0xFF {
        at += 1
        continue
      }
      if marker == 0xDA { return 1 }
      let length = Int(content[at + 2]) << 8 | Int(content[at + 3])
      let end = at + 2 + length
      guard length >= 2, end <= content.count else { return 1 }
      if marker == 0xE1, content[(at + 4)..<end].starts(with: exif) {
        return Exif.orientation(in: content[(at + 4 + exif.count)..<end])
      }
      at = end
    }
    return 1
  }
}

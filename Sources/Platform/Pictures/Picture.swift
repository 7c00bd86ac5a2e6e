/// The reason why a picture cannot be accepted.
public enum PictureFault: Error, Equatable, Sendable {
  /// It cannot be decoded to its end, or it moves.
  case damaged
  /// It has more points than `Picture.pointLimit`, or a longer side than `Picture.sideLimit`.
  case tooManyPoints
  /// It would need more than the allowed bytes.
  case tooLarge
}

/// A picture from outside, in the form in which others may read it.
///
/// The system's libraries decode all of it, so that a reader gets no damaged picture. It is
/// written again from its points, or from the coefficients of an upright JPEG picture. Everything
/// else, such as the place and the time of the picture, comments, colour profiles, and bytes in
/// other parts or after the end, is left out.
public enum Picture {
  public enum Format: Sendable {
    case jpeg
    case png
    case webp
  }

  /// The most points, so that a decoded picture needs at most 48 MiB.
  public static let pointLimit = 12 << 20
  /// The longest side, in points.
  public static let sideLimit = 8192
  /// The most scans of a JPEG picture.
  ///
  /// Each scan goes through all points, and can have few bytes. Cameras write about ten.
  public static let scanLimit = 64

  /// Decodes a picture, and writes its points again without metadata.
  ///
  /// - Parameters:
  ///   - content: The bytes of the picture.
  ///   - format: The format that the sender named.
  ///   - byteLimit: The most bytes of the result.
  /// - Returns: The new picture, upright.
  /// - Throws: If the picture is damaged, or larger than the limits.
  public static func cleaned(
    _ content: [UInt8], _ format: Format, byteLimit: Int
  ) throws(PictureFault) -> [UInt8] {
    let file: any PictureFile
    switch format {
    case .jpeg: file = try JPEGFile(content)
    case .png: file = try PNGFile(content)
    case .webp: file = try WebPFile(content)
    }
    guard file.width > 0, file.height > 0 else { throw .damaged }
    guard file.width <= sideLimit, file.height <= sideLimit,
      file.width * file.height <= pointLimit
    else { throw .tooManyPoints }
    let made = try file.written(Turn(file.orientation), byteLimit: byteLimit)
    guard made.count <= byteLimit else { throw .tooLarge }
    return made
  }
}

/// A picture in one format.
protocol PictureFile {
  var width: Int { get }
  var height: Int { get }
  /// The value of the orientation in the metadata (Exif 2.32, 4.6.4); 1 if it needs no turn.
  var orientation: Int { get }
  /// The same picture without metadata, after all of it was decoded.
  func written(_ turn: Turn?, byteLimit: Int) throws(PictureFault) -> [UInt8]
}

/// How the points must move, so that a picture is upright without metadata.
struct Turn: Equatable {
  private let orientation: Int

  /// `nil` if nothing moves.
  init?(_ orientation: Int) {
    guard (2...8).contains(orientation) else { return nil }
    self.orientation = orientation
  }

  var swapsSides: Bool { orientation >= 5 }

  /// The points in their new places, each with `size` bytes.
  func applied(to points: [UInt8], width: Int, height: Int, size: Int) -> [UInt8] {
    let (newWidth, newHeight) = swapsSides ? (height, width) : (width, height)
    return [UInt8](unsafeUninitializedCapacity: points.count) { made, count in
      var at = 0
      for y in 0..<newHeight {
        for x in 0..<newWidth {
          let (oldX, oldY) =
            switch orientation {
            case 2: (width - 1 - x, y)
            case 3: (width - 1 - x, height - 1 - y)
            case 4: (x, height - 1 - y)
            case 5: (y, x)
            case 6: (y, height - 1 - x)
            case 7: (width - 1 - y, height - 1 - x)
            default: (width - 1 - y, x)
            }
          let from = (oldY * width + oldX) * size
          for byte in 0..<size { made.initializeElement(at: at + byte, to: points[from + byte]) }
          at += size
        }
      }
      count = at
    }
  }
}

/// The orientation in Exif metadata.
enum Exif {
  private static let orientationTag = 0x0112
  /// The most entries of a directory that are read.
  private static let entryLimit = 512

  /// Reads the first directory of a TIFF structure; 1 if it has no orientation.
  static func orientation(in tiff: ArraySlice<UInt8>) -> Int {
    let bytes = Array(tiff)
    guard bytes.count >= 8 else { return 1 }
    let isLittle = bytes.starts(with: [0x49, 0x49, 0x2A, 0x00])
    guard isLittle || bytes.starts(with: [0x4D, 0x4D, 0x00, 0x2A]) else { return 1 }
    func number(at place: Int, bytes count: Int) -> Int? {
      guard place >= 0, place <= bytes.count - count else { return nil }
      let part = bytes[place..<(place + count)]
      return isLittle
        ? part.reversed().reduce(0) { $0 << 8 | Int($1) } : part.reduce(0) { $0 << 8 | Int($1) }
    }
    guard let directory = number(at: 4, bytes: 4), let entries = number(at: directory, bytes: 2)
    else { return 1 }
    for entry in 0..<min(entries, entryLimit) {
      let place = directory + 2 + 12 * entry
      guard let tag = number(at: place, bytes: 2) else { return 1 }
      if tag == orientationTag { return number(at: place + 8, bytes: 2) ?? 1 }
    }
    return 1
  }
}

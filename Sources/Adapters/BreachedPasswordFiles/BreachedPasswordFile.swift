internal import Glibc
public import SignInService

/// The reason why a list of breached passwords cannot be used, as text for the operator.
public struct BreachedPasswordFault: Error, Equatable, Sendable {
  public let what: String
}

/// A list of SHA-1 digests in the format of Have I Been Pwned, ordered by hash.
///
/// A line looks like `0018A45C4D1DEF81644B54AB7F969B88D65F9A3B:12`.
///
/// The list can be many gigabytes long, so it is searched on disk and never loaded. A search reads
/// about thirty times, one line each time. No data leaves the machine.
///
/// `@unchecked Sendable`: each read gives its own offset, so no lock is needed.
public final class BreachedPasswordFile: BreachedPasswords, @unchecked Sendable {
  /// The length in bytes within which a line must end.
  ///
  /// A valid line is shorter: it has a digest, a colon and a count.
  static let lineLimit = 64
  private static let digestDigits = 40

  private let file: Int32
  private let size: Int
  private let reportFault: @Sendable (String) -> Void

  /// Opens the list and checks the first line, the last line and sample lines between them.
  ///
  /// - Throws: If the file cannot be read, has another format, or is not ordered.
  public init(
    _ path: String, reportFault: @escaping @Sendable (String) -> Void
  ) throws(BreachedPasswordFault) {
    self.reportFault = reportFault
    file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else {
      size = 0
      throw BreachedPasswordFault(
        what: "cannot read `\(path)`: \(String(cString: strerror(errno)))")
    }
    size = Int(lseek(file, 0, SEEK_END))
    guard size > 0 else { throw BreachedPasswordFault(what: "`\(path)` is empty") }
    var last: [UInt8] = []
    for sample in 0...Self.samples {
      let place = size / Self.samples * sample + size % Self.samples * sample / Self.samples
      guard let line = line(before: min(place, size - 1)) else {
        throw BreachedPasswordFault(
          what: "`\(path)` is not a list of SHA-1 digests, such as HASH:COUNT on each line")
      }
      guard !Self.precedes(line.digest, last) else {
        throw BreachedPasswordFault(what: "`\(path)` is not ordered by hash")
      }
      last = line.digest
    }
  }

  deinit { if file >= 0 { close(file) } }

  private static let samples = 64

  public func contains(_ digest: [UInt8]) async -> Bool {
    let wanted = Self.digits(of: digest)
    var low = 0
    var high = size
    while low < high {
      guard let line = line(before: low + (high - low) / 2) else {
        reportFault("the list of breached passwords cannot be read")
        return false
      }
      if line.digest == wanted { return true }
      if Self.precedes(line.digest, wanted) { low = line.end } else { high = line.start }
    }
    return false
  }

  private struct Line {
    let digest: [UInt8]
    /// The offset of the first byte of the line.
    ///
    /// `end` is the offset of the first byte of the next line.
    let start: Int
    let end: Int
  }

  /// The line that contains the byte at `place`, or `nil` if the line has another format.
  private func line(before place: Int) -> Line? {
    let from = max(0, place - Self.lineLimit)
    var bytes = [UInt8](repeating: 0, count: min(2 * Self.lineLimit + 1, size - from))
    guard pread(file, &bytes, bytes.count, from) == bytes.count else { return nil }
    let middle = place - from
    let newline = UInt8(ascii: "\n")
    let start = bytes[..<middle].lastIndex(of: newline).map { $0 + 1 } ?? 0
    let end = bytes[middle...].firstIndex(of: newline) ?? bytes.count
    guard start > 0 || from == 0, end < bytes.count || from + end == size else { return nil }
    let text = bytes[start..<end].map { $0 >= 0x61 && $0 <= 0x66 ? $0 - 0x20 : $0 }
    let digest = Array(text.prefix(Self.digestDigits))
    guard digest.count == Self.digestDigits, digest.allSatisfy(Self.isDigit),
      text.count == digest.count || Self.isEnd(text[digest.count])
    else { return nil }
    return Line(digest: digest, start: from + start, end: from + min(end + 1, bytes.count))
  }

  /// Whether the byte can follow a digest: the colon before the count, or the carriage return of a
  /// Windows line end.
  private static func isEnd(_ byte: UInt8) -> Bool { byte == UInt8(ascii: ":") || byte == 0x0D }

  private static func isDigit(_ byte: UInt8) -> Bool {
    byte >= 0x30 && byte <= 0x39 || byte >= 0x41 && byte <= 0x46
  }

  private static func precedes(_ digest: [UInt8], _ other: [UInt8]) -> Bool {
    digest.lexicographicallyPrecedes(other)
  }

  private static func digits(of digest: [UInt8]) -> [UInt8] {
    let letters = Array("0123456789ABCDEF".utf8)
    return digest.flatMap { [letters[Int($0 >> 4)], letters[Int($0 & 15)]] }
  }
}

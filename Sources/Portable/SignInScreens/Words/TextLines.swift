/// Texts that are stored as the lines of one text.
///
/// A web core stores its sentences in this way, because it is smaller than one text for each case
/// of a `switch`. `Scripts/pack-sentences` rewrites the properties that return them.
struct TextLines: Sendable {
  private let lines: StaticString
  /// The offset of each line, and that of a line after the last one.
  private let starts: [Int]

  init(_ lines: StaticString) {
    self.lines = lines
    starts = lines.withUTF8Buffer { bytes in
      var starts = [0]
      for (index, byte) in bytes.enumerated() where byte == UInt8(ascii: "\n") {
        starts.append(index + 1)
      }
      starts.append(bytes.count + 1)
      return starts
    }
  }

  @inline(never) subscript(number: Int) -> String {
    let line = starts[number]..<(starts[number + 1] - 1)
    return lines.withUTF8Buffer { String(decoding: Array($0[line]), as: UTF8.self) }
  }
}

/// Runs of combining marks, which make comparisons of texts slow.
public enum CombiningMarks {
  /// The first UTF-8 byte of U+0300, the first combining mark.
  private static let firstLeadByte: UInt8 = 0xCC

  /// Whether more than `limit` marks with a combining class other than 0 follow one another.
  ///
  /// In the browser the answer is always `false`: Embedded Swift has no Unicode tables, and the
  /// browser reads no requests.
  public static func haveRun(in text: String, longerThan limit: Int) -> Bool {
    #if hasFeature(Embedded)
      return false
    #else
      guard text.utf8.contains(where: { $0 >= firstLeadByte }) else { return false }
      var run = 0
      for scalar in text.unicodeScalars {
        guard scalar.value >= 0x300, isMark(scalar) else {
          run = 0
          continue
        }
        run += 1
        if run > limit { return true }
      }
      return false
    #endif
  }

  #if !hasFeature(Embedded)
    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
      switch scalar.value {
      // These marks have class 0, but normalization splits each of them into two marks of other
      // classes.
      case 0x0F73, 0x0F75, 0x0F81: true
      default: scalar.properties.canonicalCombiningClass != .notReordered
      }
    }
  #endif
}

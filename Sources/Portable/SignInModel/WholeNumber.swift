/// Reads whole numbers from outside: from a header, a cursor, a query or a command line.
public enum WholeNumber {
  /// Reads decimal digits, with or without a minus sign in front.
  ///
  /// Returns `nil` if the text is not a number in `range`, or if the number does not fit into 64
  /// bits.
  public static func read(
    _ digits: some Sequence<UInt8>, in range: ClosedRange<Int64>
  ) -> Int64? {
    var number: Int64 = 0
    var isNegative = false
    var count = 0
    for byte in digits {
      if byte == UInt8(ascii: "-"), count == 0, !isNegative {
        isNegative = true
        continue
      }
      guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
      // The number is built as a negative one, because the negative range has one number more.
      let (tens, isTooGreat) = number.multipliedReportingOverflow(by: 10)
      let (next, isBeyond) = tens.subtractingReportingOverflow(Int64(byte - UInt8(ascii: "0")))
      if isTooGreat || isBeyond { return nil }
      number = next
      count += 1
    }
    guard count > 0 else { return nil }
    if !isNegative {
      guard number != Int64.min else { return nil }
      number = -number
    }
    return range.contains(number) ? number : nil
  }

  public static func read(
    _ text: some StringProtocol, in range: ClosedRange<Int64>
  ) -> Int64? {
    read(text.utf8, in: range)
  }
}

/// Arithmetic that stops at the largest or smallest number, for calculations with numbers from
/// outside.
extension Int64 {
  public func plusClamping(_ other: Int64) -> Int64 {
    let (sum, isBeyond) = addingReportingOverflow(other)
    return isBeyond ? (other < 0 ? .min : .max) : sum
  }

  public func minusClamping(_ other: Int64) -> Int64 {
    let (difference, isBeyond) = subtractingReportingOverflow(other)
    return isBeyond ? (other < 0 ? .max : .min) : difference
  }

  /// Not inlined, because a web core multiplies 128 bits to find an overflow.
  @inline(never) public func timesClamping(_ other: Int64) -> Int64 {
    let (product, isBeyond) = multipliedReportingOverflow(by: other)
    return isBeyond ? ((self < 0) == (other < 0) ? .max : .min) : product
  }

  public func clamped(to range: ClosedRange<Int64>) -> Int64 {
    Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
  }
}

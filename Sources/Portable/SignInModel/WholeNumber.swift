/// Reads whole numbers that come from outside: from a header, a cursor, a query or a command line.
public enum WholeNumber {
  /// Decimal digits, perhaps after a minus, that mean a number in `range`; nil for any other text.
  ///
  /// A number too great to hold is refused like one outside the range.
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
      // Built downwards, for there is one negative number more than there are positive ones.
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

/// Arithmetic that ends at the greatest or the least number, for sums of what comes from outside.
extension Int64 {
  public func plusClamping(_ other: Int64) -> Int64 {
    let (sum, isBeyond) = addingReportingOverflow(other)
    return isBeyond ? (other < 0 ? .min : .max) : sum
  }

  public func minusClamping(_ other: Int64) -> Int64 {
    let (difference, isBeyond) = subtractingReportingOverflow(other)
    return isBeyond ? (other < 0 ? .max : .min) : difference
  }

  public func timesClamping(_ other: Int64) -> Int64 {
    let (product, isBeyond) = multipliedReportingOverflow(by: other)
    return isBeyond ? ((self < 0) == (other < 0) ? .max : .min) : product
  }

  public func clamped(to range: ClosedRange<Int64>) -> Int64 {
    Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
  }
}

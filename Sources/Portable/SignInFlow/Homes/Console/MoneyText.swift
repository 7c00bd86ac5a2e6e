public import SignInEngine

/// Reads and writes amounts of money as an administrator enters them.
///
/// An amount is stored in millionths of the operator's currency, which the configuration does not
/// name.
public enum MoneyText {
  private static let millionths: Int64 = 1_000_000
  private static let decimals = 6
  private static let leastDecimals = 2

  private static let zero = UInt8(ascii: "0")

  public static func decimalMark(_ language: Language) -> String {
    switch language {
    case .english, .hindi: "."
    case .norwegian: ","
    }
  }

  /// The digits after the decimal mark: two, or as many as the amount needs.
  public static func fraction(_ amount: Int64) -> String {
    var digits: [UInt8] = []
    var rest = amount.magnitude % millionths.magnitude
    for _ in 0..<decimals {
      digits.insert(zero + UInt8(rest % 10), at: 0)
      rest /= 10
    }
    while digits.count > leastDecimals, digits.last == zero { digits.removeLast() }
    return String(decoding: digits, as: UTF8.self)
  }

  /// `1000.00` without separators of thousands, as the field shows it.
  static func write(_ amount: Int64, in language: Language) -> String {
    let sign = amount < 0 ? "-" : ""
    return sign + "\(amount.magnitude / millionths.magnitude)" + decimalMark(language)
      + fraction(amount)
  }

  /// `1000`, `1000.5`, `1,000.00` or `1 000.00`, in Norwegian with a decimal comma; nil for any
  /// other text, for more than six decimals, and for an amount that is too great to store.
  ///
  /// In English and Hindi a comma must stand where a group of digits begins: `1,5` is refused, for
  /// it may mean `1.5`.
  static func read(_ text: String, in language: Language) -> Int64? {
    var whole: [UInt8] = []
    var fraction: [UInt8]?
    /// How many digits were read since the last comma; nil before the first one.
    var group: Int?
    let mark = language == .norwegian ? UInt32(0x2C) : 0x2E
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x30...0x39:
        let digit = UInt8(scalar.value)
        if fraction == nil { whole.append(digit) } else { fraction?.append(digit) }
        if fraction == nil, let digits = group { group = digits + 1 }
      case 0x20, 0xA0, 0x202F: break
      case mark where fraction == nil:
        fraction = []
      case 0x2C where fraction == nil && !whole.isEmpty:
        // The groups of thousands have three digits, those of lakhs have two.
        if let digits = group, digits != 2, digits != 3 { return nil }
        group = 0
      default: return nil
      }
    }
    guard !whole.isEmpty, group == nil || group == 3 else { return nil }
    return amount(whole, fraction ?? [])
  }

  private static func amount(_ whole: [UInt8], _ fraction: [UInt8]) -> Int64? {
    guard fraction.count <= decimals else { return nil }
    let padding = [UInt8](repeating: zero, count: decimals - fraction.count)
    var amount: Int64 = 0
    for digit in whole + fraction + padding {
      let (tens, isTooGreat) = amount.multipliedReportingOverflow(by: 10)
      let (next, isBeyond) = tens.addingReportingOverflow(Int64(digit - zero))
      guard !isTooGreat, !isBeyond else { return nil }
      amount = next
    }
    return amount
  }
}

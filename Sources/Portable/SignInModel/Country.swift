/// A region with its own mobile numbers, its calling code, and the form of its numbers.
public struct Country: Equatable, Sendable {
  /// ISO 3166-1, two letters in upper case.
  ///
  /// Shells get the country's name from it.
  public let region: String
  /// A plus sign and one to three digits (ITU E.164).
  ///
  /// Some regions share a calling code.
  public let callingCode: String
  /// How many digits can follow the calling code.
  let digitCounts: [Int]
  /// The digits dialled before a number only inside the country; empty if there are none.
  let trunk: [UInt8]
  /// Whether a number can begin with a zero that is dialled from everywhere.
  let hasLeadingZeros: Bool
  /// A number with one of these beginnings belongs to this region, not to another with the same
  /// calling code.
  let beginnings: [[UInt8]]

  /// All regions.
  ///
  /// The first one of a calling code is its main region.
  public static let all: [Country] = {
    var all: [Country] = []
    // One pass over the bytes, because splitting strings adds several kilobytes to each web app.
    var columns: [[UInt8]] = [[]]
    for byte in CallingCodes.table.utf8 {
      switch byte {
      case UInt8(ascii: "\n"):
        all.append(Country(columns))
        columns = [[]]
      case 0x20: columns.append([])
      default: columns[columns.count - 1].append(byte)
      }
    }
    all.append(Country(columns))
    return all
  }()

  /// Reads the columns of one line of the table.
  private init(_ columns: [[UInt8]]) {
    region = String(decoding: columns[0], as: UTF8.self)
    callingCode = "+" + String(decoding: columns[1], as: UTF8.self)
    var counts: [Int] = [0]
    for byte in columns[2] {
      if byte == UInt8(ascii: ",") {
        counts.append(0)
      } else {
        counts[counts.count - 1] = counts[counts.count - 1] * 10 + Int(byte - UInt8(ascii: "0"))
      }
    }
    digitCounts = counts
    hasLeadingZeros = columns[3] == [UInt8(ascii: "+")]
    trunk = hasLeadingZeros || columns[3] == [UInt8(ascii: "-")] ? [] : columns[3]
    var beginnings: [[UInt8]] = columns.count > 4 ? [[]] : []
    if columns.count > 4 {
      for byte in columns[4] {
        if byte == UInt8(ascii: ",") {
          beginnings.append([])
        } else {
          beginnings[beginnings.count - 1].append(byte)
        }
      }
    }
    self.beginnings = beginnings
  }

  /// The country that is filled in until the server has sent the configured one.
  public static let standard: Country = all.first { $0.region == "IN" } ?? all[0]

  /// The country of this region, or the main country of this calling code.
  package static func named(_ text: String) -> Country? {
    all.first { $0.region == text || $0.callingCode == text }
  }

  /// The country of a whole number, given without its plus sign.
  ///
  /// `nil` if no region has the calling code. No calling code is the beginning of another one.
  package static func of(_ digits: [UInt8], near current: Country?) -> Country? {
    var main: Country?
    // Not `code`, which makes an array for each of some hundred countries.
    for country in all where digits.starts(with: country.callingCode.utf8.dropFirst()) {
      let inside = digits.dropFirst(country.callingCode.utf8.count - 1)
      for beginning in country.beginnings where inside.starts(with: beginning) { return country }
      if main == nil { main = country }
    }
    // If the chosen region shares the calling code, it stays chosen.
    return main?.callingCode == current?.callingCode ? current : main
  }

  /// The digits of the calling code.
  package var code: [UInt8] { Array(callingCode.utf8.dropFirst()) }

  func fits(_ inside: some Collection<UInt8>) -> Bool { digitCounts.contains(inside.count) }

  /// Whether a number of the country, mobile or not, can have so many digits after its code.
  ///
  /// Where mobile numbers have several lengths, others can be shorter.
  func admits(_ count: Int) -> Bool {
    var longest = 0
    for digits in digitCounts { longest = max(longest, digits) }
    return digitCounts.count == 1 ? count == longest : count <= longest
  }

  /// The digits after the calling code, without an 8 or a 1 that is dialled inside the country.
  ///
  /// An 8 can also be the first digit of a number, so it is removed only if the number is too long.
  /// No number of +1 begins with a 1. `nil` if the country has no number with so many digits.
  func withoutTrunk(_ inside: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    let hasTrunk = callingCode == "+1" && inside.first == UInt8(ascii: "1")
    if admits(inside.count), !hasTrunk { return inside }
    for prefix in [trunk] + earlierTrunks where !prefix.isEmpty && inside.starts(with: prefix) {
      let rest = inside.dropFirst(prefix.count)
      if fits(rest) { return rest }
    }
    return nil
  }

  /// The digits that were dialled before today's trunk prefix, or can be dialled instead of it.
  private var earlierTrunks: [[UInt8]] {
    switch callingCode {
    case "+370", "+992", "+998": [[UInt8(ascii: "8")]]
    case "+375": [[UInt8(ascii: "8"), UInt8(ascii: "0")]]
    default: []
    }
  }

  /// The digits that follow the calling code; `nil` if there are too few or too many.
  package func national(_ digits: [UInt8]) -> [UInt8]? {
    if !trunk.isEmpty, digits.starts(with: trunk) {
      let inside = Array(digits.dropFirst(trunk.count))
      if fits(inside) { return inside }
    }
    return fits(digits) ? digits : nil
  }
}

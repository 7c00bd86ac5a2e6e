/// A region with mobile numbers of its own, its calling code, and what its numbers look like.
public struct Country: Equatable, Sendable {
  /// ISO 3166-1, two letters in upper case; shells name the country from it.
  public let region: String
  /// A plus sign and one to three digits (ITU E.164); some regions share one.
  public let callingCode: String
  /// How many digits may follow the calling code.
  let digitCounts: [Int]
  /// What is dialled before a number inside the country only.
  let trunk: [UInt8]
  /// Numbers that begin so belong to this region, not to another of the same code.
  let beginnings: [[UInt8]]

  /// Every one there is; the first of a calling code is its main region.
  public static let all: [Country] = {
    var all: [Country] = []
    // One pass over the bytes: splitting texts costs the web apps' cores several kilobytes.
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

  /// The columns of one line of the table.
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
    trunk = columns[3] == [UInt8(ascii: "-")] ? [] : columns[3]
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

  /// What is filled in until the server has told its own.
  public static let standard: Country = all.first { $0.region == "IN" } ?? all[0]

  /// The country of this region, or the main one of this calling code.
  static func named(_ text: String) -> Country? {
    all.first { $0.region == text || $0.callingCode == text }
  }

  /// The country that a whole number, without its plus sign, belongs to.
  ///
  /// Nil for a calling code that no region has. No calling code begins with another one.
  static func of(_ digits: [UInt8], near current: Country) -> Country? {
    var main: Country?
    for country in all where digits.starts(with: country.code) {
      let inside = digits.dropFirst(country.code.count)
      for beginning in country.beginnings where inside.starts(with: beginning) { return country }
      if main == nil { main = country }
    }
    // A region that shares its code and was chosen stays chosen.
    return main?.callingCode == current.callingCode ? current : main
  }

  /// The digits of the calling code.
  var code: [UInt8] { Array(callingCode.utf8.dropFirst()) }

  func fits(_ inside: some Collection<UInt8>) -> Bool { digitCounts.contains(inside.count) }

  /// The digits that follow the calling code, or nil when they are too few or too many.
  func national(_ digits: [UInt8]) -> [UInt8]? {
    if !trunk.isEmpty, digits.starts(with: trunk) {
      let inside = Array(digits.dropFirst(trunk.count))
      if fits(inside) { return inside }
    }
    return fits(digits) ? digits : nil
  }
}

/// A day of the Gregorian calendar without a time zone: the form of every `…_on` on the wire.
public struct CalendarDay: Comparable, Hashable, Sendable {
  /// The length of a date such as `2026-11-21`.
  public static let textLength = 10
  public static let daySeconds: Int64 = 24 * 60 * 60
  /// Years have at most four digits.
  public static let years: ClosedRange<Int64> = 1...9999

  /// Days since 1 January 1970, limited to the years 0 to 9999.
  public let number: Int64

  private static let numbers: ClosedRange<Int64> = -719_528...2_932_896

  public init(number: Int64) { self.number = number.clamped(to: Self.numbers) }

  /// The day in UTC that contains the moment.
  public init(_ moment: Instant) {
    let seconds = moment.seconds
    let day = seconds / Self.daySeconds
    number = seconds % Self.daySeconds < 0 ? day - 1 : day
  }

  /// The earliest of the days that people have at the moment, in UTC−12.
  ///
  /// The server does not know where a person is. So for the server a day has ended when it has
  /// ended everywhere.
  public static func earliest(at moment: Instant) -> CalendarDay {
    CalendarDay(moment.adding(seconds: -daySeconds / 2))
  }

  /// Parses `2026-11-21` (RFC 3339, full-date) and no other form.
  public init(parsing text: String) throws(Malformed) {
    let bytes = Array(text.utf8)
    guard bytes.count == Self.textLength, bytes[4] == UInt8(ascii: "-"),
      bytes[7] == UInt8(ascii: "-"),
      let year = Self.number(bytes[0..<4]), let month = Self.number(bytes[5..<7]),
      let day = Self.number(bytes[8..<10]), Self.years.contains(year),
      (1...12).contains(month), (1...Self.length(of: month, in: year)).contains(day)
    else { throw Malformed(.calendarDay) }
    number = Self.number(year: year, month: month, day: day)
  }

  public static func < (left: CalendarDay, right: CalendarDay) -> Bool {
    left.number < right.number
  }

  public func adding(days: Int64) -> CalendarDay { CalendarDay(number: number.plusClamping(days)) }

  /// The date as text, such as `2026-11-21`.
  public var text: String {
    let (year, month, day) = parts
    return Self.padded(year, to: 4) + "-" + Self.padded(month, to: 2) + "-"
      + Self.padded(day, to: 2)
  }

  /// The year, the month from 1 and the day from 1.
  ///
  /// Here a year begins in March, so 29 February is its last day. Every 400 years have the same
  /// number of days.
  public var parts: (year: Int64, month: Int64, day: Int64) {
    let shifted = number + Self.daysBefore1970
    let era = (shifted >= 0 ? shifted : shifted - (Self.eraDays - 1)) / Self.eraDays
    let ofEra = shifted - era * Self.eraDays
    let yearOfEra = (ofEra - ofEra / 1460 + ofEra / 36_524 - ofEra / 146_096) / 365
    let ofYear = ofEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let fromMarch = (5 * ofYear + 2) / 153
    let day = ofYear - (153 * fromMarch + 2) / 5 + 1
    let month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
  }

  private static let eraDays: Int64 = 146_097
  /// The days from 1 March of the year 0 to 1 January 1970.
  private static let daysBefore1970: Int64 = 719_468

  private static func number(year: Int64, month: Int64, day: Int64) -> Int64 {
    let year = month <= 2 ? year - 1 : year
    let era = (year >= 0 ? year : year - 399) / 400
    let ofEra = year - era * 400
    let fromMarch = month > 2 ? month - 3 : month + 9
    let ofYear = (153 * fromMarch + 2) / 5 + day - 1
    return era * eraDays + ofEra * 365 + ofEra / 4 - ofEra / 100 + ofYear - daysBefore1970
  }

  private static func length(of month: Int64, in year: Int64) -> Int64 {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int64? {
    var number: Int64 = 0
    for digit in digits {
      guard digit >= 0x30, digit <= 0x39 else { return nil }
      number = number * 10 + Int64(digit - 0x30)
    }
    return number
  }

  private static func padded(_ number: Int64, to width: Int) -> String {
    var text = String(number)
    while text.utf8.count < width { text = "0" + text }
    return text
  }
}

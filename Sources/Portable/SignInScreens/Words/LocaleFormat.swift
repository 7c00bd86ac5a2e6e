import SignInFlow
import SignInModel

/// Writes times, days and numbers as the person who reads them is used to.
///
/// Digits are the Latin ones everywhere: they are what all three languages write in figures.
struct LocaleFormat: Sendable {
  let reader: Reader
  let wallClock: WallClock

  private var language: Language { reader.language }

  // MARK: Time of day

  /// Countries whose clocks count to twelve twice (Unicode CLDR, `timeData`).
  private static let twelveHourRegions = [
    "AE", "AU", "BD", "BH", "CA", "EG", "HK", "IN", "JO", "KW", "MY", "NZ", "OM", "PH", "PK", "QA",
    "SA", "SG", "US",
  ]

  private var countsTwelveHours: Bool {
    guard language != .norwegian else { return false }
    guard let region = reader.region else { return true }
    return Self.twelveHourRegions.contains(region)
  }

  /// `14:35`, or `2:35 pm`.
  func clock(_ moment: Instant) -> String {
    let minutes = wallClock.timeOfDay(of: moment) / 60
    let hour = minutes / 60
    let minute = Self.twoDigits(minutes % 60)
    guard countsTwelveHours else { return Self.twoDigits(hour) + ":" + minute }
    let shown = (hour + 11) % 12 + 1
    return Self.partOfDay(hour).text(in: language, [("time", "\(shown):" + minute)])
  }

  /// English needs two parts of the day; Hindi says four (Unicode CLDR, `dayPeriods`).
  private static func partOfDay(_ hour: Int64) -> CalendarWord {
    switch hour {
    case 0..<4: .clockAfterMidnight
    case 4..<12: .clockMorning
    case 12..<16: .clockAfternoon
    case 16..<20: .clockEvening
    default: .clockNight
    }
  }

  // MARK: Days

  /// Countries that write the month before the day.
  private static let monthFirstRegions = ["CA", "PH", "US"]

  private var writesMonthFirst: Bool {
    guard language == .english else { return false }
    guard let region = reader.region else { return true }
    return Self.monthFirstRegions.contains(region)
  }

  /// `Wednesday 15 November`, as a heading.
  func day(_ moment: Instant) -> String {
    let day = CalendarDay(number: wallClock.day(of: moment))
    let parts = day.parts
    return (writesMonthFirst ? CalendarWord.dayHeadingMonthFirst : .dayHeading).text(
      in: language,
      [
        ("weekday", Self.weekdays[Self.weekday(day)].text(in: language)),
        ("day", "\(parts.day)"),
        ("month", Self.months[Int(parts.month) - 1].text(in: language)),
      ])
  }

  /// The day it is where the person is.
  func date(_ moment: Instant) -> String {
    date(CalendarDay(number: wallClock.day(of: moment)))
  }

  /// `15 November 2027`.
  func date(_ day: CalendarDay) -> String {
    let parts = day.parts
    return (writesMonthFirst ? CalendarWord.dateMonthFirst : .date).text(
      in: language,
      [
        ("day", "\(parts.day)"),
        ("month", Self.months[Int(parts.month) - 1].text(in: language)),
        ("year", "\(parts.year)"),
      ])
  }

  /// `15 November 2027, 14:35`.
  func dateAndTime(_ moment: Instant) -> String {
    CalendarWord.dateAndTime.text(in: language, [("date", date(moment)), ("time", clock(moment))])
  }

  /// Monday is 0; 1 January 1970 was a Thursday.
  private static func weekday(_ day: CalendarDay) -> Int { Int(((day.number + 3) % 7 + 7) % 7) }

  private static let weekdays: [CalendarWord] = [
    .monday, .tuesday, .wednesday, .thursday, .friday, .saturday, .sunday,
  ]

  private static let months: [CalendarWord] = [
    .january, .february, .march, .april, .may, .june, .july, .august, .september, .october,
    .november, .december,
  ]

  // MARK: Numbers

  /// Countries that group in lakhs and crores when they write English.
  private static let lakhRegions = ["IN", "PK"]

  private var groupsInLakhs: Bool {
    switch language {
    case .hindi: return true
    case .norwegian: return false
    case .english:
      guard let region = reader.region else { return false }
      return Self.lakhRegions.contains(region)
    }
  }

  /// `1,234,567`, `12,34,567` or `1 234 567`.
  func number(_ value: Int64) -> String {
    let separator = language == .norwegian ? "\u{00A0}" : ","
    let digits = Array("\(value.magnitude)".utf8)
    var text = value < 0 ? "\u{2212}" : ""
    for (index, digit) in digits.enumerated() {
      let left = digits.count - index
      if index > 0, endsGroup(left) { text += separator }
      text += String(decoding: [digit], as: UTF8.self)
    }
    return text
  }

  /// Whether a group ends before the last so many digits.
  private func endsGroup(_ digitsLeft: Int) -> Bool {
    if groupsInLakhs, digitsLeft > 3 { return digitsLeft % 2 == 1 }
    return digitsLeft % 3 == 0
  }

  private static func twoDigits(_ value: Int64) -> String { (value < 10 ? "0" : "") + "\(value)" }
}

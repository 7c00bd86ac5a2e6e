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
  private static func partOfDay(_ hour: Int64) -> Sentence {
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
    let days = wallClock.day(of: moment)
    let date = CivilDate(days: days)
    return (writesMonthFirst ? Sentence.dayHeadingMonthFirst : .dayHeading).text(
      in: language,
      [
        ("weekday", Self.weekdays[Self.weekday(days)].text(in: language)),
        ("day", "\(date.day)"),
        ("month", Self.months[date.month - 1].text(in: language)),
      ])
  }

  /// `15 November 2027`.
  func date(_ moment: Instant) -> String {
    let date = CivilDate(days: wallClock.day(of: moment))
    return (writesMonthFirst ? Sentence.dateMonthFirst : .date).text(
      in: language,
      [
        ("day", "\(date.day)"),
        ("month", Self.months[date.month - 1].text(in: language)),
        ("year", "\(date.year)"),
      ])
  }

  /// `15 November 2027, 14:35`.
  func dateAndTime(_ moment: Instant) -> String {
    Sentence.dateAndTime.text(in: language, [("date", date(moment)), ("time", clock(moment))])
  }

  /// Monday is 0; 1 January 1970 was a Thursday.
  private static func weekday(_ days: Int64) -> Int { Int(((days + 3) % 7 + 7) % 7) }

  private static let weekdays: [Sentence] = [
    .monday, .tuesday, .wednesday, .thursday, .friday, .saturday, .sunday,
  ]

  private static let months: [Sentence] = [
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

/// A day of the Gregorian calendar.
struct CivilDate: Equatable, Sendable {
  let year: Int64
  let month: Int
  let day: Int64

  private static let daysOfEra: Int64 = 146_097
  /// From 1 March of the year 0 to 1 January 1970.
  private static let daysToEpoch: Int64 = 719_468

  /// The day so many days after 1 January 1970.
  ///
  /// Years are counted from March, so that the leap day is the last of its year; 400 of them, an
  /// era, always have the same number of days.
  init(days: Int64) {
    let count = days + Self.daysToEpoch
    let era = (count >= 0 ? count : count - Self.daysOfEra + 1) / Self.daysOfEra
    let dayOfEra = count - era * Self.daysOfEra
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    month = Int(monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9)
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }
}

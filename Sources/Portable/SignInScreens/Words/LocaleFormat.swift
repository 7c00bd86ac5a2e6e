import SignInEngine
import SignInFlow
import SignInModel

/// Formats times, days and numbers for the person's language and region.
///
/// The digits are always 0 to 9, because all three languages use them.
struct LocaleFormat: Sendable {
  let locale: LocalePreferences
  let wallClock: WallClock

  private var language: Language { locale.language }

  // MARK: Time of day

  /// Regions with a 12-hour clock (Unicode CLDR, `timeData`).
  private static let twelveHourRegions = [
    "AE", "AU", "BD", "BH", "CA", "EG", "HK", "IN", "JO", "KW", "MY", "NZ", "OM", "PH", "PK", "QA",
    "SA", "SG", "US",
  ]

  private var countsTwelveHours: Bool {
    guard language != .norwegian else { return false }
    guard let region = locale.region else { return true }
    return Self.twelveHourRegions.contains(region)
  }

  /// `14:35` or `2:35 pm`.
  func clock(_ moment: Instant) -> String {
    let minutes = wallClock.timeOfDay(of: moment) / 60
    let hour = minutes / 60
    let minute = Self.twoDigits(minutes % 60)
    guard countsTwelveHours else { return Self.twoDigits(hour) + ":" + minute }
    let shown = (hour + 11) % 12 + 1
    return Self.partOfDay(hour).text(in: language, [("time", "\(shown):" + minute)])
  }

  /// English needs two parts of the day, Hindi needs four (Unicode CLDR, `dayPeriods`).
  private static func partOfDay(_ hour: Int64) -> CalendarText {
    switch hour {
    case 0..<4: .clockAfterMidnight
    case 4..<12: .clockMorning
    case 12..<16: .clockAfternoon
    case 16..<20: .clockEvening
    default: .clockNight
    }
  }

  // MARK: Days

  /// Regions that write the month before the day.
  private static let monthFirstRegions = ["CA", "PH", "US"]

  private var writesMonthFirst: Bool {
    guard language == .english else { return false }
    guard let region = locale.region else { return true }
    return Self.monthFirstRegions.contains(region)
  }

  /// A heading such as `Wednesday 15 November`.
  func day(_ moment: Instant) -> String {
    let day = wallClock.calendarDay(of: moment)
    let parts = day.parts
    return (writesMonthFirst ? CalendarText.dayHeadingMonthFirst : .dayHeading).text(
      in: language,
      [
        ("weekday", Self.weekdays[Self.weekday(day)].text(in: language)),
        ("day", "\(parts.day)"),
        ("month", Self.months[Int(parts.month) - 1].text(in: language)),
      ])
  }

  /// The date of the moment in the person's time zone.
  func date(_ moment: Instant) -> String {
    date(wallClock.calendarDay(of: moment))
  }

  /// A date such as `15 November 2027`.
  func date(_ day: CalendarDay) -> String {
    let parts = day.parts
    return (writesMonthFirst ? CalendarText.dateMonthFirst : .date).text(
      in: language,
      [
        ("day", "\(parts.day)"),
        ("month", Self.months[Int(parts.month) - 1].text(in: language)),
        ("year", "\(parts.year)"),
      ])
  }

  /// A date and a time such as `15 November 2027, 14:35`.
  func dateAndTime(_ moment: Instant) -> String {
    CalendarText.dateAndTime.text(in: language, [("date", date(moment)), ("time", clock(moment))])
  }

  /// Monday is 0, because 1 January 1970 was a Thursday and gives 3.
  private static func weekday(_ day: CalendarDay) -> Int { Int(((day.number + 3) % 7 + 7) % 7) }

  private static let weekdays: [CalendarText] = [
    .monday, .tuesday, .wednesday, .thursday, .friday, .saturday, .sunday,
  ]

  private static let months: [CalendarText] = [
    .january, .february, .march, .april, .may, .june, .july, .august, .september, .october,
    .november, .december,
  ]

  // MARK: Numbers

  /// Regions where English texts group digits as lakhs and crores.
  private static let lakhRegions = ["IN", "PK"]

  private var groupsInLakhs: Bool {
    switch language {
    case .hindi: return true
    case .norwegian: return false
    case .english:
      guard let region = locale.region else { return false }
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

  /// Millionths of the operator's currency as `1,000.00`, with as many decimals as they need.
  func amount(_ millionths: Int64) -> String {
    number(millionths / 1_000_000) + MoneyText.decimalMark(language)
      + MoneyText.fraction(millionths)
  }

  /// Whether a group separator comes before the last `digitsLeft` digits.
  private func endsGroup(_ digitsLeft: Int) -> Bool {
    if groupsInLakhs, digitsLeft > 3 { return digitsLeft % 2 == 1 }
    return digitsLeft % 3 == 0
  }

  private static func twoDigits(_ value: Int64) -> String { (value < 10 ? "0" : "") + "\(value)" }
}

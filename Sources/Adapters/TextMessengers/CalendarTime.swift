import SignInModel

/// A moment in the date formats of providers, in UTC.
struct CalendarTime {
  let year: Int64
  let month: Int64
  let day: Int64
  let secondOfDay: Int64
  /// 0 is Sunday.
  let weekday: Int

  init(_ moment: Instant) {
    // A time before 1970 becomes 1970, because the arithmetic below needs a number from 0 on.
    let moment = max(moment, Instant(milliseconds: 0))
    let days = moment.seconds / 86_400
    secondOfDay = moment.seconds % 86_400
    weekday = Int((days + 4) % 7)
    // Counts days from 1 March of year 0, so that the leap day is the last day of a year.
    let shifted = days + 719_468
    let era = shifted / 146_097
    let dayOfEra = shifted % 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// Such as `20240401`.
  var date: String { padded(year, 4) + padded(month, 2) + padded(day, 2) }

  /// Such as `20240401T062203Z`.
  var stamp: String { "\(date)T\(time(""))Z" }

  /// Such as `Mon, 01 Apr 2024 06:22:03 GMT` (RFC 9110, section 5.6.7).
  var httpDate: String {
    let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    let months = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    let date = "\(padded(day, 2)) \(months[Int(month) - 1]) \(padded(year, 4))"
    return "\(days[weekday]), \(date) \(time(":")) GMT"
  }

  private func time(_ separator: String) -> String {
    [secondOfDay / 3600, secondOfDay / 60 % 60, secondOfDay % 60].map { padded($0, 2) }
      .joined(separator: separator)
  }

  private func padded(_ number: Int64, _ width: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, width - text.count)) + text
  }
}

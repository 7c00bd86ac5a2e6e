import SignInEngine

/// The texts of days and times.
enum CalendarText: String, Sendable, CaseIterable {
  case clockAfterMidnight = "clock.after_midnight"
  case clockMorning = "clock.morning"
  case clockAfternoon = "clock.afternoon"
  case clockEvening = "clock.evening"
  case clockNight = "clock.night"
  /// A heading, which begins with the day of the week.
  case dayHeading = "day.heading"
  case dayHeadingMonthFirst = "day.heading.month_first"
  case date = "date"
  case dateMonthFirst = "date.month_first"
  case dateAndTime = "date_and_time"
  case monday = "weekday.monday"
  case tuesday = "weekday.tuesday"
  case wednesday = "weekday.wednesday"
  case thursday = "weekday.thursday"
  case friday = "weekday.friday"
  case saturday = "weekday.saturday"
  case sunday = "weekday.sunday"
  case january = "month.january"
  case february = "month.february"
  case march = "month.march"
  case april = "month.april"
  case may = "month.may"
  case june = "month.june"
  case july = "month.july"
  case august = "month.august"
  case september = "month.september"
  case october = "month.october"
  case november = "month.november"
  case december = "month.december"

  func text(in language: Language, _ values: [(name: String, value: String)] = []) -> String {
    switch language {
    case .english: Template.fill(english, values)
    case .hindi: Template.fill(hindi, values)
    case .norwegian: Template.fill(norwegian, values)
    }
  }

  private var english: String {
    switch self {
    case .clockAfterMidnight: "{time}\u{00A0}am"
    case .clockMorning: "{time}\u{00A0}am"
    case .clockAfternoon: "{time}\u{00A0}pm"
    case .clockEvening: "{time}\u{00A0}pm"
    case .clockNight: "{time}\u{00A0}pm"
    case .dayHeading: "{weekday} {day} {month}"
    case .dayHeadingMonthFirst: "{weekday}, {month} {day}"
    case .date: "{day} {month} {year}"
    case .dateMonthFirst: "{month} {day}, {year}"
    case .dateAndTime: "{date}, {time}"
    case .monday: "Monday"
    case .tuesday: "Tuesday"
    case .wednesday: "Wednesday"
    case .thursday: "Thursday"
    case .friday: "Friday"
    case .saturday: "Saturday"
    case .sunday: "Sunday"
    case .january: "January"
    case .february: "February"
    case .march: "March"
    case .april: "April"
    case .may: "May"
    case .june: "June"
    case .july: "July"
    case .august: "August"
    case .september: "September"
    case .october: "October"
    case .november: "November"
    case .december: "December"
    }
  }

  private var hindi: String {
    switch self {
    case .clockAfterMidnight: "रात\u{00A0}{time}"
    case .clockMorning: "सुबह\u{00A0}{time}"
    case .clockAfternoon: "दोपहर\u{00A0}{time}"
    case .clockEvening: "शाम\u{00A0}{time}"
    case .clockNight: "रात\u{00A0}{time}"
    case .dayHeading: "{weekday}, {day} {month}"
    case .dayHeadingMonthFirst: "{weekday}, {day} {month}"
    case .date: "{day} {month} {year}"
    case .dateMonthFirst: "{day} {month} {year}"
    case .dateAndTime: "{date}, {time}"
    case .monday: "सोमवार"
    case .tuesday: "मंगलवार"
    case .wednesday: "बुधवार"
    case .thursday: "गुरुवार"
    case .friday: "शुक्रवार"
    case .saturday: "शनिवार"
    case .sunday: "रविवार"
    case .january: "जनवरी"
    case .february: "फ़रवरी"
    case .march: "मार्च"
    case .april: "अप्रैल"
    case .may: "मई"
    case .june: "जून"
    case .july: "जुलाई"
    case .august: "अगस्त"
    case .september: "सितंबर"
    case .october: "अक्टूबर"
    case .november: "नवंबर"
    case .december: "दिसंबर"
    }
  }

  /// The days of the week have a capital letter, because they are the beginning of headings.
  private var norwegian: String {
    switch self {
    case .clockAfterMidnight: "{time}\u{00A0}om natten"
    case .clockMorning: "{time}\u{00A0}om morgenen"
    case .clockAfternoon: "{time}\u{00A0}om ettermiddagen"
    case .clockEvening: "{time}\u{00A0}om kvelden"
    case .clockNight: "{time}\u{00A0}om kvelden"
    case .dayHeading: "{weekday} {day}. {month}"
    case .dayHeadingMonthFirst: "{weekday} {day}. {month}"
    case .date: "{day}. {month} {year}"
    case .dateMonthFirst: "{day}. {month} {year}"
    case .dateAndTime: "{date} kl. {time}"
    case .monday: "Mandag"
    case .tuesday: "Tirsdag"
    case .wednesday: "Onsdag"
    case .thursday: "Torsdag"
    case .friday: "Fredag"
    case .saturday: "Lørdag"
    case .sunday: "Søndag"
    case .january: "januar"
    case .february: "februar"
    case .march: "mars"
    case .april: "april"
    case .may: "mai"
    case .june: "juni"
    case .july: "juli"
    case .august: "august"
    case .september: "september"
    case .october: "oktober"
    case .november: "november"
    case .december: "desember"
    }
  }
}

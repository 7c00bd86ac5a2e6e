import SignInEngine
import SignInFlow
import SignInModel

extension Localizer {
  /// The line of an item whose change is only on the device.
  var unsentLine: Row.Line { Row.Line(symbol: .clock, text: say(.notesKept)) }
}

/// The entries of a list by day, in the order in which they matter.
struct DaySections<Entry> {
  private(set) var sections: [Section] = []
  private let localizer: Localizer
  private let startsAt: (Entry) -> Instant
  private let row: (Entry) -> Row

  init(
    _ localizer: Localizer, startsAt: @escaping (Entry) -> Instant, row: @escaping (Entry) -> Row
  ) {
    self.localizer = localizer
    self.startsAt = startsAt
    self.row = row
  }

  private var clock: WallClock { localizer.format.wallClock }

  private var today: Int64 { clock.day(of: localizer.now) }

  func isBeforeToday(_ entry: Entry) -> Bool { clock.day(of: startsAt(entry)) < today }

  func isToday(_ entry: Entry) -> Bool { clock.day(of: startsAt(entry)) == today }

  /// Adds what the person works on, or does next, if there are entries.
  mutating func addCurrent(_ entries: [Entry], _ title: Sentence, id: String) {
    guard !entries.isEmpty else { return }
    var section = Section(
      id: id, title: Phrase(localizer.say(title)), rows: entries.map(datedRow), emptyText: "")
    section.isNext = sections.isEmpty
    sections.append(section)
  }

  mutating func add(_ section: Section) { sections.append(section) }

  /// The row of an entry in a section that is not of one day; today is not named.
  private func datedRow(_ entry: Entry) -> Row {
    var row = row(entry)
    row.day = isToday(entry) ? nil : localizer.moment(startsAt(entry), .day)
    return row
  }

  /// Adds today, also without entries, then the next days, then the days before.
  ///
  /// The nearest days come first.
  mutating func addDays(_ entries: [Entry], emptyToday: String) {
    var days: [Int64] = [today]
    for entry in entries {
      let day = clock.day(of: startsAt(entry))
      if !days.contains(day) { days.append(day) }
    }
    let today = today
    days.sort { left, right in
      if (left < today) != (right < today) { return right < today }
      return left < today ? left > right : left < right
    }
    for day in days {
      let planned = entries.filter { clock.day(of: startsAt($0)) == day }
      sections.append(
        Section(
          id: "day-\(day)", title: title(of: day - today, planned.first),
          rows: planned.map(row), emptyText: planned.isEmpty ? emptyToday : ""))
    }
  }

  private func title(of daysAhead: Int64, _ first: Entry?) -> Phrase {
    if daysAhead == 1 { return Phrase(localizer.say(.tomorrow)) }
    guard daysAhead != 0, let first else { return Phrase(localizer.say(.today)) }
    return Phrase(localizer.moment(startsAt(first), .day))
  }

  /// Adds the entries that matter last under a title with their count.
  ///
  /// The entries are in order of time, and the latest is shown first.
  mutating func addFold(_ entries: [Entry], _ title: Sentence, isOpen: Bool) {
    guard !entries.isEmpty else { return }
    var rows: [Row] = []
    if isOpen { for entry in entries.reversed() { rows.append(datedRow(entry)) } }
    let count = localizer.format.number(Int64(entries.count))
    var section = Section(
      id: "fold", title: Phrase(localizer.say(title, "count", count)), rows: rows, emptyText: "")
    section.fold = Section.Fold(button: ButtonName.toggleFold.rawValue, isOpen: isOpen)
    sections.append(section)
  }
}

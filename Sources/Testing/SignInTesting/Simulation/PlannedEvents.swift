internal import SignInModel

/// Planned events, the earliest first.
///
/// At the same moment, the one planned first comes first.
struct PlannedEvents<Happening> {
  private struct Entry {
    let due: Instant
    let serial: Int
    let happening: Happening

    func isBefore(_ other: Entry) -> Bool { (due, serial) < (other.due, other.serial) }
  }

  private var entries: [Entry] = []
  private var lastSerial = 0

  /// Entries are stored with the latest first, so that removing the earliest moves no others.
  mutating func plan(_ happening: Happening, at due: Instant) {
    lastSerial += 1
    let entry = Entry(due: due, serial: lastSerial, happening: happening)
    var index = entries.count
    while index > 0, entries[index - 1].isBefore(entry) { index -= 1 }
    entries.insert(entry, at: index)
  }

  var nextDue: Instant? { entries.last?.due }

  mutating func next() -> (due: Instant, happening: Happening)? {
    entries.popLast().map { ($0.due, $0.happening) }
  }
}

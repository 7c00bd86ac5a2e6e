internal import SignInModel

/// What is going to happen, the earliest first; of two at the same moment, the one planned first.
struct Agenda<Happening> {
  private struct Entry {
    let due: Instant
    let serial: Int
    let happening: Happening

    func isBefore(_ other: Entry) -> Bool { (due, serial) < (other.due, other.serial) }
  }

  private var entries: [Entry] = []
  private var lastSerial = 0

  /// The latest first inside, so that taking the earliest moves nothing.
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

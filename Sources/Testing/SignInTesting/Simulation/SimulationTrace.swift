internal import SignInModel

/// The steps of a simulated world as one number, and in words on request.
///
/// Words are made only on request. A seed that failed is run again to get them.
struct SimulationTrace {
  static let lineLimit = 120

  let isNarrated: Bool
  private(set) var hash: UInt64 = 0xCBF2_9CE4_8422_2325
  private(set) var stepCount = 0
  private(set) var lines: [String] = []
  /// How often each event has happened.
  private(set) var counts: [String: Int] = [:]

  init(isNarrated: Bool) { self.isNarrated = isNarrated }

  /// Records one step: the event, its subject and a number.
  mutating func note(
    _ what: StaticString, _ subject: Int = 0, _ figure: Int64 = 0, at moment: Instant,
    _ words: @autoclosure () -> String = ""
  ) {
    count(UInt64(what.utf8CodeUnitCount) << 8 | UInt64(what.utf8Start[0]))
    fold(UInt64(bitPattern: Int64(subject)))
    fold(UInt64(bitPattern: figure))
    fold(UInt64(bitPattern: moment.milliseconds))
    counts[what.description, default: 0] += 1
    append(what, subject, at: moment, words())
  }

  /// Records words only.
  ///
  /// They do not change the hash.
  mutating func append(
    _ what: StaticString, _ subject: Int, at moment: Instant, _ words: @autoclosure () -> String
  ) {
    guard isNarrated else { return }
    if lines.count == Self.lineLimit { lines.removeFirst() }
    let elapsed = moment.milliseconds - Simulation.start.milliseconds
    let (seconds, rest) = elapsed.quotientAndRemainder(dividingBy: 1000)
    let fraction = String(rest + 1000).dropFirst()
    lines.append("\(seconds).\(fraction) s  \(what) \(subject) \(words())")
  }

  /// Adds a number to the hash, without words: the choice of the next task.
  mutating func count(_ word: UInt64) {
    stepCount += 1
    fold(word)
  }

  /// FNV-1a over whole words of 64 bits.
  private mutating func fold(_ word: UInt64) {
    hash = (hash ^ word) &* 0x0000_0100_0000_01B3
    hash ^= hash >> 29
  }
}

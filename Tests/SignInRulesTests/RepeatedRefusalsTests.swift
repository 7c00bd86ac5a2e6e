import SignInModel
import SignInRules
import Testing

@Suite("Repeated refusals")
struct RepeatedRefusalsTests {
  private static let start = Instant(seconds: 1_800_000_000)
  private static let hour = RepeatedRefusals.windowSeconds * 1000

  @Test(
    "L-41 refusals are counted for an hour, then reported as one",
    arguments: [(0, nil), (hour - 1, nil), (hour, 4), (hour + 1, 4)] as [(Int64, Int64?)]
  )
  func window(_ milliseconds: Int64, _ reported: Int64?) {
    var refusals = RepeatedRefusals(reportedAt: Self.start)
    for _ in 0..<3 {
      let count = refusals.count(at: Self.start)
      #expect(count == nil)
    }

    let now = Self.start.adding(milliseconds: milliseconds)
    #expect(refusals.isDue(at: now) == (reported != nil))
    let count = refusals.count(at: now)

    #expect(count == reported)
    #expect(refusals.unreported == (reported == nil ? 4 : 0))
    #expect(refusals.reportedAt == (reported == nil ? Self.start : now))
  }

  @Test("L-41 a clock that goes back reports nothing and loses no refusal")
  func backwards() {
    var refusals = RepeatedRefusals(reportedAt: Self.start)

    let count = refusals.count(at: Self.start.adding(seconds: -7200))

    #expect(count == nil)
    #expect(refusals.unreported == 1)
  }

  @Test("L-36 the count stops at the largest number", arguments: [-1, 0] as [Int64])
  func largest(_ offset: Int64) {
    var refusals = RepeatedRefusals(reportedAt: Self.start, unreported: .max + offset)

    _ = refusals.count(at: Self.start)

    #expect(refusals.unreported == .max)
  }
}

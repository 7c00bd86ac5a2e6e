import SignInModel
import SignInRules
import Testing

@Suite("Comparison of the clocks of a server and its database")
struct ClockComparisonTests {
  private let start = Instant(seconds: 1_893_456_000)

  private func comparison(database lead: Int64, taking milliseconds: Int64 = 0) -> ClockComparison {
    ClockComparison(
      before: start, database: start.adding(milliseconds: lead),
      after: start.adding(milliseconds: milliseconds))
  }

  @Test(
    "a difference of one second is allowed, and one millisecond more is not",
    arguments: [
      (0, true), (999, true), (1000, true), (1001, false), (-999, true), (-1000, true),
      (-1001, false),
    ])
  func limit(_ lead: Int64, isAllowed: Bool) {
    #expect(comparison(database: lead).isWithinLimit == isAllowed)
    #expect(comparison(database: lead).leastLeadMilliseconds == -lead)
  }

  @Test(
    "the time of a slow answer is not mistaken for a difference",
    arguments: [
      (0, 0), (2500, 0), (5000, 0), (5001, -1), (6000, -1000), (6001, -1001), (-1, 1),
      (-1000, 1000), (-1001, 1001),
    ])
  func slow(_ lead: Int64, proved: Int64) {
    let comparison = comparison(database: lead, taking: 5000)

    #expect(comparison.leastLeadMilliseconds == proved)
    #expect(comparison.isWithinLimit == (abs(proved) <= ClockComparison.limitMilliseconds))
  }

  @Test("the sentence for the operator says which clock is ahead")
  func text() {
    #expect(comparison(database: 1500).text.contains("1500 ms behind the clock of the database"))
    #expect(comparison(database: -1500).text.contains("1500 ms ahead of the clock"))
  }
}

import SignInTesting
import Testing

@Suite("Worlds of sessions")
struct SessionWorldTests {
  @Test(
    "L-10 L-20 L-22 L-23 L-24 L-31 L-32 L-34 S-02 S-04 S-05 S-06 S-08 faulty storage, every law")
  func laws() {
    var counts: [String: Int] = [:]
    for seed in 1...30 as ClosedRange<UInt64> {
      let report = SessionWorld.run(seed: seed)
      if let violation = report.violation {
        let scenario = report.scenario.joined(separator: "\n")
        Issue.record(
          "seed \(seed): \(violation.law.sentence) \(violation.detail)\n\(scenario)")
      }
      counts.merge(report.counts) { $0 + $1 }
    }
    for what in ["changes organization", "refresh sent twice", "a thief is refused"] {
      #expect(counts[what] ?? 0 > 0, "\(what)")
    }
  }

  @Test("The same seed gives the same world of sessions")
  func replay() {
    for seed in 1...5 as ClosedRange<UInt64> {
      let (first, again) = (SessionWorld.run(seed: seed), SessionWorld.run(seed: seed))
      #expect(first.scenario == again.scenario, "seed \(seed)")
      #expect(first.counts == again.counts, "seed \(seed)")
    }
  }
}

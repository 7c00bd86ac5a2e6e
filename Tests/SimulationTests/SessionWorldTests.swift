import SignInTesting
import Testing

@Suite("Worlds of sessions")
struct SessionWorldTests {
  @Test("L-20 L-22 L-23 L-24 L-31 L-32 L-34 S-02 S-04 S-05 S-06 S-08 faulty storage, every law")
  func laws() async {
    for seed in 1...20 as ClosedRange<UInt64> {
      let report = await SessionWorld.run(seed: seed)
      if let broken = report.broken {
        let scenario = report.scenario.joined(separator: "\n")
        Issue.record("seed \(seed): \(broken.sentence) \(report.detail)\n\(scenario)")
      }
    }
  }

  @Test("The same seed gives the same world of sessions")
  func replay() async {
    for seed in 1...5 as ClosedRange<UInt64> {
      let (first, again) = (await SessionWorld.run(seed: seed), await SessionWorld.run(seed: seed))
      #expect(first.scenario == again.scenario, "seed \(seed)")
      #expect(first.counts.count == again.counts.count, "seed \(seed)")
    }
  }
}

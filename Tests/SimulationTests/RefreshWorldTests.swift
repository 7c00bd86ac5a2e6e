import SignInTesting
import Testing

@Suite("Worlds of refreshes")
struct RefreshWorldTests {
  @Test("L-10 L-23 S-08 lost answers end no session, and every stolen token is detected")
  func laws() async {
    var total = RefreshWorld.Report()
    for seed in 1...2 as ClosedRange<UInt64> {
      let report = await RefreshWorld.run(seed: seed, refreshes: 1500)
      #expect(report.violation == nil, "seed \(seed)")
      total.thefts += report.thefts
      total.caught += report.caught
      total.switches += report.switches
    }
    #expect(total.thefts > 0 && total.caught == total.thefts)
    #expect(total.switches > 0)
  }
}

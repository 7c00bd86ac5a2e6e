import SignInTesting
import Testing

// A few worlds of each kind, without optimization. `Scripts/worlds` runs many worlds in the
// optimized program and finds every planted defect.

@Suite("Simulated worlds")
struct SimulationTests {
  @Test(
    "L-01 L-02 L-03 L-04 L-05 L-06 L-08 L-10 L-15 L-17 L-20 L-22 L-23 simulated worlds, every law")
  func everyLaw() {
    for seed in 1...200 as ClosedRange<UInt64> {
      let report = Simulation.run(seed: seed)
      #expect(report.violation == nil, "\(Simulation.explain(seed: seed))")
    }
  }

  @Test("L-07 L-09 L-11 L-12 L-13 L-14 L-16 attackers spell, steal and guess, every law")
  func attackers() {
    for seed in 10_001...10_200 as ClosedRange<UInt64> {
      let report = Simulation.run(seed: seed)
      #expect(report.violation == nil, "\(Simulation.explain(seed: seed))")
    }
  }

  @Test("The same seed gives the same world, step by step, and another seed another world")
  func replay() {
    var hashes: Set<UInt64> = []
    for seed in 1...40 as ClosedRange<UInt64> {
      let first = Simulation.run(seed: seed)
      let again = Simulation.run(seed: seed, isNarrated: true)
      #expect(first.traceHash == again.traceHash, "seed \(seed)")
      #expect(first.stepCount == again.stepCount, "seed \(seed)")
      hashes.insert(first.traceHash)
    }
    #expect(hashes.count == 40)
  }
}

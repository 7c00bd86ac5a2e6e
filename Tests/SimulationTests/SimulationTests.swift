import SignInTesting
import Testing

@Suite("The simulated world")
struct SimulationTests {
  static let chunk: UInt64 = 250
  static let seedCount: UInt64 = 2000
  static let firstSeeds = Array(stride(from: UInt64(1), through: seedCount, by: Int(chunk)))

  @Test(
    "L-01 L-02 L-03 L-04 L-05 L-06 L-08 L-10 L-15 L-17 L-20 L-22 L-23 2,000 worlds, every law",
    arguments: firstSeeds
  )
  func everyLaw(first: UInt64) async {
    for seed in first..<(first + Self.chunk) {
      let report = Simulation.run(seed: seed)
      if report.violation != nil {
        Issue.record("\(Simulation.explain(seed: seed))")
        return
      }
      // Other tests wait on the same threads.
      await Task.yield()
    }
  }

  @Test(
    "L-07 L-09 L-11 L-12 L-13 L-14 L-16 strangers spell, steal and guess, and every law holds",
    arguments: [10_001, 10_501, 11_001, 11_501] as [UInt64]
  )
  func strangers(first: UInt64) async {
    for seed in first..<(first + 500) {
      let report = Simulation.run(seed: seed)
      #expect(report.violation == nil, "\(Simulation.explain(seed: seed))")
      await Task.yield()
    }
  }

  @Test("The same seed is the same world, step by step, and another seed another world")
  func replay() async {
    var hashes: Set<UInt64> = []
    for seed in 1...200 as ClosedRange<UInt64> {
      let first = Simulation.run(seed: seed)
      let again = Simulation.run(seed: seed, isTold: true)
      #expect(first.traceHash == again.traceHash, "seed \(seed)")
      #expect(first.stepCount == again.stepCount, "seed \(seed)")
      hashes.insert(first.traceHash)
      await Task.yield()
    }
    #expect(hashes.count == 200)
  }
}

import SignInTesting
import Testing

// A few worlds, without optimization. `Scripts/worlds` runs many worlds in the optimized program,
// and finds every planted defect.

@Suite("Simulated worlds")
struct SimulationTests {
  @Test("L-01 L-02 L-03 L-04 L-05 L-06 L-08 L-15 L-17 simulated worlds, every law")
  func everyLaw() {
    let counts = run(1...120)

    for what in [
      "text arrived", "the server crashes", "the administrator acts", "confirms a contact",
      "uses a link", "undoes a change", "requests an erasure", "cancels an erasure",
    ] {
      #expect(counts[what] ?? 0 > 0, "\(what)")
    }
  }

  @Test(
    "L-10 L-20 L-22 L-23 L-24 L-31 L-32 L-34 S-02 S-04 S-05 S-06 S-08 faulty storage, every law")
  func storage() {
    let counts = run(5001...5120)

    for what in ["changes organization", "refresh sent twice", "hidden", "a thief uses a token"] {
      #expect(counts[what] ?? 0 > 0, "\(what)")
    }
  }

  @Test("L-07 L-09 L-11 L-12 L-13 L-14 L-16 attackers spell, steal and guess, every law")
  func attackers() {
    let counts = run(10_001...10_120)

    #expect(counts["a wrong password"] ?? 0 > 0)
  }

  /// Runs worlds, and returns how often each event has happened.
  private func run(_ seeds: ClosedRange<UInt64>) -> [String: Int] {
    var counts: [String: Int] = [:]
    for seed in seeds {
      let report = Simulation.run(seed: seed)
      #expect(report.violation == nil, "\(Simulation.explain(seed: seed))")
      counts.merge(report.counts) { $0 + $1 }
    }
    return counts
  }

  @Test("L-58 a summary of worlds has one kind of event for all renewals")
  func renewalEvents() {
    var kinds: Set<String> = []
    for seed in 1...40 as ClosedRange<UInt64> {
      kinds.formUnion(Simulation.run(seed: seed).events.keys)
    }
    #expect(kinds.filter { $0.hasPrefix("session.refreshed") } == ["session.refreshed"])
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

import SignInTesting
import Testing

/// Laws that never find anything may be blind: each planted defect must break one.
@Suite("Planted defects are found")
struct PlantedDefectTests {
  static let seedLimit: UInt64 = 3000

  @Test("A world with this defect breaks a law", arguments: PlantedDefect.allCases)
  func isFound(defect: PlantedDefect) async {
    for seed in 1...Self.seedLimit {
      if let violation = Simulation.run(seed: seed, defect: defect).violation {
        #expect(Self.laws[defect]?.contains(violation.law) == true, "\(violation)")
        return
      }
      await Task.yield()
    }
    Issue.record("no seed up to \(Self.seedLimit) found \(defect)")
  }

  @Test("A world that fails tells its seed, its law and its last steps")
  func story() {
    let report = Simulation.explain(seed: 7, defect: .doubleHandOver)

    let text = report.description

    #expect(text.contains("seed 7 breaks a law: A message is handed over once"))
    #expect(report.lines.count > 3)
    #expect(text.contains("took charge of a message"))
  }

  static let laws: [PlantedDefect: Set<Law>] = [:]
}

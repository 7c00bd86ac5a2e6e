import SignInTesting
import Testing

/// A law that finds nothing may be broken.
///
/// Each planted defect must violate a law.
@Suite("Planted defects are found")
struct PlantedDefectTests {
  @Test("Every law has found a defect")
  func everyLaw() {
    #expect(Set(PlantedDefect.allCases.map { $0.law }) == Set(Law.allCases))
  }

  @Test("A failing world reports its seed, its law and its last steps")
  func scenario() {
    let report = Simulation.explain(seed: 7, defect: .messageHandedOverTwice)

    let text = report.description

    #expect(text.contains("seed 7 breaks a law: A message is handed over once"))
    #expect(report.lines.count > 3)
    #expect(text.contains("took charge of a message"))
  }
}

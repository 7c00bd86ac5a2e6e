import SignInExploration
import Testing

@Suite("Every order of events")
struct ExplorationTests {
  private static let stateLimit = 3000

  @Test("L-22 L-23 no law is broken in the first states", arguments: Exploration.Scenario.allCases)
  func laws(scenario: Exploration.Scenario) {
    let report = Exploration.run(scenario, stateLimit: Self.stateLimit)

    #expect(report.law == nil, "\(report.path)")
    #expect(report.states >= Self.stateLimit && report.steps > report.states && report.depth > 5)
  }

  @Test(
    "S-04 a planted defect breaks its law, and the report has the shortest path",
    arguments: [
      (ExploredDefect.revocationNotSent, "sign-out", ExploredLaw.serverIsInformed),
      (.lostAnswerEndsSession, "renewal", .noFalseTheft),
      (.unreadableLooksEmpty, "storage", .signedOutWithCause),
      (.oldTokenIsAccepted, "theft", .theftEndsSession),
      (.timeoutKeepsClaim, "renewal", .claimHasRequest),
    ])
  func defects(defect: ExploredDefect, scenario: String, law: ExploredLaw) throws {
    let scenario = try #require(Exploration.Scenario.allCases.first { $0.name == scenario })

    let report = Exploration.run(scenario, defect: defect, stateLimit: Self.stateLimit)

    #expect(report.law == law)
    #expect(!report.path.isEmpty && report.path.count == report.depth)
    #expect(!report.isComplete)
  }
}

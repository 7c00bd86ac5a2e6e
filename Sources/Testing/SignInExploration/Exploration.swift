/// Visits the states that a world can reach, in order of the number of steps, up to a limit.
///
/// Equal states are continued only once, so each order of events is checked without repetition.
public struct Exploration: Sendable {
  /// The faults and actions of one exploration.
  public struct Scenario: Sendable {
    public let name: String
    let budget: ExploredWorld.Budget
  }

  public struct Report: Sendable {
    public let scenario: String
    public var states = 0
    public var steps = 0
    /// The greatest number of steps from the start.
    public var depth = 0
    /// Whether every reachable state was visited.
    public var isComplete = false
    public var law: ExploredLaw?
    /// The shortest path to the violation, in words.
    public var path: [String] = []
  }

  private struct Visit {
    let world: ExploredWorld
    let parent: Int
    let action: ExploredAction?
    let depth: Int
  }

  private let scenario: Scenario
  private let defect: ExploredDefect?
  private let stateLimit: Int
  private var visits: [Visit] = []
  /// The indices of the visits with each fingerprint.
  private var known: [Int: [Int]] = [:]

  private init(_ scenario: Scenario, _ defect: ExploredDefect?, stateLimit: Int) {
    (self.scenario, self.defect, self.stateLimit) = (scenario, defect, stateLimit)
  }

  /// Explores until a law is broken, every state is visited, or there are `stateLimit` states.
  public static func run(
    _ scenario: Scenario, defect: ExploredDefect? = nil, stateLimit: Int,
    progress: (Report) -> Void = { _ in }
  ) -> Report {
    var exploration = Exploration(scenario, defect, stateLimit: stateLimit)
    return exploration.run(progress)
  }

  private mutating func run(_ progress: (Report) -> Void) -> Report {
    var report = Report(scenario: scenario.name)
    visit(ExploredWorld(budget: scenario.budget), from: -1, by: nil, depth: 0)
    var next = 0
    while next < visits.count {
      let visit = visits[next]
      report.states = next + 1
      report.depth = visit.depth
      let law = visit.world.violation ?? (visit.world.isQuiet ? visit.world.settled(defect) : nil)
      if let law {
        report.law = law
        report.path = path(to: next)
        return report
      }
      if visits.count < stateLimit {
        for action in visit.world.actions {
          report.steps += 1
          var world = visit.world
          world.perform(action, defect)
          self.visit(world, from: next, by: action, depth: visit.depth + 1)
        }
      }
      next += 1
      if next % 20_000 == 0 { progress(report) }
    }
    report.isComplete = visits.count < stateLimit
    return report
  }

  private mutating func visit(
    _ world: ExploredWorld, from parent: Int, by action: ExploredAction?, depth: Int
  ) {
    let hash = world.fingerprint
    for index in known[hash] ?? [] where visits[index].world == world { return }
    known[hash, default: []].append(visits.count)
    visits.append(Visit(world: world, parent: parent, action: action, depth: depth))
  }

  private func path(to index: Int) -> [String] {
    var (words, next): ([String], Int) = ([], index)
    while next >= 0 {
      if let action = visits[next].action { words.append(action.description) }
      next = visits[next].parent
    }
    return words.reversed()
  }
}

extension Exploration.Scenario: CaseIterable {
  public static let allCases = [
    Self(name: "renewal", budget: .init(lostMessages: 1, closedTabs: 1, clockSteps: 1)),
    Self(
      name: "storage",
      budget: .init(closedTabs: 1, refusedWrites: 1, unreadableReads: 1, clockSteps: 1)),
    Self(name: "sign-out", budget: .init(lostMessages: 1, clockSteps: 1, signOuts: 1)),
    Self(name: "sign-out-closed", budget: .init(closedTabs: 1, clockSteps: 1, signOuts: 1)),
    Self(name: "organizations", budget: .init(lostMessages: 1, clockSteps: 1, switches: 1)),
    Self(name: "organizations-closed", budget: .init(closedTabs: 1, clockSteps: 1, switches: 1)),
    Self(name: "theft", budget: .init(clockSteps: 2, thefts: 2)),
  ]
}

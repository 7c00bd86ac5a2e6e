import ShellContract
import SignInEngine
import Testing

/// The simulated shell with two tabs, which works at once unless storage is busy.
final class SimulatedContractShell: ContractShell {
  private static let tabs = ["a", "b"]

  private(set) var log: [String] = []
  private var shell: SimulatedShell
  private let names = ScenarioDocument.shared.names
  private var isHeld = false
  private var refused: Int?

  init(defect: SimulatedShell.Defect? = nil) { shell = SimulatedShell(tabs: 2, defect: defect) }

  private func number(_ tab: String) -> Int { tab == "a" ? 0 : 1 }

  func perform(_ effects: [Effect], screen: String?, in tab: String) {
    for effect in effects {
      if !shell.accept(effect, from: number(tab)) { Issue.record("not accepted: \(effect)") }
    }
    work()
  }

  /// Busy storage stops every task except a request.
  private func work() {
    while let tab = shell.tabs.indices.first(where: canWork) {
      var faults = SimulatedShell.Faults()
      if refused == tab, shell.tabs[tab].tasks.first?.isWrite == true {
        faults.write = .refused
        refused = nil
      }
      for outcome in shell.work(tab, faults) { carryOut(outcome, of: tab) }
    }
  }

  private func canWork(_ tab: Int) -> Bool {
    guard let task = shell.tabs[tab].tasks.first else { return false }
    if case .effect(.call) = task { return true }
    return !isHeld
  }

  private func carryOut(_ outcome: SimulatedShell.Outcome, of tab: Int) {
    let name = Self.tabs[tab]
    switch outcome {
    case .event(let event): if let line = names.line(event) { log.append("\(name) \(line)") }
    case .send(_, let call): log.append("\(name) \(names.line(sentTo: call.path))")
    case .stored:
      log.append("\(name) told")
      shell.enqueue(.readChange, in: 1 - tab)
    case .cancel, .writeRefused, .writeLost: break
    }
  }

  func wait(until isLogged: ([String]) -> Bool) {}

  func hold() { isHeld = true }

  func free(_ name: String) {
    log.append("freed \(name)")
    isHeld = false
    work()
  }

  func refuse(_ tab: String) { refused = number(tab) }

  func tell(_ tab: String) {
    shell.enqueue(.readChange, in: number(tab))
    work()
  }

  func kill(_ tab: String) {
    log.append("\(tab) killed")
    shell.close(number(tab))
    work()
  }

  func diskHas(_ text: String) -> Bool { "\(shell.disk)".contains(text) }

  func copySession() { Issue.record("it encrypts nothing") }

  func copyOpens() -> Bool { false }
}

extension SimulatedShell.Task {
  fileprivate var isWrite: Bool {
    if case .effect(.savePendingSignIn) = self { true } else { changesSession }
  }
}

@Suite("Shell contract of the simulated shell") struct SimulatedShellTests {
  @Test(
    "L-22 L-23 L-32 S-04 the simulated shell obeys the contract",
    arguments: ScenarioDocument.scenarios(for: "simulated"))
  func laws(scenario: ShellScenario) async throws {
    try await scenario.run(SimulatedContractShell())
  }

  @Test(
    "A planted defect of the simulated shell breaks its scenario",
    arguments: ScenarioDocument.scenarios(for: "simulated").filter { $0.defect != nil })
  func defects(scenario: ShellScenario) async throws {
    let defect = try #require(scenario.defect.flatMap { SimulatedShell.Defect(rawValue: $0) })

    await #expect(throws: BrokenLaw.self) {
      try await scenario.run(SimulatedContractShell(defect: defect))
    }
  }

  @Test("Each defect of the simulated shell is planted in a scenario")
  func allDefects() {
    let planted = Set(ScenarioDocument.shared.scenarios.compactMap(\.defect))

    #expect(planted == Set(SimulatedShell.Defect.allCases.map(\.rawValue)))
  }
}

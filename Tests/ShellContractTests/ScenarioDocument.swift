import Foundation
import JSONText
import ShellContract

/// The scenarios that the web shell and the shells of these tests have in common.
struct ScenarioDocument {
  let scenarios: [ShellScenario]
  let names: ShellNames

  static let shared: ScenarioDocument = {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "ShellContract/scenarios.json")
    do {
      let json = try JSONReader.read([UInt8](Data(contentsOf: file)))
      return ScenarioDocument(
        scenarios: try ShellScenario.all(in: json), names: ShellNames(json["values"]))
    } catch {
      preconditionFailure("the scenarios cannot be read: \(error)")
    }
  }()

  static func scenarios(for shell: String) -> [ShellScenario] {
    shared.scenarios.filter { $0.applies(to: shell) }
  }
}

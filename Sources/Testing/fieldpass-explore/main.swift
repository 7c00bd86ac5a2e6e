import Glibc
import SignInExploration

// Usage: fieldpass-explore [states] [scenario]
//        fieldpass-explore defects
//
// The first form visits the reachable states of each scenario, at most this number for each, and
// reports how many it visited, how deep they lie, and whether these are all. `defects` plants each
// defect and requires that a law finds it. A broken law ends the program with the shortest path to
// it.

let arguments = CommandLine.arguments.dropFirst()
let stateLimit = arguments.compactMap { Int($0) }.first ?? 300_000

/// Writes a line at once, on standard output or standard error.
func say(_ line: String, to file: Int32 = 1) {
  let bytes = Array((line + "\n").utf8)
  write(file, bytes, bytes.count)
}

func fail(_ report: Exploration.Report) -> Never {
  say("fieldpass-explore: error: \(report.scenario) breaks the law \(report.law?.rawValue ?? "")")
  for (number, step) in report.path.enumerated() { say("\(number + 1). \(step)") }
  exit(1)
}

if arguments.first == "defects" {
  for defect in ExploredDefect.allCases {
    var found: Exploration.Report?
    for scenario in Exploration.Scenario.allCases where found == nil {
      let report = Exploration.run(scenario, defect: defect, stateLimit: stateLimit)
      if report.law != nil { found = report }
    }
    guard let found, let law = found.law else {
      say("fieldpass-explore: error: no law finds \(defect.rawValue)")
      exit(1)
    }
    say(
      "\(defect.rawValue): \(law.rawValue) in \(found.scenario), after \(found.states) states, "
        + "\(found.path.count) steps")
  }
  exit(0)
}

let name = arguments.first { Int($0) == nil }
for scenario in Exploration.Scenario.allCases where name == nil || scenario.name == name {
  let report = Exploration.run(scenario, stateLimit: stateLimit) { report in
    say("\(report.scenario): \(report.states) states, depth \(report.depth)", to: 2)
  }
  if report.law != nil { fail(report) }
  say(
    "\(report.scenario): \(report.states) states, \(report.steps) steps, depth \(report.depth), "
      + (report.isComplete ? "complete" : "stopped at the limit"))
}

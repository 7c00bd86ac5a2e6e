import Glibc
import SignInTesting

// Usage: fieldpass-soak [seeds] [first seed]
//        fieldpass-soak sessions [seeds] [first seed] [defect]
//        fieldpass-soak defects [defect]
//
// The first form runs this number of simulated worlds, with progress on standard error. `sessions`
// uses devices with unreliable storage. `defects` detects every planted defect by its law, or only
// one of them.
//
// A world that violates a law is reported and ends the program. The same seed gives the same world
// again.

let arguments = CommandLine.arguments.dropFirst()
let namedDefect = arguments.last.flatMap { PlantedDefect(rawValue: $0) }
if arguments.first == "sessions" {
  let numbers = arguments.dropFirst().compactMap { UInt64($0) }
  let seed = numbers.count > 1 ? numbers[1] : 1
  exit(SessionSoak.run(count: numbers.first ?? 10_000, seed: seed, defect: namedDefect))
}
if arguments.first == "defects" {
  exit(DefectSoak.run(namedDefect.map { [$0] } ?? PlantedDefect.allCases))
}
let count = arguments.first.flatMap { UInt64($0) } ?? 1_000_000
let first = arguments.dropFirst().first.flatMap { UInt64($0) } ?? 1

func say(_ line: String) {
  let bytes = Array((line + "\n").utf8)
  write(2, bytes, bytes.count)
}

let began = secondsUp()
var steps = 0
var events: [String: Int] = [:]
for done in 0..<count {
  let report = Simulation.run(seed: first + done)
  steps += report.stepCount
  events.merge(report.events) { $0 + $1 }
  if report.violation != nil {
    print("fieldpass-soak: error: \(Simulation.explain(seed: report.seed))")
    print("hint: repeat it with fieldpass-soak 1 \(report.seed)")
    exit(1)
  }
  if (done + 1) % 10_000 == 0 {
    let rate = Double(done + 1) / (secondsUp() - began)
    say("\(done + 1) of \(count) seeds, \(Int(rate)) seeds/s")
  }
}
let rate = Double(count) / (secondsUp() - began)
print("\(count) worlds from seed \(first), \(steps) steps, no law broken; \(Int(rate)) seeds/s")
for (event, times) in events.sorted(by: { $0.value > $1.value }) { print("\(times)\t\(event)") }

/// The seconds since this machine started, for the progress only.
func secondsUp() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

import Glibc
import SignInTesting

// Usage: fieldpass-soak [seeds] [first seed] [defect]
//        fieldpass-soak defects [defect]
//
// The first form runs this number of simulated worlds, with progress on standard error. `defects`
// detects every planted defect by its law, or only one of them.
//
// A world that violates a law is reported and ends the program. The same seed gives the same world
// again.

let arguments = Array(CommandLine.arguments.dropFirst())
guard let command = SoakCommand(arguments) else {
  say("fieldpass-soak: error: cannot read the arguments: \(arguments.joined(separator: " "))")
  say("hint: fieldpass-soak [seeds] [first seed] [defect] | defects [defect]")
  exit(2)
}

let count: UInt64
let first: UInt64
let defect: PlantedDefect?
switch command {
case .defects(let defects): exit(DefectSoak.run(defects))
case .worlds(let someCount, let seed, let someDefect):
  (count, first, defect) = (someCount, seed, someDefect)
}

func say(_ line: String) {
  let bytes = Array((line + "\n").utf8)
  write(2, bytes, bytes.count)
}

let began = secondsUp()
var steps = 0
var (events, counts): ([String: Int], [String: Int]) = ([:], [:])
for done in 0..<count {
  let report = Simulation.run(seed: first + done, defect: defect)
  steps += report.stepCount
  events.merge(report.events) { $0 + $1 }
  counts.merge(report.counts) { $0 + $1 }
  if report.violation != nil {
    print("fieldpass-soak: error: \(Simulation.explain(seed: report.seed, defect: defect))")
    let planted = defect.map { " " + $0.rawValue } ?? ""
    print("hint: repeat it with fieldpass-soak 1 \(report.seed)\(planted)")
    exit(1)
  }
  if (done + 1) % 1_000 == 0 {
    let rate = Double(done + 1) / (secondsUp() - began)
    say("\(done + 1) of \(count) seeds, \(Int(rate)) seeds/s")
  }
}
let rate = Double(count) / (secondsUp() - began)
print("\(count) worlds from seed \(first), \(steps) steps, no law broken; \(Int(rate)) seeds/s")
for (event, times) in (Array(events) + Array(counts)).sorted(by: { $0.value > $1.value }) {
  print("\(times)\t\(event)")
}

/// The seconds since this machine started, for the progress only.
func secondsUp() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

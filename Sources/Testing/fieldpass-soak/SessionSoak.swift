import SignInTesting

/// Worlds with sessions over unreliable storage, one after another.
enum SessionSoak {
  /// Runs the worlds and returns the exit status.
  static func run(count: UInt64, seed first: UInt64, defect: PlantedDefect?) -> Int32 {
    let began = secondsUp()
    var counts: [String: Int] = [:]
    for seed in first..<(first + count) {
      let report = SessionWorld.run(seed: seed, defect: defect)
      counts.merge(report.counts) { $0 + $1 }
      if let violation = report.violation {
        print(report.scenario.joined(separator: "\n"))
        print(
          "fieldpass-soak: error: seed \(seed): \(violation.law.sentence)\n  \(violation.detail)")
        return 1
      }
      let done = seed - first + 1
      if done % 1_000 == 0 {
        let rate = Double(done) / (secondsUp() - began)
        say("\(done) of \(count) worlds, \(Int(rate)) seeds/s")
      }
    }
    let rate = Int(Double(count) / (secondsUp() - began))
    print("\(count) worlds of sessions from seed \(first), no law broken; \(rate) seeds/s")
    for (what, times) in counts.sorted(by: { $0.value > $1.value }) { print("\(times)\t\(what)") }
    return 0
  }
}

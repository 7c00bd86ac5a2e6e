import SignInTesting

/// Worlds with sessions over unreliable storage, one after another.
enum SessionSoak {
  /// Runs the worlds and returns the exit status.
  static func run(count: UInt64, seed first: UInt64, defect: SessionDefect?) async -> Int32 {
    var counts: [String: Int] = [:]
    for seed in first..<(first + count) {
      let report = await SessionWorld.run(seed: seed, defect: defect)
      counts.merge(report.counts) { $0 + $1 }
      if let broken = report.broken {
        print(report.scenario.joined(separator: "\n"))
        print("fieldpass-soak: error: seed \(seed): \(broken.sentence)\n  \(report.detail)")
        return 1
      }
    }
    print("\(count) worlds of sessions from seed \(first), no law broken")
    for (what, times) in counts.sorted(by: { $0.value > $1.value }) { print("\(times)\t\(what)") }
    return 0
  }
}

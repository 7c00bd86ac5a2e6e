import SignInTesting

/// Worlds that only renew sessions, one after another.
enum RefreshSoak {
  private static let refreshesEach = 10_000

  /// Runs the worlds and returns the exit status.
  static func run(count: Int, seed first: UInt64) async -> Int32 {
    var total = RefreshWorld.Report()
    var seed = first
    while total.refreshes < count {
      let report = await RefreshWorld.run(
        seed: seed, refreshes: min(refreshesEach, count - total.refreshes)
      )
      if let violation = report.violation {
        print("fieldpass-soak: error: seed \(seed): \(violation)")
        return 1
      }
      total.add(report)
      seed += 1
    }
    print(
      """
      \(total.refreshes) refreshes from seed \(first), no law broken
      \(total.lostRequests) requests lost, \(total.lostAnswers) answers lost
      \(total.killed) devices killed before they wrote, \(total.doubled) calls doubled
      \(total.switches) changes of organization, \(total.foreignKeys) copies without the key
      \(total.thefts) thefts, \(total.caught) caught, 0 people signed out by mistake
      """
    )
    return 0
  }
}

extension RefreshWorld.Report {
  fileprivate mutating func add(_ other: RefreshWorld.Report) {
    refreshes += other.refreshes
    lostRequests += other.lostRequests
    lostAnswers += other.lostAnswers
    killed += other.killed
    doubled += other.doubled
    switches += other.switches
    foreignKeys += other.foreignKeys
    thefts += other.thefts
    caught += other.caught
  }
}

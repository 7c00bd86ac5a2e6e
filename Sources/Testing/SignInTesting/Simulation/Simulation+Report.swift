internal import SignInModel
internal import SignInRules
internal import SignInService

/// What became of one seed.
public struct SimulationReport: Sendable, CustomStringConvertible {
  public let seed: UInt64
  /// The same for the same seed, and only then.
  public let traceHash: UInt64
  public let stepCount: Int
  public let violation: Violation?
  /// The last steps in words, when they were asked for.
  public let lines: [String]
  /// How often each kind of event came to pass, by the server's own log.
  public let events: [String: Int]

  public var description: String {
    guard let violation else { return "seed \(seed): every law held in \(stepCount) steps" }
    let story = lines.map { "    " + $0 }.joined(separator: "\n")
    return """
      seed \(seed) breaks a law: \(violation.law.sentence)
        \(violation.detail)
        the last steps:
      \(story)
      """
  }
}

extension Simulation {
  /// Runs one world to its end; `isTold` keeps its last steps in words, which takes more time.
  public static func run(
    seed: UInt64, defect: PlantedDefect? = nil, isTold: Bool = false
  ) -> SimulationReport {
    let world = Simulation(seed: seed, defect: defect, isTold: isTold)
    world.run()
    return SimulationReport(
      seed: seed, traceHash: world.trace.hash, stepCount: world.trace.stepCount,
      violation: world.laws.violation, lines: world.trace.lines, events: world.eventCounts
    )
  }

  /// Runs one world, and when it breaks a law runs it again to tell how.
  public static func explain(seed: UInt64, defect: PlantedDefect? = nil) -> SimulationReport {
    let report = run(seed: seed, defect: defect)
    return report.violation == nil ? report : run(seed: seed, defect: defect, isTold: true)
  }
}

extension Simulation {
  fileprivate var eventCounts: [String: Int] {
    var counts: [String: Int] = [:]
    for event in server.store.tables.events {
      counts[event.code.rawValue + (event.detail.map { " " + $0 } ?? ""), default: 0] += 1
    }
    return counts
  }

  /// What a transaction did to the counters, for whoever reads the story.
  func tellCounters(_ before: MemoryTables, _ after: MemoryTables) {
    for (key, lockout) in after.lockouts where before.lockouts[key] != lockout {
      let until = lockout.lockedUntil.map { ", locked until \($0.seconds - Self.start.seconds) s" }
      trace.tell(
        "counter", 0, at: clock.now(),
        "\(key): \(lockout.failures) failures, \(lockout.reserved) under way since "
          + "\((lockout.reservedAt.milliseconds - Self.start.milliseconds) / 1000) s\(until ?? "")"
      )
    }
  }
}

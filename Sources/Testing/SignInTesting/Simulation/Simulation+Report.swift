internal import SignInModel
internal import SignInRules
internal import SignInService

/// The result of one seed.
public struct SimulationReport: Sendable, CustomStringConvertible {
  public let seed: UInt64
  /// A hash that is equal only for the same seed.
  public let traceHash: UInt64
  public let stepCount: Int
  public let violation: Violation?
  /// The last steps in words, if they were requested.
  public let lines: [String]
  /// How often each event has happened.
  public let counts: [String: Int]
  /// The number of each kind of event in the server's own log.
  public let events: [String: Int]

  public var description: String {
    guard let violation else { return "seed \(seed): no law was broken in \(stepCount) steps" }
    let scenario = lines.map { "    " + $0 }.joined(separator: "\n")
    return """
      seed \(seed) breaks a law: \(violation.law.sentence)
        \(violation.detail)
        the last steps:
      \(scenario)
      """
  }
}

extension Simulation {
  /// Runs one world to its end.
  ///
  /// `isNarrated` stores its last steps in words, which takes more time.
  public static func run(
    seed: UInt64, defect: PlantedDefect? = nil, isNarrated: Bool = false
  ) -> SimulationReport {
    let world = Simulation(seed: seed, defect: defect, isNarrated: isNarrated)
    world.run()
    return SimulationReport(
      seed: seed, traceHash: world.trace.hash, stepCount: world.trace.stepCount,
      violation: world.laws.violation, lines: world.trace.lines, counts: world.trace.counts,
      events: world.eventCounts
    )
  }

  /// Runs one world.
  ///
  /// If it violates a law, runs it again with its steps in words.
  public static func explain(seed: UInt64, defect: PlantedDefect? = nil) -> SimulationReport {
    let report = run(seed: seed, defect: defect)
    return report.violation == nil ? report : run(seed: seed, defect: defect, isNarrated: true)
  }
}

extension Simulation {
  fileprivate var eventCounts: [String: Int] {
    var counts: [String: Int] = [:]
    for event in server.store.tables.events {
      // Some details have a time, so nearly each one would be a kind of its own.
      let hasTime = [SecurityEvent.Code.sessionRefreshed, .erasureRequested].contains(event.code)
      let detail = hasTime ? nil : event.detail
      counts[event.code.rawValue + (detail.map { " " + $0 } ?? ""), default: 0] += 1
    }
    return counts
  }

  /// Adds a transaction's changes of the counters to the steps.
  func reportCounters(_ before: MemoryTables, _ after: MemoryTables) {
    for (key, lockout) in after.lockouts where before.lockouts[key] != lockout {
      let until = lockout.lockedUntil.map { ", locked until \($0.seconds - Self.start.seconds) s" }
      trace.append(
        "counter", 0, at: clock.now(),
        "\(key): \(lockout.failures) failures, \(lockout.reserved) under way since "
          + "\((lockout.reservedAt.milliseconds - Self.start.milliseconds) / 1000) s\(until ?? "")"
      )
    }
  }
}

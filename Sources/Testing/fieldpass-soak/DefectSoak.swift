import SignInTesting

/// Worlds with a planted defect.
///
/// A law that never detects a defect may be broken.
enum DefectSoak {
  private static let worldLimit: UInt64 = 20_000
  private static let sessionWorldLimit: UInt64 = 200
  private static let refreshCount = 5000

  /// Detects every planted defect by its law.
  ///
  /// It returns the exit status.
  static func run() async -> Int32 {
    var missed: [String] = []
    for defect in PlantedDefect.allCases {
      let seed = (1...worldLimit).first { seed in
        Simulation.run(seed: seed, defect: defect).violation?.law == defect.law
      }
      if !printResult("\(defect)", seed) { missed.append("\(defect): \(defect.law.sentence)") }
    }
    for defect in SessionDefect.allCases {
      let seed = await firstSessionWorld(withLawBrokenBy: defect)
      if !printResult("\(defect)", seed) { missed.append("\(defect): \(defect.law.sentence)") }
    }
    for defect in [RefreshWorld.Defect.noRepetition, .noEnd] {
      let report = await RefreshWorld.run(seed: 1, refreshes: refreshCount, defect: defect)
      if !printResult("\(defect)", report.violation == nil ? nil : 1) { missed.append("\(defect)") }
    }
    guard missed.isEmpty else {
      print("fieldpass-soak: error: no world breaks the law\n\(missed.joined(separator: "\n"))")
      return 1
    }
    return 0
  }

  private static func firstSessionWorld(
    withLawBrokenBy defect: SessionDefect
  ) async -> UInt64? {
    for seed in 1...sessionWorldLimit
    where await SessionWorld.run(seed: seed, defect: defect).broken == defect.law {
      return seed
    }
    return nil
  }

  private static func printResult(_ defect: String, _ seed: UInt64?) -> Bool {
    guard let seed else { return false }
    print("\(defect): found in world \(seed)")
    return true
  }
}

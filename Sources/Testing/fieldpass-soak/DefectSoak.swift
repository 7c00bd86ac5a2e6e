import SignInTesting

/// Worlds with a planted defect.
///
/// A law that never detects a defect may be broken.
enum DefectSoak {
  private static let worldLimit: UInt64 = 20_000

  /// Detects every planted defect by its law.
  ///
  /// It returns the exit status.
  static func run(_ defects: [PlantedDefect]) -> Int32 {
    var missed: [String] = []
    for defect in defects {
      let seed = (1...worldLimit).first { seed in
        Simulation.run(seed: seed, defect: defect).violation?.law == defect.law
      }
      if let seed {
        print("\(defect): found in world \(seed)")
      } else {
        missed.append("\(defect): \(defect.law.sentence)")
      }
    }
    guard missed.isEmpty else {
      print("fieldpass-soak: error: no world breaks the law\n\(missed.joined(separator: "\n"))")
      return 1
    }
    print("\(defects.count) planted defects, each found by its law")
    return 0
  }
}

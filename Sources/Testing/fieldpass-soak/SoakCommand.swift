import SignInTesting

/// What the arguments ask for.
enum SoakCommand {
  case worlds(count: UInt64, seed: UInt64, defect: PlantedDefect?)
  case defects([PlantedDefect])

  /// Nil for arguments that no form of the command has, so that a mistyped word does not start a
  /// run of hours.
  init?(_ arguments: [String]) {
    var rest = arguments[...]
    func defect() -> PlantedDefect? {
      guard let defect = rest.first.flatMap({ PlantedDefect(rawValue: $0) }) else { return nil }
      rest.removeFirst()
      return defect
    }
    func number() -> UInt64? {
      guard let number = rest.first.flatMap({ UInt64($0) }) else { return nil }
      rest.removeFirst()
      return number
    }
    if rest.first == "defects" {
      rest.removeFirst()
      self = .defects(defect().map { [$0] } ?? PlantedDefect.allCases)
    } else {
      self = .worlds(count: number() ?? 1_000_000, seed: number() ?? 1, defect: defect())
    }
    guard rest.isEmpty else { return nil }
  }
}

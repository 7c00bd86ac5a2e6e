/// The rule for comparisons in the web cores.
extension HouseRule {
  /// Finds an event or an effect that is compared with `==`.
  ///
  /// The compiler puts the comparison of every case of the enumeration, with all their values, into
  /// the function. In a web core, each such comparison has about 5 kB of WebAssembly. A pattern
  /// compares one case.
  static func comparedEvents(_ file: SourceFile) -> [Finding] {
    let isInCore =
      file.path.hasPrefix("Sources/Portable/")
      || file.path.hasPrefix("Sources/Programs/") && file.path.contains("-web/")
    guard isInCore else { return [] }
    let before = file.code.matches(of: /(\w+)\??\s[!=]=\s/).map(\.output)
    let after = file.code.matches(of: /\s[!=]=\s(\w+)(?![\w.(])/).map(\.output)
    return (before + after).filter { isValue(of: comparedTypes, named: $0.1) }.map {
      Finding(
        line: file.code[..<$0.1.startIndex].count { $0 == "\n" } + 1,
        advice: "match it with a pattern: if case .tapped = event")
    }
  }

  private static let comparedTypes = ["event", "effect", "intent", "report", "announcement"]

  /// Whether the name is that of a value, such as `pageEvent`, and not of a type.
  private static func isValue(of types: [String], named name: Substring) -> Bool {
    guard name.first?.isLowercase == true else { return false }
    return types.contains { name.lowercased().hasSuffix($0) }
  }
}

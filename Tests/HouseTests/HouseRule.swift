/// A violation of a house rule, with advice.
struct Finding: Equatable, Sendable, CustomStringConvertible {
  let line: Int
  let advice: String

  var description: String { "line \(line): \(advice)" }
}

/// The house rules.
///
/// Each is a function from one file to its findings.
enum HouseRule {
  static let fileLineLimit = 500
  static let functionLineLimit = 60
  static let lineLengthLimit = 100
  static let parameterLimit = 5
  static let topLevelEntryLimit = 20

  /// The layers that each layer may import.
  static let layers: [String: Set<String>] = [
    "Portable": ["Portable"],
    "Platform": ["Platform"],
    "Service": ["Portable", "Platform", "Service"],
    "Adapters": ["Portable", "Platform", "Service"],
    "Client": ["Portable", "Platform", "Client"],
    "Testing": ["Portable", "Platform", "Service", "Testing"],
    "Programs": ["Portable", "Platform", "Service", "Adapters", "Client", "Programs"],
  ]

  /// Targets that may import one more layer.
  ///
  /// The fuzzer tests parsers of the adapters.
  static let exceptions: [String: String] = ["Sources/Testing/ParserFuzzing/": "Adapters"]

  static func lengths(_ file: SourceFile) -> [Finding] {
    var findings: [Finding] = []
    let count = file.lines.last?.isEmpty == true ? file.lines.count - 1 : file.lines.count
    if count > fileLineLimit {
      findings.append(
        Finding(line: count, advice: "split the file: more than \(fileLineLimit) lines")
      )
    }
    guard file.isSwift else { return findings }
    for (index, line) in file.lines.enumerated()
    where line.utf8.count > lineLengthLimit && line.count > lineLengthLimit {
      findings.append(
        Finding(line: index + 1, advice: "break the line: more than \(lineLengthLimit) columns")
      )
    }
    return findings + functionLengths(file)
  }

  static func imports(
    _ file: SourceFile, layerOfModule: [String: String] = SourceFile.layerOfModule
  ) -> [Finding] {
    guard let layer = file.layer else { return [] }
    return importedModules(file).compactMap { line, module in
      guard let owner = layerOfModule[module] else {
        // The standard library's own normalization has an import, and is used on Linux only.
        return layer == "Portable" && module != "Swift"
          ? Finding(line: line, advice: "drop \(module): Portable also runs in the browser")
          : nil
      }
      if layers[layer]?.contains(owner) == true { return nil }
      if exceptions.contains(where: { file.path.hasPrefix($0) && $1 == owner }) { return nil }
      return Finding(
        line: line, advice: "\(layer) must not import \(module) of \(owner): declare a port instead"
      )
    }
  }

  /// Finds time, randomness and process access, which rules must get from a port.
  static func ambient(_ file: SourceFile) -> [Finding] {
    let open: Set = ["Platform", "Adapters", "Client", "Programs"]
    guard let layer = file.layer, !open.contains(layer) else { return [] }
    let words = [
      "Date()", "Date.now", "UUID()", ".random(in:", ".randomElement(", ".shuffled()",
      "ProcessInfo", "Task.sleep", "SystemRandomNumberGenerator", "ContinuousClock(",
    ]
    return words.flatMap { word in
      find(word, in: file, advice: "take \(word) from a port: here it cannot be replayed")
    }
  }

  /// Finds the name of a store in the use cases, which know only its port.
  static func storeNames(_ file: SourceFile) -> [Finding] {
    guard file.layer == "Service" else { return [] }
    return file.lines.enumerated().compactMap { index, line in
      line.lowercased().contains("sqlite")
        ? Finding(line: index + 1, advice: "say store: its adapter knows the name") : nil
    }
  }

  /// Finds code that hides a fault or turns it into a crash.
  static func silence(_ file: SourceFile) -> [Finding] {
    guard file.isSource else { return [] }
    return file.codeLines.enumerated().flatMap { index, line -> [Finding] in
      guard line.utf8.contains(UInt8(ascii: "!")) || line.contains("try") else { return [] }
      var advice: [String] = []
      if line.contains(/\btry\s*\?/) { advice.append("catch the fault: try? hides it") }
      if line.contains(/\btry\s*!/) { advice.append("catch the fault: try! crashes on it") }
      if line.contains(/\bas\s*!/) { advice.append("use as? and guard: as! crashes") }
      if line.contains(/[A-Za-z0-9_)\]}">`]!(?!=)/), !line.contains(/\b(?:try|as)\s*!/) {
        advice.append("unwrap with guard let: ! crashes on nil")
      }
      return advice.map { Finding(line: index + 1, advice: $0) }
    } + emptyCatches(file)
  }

  /// Finds names without a meaning.
  static func names(_ file: SourceFile) -> [Finding] {
    let banned: Set = [
      "util", "utils", "utility", "helper", "helpers", "common", "manager", "base", "impl", "misc",
    ]
    func finding(_ name: Substring, line: Int) -> Finding? {
      let words = name.matches(of: /[A-Z]+(?![a-z])|[A-Z]?[a-z0-9]+/).map { String($0.output) }
      guard let word = words.first(where: { banned.contains($0.lowercased()) }) else { return nil }
      return Finding(line: line, advice: "name \(name) for what it does: \(word) says nothing")
    }
    let folders = file.path.split(separator: "/").map { $0.prefix { $0 != "." && $0 != "+" } }
    let types = file.isSwift ? declaredTypes(file) : []
    return folders.compactMap { finding($0, line: 1) }
      + types.compactMap { finding($0.name, line: $0.line) }
  }

  static func uncheckedSendable(_ file: SourceFile) -> [Finding] {
    guard let layer = file.layer else { return [] }
    let lines = file.lines
    return find("@unchecked Sendable", in: file, advice: "").compactMap { found in
      guard ["Platform", "Adapters", "Testing"].contains(layer) else {
        return Finding(line: found.line, advice: "use an actor, or values: locks stay in shells")
      }
      let above = lines[..<(found.line - 1)].reversed().prefix { $0.contains(/^\s*(?:\/\/|@)/) }
      let near = above.joined() + (lines[found.line - 1].firstMatch(of: /\/\/.*/)?.output ?? "")
      let comment = near.lowercased()
      let isNamed = ["lock", "mutex", "thread", "loop", "queue"].contains { comment.contains($0) }
      return isNamed
        ? nil : Finding(line: found.line, advice: "name the lock, or the thread, in its comment")
    }
  }

  /// Finds marks of unfinished work.
  ///
  /// Each mark is written in two halves, so that this file is not a finding.
  static func unfinished(_ file: SourceFile) -> [Finding] {
    let marks = [
      "TO" + "DO", "FIX" + "ME", "@Test(.dis" + "abled", "XCT" + "Skip", "mark." + "skip",
    ]
    let found = marks.filter { SourceFile.holds(file.text, $0) }
    guard !found.isEmpty else { return [] }
    return file.lines.enumerated().flatMap { index, line in
      found.filter { line.contains($0) }.map {
        Finding(line: index + 1, advice: "finish it or take it out: \($0)")
      }
    }
  }
}

/// The rules for the records that use cases take.
extension HouseRule {
  /// The largest number of record protocols that a use case takes.
  ///
  /// A sign-in with a password takes the most: before it compares the password, a waiting password
  /// may take effect.
  static let recordLimit = 14

  /// Use cases that need the records of every area, with the reason.
  private static let wholeTransactions = [
    "SignInService/World/",
    // It removes expired records of every kind in one decision.
    "Administration/RemoveExpiredRecords.swift",
  ]

  /// Finds use cases that take all records of the store instead of those that they need.
  static func wholeTransactions(_ file: SourceFile) -> [Finding] {
    guard file.path.contains("Sources/Service/"),
      !wholeTransactions.contains(where: file.path.contains)
    else { return [] }
    return file.lines.enumerated().compactMap { index, line in
      line.contains("any Transaction") || line.contains("extension Transaction")
        || line.contains("{ (transaction) throws")
        ? Finding(line: index + 1, advice: "name the records that it needs") : nil
    }
  }

  /// Finds compositions with too many record protocols, or with one that the file does not use.
  static func records(_ file: SourceFile, among names: RecordNames) -> [Finding] {
    RecordNames.compositions(in: file).flatMap { composition -> [Finding] in
      let protocols = composition.names.flatMap { names.protocols(of: $0, in: file) }
      let count = Set(protocols).count
      let unused = composition.names.filter { !names.uses($0, in: file) }
      let advice =
        (count > recordLimit ? ["take fewer records: \(count), at most \(recordLimit)"] : [])
        + unused.map { "remove \($0), which this file does not use" }
      return advice.map { Finding(line: composition.line, advice: $0) }
    }
  }
}

/// The record protocols, the names of their compositions, and the functions that need them.
struct RecordNames {
  /// One composition, such as `any AccountRecords & KnownDevice.Records`.
  struct Composition {
    let line: Int
    let names: [String]
    /// The name that a type alias gives it.
    let alias: String?
  }

  /// The functions that need the records of a name, by their files.
  ///
  /// The functions that a protocol requires have no file.
  private var functions: [String: [String?: Set<Substring>]] = [:]
  /// The compositions that have a name, by their files.
  private var aliases: [String: [String: [String]]] = [:]
  /// The functions that each file calls.
  private var calls: [String: Set<Substring>] = [:]

  init(_ files: [SourceFile]) {
    for file in files where SourceFile.holds(file.code, "Records") {
      for composition in Self.compositions(in: file) {
        guard let alias = composition.alias else { continue }
        aliases[alias, default: [:]][file.path] = composition.names
      }
      for (function, names, isRequired) in Self.functions(in: file) {
        for name in names {
          functions[name, default: [:]][isRequired ? nil : file.path, default: []].insert(function)
        }
      }
      let called = file.code.matches(of: /(func )?(\w+)\(/).filter { $0.output.1 == nil }
      calls[file.path] = Set(called.map(\.output.2))
    }
  }

  /// The record protocols behind a name.
  ///
  /// An alias of the same file comes first, because another file may have a private one of the
  /// same name.
  func protocols(of name: String, in file: SourceFile) -> Set<String> {
    guard let found = aliases[name], let parts = found[file.path] ?? found.values.first else {
      return [name]
    }
    return Set(parts.flatMap { protocols(of: $0, in: file) })
  }

  /// Whether the file calls a function that the records require, or one of another file that needs
  /// them.
  ///
  /// The parts of an alias of this file are checked where it is declared.
  func uses(_ name: String, in file: SourceFile) -> Bool {
    if aliases[name]?[file.path] != nil { return true }
    let others = (functions[name] ?? [:]).filter { $0.key != file.path }.values
    return others.contains { calls[file.path]?.isDisjoint(with: $0) == false }
  }

  static func compositions(in file: SourceFile) -> [Composition] {
    let one = #/(?:any|Self:|typealias (\w+) =)\s+((?:(?:\w+\.)?\w*Records\b(?:\s*&\s*)?)+)/#
    let blocks = Block.all(in: file.code)
    return file.code.matches(of: one).map { match in
      let start = match.range.lowerBound
      let type = blocks.last { $0.range.contains(start) }?.type
      return Composition(
        line: file.code[..<start].count { $0 == "\n" } + 1,
        names: names(in: match.output.2, of: type),
        alias: match.output.1.map { name in type.map { "\($0).\(name)" } ?? String(name) })
    }
  }

  /// The functions of a file, with the names of the records that they need.
  private static func functions(
    in file: SourceFile
  ) -> [(function: Substring, names: [String], isRequired: Bool)] {
    // Up to the body, or to the next function that a protocol requires.
    let function = /\b(?:func (\w+)|init)\b[^{}]*?(?=[{}]|\bfunc\b)/
    let blocks = Block.all(in: file.code)
    return file.code.matches(of: function).compactMap { match in
      let block = blocks.last { $0.range.contains(match.range.lowerBound) }
      guard let function = match.output.1 ?? block?.type else { return nil }
      let parameters = match.output.0.matches(of: /any ([\w. &\n]+)/).map(\.output.1)
      let texts = [block?.header ?? ""] + parameters
      return (
        function, texts.flatMap { names(in: $0, of: block?.type) },
        block?.header.contains("protocol ") == true
      )
    }
  }

  /// The names of records in a text inside a type.
  private static func names(in text: Substring, of type: Substring?) -> [String] {
    text.matches(of: /(?:\w+\.)?\w*Records\b/).map {
      $0.output == "Records" ? "\(type ?? "").Records" : String($0.output)
    }
  }

  /// A type, a protocol or an extension at the top of a file.
  private struct Block {
    let type: Substring
    let header: Substring
    let range: Range<String.Index>

    static func all(in code: String) -> [Block] {
      let start = /(?m)^(?:\w+ )*(?:struct|enum|class|extension|protocol) (\w+)[^{]*/
      return code.matches(of: start).map { match in
        let end = code[match.range.upperBound...].firstRange(of: "\n}")?.lowerBound
        return Block(
          type: match.output.1, header: match.output.0,
          range: match.range.lowerBound..<(end ?? code.endIndex))
      }
    }
  }
}

/// Functions with which the rules read a file.
extension HouseRule {
  static func find(_ word: String, in file: SourceFile, advice: String) -> [Finding] {
    guard SourceFile.holds(file.code, word) else { return [] }
    return file.codeLines.enumerated().compactMap { index, line in
      line.contains(word) ? Finding(line: index + 1, advice: advice) : nil
    }
  }

  static func importedModules(_ file: SourceFile) -> [(line: Int, module: String)] {
    let kinds: Set<Substring> = ["struct", "class", "enum", "func", "protocol", "var", "typealias"]
    return file.codeLines.enumerated().compactMap { index, line in
      guard line.contains("import ") else { return nil }
      let words = line.split(separator: " ")
      // At most an attribute and an access level come before the keyword.
      guard let keyword = words.firstIndex(of: "import"), keyword <= 2 else { return nil }
      guard let name = words[(keyword + 1)...].first(where: { !kinds.contains($0) }) else {
        return nil
      }
      return (index + 1, String(name.prefix { $0 != "." }))
    }
  }

  static func declaredTypes(_ file: SourceFile) -> [(line: Int, name: Substring)] {
    let keywords: Set<Substring> = ["struct", "class", "enum", "actor", "protocol", "typealias"]
    return file.codeLines.enumerated().compactMap { index, line in
      let words = line.split(separator: " ")
      guard let keyword = words.firstIndex(where: keywords.contains), keyword + 1 < words.count
      else { return nil }
      return (index + 1, words[keyword + 1].prefix { $0.isLetter || $0.isNumber || $0 == "_" })
    }
  }

  static func emptyCatches(_ file: SourceFile) -> [Finding] {
    file.code.matches(of: /\bcatch\b[^{}]*\{\s*\}/).map { match in
      let line = file.code[..<match.range.lowerBound].count { $0 == "\n" } + 1
      return Finding(line: line, advice: "say what the fault means: this catch hides it")
    }
  }

  /// Finds functions, initialisers and computed properties that are longer than the limit.
  static func functionLengths(_ file: SourceFile) -> [Finding] {
    let code = Array(file.code.utf8)
    var findings: [Finding] = []
    var line = 1
    for at in code.indices {
      if code[at] == UInt8(ascii: "\n") { line += 1 }
      guard declares(code, at), let open = bodyStart(in: code, from: at),
        let close = bodyEnd(in: code, from: open)
      else { continue }
      let lines = code[at...close].split(
        separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false
      )
      let count = lines.indices.count { !isTableRow(lines, $0) }
      if count > functionLineLimit {
        let advice = "split the function: \(count) lines, at most \(functionLineLimit)"
        findings.append(Finding(line: line, advice: advice))
      }
    }
    return findings
  }

  /// Finds decisions that read the permission of an administrator, but do not name the
  /// administrator as a subject.
  static func administratorSubjects(_ file: SourceFile) -> [Finding] {
    let code = Array(file.code.utf8)
    return file.code.matches(of: /\bfunc\b/).compactMap { match in
      let start = file.code.utf8.distance(
        from: file.code.startIndex, to: match.range.lowerBound)
      guard let open = bodyStart(in: code, from: start), let close = bodyEnd(in: code, from: open)
      else { return nil }
      let body = String(decoding: code[open...close], as: UTF8.self)
      guard body.contains("decide(") || body.contains("decideIdempotently("),
        body.contains("changedBy: rules"), !body.contains("rules.subject")
      else { return nil }
      let line = code[..<start].count { $0 == UInt8(ascii: "\n") } + 1
      return Finding(line: line, advice: "decide about rules.subject: the permission is read")
    }
  }

  /// Whether a line is `case .name: "a sentence"`, or part of such a case over several lines.
  ///
  /// A table of words is data and may be long.
  private static func isTableRow(_ lines: [ArraySlice<UInt8>], _ index: Int) -> Bool {
    let line = lines[index].drop { $0 == UInt8(ascii: " ") }
    let isCase = line.starts(with: "case ".utf8)
    if line.last == UInt8(ascii: "\"") {
      return isCase || line.starts(with: "\"".utf8) || line.starts(with: "+ \"".utf8)
    }
    guard isCase, line.last == UInt8(ascii: ":"), index + 1 < lines.count else { return false }
    return lines[index + 1].drop { $0 == UInt8(ascii: " ") }.starts(with: "\"".utf8)
  }

  /// Whether a keyword of a declaration with a possible body begins here.
  private static func declares(_ code: [UInt8], _ at: Int) -> Bool {
    guard "fidsvl".utf8.contains(code[at]) else { return false }
    if at > 0, isPartOfName(code[at - 1]) || ".`".utf8.contains(code[at - 1]) { return false }
    let end = code[at...].firstIndex { !isPartOfName($0) } ?? code.endIndex
    guard end - at <= 9 else { return false }
    let word = String(decoding: code[at..<end], as: UTF8.self)
    return ["func", "init", "deinit", "subscript", "var", "let"].contains(word)
  }

  /// Functions whose parameters are fixed, with the reason.
  private static let fixedParameters: Set<Substring> = [
    // OpenSSL calls it.
    "selectProtocol",
    // The tests of other projects call it, with the few values that they need.
    "addPerson",
  ]

  /// Finds functions with more parameters than the limit.
  ///
  /// An initializer that stores every parameter in the property of its name may have more.
  static func parameterCounts(_ file: SourceFile) -> [Finding] {
    let declaration = /(?:^|[^.\w])(?:func\s+([^\s(<]+)|init[?!]?)\s*(?:<[^(]*>)?\(/
    return file.code.matches(of: declaration).compactMap { match in
      let names = parameterNames(file.code[match.range.upperBound...])
      guard names.count > parameterLimit else { return nil }
      let isExempt =
        if let function = match.output.1 {
          fixedParameters.contains(function)
        } else {
          stores(names, Array(file.code[match.range.lowerBound...].utf8.dropFirst()))
        }
      if isExempt { return nil }
      let line = file.code[..<match.range.upperBound].count { $0 == "\n" } + 1
      let advice = "make a value of parameters: \(names.count), at most \(parameterLimit)"
      return Finding(line: line, advice: advice)
    }
  }

  /// The names, inside the function, of the parameters in the list that begins here.
  ///
  /// A comma inside a type or a default value separates no parameters.
  private static func parameterNames(_ text: Substring) -> [Substring] {
    var (depth, last, start) = (1, " " as Character, text.startIndex)
    var parameters: [Substring] = []
    for index in text.indices {
      switch text[index] {
      case "(", "[", "{", "<": depth += 1
      case ">" where last == "-": break
      case ")", "]", "}", ">": depth -= 1
      default: break
      }
      if depth == 0 || depth == 1 && text[index] == "," {
        parameters.append(text[start..<index])
        start = text.index(after: index)
      }
      if depth == 0 { break }
      last = text[index]
    }
    return parameters.compactMap {
      $0.prefix { $0 != ":" }.split(whereSeparator: \.isWhitespace).last
    }
  }

  /// Whether the body of the initializer at the start of `code` stores each of the parameters.
  private static func stores(_ names: [Substring], _ code: [UInt8]) -> Bool {
    guard let open = bodyStart(in: code, from: 0), let close = bodyEnd(in: code, from: open) else {
      return false
    }
    let body = String(decoding: code[open...close], as: UTF8.self)
    return names.allSatisfy { body.contains("self.\($0) = ") }
  }

  private static func isPartOfName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
      true
    default: false
    }
  }

  /// The position where the body of the declaration at `start` opens, or `nil` if it has none.
  private static func bodyStart(in code: [UInt8], from start: Int) -> Int? {
    var depth = 0
    for at in start..<code.count {
      switch code[at] {
      case UInt8(ascii: "("), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"):
        depth -= 1
        if depth < 0 { return nil }
      case UInt8(ascii: "{") where depth == 0: return at
      case UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: "\n") where depth == 0:
        let rest = code[at...].drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }
        let next = String(decoding: rest.prefix(8), as: UTF8.self)
        let goesOn = ["->", "where", "{", "async", "throws", "="].contains { next.hasPrefix($0) }
        if !goesOn { return nil }
      default: break
      }
    }
    return nil
  }

  private static func bodyEnd(in code: [UInt8], from open: Int) -> Int? {
    var depth = 0
    for at in open..<code.count {
      if code[at] == UInt8(ascii: "{") { depth += 1 }
      if code[at] == UInt8(ascii: "}") { depth -= 1 }
      if depth == 0 { return at }
    }
    return nil
  }
}

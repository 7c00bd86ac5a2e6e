/// How the rules read a file.
extension HouseRule {
  static func find(_ word: String, in file: SourceFile, advice: String) -> [Finding] {
    file.codeLines.enumerated().compactMap { index, line in
      line.contains(word) ? Finding(line: index + 1, advice: advice) : nil
    }
  }

  static func importedModules(_ file: SourceFile) -> [(line: Int, module: String)] {
    file.codeLines.enumerated().compactMap { index, line in
      let form =
        #/
        ^\s* (?: @\w+ (?: \(\w+\) )? \s+ )* (?: \w+ \s+ )? import \s+
        (?: (?: struct | class | enum | func | protocol | var ) \s+ )? (\w+)
        /#
      guard let match = line.firstMatch(of: form) else { return nil }
      return (index + 1, String(match.output.1))
    }
  }

  static func declaredTypes(_ file: SourceFile) -> [(line: Int, name: Substring)] {
    file.codeLines.enumerated().compactMap { index, line in
      let form = /\b(?:struct|class|enum|actor|protocol|typealias)\s+([A-Z]\w*)/
      return line.firstMatch(of: form).map { (index + 1, $0.output.1) }
    }
  }

  static func emptyCatches(_ file: SourceFile) -> [Finding] {
    file.code.matches(of: /\bcatch\b[^{}]*\{\s*\}/).map { match in
      let line = file.code[..<match.range.lowerBound].count { $0 == "\n" } + 1
      return Finding(line: line, advice: "say what the fault means: this catch hides it")
    }
  }

  /// Functions, initialisers and computed values that are longer than the limit.
  static func functionLengths(_ file: SourceFile) -> [Finding] {
    let code = Array(file.code.unicodeScalars)
    let starts = file.code.matches(of: /(?:^|[^.\w`])(func|init|deinit|subscript|var|let)\b/)
    let scalars = file.code.unicodeScalars
    return starts.compactMap { match in
      let start = scalars.distance(from: scalars.startIndex, to: match.output.1.startIndex)
      guard let open = bodyStart(in: code, from: start), let close = bodyEnd(in: code, from: open)
      else { return nil }
      let count = code[start...close].count { $0 == "\n" } + 1
      guard count > functionLineLimit else { return nil }
      let line = code[..<start].count { $0 == "\n" } + 1
      return Finding(
        line: line, advice: "split the function: \(count) lines, at most \(functionLineLimit)"
      )
    }
  }

  /// Where the body of the declaration at `start` opens, or nil when it has none.
  private static func bodyStart(in code: [Unicode.Scalar], from start: Int) -> Int? {
    var depth = 0
    var at = start
    while at < code.count {
      switch code[at] {
      case "(", "[": depth += 1
      case ")", "]", "}":
        depth -= 1
        if depth < 0 { return nil }
      case "{" where depth == 0: return at
      case "{": depth += 1
      case "\n" where depth == 0:
        let next = String(
          String.UnicodeScalarView(code[at...].drop { $0 == " " || $0 == "\n" }.prefix(8))
        )
        let goesOn = ["->", "where", "{", "async", "throws", "="].contains { next.hasPrefix($0) }
        if !goesOn { return nil }
      default: break
      }
      at += 1
    }
    return nil
  }

  private static func bodyEnd(in code: [Unicode.Scalar], from open: Int) -> Int? {
    var depth = 0
    for at in open..<code.count {
      if code[at] == "{" { depth += 1 }
      if code[at] == "}" { depth -= 1 }
      if depth == 0 { return at }
    }
    return nil
  }
}

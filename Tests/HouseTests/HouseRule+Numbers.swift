/// The rule for numbers from outside (L-36).
extension HouseRule {
  /// The files that read numbers, each with its range.
  static let numberReaders: Set = [
    "Sources/Portable/JSONText/JSON.swift",
    "Sources/Portable/JSONText/JSON+Quantities.swift",
    "Sources/Portable/JSONText/JSONReader.swift",
    "Sources/Portable/SignInModel/WholeNumber.swift",
    // Reads a port as 16 bits, after checking every digit.
    "Sources/Service/SignInService/Configuration/Host.swift",
    "Sources/Service/SignInService/Configuration/ListenAddress.swift",
    "Sources/Service/SignInService/Configuration/WebAddress.swift",
    // Writes one number in two forms and does no arithmetic.
    "Sources/Service/SignInService/Messages/RecordReport.swift",
  ]

  /// Finds numbers that are read without a range.
  ///
  /// The first sum or product of such a number may trap.
  static func unboundedNumbers(_ file: SourceFile) -> [Finding] {
    guard let layer = file.layer, layer != "Testing", !numberReaders.contains(file.path)
    else { return [] }
    let texts = file.code.matches(
      of: /\b(?:guard|if|while)\b[^{]*?\blet\s+\w+\s*=\s*U?Int(?:8|16|32|64)?\((?!exactly:)/
    ).map(\.range)
    let closures = file.code.matches(of: /[mM]ap\s*\{\s*Int(?:64)?\(\$0\)\s*\}/).map(\.range)
    let mapped = file.code.matches(of: /(?:flat|compact)Map\(\s*U?Int(?:8|16|32|64)?\.init/)
      .map(\.range)
    let members = file.code.matches(of: /\]\??\.number\b(?!\()/).map(\.range)
    let columns = file.code.matches(of: /\bsqlite3_column_int/).filter { _ in
      file.path != "Sources/Adapters/SQLStore/Records/Row.swift"
    }.map(\.range)
    return (texts + closures + mapped).map {
      finding(file, $0, "read it with WholeNumber.read and the range it can have")
    }
      + members.map { finding(file, $0, "read it with its range: number(in:), seconds, count …") }
      + columns.map { finding(file, $0, "read it with Row, which bounds it") }
  }

  /// A finding at the end of the match, where the number is.
  private static func finding(
    _ file: SourceFile, _ range: Range<String.Index>, _ advice: String
  ) -> Finding {
    Finding(line: file.code[..<range.upperBound].count { $0 == "\n" } + 1, advice: advice)
  }
}

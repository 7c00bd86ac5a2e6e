/// The rule for the stored properties of the types of a sign-in and of a session.
extension HouseRule {
  static let storedPropertyLimit = 7

  private static let sessionFolders = ["SignInEngine/", "SignInFlow/"].map {
    "Sources/Portable/" + $0
  }

  /// Parts of the folder that do not belong to the session: homes and offline copies, forms with
  /// their fields, and the record of one request.
  private static let otherParts = [
    "Homes/", "Offline/", "Call.swift", "InvitationAcceptance", "OwnAccountForm", "PasswordChange",
    "PasswordResetForm", "RiderRegistration", "TechnicianSignIn",
  ]

  /// Finds structures with more stored properties than a reader can keep in mind.
  static func storedProperties(_ file: SourceFile) -> [Finding] {
    guard let folder = sessionFolders.first(where: file.path.hasPrefix),
      !otherParts.contains(where: { file.path.hasPrefix(folder + $0) })
    else { return [] }
    var findings: [Finding] = []
    var depth = 0
    var types: [(name: Substring, line: Int, depth: Int, count: Int)] = []
    for (index, line) in file.codeLines.enumerated() {
      if let type = line.firstMatch(of: typeStart) {
        types.append((type.output.1, index + 1, depth, 0))
      } else if let last = types.indices.last, depth == types[last].depth + 1,
        line.contains(storedProperty)
      {
        types[last].count += 1
      }
      depth += line.count { $0 == "{" } - line.count { $0 == "}" }
      while line.contains("}"), let type = types.last, depth <= type.depth {
        types.removeLast()
        guard type.count > storedPropertyLimit else { continue }
        let advice = "group the \(type.count) properties of \(type.name): what changes together"
        findings.append(Finding(line: type.line, advice: advice))
      }
    }
    return findings
  }

  private static var typeStart: Regex<(Substring, Substring)> {
    #/^ *(?:[a-z]+ )*(?:struct|enum|extension|protocol) ([A-Za-z.]+)/#
  }

  /// A property that is not computed: without a brace before its value.
  private static var storedProperty: Regex<Substring> {
    #/^ *(?:(?:public|private|fileprivate)(?:\(set\))? )*(?:let|var) \w+(?:: [^{=]+)?(?: = .*)?$/#
  }
}

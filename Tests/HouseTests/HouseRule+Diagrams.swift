/// The rule for the diagrams of state machines.
extension HouseRule {
  private static let enginePath = "Sources/Portable/SignInEngine/"

  /// Finds states of the client's engine that the diagram of their state machine does not name.
  ///
  /// The diagram is in the comment before the type. The states are the first enumeration in it with
  /// one of these names.
  static func diagrams(_ file: SourceFile) -> [Finding] {
    guard file.path.hasPrefix(enginePath),
      let start = file.codeLines.firstIndex(where: { $0.contains(statesStart) })
    else { return [] }
    let comments = file.lines.prefix(start).filter { $0.contains(#/^ *\/\/\//#) }
    guard comments.contains(where: { $0.contains("──") }) else {
      return [Finding(line: start + 1, advice: "draw the states in the comment of the type")]
    }
    let drawn = words(comments.joined(separator: " "))
    let end = file.codeLines[start...].firstIndex { $0.hasPrefix("  }") } ?? file.codeLines.endIndex
    return (start..<end).compactMap { index in
      guard let state = file.codeLines[index].firstMatch(of: #/^ *case ([A-Za-z]+)/#)?.output.1,
        !drawn.contains(words(String(state)))
      else { return nil }
      return Finding(line: index + 1, advice: "draw the state \(state)")
    }
  }

  private static var statesStart: Regex<Substring> {
    #/^  (?:[a-z]+ )*enum (?:Stage|Step|Renewal|Activity|State):/#
  }

  /// The words of a text in lower case, each between spaces.
  private static func words(_ text: String) -> String {
    var words = " "
    for character in text {
      if character.isUppercase { words += " " }
      if character.isLetter { words += character.lowercased() } else { words += " " }
    }
    return words.split(separator: " ").map { " \($0)" }.joined() + " "
  }
}

import JSONText

extension JSON {
  /// The text of a member, or an empty text if the key is absent or the check has noted a mistake.
  func string(_ key: String) -> String { self[key]?.text ?? "" }

  func strings(_ key: String) -> [String] {
    (self[key]?.elements ?? []).compactMap(\.text)
  }

  func validText(_ key: String, _ form: TextFormat) -> String? {
    guard let text = self[key]?.text, form.problem(text) == nil else { return nil }
    return text
  }

  func read(_ key: String, _ range: ClosedRange<Int64>, into number: inout Int64) {
    if let found = self[key]?.number(in: range) { number = found }
  }
}

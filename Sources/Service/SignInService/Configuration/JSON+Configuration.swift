import JSONText

extension JSON {
  /// The text, or an empty one where the check has noted a mistake or the key may be absent.
  func string(_ key: String) -> String { self[key]?.text ?? "" }

  func strings(_ key: String) -> [String] {
    (self[key]?.elements ?? []).compactMap(\.text)
  }

  func validText(_ key: String, _ form: TextForm) -> String? {
    guard let text = self[key]?.text, form.problem(text) == nil else { return nil }
    return text
  }

  func read(_ key: String, _ range: ClosedRange<Int64>, into number: inout Int64) {
    if let found = self[key]?.number(in: range) { number = found }
  }
}

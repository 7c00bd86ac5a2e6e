internal import JSONText

/// The whole name of a person, which a text about others can contain.
public struct NameInText: Equatable, Sendable {
  public let text: String

  public init(_ text: String) {
    self.text = text
  }

  /// The name as a JSON text contains it.
  public var inJSON: NameInText {
    NameInText(String(decoding: JSON.string(text).utf8.dropFirst().dropLast(), as: UTF8.self))
  }

  /// Whether the text contains the name.
  ///
  /// A name of one word must be a whole word there, because it can be a part of many others. A name
  /// of several words can have an ending.
  public func occurs(in content: String) -> Bool {
    let (all, name) = (Array(content.unicodeScalars), Array(text.unicodeScalars))
    guard !name.isEmpty, name.count <= all.count else { return false }
    let mustBeWord = !name.contains(" ")
    for start in 0...(all.count - name.count) {
      let end = start + name.count
      guard all[start] == name[0], all[start..<end] == name[...] else { continue }
      if !mustBeWord { return true }
      let begins = start == 0 || !Self.isOfWord(all[start - 1])
      let ends = end == all.count || !Self.isOfWord(all[end])
      if begins, ends { return true }
    }
    return false
  }

  /// A mark changes the letter before it, so the word continues with it.
  private static func isOfWord(_ scalar: Unicode.Scalar) -> Bool {
    let properties = scalar.properties
    return properties.isAlphabetic || properties.numericType != nil || properties.isGraphemeExtend
  }
}

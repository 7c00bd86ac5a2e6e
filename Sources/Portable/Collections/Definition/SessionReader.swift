public import JSONText
import SignInModel

extension CollectionDefinition {
  /// Reads a definition of a session, as the server wrote it.
  ///
  /// A server can be newer than an app. So members that this version does not know are ignored, and
  /// so are fields of a type that it does not know. It is `nil` without a name or a field.
  public init?(session json: JSON) {
    var reader = SessionReader(json)
    var read = CollectionDefinition()
    read.visit(&reader)
    guard reader.isReadable, !read.fields.isEmpty else { return nil }
    self = read
  }
}

/// Reads what the server wrote, without collecting mistakes.
struct SessionReader: DefinitionVisitor {
  private let json: JSON
  /// Whether all members that must be there were there.
  private(set) var isReadable: Bool

  init(_ json: JSON) {
    self.json = json
    isReadable = json.objectMembers != nil
  }

  private func names(_ key: DefinitionKey) -> [String]? {
    json.elements(key.rawValue)?.compactMap { $0.text }
  }

  func flag(_ key: DefinitionKey, _ value: inout Bool) { value = json.flag(key.rawValue) ?? value }

  func number(_ key: DefinitionKey, _ value: inout Int64?, in range: ClosedRange<Int64>) {
    value = json[key.rawValue]?.number(in: range)
  }

  func decimal(_ key: DefinitionKey, _ value: inout DecimalNumber?) {
    value = json[key.rawValue].flatMap { DecimalNumber(json: $0) }
  }

  mutating func name(_ key: DefinitionKey, _ value: inout String) {
    value = json.text(key.rawValue) ?? ""
    if value.isEmpty { isReadable = false }
  }

  func name(_ key: DefinitionKey, ifPresent value: inout String?) {
    value = json.text(key.rawValue)
  }

  func names(_ key: DefinitionKey, _ value: inout [String], upTo _: Int) {
    value = names(key) ?? value
  }

  func names(_ key: DefinitionKey, ifPresent value: inout [String]?, upTo _: Int) {
    value = names(key)
  }

  func text(_ key: DefinitionKey, _ value: inout LocalizedText?, isRequired _: Bool) {
    value = json.text(key.rawValue).map { LocalizedText($0) }
  }

  mutating func word<Word: DefinitionWord>(
    _ key: DefinitionKey, _ value: inout Word, ifAbsent usual: Word?
  ) {
    if let word = json.text(key.rawValue).flatMap({ Word.first(named: $0) }) {
      value = word
    } else if usual == nil {
      isReadable = false
    }
  }

  func words<Word: DefinitionWord>(_ key: DefinitionKey, _ value: inout [Word]) {
    value = names(key)?.compactMap { Word.first(named: $0) } ?? value
  }

  func value(_ key: DefinitionKey, _ value: inout FieldValue?, of field: FieldDefinition) {
    guard let json = json[key.rawValue] else { return }
    do throws(CollectionMistake) {
      value = try field.read(json, at: field.name)
    } catch {
      value = nil
    }
  }

  func part<Part: DefinitionPart>(_ key: DefinitionKey, _ value: inout Part?) {
    value = json[key.rawValue].flatMap { Self.part($0) }
  }

  func parts<Part: DefinitionPart>(
    _ key: DefinitionKey, _ value: inout [Part], in _: ClosedRange<Int>
  ) {
    value = json.elements(key.rawValue)?.compactMap { Self.part($0) } ?? value
  }

  private static func part<Part: DefinitionPart>(_ json: JSON) -> Part? {
    var reader = SessionReader(json)
    var part = Part()
    part.visit(&reader)
    return reader.isReadable ? part : nil
  }
}

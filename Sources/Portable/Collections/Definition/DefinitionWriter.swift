public import JSONText
import SignInModel

extension CollectionDefinition {
  /// The definition as a configuration has it, without members that have their usual value.
  public var json: JSON { DefinitionWriter.json(self) }

  /// The definition for the session of a person: in one language, with what an app needs to draw.
  ///
  /// Roles, who sees the records and what only others may change are left out.
  public func json(in language: String) -> JSON {
    var own = self
    own.roles = []
    own.visibleTo = .person
    for index in own.fields.indices {
      own.fields[index].changedBy.removeAll { $0 != .person }
      own.fields[index].filledBy.removeAll { $0 != .person }
    }
    return DefinitionWriter.json(own, in: language)
  }
}

/// Writes the members that do not have their usual value.
struct DefinitionWriter: DefinitionVisitor {
  /// `nil` for all languages.
  private let language: String?
  private var members: [JSONMember] = []

  static func json(_ part: some DefinitionPart, in language: String? = nil) -> JSON {
    var writer = DefinitionWriter(language: language)
    var part = part
    part.visit(&writer)
    return .object(writer.members)
  }

  private init(language: String?) { self.language = language }

  private mutating func add(_ key: DefinitionKey, _ value: JSON) {
    members.append(JSONMember(key.rawValue, value))
  }

  mutating func flag(_ key: DefinitionKey, _ value: inout Bool) {
    if value { add(key, .bool(true)) }
  }

  mutating func number(
    _ key: DefinitionKey, _ value: inout Int64?, in _: ClosedRange<Int64>
  ) {
    if let value { add(key, .int(value)) }
  }

  mutating func decimal(_ key: DefinitionKey, _ value: inout DecimalNumber?) {
    if let value { add(key, value.json) }
  }

  mutating func name(_ key: DefinitionKey, _ value: inout String) { add(key, .string(value)) }

  mutating func name(_ key: DefinitionKey, ifPresent value: inout String?) {
    if let value { add(key, .string(value)) }
  }

  mutating func names(_ key: DefinitionKey, _ value: inout [String], upTo _: Int) {
    if !value.isEmpty { add(key, .array(value.map { .string($0) })) }
  }

  mutating func names(_ key: DefinitionKey, ifPresent value: inout [String]?, upTo _: Int) {
    if let value { add(key, .array(value.map { .string($0) })) }
  }

  mutating func text(_ key: DefinitionKey, _ value: inout LocalizedText?, isRequired _: Bool) {
    guard let value else { return }
    if let language {
      add(key, .string(value.text(in: language)))
    } else {
      add(key, value.json)
    }
  }

  mutating func word<Word: DefinitionWord>(
    _ key: DefinitionKey, _ value: inout Word, ifAbsent usual: Word?
  ) {
    if value != usual { add(key, .string(value.rawValue)) }
  }

  mutating func words<Word: DefinitionWord>(_ key: DefinitionKey, _ value: inout [Word]) {
    if !value.isEmpty { add(key, .array(value.map { .string($0.rawValue) })) }
  }

  mutating func value(
    _ key: DefinitionKey, _ value: inout FieldValue?, of _: FieldDefinition
  ) {
    if let value { add(key, value.json) }
  }

  mutating func part<Part: DefinitionPart>(_ key: DefinitionKey, _ value: inout Part?) {
    if let value { add(key, Self.json(value, in: language)) }
  }

  mutating func parts<Part: DefinitionPart>(
    _ key: DefinitionKey, _ value: inout [Part], in _: ClosedRange<Int>
  ) {
    if !value.isEmpty { add(key, .array(value.map { Self.json($0, in: language) })) }
  }
}

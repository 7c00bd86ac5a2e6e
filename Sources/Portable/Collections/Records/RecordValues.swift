public import JSONText
import SignInModel

/// The values of one record, in the order of the fields of its collection.
///
/// A record has no value for an empty field. The stored form and the form on the wire are the same.
public struct RecordValues: Equatable, Sendable {
  public struct Member: Equatable, Sendable {
    public let name: String
    public let value: FieldValue
  }

  public private(set) var members: [Member] = []

  public init() {}

  public subscript(_ name: String) -> FieldValue? {
    members.first { $0.name.hasSameBytes(as: name) }?.value
  }

  /// Sets or removes the value of a field, and keeps the order of the fields.
  public mutating func set(
    _ value: FieldValue?, of name: String, in definition: CollectionDefinition
  ) {
    members.removeAll { $0.name.hasSameBytes(as: name) }
    guard let value else { return }
    var at = 0
    for field in definition.fields {
      if field.name.hasSameBytes(as: name) {
        members.insert(Member(name: field.name, value: value), at: at)
        return
      }
      if at < members.count, members[at].name.hasSameBytes(as: field.name) { at += 1 }
    }
  }

  public var json: JSON { .members(members.map { JSONMember($0.name, $0.value.json) }) }

  /// The names of the fields that have another value than before, in the order of the fields.
  public func changedFields(
    from earlier: RecordValues, in definition: CollectionDefinition
  ) -> [String] {
    definition.fields.map { $0.name }.filter { self[$0] != earlier[$0] }
  }
}

// MARK: - Reading

extension RecordValues {
  /// Reads stored values, or those of an answer, which were checked before.
  ///
  /// A definition can change after a record was stored. So a value stays if its choice no longer
  /// has it, or if it is longer than a new limit. Members without a field, and those of another
  /// type, are left out.
  public init(stored json: JSON, in definition: CollectionDefinition) {
    for field in definition.fields {
      guard let value = json[field.name].flatMap({ FieldValue(stored: $0, of: field.type) }) else {
        continue
      }
      members.append(Member(name: field.name, value: value))
    }
  }

  /// The form for storage, with the values that the stored form has in removed fields.
  ///
  /// So a change of a record loses nothing if the field is added again.
  public func json(keeping stored: JSON, in definition: CollectionDefinition) -> JSON {
    let removed = stored.objectMembers?.filter { definition.field($0.key) == nil }
    return .object((json.objectMembers ?? []) + (removed ?? []))
  }

  /// Reads all values of a record that another system writes or a person creates.
  ///
  /// - Throws: All mistakes, among them required fields without a value or a default.
  public static func read(
    _ json: JSON, in definition: CollectionDefinition, at path: String = "values"
  ) throws(CollectionMistakes) -> RecordValues {
    var list = MistakeList()
    let given = RecordChange.members(json, in: definition, at: path, &list)
    var values = RecordValues()
    for field in definition.fields where field.type.isValue {
      let read = given.first { $0.name.hasSameBytes(as: field.name) }?.value
      guard let value = read ?? field.defaultValue else {
        let path = path.member(field.name)
        if field.isRequired, !list.hasMistake(at: path) {
          list.note(path, "is missing", field.remedy)
        }
        continue
      }
      values.members.append(Member(name: field.name, value: value))
    }
    values.check(in: definition, path, &list)
    try list.finish()
    return values
  }

  /// Checks what concerns several values.
  func check(
    in definition: CollectionDefinition, _ path: String, _ list: inout MistakeList
  ) {
    if let starts = definition.list?.starts, let ends = definition.list?.ends,
      case .time(let start)? = self[starts], case .time(let end)? = self[ends], end < start
    {
      list.note(path.member(ends), "is before \(starts)", "write a later time")
    }
    if json.utf8.count > CollectionLimits.recordBytes {
      list.note(
        path, "has more than \(CollectionLimits.recordBytes) bytes", "write shorter texts")
    }
  }
}

// MARK: - Search

extension RecordValues {
  /// The text in which words of a search are looked for, folded.
  ///
  /// A value of a choice is found by its titles. A text with a digit is there once more, without
  /// its separators, so that `sn1234` finds `SN 12-34`.
  public func searchedText(in definition: CollectionDefinition) -> [UInt8] {
    var (folded, joined): ([UInt8], [UInt8]) = ([], [])
    for name in definition.shownList.search {
      guard let value = self[name], let field = definition.field(name) else { continue }
      for text in Self.words(of: value, field) {
        let word = FoldedText.fold(text)
        folded += word + [0x20]
        let short = SearchWords.join(word)
        if short.count < word.count, short.contains(where: { $0 >= 0x30 && $0 <= 0x39 }) {
          joined += short + [0x20]
        }
      }
    }
    return folded + joined
  }

  private static func words(of value: FieldValue, _ field: FieldDefinition) -> [String] {
    switch value {
    case .text(let text):
      field.type == .choice ? field.value(text)?.title?.entries.map { $0.text } ?? [] : [text]
    case .integer(let number): [String(number)]
    case .decimal, .flag, .day, .time: []
    }
  }
}

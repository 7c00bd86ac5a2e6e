public import JSONText
import SignInModel

extension CollectionDefinition {
  /// The list of collections in a configuration, as JSON Schema 2020-12.
  ///
  /// It describes keys, types, words and ranges. Only `read` checks the rules between keys.
  public static var schema: JSON {
    DefinitionSchema.list(Self.self, in: 0...CollectionLimits.collections)
  }
}

/// Describes the members of a definition.
///
/// An object whose keys depend on its type is described with the keys of all types.
struct DefinitionSchema: DefinitionVisitor {
  private var properties: [JSONMember] = []
  /// The keys that an object of the visited type must have.
  private var required: [DefinitionKey] = []

  static func object<Part: DefinitionPart>(_: Part.Type) -> JSON {
    var schema = DefinitionSchema()
    var always: [DefinitionKey]?
    for variant in Part.variants {
      var part = variant
      schema.required = []
      part.visit(&schema)
      let required = schema.required
      always = always.map { $0.filter { required.contains($0) } } ?? required
    }
    return .members([
      member(.type, "object"), JSONMember("additionalProperties", false),
      JSONMember("required", .array((always ?? []).map { .string($0.rawValue) })),
      JSONMember("properties", .object(schema.properties)),
    ])
  }

  static func list<Part: DefinitionPart>(_: Part.Type, in counts: ClosedRange<Int>) -> JSON {
    list(of: object(Part.self), in: counts)
  }

  private static func list(of element: JSON, in counts: ClosedRange<Int>) -> JSON {
    .members([
      member(.type, "array"), JSONMember("minItems", Int64(counts.lowerBound)),
      JSONMember("maxItems", Int64(counts.upperBound)), JSONMember("items", element),
    ])
  }

  private static func member(_ key: DefinitionKey, _ type: String) -> JSONMember {
    JSONMember(key.rawValue, type)
  }

  private static func type(_ type: String) -> JSON { .members([member(.type, type)]) }

  private static func words<Word: DefinitionWord>(_: Word.Type) -> JSON {
    .members([JSONMember("enum", .array(Word.allCases.map { .string($0.rawValue) }))])
  }

  /// Adds a member, or replaces it if it is there.
  private mutating func add(_ key: DefinitionKey, _ schema: JSON, isRequired: Bool = false) {
    if isRequired { required.append(key) }
    let help = JSONMember("description", key.help)
    let value = JSON.object([help] + (schema.objectMembers ?? []))
    if let index = properties.firstIndex(where: { $0.isNamed(key.rawValue) }) {
      properties[index] = JSONMember(key.rawValue, value)
    } else {
      properties.append(JSONMember(key.rawValue, value))
    }
  }

  // MARK: Members

  mutating func flag(_ key: DefinitionKey, _: inout Bool) { add(key, Self.type("boolean")) }

  mutating func number(_ key: DefinitionKey, _: inout Int64?, in range: ClosedRange<Int64>) {
    let earlier = properties.first { $0.isNamed(key.rawValue) }?.value.count("maximum")
    add(
      key,
      .members([
        Self.member(.type, "integer"), JSONMember("minimum", range.lowerBound),
        JSONMember("maximum", Swift.max(range.upperBound, earlier ?? range.upperBound)),
      ]))
  }

  mutating func decimal(_ key: DefinitionKey, _: inout DecimalNumber?) {
    add(key, Self.type("number"))
  }

  mutating func name(_ key: DefinitionKey, _: inout String) {
    add(key, Self.type("string"), isRequired: true)
  }

  mutating func name(_ key: DefinitionKey, ifPresent _: inout String?) {
    add(key, Self.type("string"))
  }

  mutating func names(_ key: DefinitionKey, _: inout [String], upTo limit: Int) {
    add(key, Self.list(of: Self.type("string"), in: 0...limit))
  }

  mutating func names(_ key: DefinitionKey, ifPresent _: inout [String]?, upTo limit: Int) {
    add(key, Self.list(of: Self.type("string"), in: 0...limit))
  }

  mutating func text(_ key: DefinitionKey, _: inout LocalizedText?, isRequired: Bool) {
    let languages = JSON.members([
      Self.member(.type, "object"),
      JSONMember(DefinitionKey.required.rawValue, .array([.string(LocalizedText.fallback)])),
      JSONMember("additionalProperties", Self.type("string")),
    ])
    let forms = JSON.array([Self.type("string"), languages])
    add(key, .members([JSONMember("anyOf", forms)]), isRequired: isRequired)
  }

  mutating func word<Word: DefinitionWord>(
    _ key: DefinitionKey, _: inout Word, ifAbsent usual: Word?
  ) {
    add(key, Self.words(Word.self), isRequired: usual == nil)
  }

  mutating func words<Word: DefinitionWord>(_ key: DefinitionKey, _: inout [Word]) {
    add(key, Self.list(of: Self.words(Word.self), in: 0...Word.allCases.count))
  }

  mutating func value(_ key: DefinitionKey, _: inout FieldValue?, of _: FieldDefinition) {
    add(key, .object([]))
  }

  mutating func part<Part: DefinitionPart>(_ key: DefinitionKey, _: inout Part?) {
    add(key, Self.object(Part.self))
  }

  mutating func parts<Part: DefinitionPart>(
    _ key: DefinitionKey, _: inout [Part], in counts: ClosedRange<Int>
  ) {
    add(key, Self.list(Part.self, in: counts), isRequired: counts.lowerBound > 0)
  }
}

extension DefinitionKey {
  /// Its purpose, as one sentence without a full stop.
  var help: String {
    switch self {
    case .action: "Words of the button that sets the value, if they are not the title"
    case .asksFor: "The field that a person fills in together with the value"
    case .badge: "The choice or expiry that each row shows"
    case .belongsTo: "The choice that the field explains; it is emptied when the choice changes"
    case .changedBy:
      "Who may change the field: people only if they are named; administrators and programs unless"
        + " only the other one is named"
    case .collection: "The name of a collection"
    case .confirm: "Whether an app asks the person before it sets the value"
    case .counts: "Whether the list counts finished and other records"
    case .createFrom: "The record on whose page people create a record of this collection"
    case .decimals: "The most digits after the point"
    case .defaultValue: "The value of a new record that has none"
    case .ends: "The field with the end"
    case .field: "The field that gets the id of the record"
    case .fields: "The fields, in their order"
    case .filledBy: "Who may also fill in the field when they create a record"
    case .finished: "Values of the badge that need no more work"
    case .help: "What helps a person to fill in the field"
    case .inProgress: "Values of the badge that a person works on"
    case .kind: "A schedule by day, or a catalogue with a search"
    case .lines: "The fields below the title of a row"
    case .list: "How an app lists the records; if absent, it follows from the fields"
    case .max: "The greatest number"
    case .maxBytes: "The most bytes of the text in UTF-8"
    case .min: "The smallest number"
    case .name: "The name in requests and answers, which never changes"
    case .next: "The values that a person may choose after this one; if absent, all"
    case .offline: "Whether a change may wait on a device without a network"
    case .peopleMay: "What people may do with whole records"
    case .photo: "The field with the picture of a row"
    case .record: "The sections of the page of a record; if absent, all fields in their order"
    case .required: "Whether every record has a value"
    case .roles: "The roles whose people use the collection; if absent, all"
    case .search: "The fields in which words are searched"
    case .starts: "The field with the start"
    case .title:
      "What people see: a text, or an object with a text for each language; in a list, a field"
    case .tone: "How good or bad the value is, as a colour"
    case .type: "What the field contains"
    case .value: "The value in requests and answers, which never changes"
    case .values: "The values of the choice"
    case .visibleTo: "Who sees a record: its account, or the members of its organization"
    case .warnDays: "The days before the last one in which the badge warns"
    }
  }
}

import SignInModel

/// The rules between the parts of a definition, such as that a list names fields that exist.
///
/// A part with an empty name has been noted by the reader, so nothing more is said about it.
struct DefinitionRules {
  /// Members of a record, and columns of a table, beside the values.
  static let reservedFields = [
    "account", "awaiting", "changed_at", "deleted", "files", "id", "organization", "removed",
    "values", "version",
  ]
  /// Scopes that are not those of a collection.
  static let reservedCollections = [
    "account", "accounts", "address", "changes", "collections", "email", "introspect",
    "offline_access", "openid", "phone", "profile", "roles",
  ]

  let definitions: [CollectionDefinition]
  let roles: [String]
  var list: MistakeList
  /// The path of the definition that is checked.
  private var current = ""

  init(_ definitions: [CollectionDefinition], roles: [String], _ list: MistakeList) {
    (self.definitions, self.roles, self.list) = (definitions, roles, list)
  }

  mutating func check(at path: String) {
    checkNames(
      definitions.map { $0.name }, path, .name,
      NameRule("collection", reserved: Self.reservedCollections))
    for (index, definition) in definitions.enumerated() {
      check(definition, path.element(index))
    }
  }

  private mutating func check(_ definition: CollectionDefinition, _ path: String) {
    current = path
    for (index, role) in definition.roles.enumerated() {
      checkKnown(role, among: roles, path.member(.roles).element(index), "a role")
    }
    checkNames(
      definition.fields.map { $0.name }, path.member(.fields), .name,
      NameRule("field", reserved: Self.reservedFields))
    for (index, field) in definition.fields.enumerated() {
      check(field, of: definition, path.member(.fields).element(index))
    }
    checkActions(definition, path)
    checkSource(definition, path)
    if let shown = definition.list { check(shown, of: definition, path.member(.list)) }
    for (index, section) in definition.record.enumerated() {
      let path = path.member(.record).element(index).member(.fields)
      checkFields(section.fields, of: definition, path)
    }
  }

  // MARK: Names

  /// How parts of one kind are named.
  struct NameRule {
    let kind: String
    let reserved: [String]
    /// Whether a name may begin with a digit.
    let isCode: Bool

    init(_ kind: String, reserved: [String] = [], isCode: Bool = false) {
      (self.kind, self.reserved, self.isCode) = (kind, reserved, isCode)
    }

    func allows(_ name: String) -> Bool {
      for (index, byte) in name.utf8.enumerated() {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"): continue
        case UInt8(ascii: "0")...UInt8(ascii: "9") where isCode || index > 0: continue
        case UInt8(ascii: "_") where index > 0: continue
        case UInt8(ascii: "-") where index > 0: continue
        default: return false
        }
      }
      return name.utf8.count <= CollectionLimits.nameBytes
    }

    var remedy: String {
      "write 1 to \(CollectionLimits.nameBytes) of a-z, 0-9, \"_\" and \"-\", beginning with a"
        + (isCode ? " letter or digit" : " letter")
    }
  }

  mutating func checkNames(
    _ names: [String], _ path: String, _ key: DefinitionKey, _ rule: NameRule
  ) {
    for (index, name) in names.enumerated() where !name.isEmpty {
      let path = path.element(index).member(key)
      if !rule.allows(name) {
        list.note(path, "is not a name", rule.remedy)
      } else if rule.reserved.contains(where: { $0.hasSameBytes(as: name) }) {
        list.note(path, "is reserved", "choose another name")
      } else if names[..<index].contains(where: { $0.hasSameBytes(as: name) }) {
        list.note(path, "is the name of another \(rule.kind)", "choose another name")
      }
    }
  }

  /// Notes a name that is none of the known ones, and returns whether it is known.
  @discardableResult
  mutating func checkKnown(
    _ name: String, among known: [String], _ path: String, _ kind: String
  ) -> Bool {
    guard !name.isEmpty else { return false }
    if known.contains(where: { $0.hasSameBytes(as: name) }) { return true }
    list.note(
      path, "is not \(kind)",
      .remedy(for: name, among: known, otherwise: "write \(known.quotedList)"))
    return false
  }

  /// The field with this name, if there is one and its type is one of these.
  @discardableResult
  mutating func checkField(
    _ name: String?, of definition: CollectionDefinition, _ path: String,
    types: [FieldType] = FieldType.allCases
  ) -> FieldDefinition? {
    guard let name else { return nil }
    let known = definition.fields.map { $0.name }.filter { !$0.isEmpty }
    guard checkKnown(name, among: known, path, "a field of this collection"),
      let field = definition.field(name)
    else { return nil }
    if types.contains(field.type) { return field }
    // A field with an unknown type has been noted.
    let place = definition.fields.firstIndex { $0.name.hasSameBytes(as: name) } ?? 0
    if !list.hasMistake(at: current.member(.fields).element(place).member(.type)) {
      list.note(
        path, "names a field of type \"\(field.type.rawValue)\"",
        "name a field of type \(types.map { $0.rawValue }.quotedList)")
    }
    return nil
  }

  mutating func checkFields(
    _ names: [String], of definition: CollectionDefinition, _ path: String,
    types: [FieldType] = FieldType.allCases
  ) {
    for (index, name) in names.enumerated() {
      checkField(name, of: definition, path.element(index), types: types)
    }
  }
}

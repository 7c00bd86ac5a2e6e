public import JSONText
import SignInModel

extension CollectionDefinition {
  /// Reads the collections of a configuration, which has these roles.
  ///
  /// It throws all mistakes: first those of single members, then those between the parts.
  public static func read(
    _ json: JSON, roles: [String], at path: String = "collections"
  ) throws(CollectionMistakes) -> [CollectionDefinition] {
    var reader = DefinitionReader(json, at: path)
    let definitions: [CollectionDefinition] = reader.parts(in: 0...CollectionLimits.collections)
    var rules = DefinitionRules(definitions, roles: roles, reader.list)
    rules.check(at: path)
    try rules.list.finish()
    return definitions
  }

  /// The mistakes of a new configuration that does not fit the records that are stored.
  ///
  /// `hasRecords` says whether a record of the collection has a value of the field; with an empty
  /// field, whether the collection has a record.
  public static func conflicts(
    from old: [CollectionDefinition], to new: [CollectionDefinition],
    at path: String = "collections", hasRecords: (_ collection: String, _ field: String) -> Bool
  ) -> [CollectionMistake] {
    var list = MistakeList()
    for (index, definition) in new.enumerated() {
      guard let earlier = old.first(where: { $0.name == definition.name }) else { continue }
      let path = path.element(index)
      if earlier.visibleTo != definition.visibleTo, hasRecords(definition.name, "") {
        list.note(
          path.member(.visibleTo),
          "was \"\(earlier.visibleTo.rawValue)\", and the collection has records",
          "write \"\(earlier.visibleTo.rawValue)\" again, or add a collection with another name")
      }
      for (place, field) in definition.fields.enumerated() {
        guard let other = earlier.field(field.name), hasRecords(definition.name, field.name) else {
          continue
        }
        let path = path.member(.fields).element(place)
        if other.type != field.type {
          list.note(
            path.member(.type), "was \"\(other.type.rawValue)\", and the field has records",
            remedy(other.type.rawValue))
        } else if let target = other.collection, field.collection != target {
          list.note(
            path.member(.collection), "was \"\(target)\", and the field has records",
            remedy(target))
        }
      }
    }
    return list.mistakes
  }

  private static func remedy(_ earlier: String) -> String {
    "write \"\(earlier)\" again, or add a field with another name and remove this one"
  }
}

import SignInModel

extension DefinitionRules {
  mutating func check(
    _ field: FieldDefinition, of definition: CollectionDefinition, _ path: String
  ) {
    if let min = field.min, let max = field.max, max < min {
      list.note(path.member(.max), "is less than min", "write a greater number")
    }
    if field.type == .photo, field.isRequired {
      list.note(
        path.member(.required), "is true for a photo, which is sent after its record",
        "remove it")
    }
    if field.isOffline, !field.mayChange(.person) {
      list.note(
        path.member(.offline), "is true for a field that people cannot change",
        "remove it, or add \"changed_by\": [\"person\"]")
    }
    checkRequired(field, of: definition, path)
    checkOwner(field, of: definition, path)
    if field.type == .record { checkCollection(field, path) }
    if field.type == .choice { checkChoice(field, of: definition, path.member(.values)) }
  }

  /// A person cannot create a record without the value of a required field.
  private mutating func checkRequired(
    _ field: FieldDefinition, of definition: CollectionDefinition, _ path: String
  ) {
    guard field.isRequired, field.type.isValue, definition.peopleMay.contains(.create),
      field.defaultValue == nil, !field.mayFill(.person),
      definition.createFrom?.field.hasSameBytes(as: field.name) != true,
      !list.hasMistake(at: path.member(.defaultValue))
    else { return }
    list.note(
      path.member(.required), "is true, but people who create a record cannot fill it in",
      "add \"filled_by\": [\"person\"] or a \"default\"")
  }

  /// A field explains a choice, which explains nothing itself.
  private mutating func checkOwner(
    _ field: FieldDefinition, of definition: CollectionDefinition, _ path: String
  ) {
    let required = path.member(.required)
    let path = path.member(.belongsTo)
    guard let owner = checkField(field.belongsTo, of: definition, path, types: [.choice]) else {
      return
    }
    if field.isRequired {
      list.note(
        required, "is true for a field that is emptied when \"\(owner.name)\" changes",
        "remove it, and add \"asks_for\" to the values that need the field")
    }
    if owner.name.hasSameBytes(as: field.name) {
      list.note(path, "names the field itself", "name the choice that it explains")
    } else if owner.belongsTo != nil {
      list.note(path, "names a field that belongs to another one", "name that other field")
    }
  }

  private mutating func checkCollection(_ field: FieldDefinition, _ path: String) {
    let path = path.member(.collection)
    guard let name = field.collection else {
      if !list.hasMistake(at: path) {
        list.note(path, "is missing", "write the name of the collection with the records")
      }
      return
    }
    checkKnown(name, among: definitions.map { $0.name }, path, "a collection")
  }

  // MARK: Choices

  private mutating func checkChoice(
    _ field: FieldDefinition, of definition: CollectionDefinition, _ path: String
  ) {
    let names = field.values.map { $0.value }
    checkNames(names, path, .value, NameRule("value", isCode: true))
    for (index, value) in field.values.enumerated() {
      let path = path.element(index)
      for (place, name) in (value.next ?? []).enumerated() {
        checkKnown(
          name, among: names, path.member(.next).element(place), "a value of this choice")
      }
      checkAsked(value, of: field, definition, path.member(.asksFor))
    }
    checkPaths(field, path)
  }

  private mutating func checkAsked(
    _ value: ChoiceValue, of field: FieldDefinition, _ definition: CollectionDefinition,
    _ path: String
  ) {
    guard let asked = checkField(value.asksFor, of: definition, path, types: FieldType.asked)
    else { return }
    if asked.name.hasSameBytes(as: field.name) {
      list.note(path, "names the field itself", "name the field that explains the value")
    } else if field.mayChange(.person), !asked.mayChange(.person) {
      list.note(
        path, "names a field that people cannot change",
        "add \"changed_by\": [\"person\"] to \"\(asked.name)\"")
    }
  }

  /// Finds values that no path reaches from the default.
  private mutating func checkPaths(_ field: FieldDefinition, _ path: String) {
    guard let start = field.defaultValue?.text else { return }
    var reached = [start]
    var at = 0
    while at < reached.count {
      let value = field.value(reached[at])
      at += 1
      for other in field.values where value?.mayPrecede(other.value) == true {
        if !reached.contains(where: { $0.hasSameBytes(as: other.value) }) {
          reached.append(other.value)
        }
      }
    }
    for (index, value) in field.values.enumerated()
    where !value.value.isEmpty && !reached.contains(where: { $0.hasSameBytes(as: value.value) }) {
      list.note(
        path.element(index).member(.value), "is reached by no path from \"\(start)\"",
        "add it to \"next\" of a value that is reached")
    }
  }

  // MARK: What people may do

  mutating func checkActions(_ definition: CollectionDefinition, _ path: String) {
    guard definition.visibleTo == .organization,
      let index = definition.peopleMay.firstIndex(of: .transfer)
    else { return }
    list.note(
      path.member(.peopleMay).element(index), "is impossible for records of an organization",
      "remove it, or write \"visible_to\": \"person\"")
  }

  mutating func checkSource(_ definition: CollectionDefinition, _ path: String) {
    guard let source = definition.createFrom else { return }
    let path = path.member(.createFrom)
    if !definition.peopleMay.contains(.create) {
      list.note(
        path, "needs people who may create records", "add \"people_may\": [\"create\"]")
    }
    let isKnown = checkKnown(
      source.collection, among: definitions.map { $0.name }, path.member(.collection),
      "a collection")
    let named = source.field.isEmpty ? nil : source.field
    let field = checkField(named, of: definition, path.member(.field), types: [.record])
    guard isKnown else { return }
    if let target = field?.collection, !target.hasSameBytes(as: source.collection) {
      list.note(
        path.member(.field), "names a record of \"\(target)\"",
        "name a field with a record of \"\(source.collection)\"")
    }
    if leadsBack(definition, from: source) {
      list.note(
        path.member(.collection), "leads back to this collection",
        "remove create_from of one of them")
    }
  }

  /// Whether the records of the source are created from records of the definition itself, with
  /// others between them or not.
  private func leadsBack(_ definition: CollectionDefinition, from source: CreationSource) -> Bool {
    var name: String? = source.collection
    for _ in 0...definitions.count {
      guard let next = name else { return false }
      if next.hasSameBytes(as: definition.name) { return true }
      name = definitions.first { $0.name.hasSameBytes(as: next) }?.createFrom?.collection
    }
    return false
  }

  // MARK: Lists

  mutating func check(
    _ shown: ListDefinition, of definition: CollectionDefinition, _ path: String
  ) {
    if shown.kind == .schedule {
      if shown.starts == nil, !list.hasMistake(at: path.member(.starts)),
        !list.hasMistake(at: path.member(.kind))
      {
        list.note(path.member(.starts), "is missing", "name a field of type \"time\"")
      }
      checkField(shown.starts, of: definition, path.member(.starts), types: [.time])
      checkField(shown.ends, of: definition, path.member(.ends), types: [.time])
    }
    let title = shown.title.isEmpty ? nil : shown.title
    checkField(title, of: definition, path.member(.title), types: FieldType.titles)
    let lines = FieldType.types { $0 != .photo }
    checkFields(shown.lines, of: definition, path.member(.lines), types: lines)
    let badge = checkField(
      shown.badge, of: definition, path.member(.badge), types: FieldType.badges)
    checkField(shown.photo, of: definition, path.member(.photo), types: [.photo])
    checkFields(
      shown.search, of: definition, path.member(.search), types: FieldType.searched)
    checkProgress(shown, badge, path)
  }

  private mutating func checkProgress(
    _ shown: ListDefinition, _ badge: FieldDefinition?, _ path: String
  ) {
    for (key, names) in [
      (DefinitionKey.inProgress, shown.inProgress), (.finished, shown.finished),
    ] where !names.isEmpty {
      guard let badge, badge.type == .choice else {
        if !list.hasMistake(at: path.member(.badge)) {
          list.note(path.member(key), "needs a badge that is a choice", "add \"badge\"")
        }
        continue
      }
      for (index, name) in names.enumerated() {
        checkKnown(
          name, among: badge.values.map { $0.value }, path.member(key).element(index),
          "a value of \"\(badge.name)\"")
      }
    }
    for (index, name) in shown.finished.enumerated()
    where !name.isEmpty && shown.inProgress.contains(where: { $0.hasSameBytes(as: name) }) {
      list.note(
        path.member(.finished).element(index), "is also in progress", "remove it from one of them")
    }
  }
}

public import JSONText
import SignInModel

/// Why a change of a record was not accepted.
public enum ChangeRefusal: Error, Equatable, Sendable {
  /// The party may not change this field.
  case notAllowed(field: String)
  /// People may not do this with records of the collection.
  case notOffered(PersonAction)
  /// A person may not choose `to` after `from`; `nil` is no value.
  case illegalTransition(field: String, from: String?, to: String?)
  /// A required field, or one that a value asks for, would have no value.
  case missing(field: String)
  case invalid(CollectionMistakes)
}

/// The values that a party wants a record to have.
///
/// The other values of the record stay as they are.
public struct RecordChange: Equatable, Sendable {
  public struct Member: Equatable, Sendable {
    public let name: String
    /// `nil` removes the value.
    public let value: FieldValue?

    public init(_ name: String, _ value: FieldValue?) {
      self.name = name
      self.value = value
    }
  }

  public let party: ChangeParty
  public let members: [Member]

  public init(by party: ChangeParty, _ members: [Member]) {
    self.party = party
    self.members = members
  }

  /// Reads the members of a request.
  ///
  /// - Throws: All mistakes.
  public init(
    reading json: JSON, by party: ChangeParty, in definition: CollectionDefinition,
    at path: String = "values"
  ) throws(CollectionMistakes) {
    var list = MistakeList()
    members = Self.members(json, in: definition, at: path, &list)
    self.party = party
    try list.finish()
  }

  static func members(
    _ json: JSON, in definition: CollectionDefinition, at path: String, _ list: inout MistakeList
  ) -> [Member] {
    guard let given = json.objectMembers else {
      list.note(
        path, "is \(json.typeName) where an object is expected", "write an object: { … }")
      return []
    }
    var members: [Member] = []
    for member in given {
      let path = path.member(.shown(member.key))
      guard let field = definition.field(member.key) else {
        let known = definition.fields.map { $0.name }
        list.note(
          path, "is not a field of this collection",
          .remedy(for: member.key, among: known, otherwise: "remove it"))
        continue
      }
      do throws(CollectionMistake) {
        members.append(Member(field.name, try field.read(member.value, at: path)))
      } catch {
        list.note(error)
      }
    }
    return members
  }

  // MARK: - Decisions

  /// The values after the change, which are the same if it changes nothing.
  ///
  /// A value that the record already has is no change, so a change can be repeated. People follow
  /// the paths of a choice and what its values ask for. Administrators and programs may set every
  /// value, because they correct records.
  public func values(
    after record: RecordValues, in definition: CollectionDefinition
  ) throws(ChangeRefusal) -> RecordValues {
    var values = record
    for member in members where record[member.name] != member.value {
      guard let field = definition.field(member.name), field.mayChange(party) else {
        throw .notAllowed(field: member.name)
      }
      if party == .person { try field.checkPath(from: record[member.name], to: member.value) }
      values.set(member.value, of: member.name, in: definition)
    }
    for field in definition.fields where isExplanation(field, outdatedBy: values, record) {
      values.set(nil, of: field.name, in: definition)
    }
    try check(values, after: record, in: definition)
    return values
  }

  /// Whether the change may wait on a device without a network.
  ///
  /// An explanation waits together with its choice.
  public func mayWait(in definition: CollectionDefinition) -> Bool {
    members.allSatisfy { member in
      guard let field = definition.field(member.name) else { return false }
      return field.isOffline || field.belongsTo.flatMap { definition.field($0) }?.isOffline == true
    }
  }

  private func names(_ field: FieldDefinition) -> Bool {
    members.contains { $0.name.hasSameBytes(as: field.name) }
  }

  /// Whether the field explains an earlier value of a choice.
  private func isExplanation(
    _ field: FieldDefinition, outdatedBy values: RecordValues, _ record: RecordValues
  ) -> Bool {
    guard let owner = field.belongsTo, !names(field) else { return false }
    return values[owner] != record[owner]
  }

  private func check(
    _ values: RecordValues, after record: RecordValues, in definition: CollectionDefinition
  ) throws(ChangeRefusal) {
    for field in definition.fields where field.isRequired && values[field.name] == nil {
      // A field that is required since the record was stored may stay empty.
      if names(field) || record[field.name] != nil { throw .missing(field: field.name) }
    }
    if party == .person {
      try definition.checkAsked(values, after: record)
    }
    var list = MistakeList()
    values.check(in: definition, "values", &list)
    do throws(CollectionMistakes) { try list.finish() } catch { throw .invalid(error) }
  }
}

extension FieldDefinition {
  /// Refuses a value of a choice that a person may not choose after another one.
  ///
  /// A value that the choice no longer has may be left for any other.
  func checkPath(from earlier: FieldValue?, to later: FieldValue?) throws(ChangeRefusal) {
    guard type == .choice, let name = earlier?.text, let value = value(name) else { return }
    if let next = later?.text {
      if value.mayPrecede(next) { return }
    } else if value.next == nil {
      return
    }
    throw .illegalTransition(field: self.name, from: name, to: later?.text)
  }
}

extension CollectionDefinition {
  /// Refuses a new value of a choice without the field that it asks for.
  func checkAsked(
    _ values: RecordValues, after record: RecordValues
  ) throws(ChangeRefusal) {
    for field in fields where field.type == .choice && values[field.name] != record[field.name] {
      guard let name = values[field.name]?.text, let asked = field.value(name)?.asksFor else {
        continue
      }
      guard let given = values[asked] else { throw .missing(field: asked) }
      if let text = given.text, TypedText.isBlank(text) { throw .missing(field: asked) }
    }
  }

  // MARK: - Whole records

  /// The values of a record that a person creates.
  ///
  /// A choice with a default begins with it, or with a value that may follow it.
  public func valuesCreatedByPerson(_ json: JSON) throws(ChangeRefusal) -> RecordValues {
    guard peopleMay.contains(.create) else { throw .notOffered(.create) }
    let values: RecordValues
    do throws(CollectionMistakes) {
      values = try RecordValues.read(json, in: self)
    } catch {
      throw .invalid(error)
    }
    var initial = RecordValues()
    for field in fields {
      initial.set(field.defaultValue, of: field.name, in: self)
      guard values[field.name] != field.defaultValue else { continue }
      let isSource = createFrom?.field.hasSameBytes(as: field.name) == true
      guard isSource || field.mayFill(.person) else { throw .notAllowed(field: field.name) }
      try field.checkPath(from: field.defaultValue, to: values[field.name])
    }
    try checkAsked(values, after: initial)
    return values
  }

  /// The values with which the form for a record of this collection begins, on the page of a record
  /// of another one; `nil` if that page has no such form.
  public func valuesCreated(from collection: String, id: String) -> RecordValues? {
    guard let createFrom, createFrom.collection.hasSameBytes(as: collection) else { return nil }
    var values = RecordValues()
    for field in fields { values.set(field.defaultValue, of: field.name, in: self) }
    values.set(.text(id), of: createFrom.field, in: self)
    return values
  }

  /// The fields of the form with which a person creates a record.
  public var formFields: [FieldDefinition] {
    fields.filter { $0.type.isValue && $0.mayFill(.person) }
  }

  /// The values of a record that a program or an administrator writes again.
  ///
  /// A field that is absent keeps its value if people may change it, or if the party may not. But
  /// what a person wrote does not stay with another account, and an explanation does not stay with
  /// another value of its choice. Other absent fields get their default.
  public func valuesWritten(
    _ json: JSON, over record: RecordValues, by party: ChangeParty, isSameAccount: Bool
  ) throws(ChangeRefusal) -> RecordValues {
    var list = MistakeList()
    let given = RecordChange.members(json, in: self, at: "values", &list)
    var values = RecordValues()
    for field in fields where field.type.isValue {
      guard !given.contains(where: { $0.name.hasSameBytes(as: field.name) }) else { continue }
      let isKept =
        !field.mayChange(party)
        || field.mayChange(.person) && (isSameAccount || field.type == .choice)
      values.set(isKept ? record[field.name] : field.defaultValue, of: field.name, in: self)
    }
    for member in given { values.set(member.value, of: member.name, in: self) }
    for field in fields {
      let isGiven = given.contains { $0.name.hasSameBytes(as: field.name) }
      if let owner = field.belongsTo, !isGiven, values[owner] != record[owner] {
        values.set(nil, of: field.name, in: self)
      }
      let path = "values".member(field.name)
      if field.isRequired, field.type.isValue, values[field.name] == nil,
        !list.hasMistake(at: path)
      {
        list.note(path, "is missing", field.remedy)
      }
    }
    values.check(in: self, "values", &list)
    do throws(CollectionMistakes) { try list.finish() } catch { throw .invalid(error) }
    for name in values.changedFields(from: record, in: self)
    where field(name)?.mayChange(party) == false { throw .notAllowed(field: name) }
    return values
  }
}

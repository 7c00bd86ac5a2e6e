import SignInModel

/// The keys of a definition.
enum DefinitionKey: String, CaseIterable {
  case action
  case asksFor = "asks_for"
  case badge
  case belongsTo = "belongs_to"
  case changedBy = "changed_by"
  case collection
  case confirm
  case counts
  case createFrom = "create_from"
  case decimals
  case defaultValue = "default"
  case ends
  case field
  case fields
  case filledBy = "filled_by"
  case finished
  case help
  case inProgress = "in_progress"
  case kind
  case lines
  case list
  case max
  case maxBytes = "max_bytes"
  case min
  case name
  case next
  case offline
  case peopleMay = "people_may"
  case photo
  case record
  case required
  case roles
  case search
  case starts
  case title
  case tone
  case type
  case value
  case values
  case visibleTo = "visible_to"
  case warnDays = "warn_days"
}

/// Visits the members of a definition in their order: one visitor fills them from JSON, another
/// writes them.
///
/// So each key is at one place. A visitor that writes leaves the values as they are.
protocol DefinitionVisitor {
  mutating func flag(_ key: DefinitionKey, _ value: inout Bool)
  mutating func number(
    _ key: DefinitionKey, _ value: inout Int64?, in range: ClosedRange<Int64>)
  mutating func decimal(_ key: DefinitionKey, _ value: inout DecimalNumber?)
  /// A name that must be there.
  mutating func name(_ key: DefinitionKey, _ value: inout String)
  mutating func name(_ key: DefinitionKey, ifPresent value: inout String?)
  mutating func names(_ key: DefinitionKey, _ value: inout [String], upTo limit: Int)
  mutating func names(_ key: DefinitionKey, ifPresent value: inout [String]?, upTo limit: Int)
  mutating func text(_ key: DefinitionKey, _ value: inout LocalizedText?, isRequired: Bool)
  /// `usual` is the value of an absent member; `nil` if the member must be there.
  mutating func word<Word: DefinitionWord>(
    _ key: DefinitionKey, _ value: inout Word, ifAbsent usual: Word?)
  mutating func words<Word: DefinitionWord>(_ key: DefinitionKey, _ value: inout [Word])
  mutating func value(
    _ key: DefinitionKey, _ value: inout FieldValue?, of field: FieldDefinition)
  mutating func part<Part: DefinitionPart>(_ key: DefinitionKey, _ value: inout Part?)
  mutating func parts<Part: DefinitionPart>(
    _ key: DefinitionKey, _ value: inout [Part], in counts: ClosedRange<Int>)
}

/// A word of a definition out of a few.
protocol DefinitionWord: RawRepresentable<String>, CaseIterable, Equatable {}

extension FieldType: DefinitionWord {}
extension ChangeParty: DefinitionWord {}
extension ValueTone: DefinitionWord {}
extension RecordVisibility: DefinitionWord {}
extension PersonAction: DefinitionWord {}
extension ListKind: DefinitionWord {}

/// An object of a definition.
protocol DefinitionPart {
  /// Empty parts with all keys that such a part can have.
  static var variants: [Self] { get }

  init()
  mutating func visit(_ visitor: inout some DefinitionVisitor)
}

extension DefinitionPart {
  static var variants: [Self] { [Self()] }
}

extension CollectionDefinition: DefinitionPart {
  mutating func visit(_ visitor: inout some DefinitionVisitor) {
    visitor.name(.name, &name)
    visitor.text(.title, &title, isRequired: true)
    visitor.names(.roles, &roles, upTo: CollectionLimits.roles)
    visitor.word(.visibleTo, &visibleTo, ifAbsent: .person)
    visitor.parts(.fields, &fields, in: 1...CollectionLimits.fields)
    visitor.words(.peopleMay, &peopleMay)
    visitor.part(.createFrom, &createFrom)
    visitor.part(.list, &list)
    visitor.parts(.record, &record, in: 0...CollectionLimits.sections)
  }
}

extension FieldDefinition: DefinitionPart {
  static var variants: [FieldDefinition] {
    FieldType.allCases.map { FieldDefinition("", $0) }
  }

  mutating func visit(_ visitor: inout some DefinitionVisitor) {
    visitor.name(.name, &name)
    visitor.word(.type, &type, ifAbsent: nil)
    visitor.text(.title, &title, isRequired: false)
    visitor.text(.help, &help, isRequired: false)
    visitor.flag(.required, &isRequired)
    visitor.words(.changedBy, &changedBy)
    visitor.words(.filledBy, &filledBy)
    visitor.flag(.offline, &isOffline)
    visitor.name(.belongsTo, ifPresent: &belongsTo)
    switch type {
    case .text, .place: visitor.number(.maxBytes, &maxBytes, in: CollectionLimits.textBytes)
    case .lines: visitor.number(.maxBytes, &maxBytes, in: CollectionLimits.linesBytes)
    case .link: visitor.number(.maxBytes, &maxBytes, in: CollectionLimits.linkBytes)
    case .integer, .decimal:
      visitor.decimal(.min, &min)
      visitor.decimal(.max, &max)
      if type == .decimal { visitor.number(.decimals, &decimals, in: CollectionLimits.decimals) }
    case .choice: visitor.parts(.values, &values, in: 1...CollectionLimits.values)
    case .expiry: visitor.number(.warnDays, &warnDays, in: CollectionLimits.warnDays)
    case .record: visitor.name(.collection, ifPresent: &collection)
    case .yesNo, .date, .time, .phone, .email, .photo: break
    }
    guard type.isValue else { return }
    let field = self
    visitor.value(.defaultValue, &defaultValue, of: field)
  }
}

extension ChoiceValue: DefinitionPart {
  mutating func visit(_ visitor: inout some DefinitionVisitor) {
    visitor.name(.value, &value)
    visitor.word(.tone, &tone, ifAbsent: .neutral)
    visitor.text(.title, &title, isRequired: true)
    visitor.text(.action, &action, isRequired: false)
    visitor.names(.next, ifPresent: &next, upTo: CollectionLimits.values)
    visitor.name(.asksFor, ifPresent: &asksFor)
    visitor.flag(.confirm, &isConfirmed)
  }
}

extension CreationSource: DefinitionPart {
  mutating func visit(_ visitor: inout some DefinitionVisitor) {
    visitor.name(.collection, &collection)
    visitor.name(.field, &field)
    visitor.text(.title, &title, isRequired: false)
  }
}

extension ListDefinition: DefinitionPart {
  static var variants: [ListDefinition] { ListKind.allCases.map { ListDefinition(kind: $0) } }

  mutating func visit(_ visitor: inout some DefinitionVisitor) {
    visitor.word(.kind, &kind, ifAbsent: nil)
    if kind == .schedule {
      visitor.name(.starts, ifPresent: &starts)
      visitor.name(.ends, ifPresent: &ends)
    }
    visitor.name(.title, &title)
    visitor.names(.lines, &lines, upTo: CollectionLimits.lines)
    visitor.name(.badge, ifPresent: &badge)
    switch kind {
    case .schedule:
      visitor.names(.inProgress, &inProgress, upTo: CollectionLimits.values)
      visitor.names(.finished, &finished, upTo: CollectionLimits.values)
      visitor.flag(.counts, &hasCounts)
    case .catalogue:
      visitor.name(.photo, ifPresent: &photo)
      visitor.names(.search, &search, upTo: CollectionLimits.fields)
    }
  }
}

extension RecordSection: DefinitionPart {
  mutating func visit(_ visitor: inout some DefinitionVisitor) {
    visitor.text(.title, &title, isRequired: false)
    visitor.names(.fields, &fields, upTo: CollectionLimits.fields)
  }
}

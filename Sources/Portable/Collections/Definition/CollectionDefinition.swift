import SignInModel

/// The data of one kind, as a configuration describes it.
public struct CollectionDefinition: Equatable, Sendable {
  public var name: String
  public var title: LocalizedText?
  /// The roles whose people use the collection; empty if all do.
  public var roles: [String] = []
  public var visibleTo = RecordVisibility.person
  public var fields: [FieldDefinition] = []
  public var peopleMay: [PersonAction] = []
  public var createFrom: CreationSource?
  /// `nil` if the list follows from the fields; see `shownList`.
  public var list: ListDefinition?
  /// Empty if the page of a record shows all fields in their order; see `sections`.
  public var record: [RecordSection] = []

  public init(_ name: String, title: LocalizedText, fields: [FieldDefinition] = []) {
    self.name = name
    self.title = title
    self.fields = fields
  }

  init() { name = "" }

  public func field(_ name: String) -> FieldDefinition? {
    fields.first { $0.name.hasSameBytes(as: name) }
  }

  /// Whether people with one of these roles use the collection.
  public func isFor(_ own: [String]) -> Bool {
    roles.isEmpty || roles.contains { role in own.contains { $0.hasSameBytes(as: role) } }
  }

  /// The list, or else one whose rows show the first fields that can be shown.
  public var shownList: ListDefinition {
    if let list { return list }
    func first(_ types: [FieldType]) -> String? {
      fields.first { types.contains($0.type) }?.name
    }
    var shown = ListDefinition(kind: .catalogue)
    shown.title = first([.text]) ?? first(FieldType.titles) ?? ""
    for field in fields where field.name != shown.title {
      if [.text, .place].contains(field.type), shown.lines.count < 2 {
        shown.lines.append(field.name)
      }
    }
    shown.badge = first(FieldType.badges)
    shown.photo = first([.photo])
    for field in fields where FieldType.searched.contains(field.type) {
      shown.search.append(field.name)
    }
    return shown
  }

  /// The sections of the page of a record.
  public var sections: [RecordSection] {
    if !record.isEmpty { return record }
    var section = RecordSection()
    for field in fields { section.fields.append(field.name) }
    return [section]
  }
}

/// Who sees a record.
public enum RecordVisibility: String, CaseIterable, Sendable {
  /// The one account that the record has.
  case person
  /// All members of its organization with one of the roles.
  case organization
}

/// What people may do with whole records.
public enum PersonAction: String, CaseIterable, Sendable {
  case create
  case transfer
  case remove
}

/// The record on whose page people create a record of this collection.
public struct CreationSource: Equatable, Sendable {
  public var collection = ""
  /// The field that gets the id of that record.
  public var field = ""
  /// The words of the button on that page, if they are not the title of this collection.
  public var title: LocalizedText?

  public init(_ collection: String, field: String) {
    self.collection = collection
    self.field = field
  }

  init() {}
}

/// Fields that the page of a record shows together.
public struct RecordSection: Equatable, Sendable {
  public var title: LocalizedText?
  public var fields: [String] = []

  public init() {}
}

/// How an app lists the records of a collection.
public struct ListDefinition: Equatable, Sendable {
  public var kind: ListKind
  public var title = ""
  /// The fields below the title of a row.
  public var lines: [String] = []
  /// The choice or expiry whose value each row shows.
  public var badge: String?

  // MARK: Of a schedule

  public var starts: String?
  public var ends: String?
  /// The values of the badge of records that a person works on.
  public var inProgress: [String] = []
  /// The values of the badge of records that need no more work.
  public var finished: [String] = []
  /// Whether the list says how many records are finished, and how many are not.
  public var hasCounts = false

  // MARK: Of a catalogue

  public var photo: String?
  /// The fields in which the words of a search are looked for.
  public var search: [String] = []

  public init(kind: ListKind) { self.kind = kind }

  init() { kind = .schedule }
}

public enum ListKind: String, CaseIterable, Sendable {
  /// By day: in progress, next, the days, finished.
  case schedule
  /// By title, with photos, search and a filter by badge.
  case catalogue
}

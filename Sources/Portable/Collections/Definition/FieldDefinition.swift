import SignInModel

/// One field of a collection.
public struct FieldDefinition: Equatable, Sendable {
  public var name: String
  public var type: FieldType
  /// `nil` if the name is title enough; see `title(in:)`.
  public var title: LocalizedText?
  /// What helps a person to fill in the field.
  public var help: LocalizedText?
  public var isRequired = false
  /// Who may change the value; see `mayChange`.
  public var changedBy: [ChangeParty] = []
  /// Who may also fill it in when they create a record.
  public var filledBy: [ChangeParty] = []
  /// Whether a change may wait on a device without a network.
  public var isOffline = false
  /// The choice that this field explains.
  ///
  /// When the choice changes, an explanation of its earlier value is removed.
  public var belongsTo: String?
  /// The value of a new record that does not have one.
  public var defaultValue: FieldValue?

  // MARK: Limits, each for some types

  /// Of a text.
  public var maxBytes: Int64?
  /// Of a number.
  public var min: DecimalNumber?
  public var max: DecimalNumber?
  /// Of a decimal number.
  public var decimals: Int64?
  /// Of an expiry.
  public var warnDays: Int64?
  /// Of a record: the collection that has it.
  public var collection: String?
  /// Of a choice.
  public var values: [ChoiceValue] = []

  public init(_ name: String, _ type: FieldType) {
    self.name = name
    self.type = type
  }

  init() { self.init("", .text) }

  /// The title, or else the name as words: `serial_number` is shown as "Serial number".
  public func title(in language: String) -> String {
    if let title { return title.text(in: language) }
    var words: [UInt8] = []
    for byte in name.utf8 {
      switch byte {
      case UInt8(ascii: "_"), UInt8(ascii: "-"): words.append(UInt8(ascii: " "))
      case UInt8(ascii: "a")...UInt8(ascii: "z") where words.isEmpty: words.append(byte - 0x20)
      default: words.append(byte)
      }
    }
    return String(decoding: words, as: UTF8.self)
  }

  public func value(_ name: String) -> ChoiceValue? {
    values.first { $0.value.hasSameBytes(as: name) }
  }

  /// The most bytes of a text.
  public var byteLimit: Int64 {
    switch type {
    case .lines: maxBytes ?? CollectionLimits.usualLinesBytes
    case .link: maxBytes ?? CollectionLimits.usualLinkBytes
    default: maxBytes ?? CollectionLimits.usualTextBytes
    }
  }

  /// Whether the party may change the value.
  ///
  /// People may only if `changed_by` names them. Administrators and programs write whole records,
  /// so they may, unless `changed_by` names only one of these two.
  public func mayChange(_ party: ChangeParty) -> Bool {
    if party == .person || changedBy.contains(where: { $0 != .person }) {
      return changedBy.contains(party)
    }
    return true
  }

  /// Whether the party may give the value of a new record.
  public func mayFill(_ party: ChangeParty) -> Bool {
    party != .person || filledBy.contains(.person) || mayChange(.person)
  }
}

/// Who changes a record.
public enum ChangeParty: String, CaseIterable, Sendable {
  /// A person in an app.
  case person
  /// An administrator in the console.
  case administrator
  /// Another system, with the scope of the collection.
  case program
}

/// One value of a choice.
public struct ChoiceValue: Equatable, Sendable {
  public var value: String
  public var tone = ValueTone.neutral
  public var title: LocalizedText?
  /// The words of the button that sets the value, if they are not the title.
  public var action: LocalizedText?
  /// The values that a person may choose after this one.
  ///
  /// It is `nil` if any other value may follow, and empty if this one is final.
  public var next: [String]?
  /// The field that a person fills in together with this value.
  public var asksFor: String?
  /// Whether an app asks the person before it sets the value.
  public var isConfirmed = false

  public init(_ value: String, title: LocalizedText) {
    self.value = value
    self.title = title
  }

  init() { value = "" }

  public func mayPrecede(_ other: String) -> Bool {
    guard let next else { return true }
    return next.contains { $0.hasSameBytes(as: other) }
  }
}

/// How good or bad a value is, which a screen shows as a colour.
public enum ValueTone: String, CaseIterable, Sendable {
  case neutral
  case info
  case good
  case warning
  case bad
}

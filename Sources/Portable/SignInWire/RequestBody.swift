public import JSONText
public import SignInModel

/// The content of a JSON body, or of an object in one.
public protocol RequestBody: RequestContent {
  /// Visits every member.
  mutating func visit<Members: BodyMembers>(_ members: inout Members)
}

/// What a visit does with each member of a JSON body.
public protocol BodyMembers {
  /// `read` returns nil for a value of another type. A member that is null is then absent.
  mutating func member<Value>(
    _ field: WireField, _ value: inout Value?, write: (Value) -> JSON, read: (JSON) -> Value?)
}

/// A new text, or null, which removes the stored text.
public enum NullableText: Equatable, Sendable {
  case null
  case text(String)
}

extension BodyMembers {
  public mutating func text(_ field: WireField, _ value: inout String?) {
    member(field, &value, write: { .string($0) }, read: { $0.text })
  }

  public mutating func secret(_ field: WireField, _ value: inout Secret?) {
    member(
      field, &value, write: { .string($0.revealed) }, read: { $0.text.map { Secret($0) } })
  }

  public mutating func flag(_ field: WireField, _ value: inout Bool?) {
    member(field, &value, write: { .bool($0) }, read: { $0.flag })
  }

  /// A moment in Unix seconds.
  public mutating func moment(_ field: WireField, _ value: inout Instant?) {
    member(
      field, &value, write: { .int($0.seconds) },
      read: { $0.unixSeconds.map { Instant(seconds: $0) } })
  }

  /// A whole number from 0 to `JSON.highestCount`.
  public mutating func count(_ field: WireField, _ value: inout Int64?) {
    member(field, &value, write: { .int($0) }, read: { $0.count })
  }

  /// A text or null, which differs from an absent member.
  public mutating func nullable(_ field: WireField, _ value: inout NullableText?) {
    member(
      field, &value, write: { $0.json },
      read: { $0 == .null ? .null : $0.text.map { .text($0) } })
  }

  public mutating func texts(_ field: WireField, _ value: inout [String]?) {
    list(field, &value, write: { .string($0) }, read: { $0.text })
  }

  public mutating func objects<Element: RequestBody>(
    _ field: WireField, _ value: inout [Element]?
  ) {
    list(
      field, &value, write: { $0.json },
      read: { json in
        var wrong: [WireField] = []
        let object = Element(json, wrong: &wrong)
        return json.objectMembers != nil && wrong.isEmpty ? object : nil
      })
  }

  /// Any value, also null.
  ///
  /// A table describes it, such as that of the data of other systems.
  public mutating func value(_ field: WireField, _ value: inout JSON?) {
    member(field, &value, write: { $0 }, read: { $0 })
  }

  /// A list can be read only if all its elements can be read.
  private mutating func list<Element>(
    _ field: WireField, _ value: inout [Element]?, write: (Element) -> JSON,
    read: (JSON) -> Element?
  ) {
    member(
      field, &value, write: { .array($0.map(write)) },
      read: { json in
        let values = json.elements?.compactMap(read)
        return values?.count == json.elements?.count ? values : nil
      })
  }
}

extension NullableText {
  fileprivate var json: JSON {
    switch self {
    case .null: .null
    case .text(let text): .string(text)
    }
  }
}

extension RequestBody {
  @inline(never) public var json: JSON {
    var copy = self
    var writer = BodyWriter()
    copy.visit(&writer)
    return .object(writer.members)
  }

  /// Adds each member that has another type to `wrong`.
  public init(_ json: JSON, wrong: inout [WireField]) {
    self.init()
    var reader = BodyReader(json: json)
    visit(&reader)
    wrong += reader.wrong
  }

  /// - Throws: The refusal of the first member that has another type.
  public init(_ json: JSON) throws(Refusal) {
    var wrong: [WireField] = []
    self.init(json, wrong: &wrong)
    if let first = wrong.first { throw Refusal.wrongMember(first) }
  }
}

private struct BodyWriter: BodyMembers {
  var members: [JSONMember] = []

  mutating func member<Value>(
    _ field: WireField, _ value: inout Value?, write: (Value) -> JSON, read: (JSON) -> Value?
  ) {
    if let value { append(field, write(value)) }
  }

  @inline(never)
  private mutating func append(_ field: WireField, _ json: JSON) {
    members.append(JSONMember(field, json))
  }
}

private struct BodyReader: BodyMembers {
  let json: JSON
  /// The members that have another type.
  private(set) var wrong: [WireField] = []

  init(json: JSON) { self.json = json }

  mutating func member<Value>(
    _ field: WireField, _ value: inout Value?, write: (Value) -> JSON, read: (JSON) -> Value?
  ) {
    guard let member = json[field] else { return }
    value = read(member)
    if value == nil, member != .null { wrong.append(field) }
  }
}

public import JSONText
public import SignInModel

/// The content of a request, which clients write and the server reads.
///
/// `visit` names each field once. Reading and writing, as a form or as JSON, follow from it.
public protocol RequestContent: Sendable {
  /// Content without any field.
  init()

  /// Visits every field.
  mutating func visit<Fields: RequestFields>(_ fields: inout Fields)
}

/// What a visit does with each field of some content.
public protocol RequestFields {
  mutating func text(_ field: RequestField, _ value: inout String?)
  mutating func secret(_ field: RequestField, _ value: inout Secret?)
  /// A form has `true` for it; any other word is read as false.
  mutating func flag(_ field: RequestField, _ value: inout Bool?)
  /// A moment in Unix seconds.
  ///
  /// Only JSON has it: content with a moment has no form.
  mutating func moment(_ field: RequestField, _ value: inout Instant?)
}

extension RequestContent {
  public init(_ fill: (inout Self) -> Void) {
    self.init()
    fill(&self)
  }

  @inline(never) public var form: Form {
    var copy = self
    var writer = FormWriter()
    copy.visit(&writer)
    return Form(writer.fields)
  }

  @inline(never) public var json: JSON {
    var copy = self
    var writer = JSONMemberWriter()
    copy.visit(&writer)
    return .object(writer.members)
  }

  public init(_ form: Form) {
    self.init()
    var reader = FormReader(form: form)
    visit(&reader)
  }

  /// - Throws: The refusal of a member that has another type.
  public init(_ json: JSON) throws(Refusal) {
    self.init()
    var reader = JSONMemberReader(json: json)
    visit(&reader)
    if let wrong = reader.wrong { throw Refusal.wrongMember(wrong) }
  }

  /// All fields, in the order of the visit.
  public static var fields: [RequestField] {
    var content = Self()
    var reader = FieldNameReader()
    content.visit(&reader)
    return reader.names
  }
}

private struct FormWriter: RequestFields {
  var fields: [Form.Field] = []

  @inline(never)
  mutating func write(_ field: RequestField, _ text: String) {
    fields.append(Form.Field(field, text))
  }

  mutating func text(_ field: RequestField, _ value: inout String?) {
    if let value { write(field, value) }
  }

  mutating func secret(_ field: RequestField, _ value: inout Secret?) {
    if let value { write(field, value.revealed) }
  }

  mutating func flag(_ field: RequestField, _ value: inout Bool?) {
    if let value { write(field, value ? "true" : "false") }
  }

  func moment(_ field: RequestField, _ value: inout Instant?) {
    preconditionFailure("a form has no moment")
  }
}

private struct JSONMemberWriter: RequestFields {
  var members: [JSONMember] = []

  @inline(never)
  mutating func write(_ field: RequestField, _ json: JSON) {
    members.append(JSONMember(field, json))
  }

  mutating func text(_ field: RequestField, _ value: inout String?) {
    if let value { write(field, .string(value)) }
  }

  mutating func secret(_ field: RequestField, _ value: inout Secret?) {
    if let value { write(field, .string(value.revealed)) }
  }

  mutating func flag(_ field: RequestField, _ value: inout Bool?) {
    if let value { write(field, .bool(value)) }
  }

  mutating func moment(_ field: RequestField, _ value: inout Instant?) {
    if let value { write(field, .int(value.seconds)) }
  }
}

private struct FormReader: RequestFields {
  let form: Form

  func text(_ field: RequestField, _ value: inout String?) { value = form[field] }

  func secret(_ field: RequestField, _ value: inout Secret?) {
    value = form[field].map { Secret($0) }
  }

  func flag(_ field: RequestField, _ value: inout Bool?) {
    value = form[field].map { $0.hasSameBytes(as: "true") }
  }

  func moment(_ field: RequestField, _ value: inout Instant?) {
    preconditionFailure("a form has no moment")
  }
}

private struct JSONMemberReader: RequestFields {
  let json: JSON
  /// The first member that has another type.
  private(set) var wrong: RequestField?

  init(json: JSON) { self.json = json }

  mutating func text(_ field: RequestField, _ value: inout String?) {
    value = read(field) { $0.text }
  }

  mutating func secret(_ field: RequestField, _ value: inout Secret?) {
    value = read(field) { $0.text }.map { Secret($0) }
  }

  mutating func flag(_ field: RequestField, _ value: inout Bool?) {
    value = read(field) { $0.flag }
  }

  mutating func moment(_ field: RequestField, _ value: inout Instant?) {
    value = read(field) { $0.unixSeconds }.map { Instant(seconds: $0) }
  }

  private mutating func read<Value>(
    _ field: RequestField, _ convert: (JSON) -> Value?
  ) -> Value? {
    guard let member = json[field], member != .null else { return nil }
    let value = convert(member)
    if value == nil { wrong = wrong ?? field }
    return value
  }
}

private struct FieldNameReader: RequestFields {
  var names: [RequestField] = []

  mutating func text(_ field: RequestField, _ value: inout String?) { names.append(field) }
  mutating func secret(_ field: RequestField, _ value: inout Secret?) { names.append(field) }
  mutating func flag(_ field: RequestField, _ value: inout Bool?) { names.append(field) }
  mutating func moment(_ field: RequestField, _ value: inout Instant?) { names.append(field) }
}

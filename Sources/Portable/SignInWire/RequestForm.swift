public import SignInModel

/// The content of a form or of a query.
public protocol RequestForm: RequestContent {
  /// Visits every field.
  mutating func visit<Fields: FormFields>(_ fields: inout Fields)
}

/// What a visit does with each field of a form.
public protocol FormFields {
  mutating func field<Value>(
    _ field: WireField, _ value: inout Value?, write: (Value) -> String,
    read: (String) -> Value?)
  /// A text for which an empty field means something else than an absent one.
  mutating func textOrEmpty(_ field: WireField, _ value: inout String?)
}

extension FormFields {
  public mutating func textOrEmpty(_ name: WireField, _ value: inout String?) {
    text(name, &value)
  }

  public mutating func text(_ name: WireField, _ value: inout String?) {
    field(name, &value, write: { $0 }, read: { $0 })
  }

  public mutating func secret(_ name: WireField, _ value: inout Secret?) {
    field(name, &value, write: { $0.revealed }, read: { Secret($0) })
  }

  /// A form has `true` for it; any other word is read as false.
  public mutating func flag(_ name: WireField, _ value: inout Bool?) {
    field(
      name, &value, write: { $0 ? "true" : "false" }, read: { $0.hasSameBytes(as: "true") })
  }
}

extension RequestForm {
  @inline(never) public var form: Form {
    var copy = self
    var writer = FormWriter()
    copy.visit(&writer)
    return Form(writer.fields)
  }

  public init(_ form: Form) {
    self.init()
    var reader = FormReader(form: form)
    visit(&reader)
  }
}

private struct FormWriter: FormFields {
  var fields: [Form.Field] = []

  mutating func field<Value>(
    _ field: WireField, _ value: inout Value?, write: (Value) -> String,
    read: (String) -> Value?
  ) {
    if let value { append(field, write(value)) }
  }

  @inline(never)
  private mutating func append(_ field: WireField, _ text: String) {
    fields.append(Form.Field(field, text))
  }
}

private struct FormReader: FormFields {
  let form: Form

  func field<Value>(
    _ field: WireField, _ value: inout Value?, write: (Value) -> String,
    read: (String) -> Value?
  ) {
    value = form[field].flatMap(read)
  }

  func textOrEmpty(_ name: WireField, _ value: inout String?) {
    value = form.fields.first { $0.name.hasSameBytes(as: name.rawValue) }?.value
  }
}

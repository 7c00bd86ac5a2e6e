import JSONText
import SignInModel
import SignInWire
import Testing

@testable import SignInHTTP

/// Writes one text into each secret field of a form or a body.
private struct SecretFiller: FormFields, BodyMembers {
  let text: String
  private(set) var count = 0

  init(_ text: String) { self.text = text }

  mutating func field<Value>(
    _ field: WireField, _ value: inout Value?, write: (Value) -> String,
    read: (String) -> Value?
  ) {
    guard Value.self == Secret.self else { return }
    value = read(text)
    count += 1
  }

  mutating func member<Value>(
    _ field: WireField, _ value: inout Value?, write: (Value) -> JSON, read: (JSON) -> Value?
  ) {
    guard Value.self == Secret.self else { return }
    value = read(.string(text))
    count += 1
  }
}

@Suite("Descriptions of requests")
struct RequestDescriptionTests {
  private static let secret = "plum-anchor-4711"

  /// A form or a body with a secret in each of its secret fields.
  private func filled(_ type: any RequestContent.Type) -> (value: any RequestContent, count: Int) {
    func filledForm<Content: RequestForm>(_: Content.Type) -> (any RequestContent, Int) {
      var (content, filler) = (Content(), SecretFiller(Self.secret))
      content.visit(&filler)
      return (content, filler.count)
    }
    func filledBody<Content: RequestBody>(_: Content.Type) -> (any RequestContent, Int) {
      var (content, filler) = (Content(), SecretFiller(Self.secret))
      content.visit(&filler)
      return (content, filler.count)
    }
    if let form = type as? any RequestForm.Type { return filledForm(form) }
    if let body = type as? any RequestBody.Type { return filledBody(body) }
    return (type.init(), 0)
  }

  @Test("T-14 printing a form or a body of any route shows no secret")
  func contents() {
    var count = 0
    for type in Route.all.flatMap(\.operation.contents) {
      let (value, secrets) = filled(type)
      var printed = "\(value)" + String(reflecting: value)
      dump(value, to: &printed)
      #expect(!printed.contains(Self.secret), "\(type)")
      if let form = value as? any RequestForm {
        printed = "\(form.form)" + String(reflecting: form.form)
        dump(form.form, to: &printed)
        #expect(!printed.contains(Self.secret), "\(type)")
      }
      count += secrets
    }
    #expect(count >= 15)
  }

  @Test("T-14 a password, a token or a code of a request is never a plain text")
  func types() {
    let fields: [WireField] = [
      .password, .newPassword, .currentPassword, .otp, .authSession, .resetSession, .code,
      .codeVerifier, .refreshToken, .token, .clientSecret, .clientAssertion, .invitation,
    ]
    let secrets = Set(fields.map(\.rawValue))
    for type in Route.all.flatMap(\.operation.contents) {
      if let form = type as? any RequestForm.Type {
        #expect(plainFields(form: form).isDisjoint(with: secrets), "\(type)")
      }
      if let body = type as? any RequestBody.Type {
        #expect(plainFields(body: body).isDisjoint(with: secrets), "\(type)")
      }
    }
  }

  private func plainFields<Content: RequestForm>(form _: Content.Type) -> Set<String> {
    var (content, fields) = (Content(), PlainFields())
    content.visit(&fields)
    return fields.names
  }

  private func plainFields<Content: RequestBody>(body _: Content.Type) -> Set<String> {
    var (content, fields) = (Content(), PlainFields())
    content.visit(&fields)
    return fields.names
  }
}

/// The fields that are not secrets.
private struct PlainFields: FormFields, BodyMembers {
  private(set) var names: Set<String> = []

  mutating func field<Value>(
    _ field: WireField, _ value: inout Value?, write: (Value) -> String,
    read: (String) -> Value?
  ) {
    if Value.self != Secret.self { names.insert(field.rawValue) }
  }

  mutating func member<Value>(
    _ field: WireField, _ value: inout Value?, write: (Value) -> JSON, read: (JSON) -> Value?
  ) {
    if Value.self != Secret.self { names.insert(field.rawValue) }
  }
}

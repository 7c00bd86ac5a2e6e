import HTTPServer
import SignInModel
import SignInService
import SignInWire

/// A form and the registered app that sent it.
struct ClientForm: Sendable {
  let form: Form
  let client: AppRegistration

  static func read(_ call: Call) throws(Refusal) -> ClientForm {
    let form = try readForm(call)
    return ClientForm(form: form, client: try call.client(of: form))
  }

  /// Reads the form without checking who sent it.
  static func readForm(_ call: Call) throws(Refusal) -> Form {
    guard call.request.mediaType == "application/x-www-form-urlencoded" else {
      throw Refusal.invalidRequest("the body must be form-urlencoded")
    }
    do throws(Form.Fault) {
      return try Form(parsing: call.request.body)
    } catch {
      throw Refusal.invalidRequest(describe(error))
    }
  }

  /// Describes a mistake without the value, because the value may be a secret.
  private static func describe(_ fault: Form.Fault) -> String {
    switch fault {
    case .repeated: "a parameter is repeated"
    case .notUTF8: "the body is not UTF-8"
    case .badEscape: "the body has a broken percent escape"
    case .tooMany: "the body has too many parameters"
    case .tooLong: "a parameter has more than \(Form.valueByteLimit) bytes"
    case .tooManyMarks: "the body has too many combining marks in a row"
    }
  }
}

/// A form of a registered app with a proof of its key, if the app needs one.
struct FormWithProof: Sendable {
  let form: Form
  let client: AppRegistration
  /// The RFC 7638 thumbprint of the key.
  ///
  /// Empty if no proof was sent and the app needs none.
  let key: String

  static func read(_ call: Call) async throws(Refusal) -> FormWithProof {
    try await check(try ClientForm.readForm(call), call)
  }

  /// Checks the sender of a form that was read before.
  fileprivate static func check(_ form: Form, _ call: Call) async throws(Refusal) -> FormWithProof {
    let client = try call.client(of: form)
    if !client.requiresDPoP, call.proof.fields.isEmpty {
      return FormWithProof(form: form, client: client, key: "")
    }
    let key = try await checkProof(
      call.proof, needsNonce: client.requiresProofNonce, in: call.world)
    return FormWithProof(form: form, client: client, key: key)
  }
}

/// Who sent a request for tokens.
enum TokenSender: Sendable {
  case app(FormWithProof)
  /// A form that asks for a token of a service account, which authenticates itself in it or in the
  /// `Authorization` field.
  case service(Form)

  /// A service account authenticates in other ways than an app, so the grant is read first.
  static func read(_ call: Call) async throws(Refusal) -> TokenSender {
    let form = try ClientForm.readForm(call)
    guard TokenForm(form).grant != .clientCredentials else { return .service(form) }
    return .app(try await FormWithProof.check(form, call))
  }
}

import HTTPServer
import JSONText
import SignInModel
import SignInService
import SignInWire

/// The parameters of a request without a token: a form or one JSON object, with an optional proof.
struct PublicForm: Sendable {
  let form: Form
  /// The RFC 7638 thumbprint of the proved key; `nil` if no proof was sent.
  ///
  /// An invalid proof is refused.
  let key: String?

  static func read(_ call: Call) async throws(Refusal) -> PublicForm {
    let form = try body(of: call.request)
    if call.request.values(of: "dpop").isEmpty {
      return PublicForm(form: form, key: nil)
    }
    let key = try await checkProof(call.proof, in: call.world)
    return PublicForm(form: form, key: key)
  }

  private static func body(of request: HTTPRequest) throws(Refusal) -> Form {
    switch request.mediaType {
    case "application/x-www-form-urlencoded":
      do throws(Form.Fault) { return try Form(parsing: request.body) } catch {
        throw Refusal.invalidRequest("the form is malformed")
      }
    case "application/json":
      let json: JSON
      do throws(JSONMalformed) {
        json = try JSONReader.read(request.body, within: .request)
      } catch {
        throw Refusal.invalidRequest("the JSON is malformed")
      }
      guard let members = json.objectMembers else {
        throw Refusal.invalidRequest("the body must be a JSON object")
      }
      // Every parameter here is a text, so members of other types are ignored.
      let texts = members.compactMap { member in
        member.value.text.map { Form.Field(member.key, $0) }
      }
      guard texts.allSatisfy({ $0.value.utf8.count <= Form.valueByteLimit }) else {
        throw Refusal.invalidRequest("a member has more than \(Form.valueByteLimit) bytes")
      }
      return Form(texts)
    default:
      throw Refusal.invalidRequest("the body must be a form or JSON")
    }
  }
}

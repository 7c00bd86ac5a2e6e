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

  static func read(_ call: Call) -> Outcome<PublicForm> {
    let form: Form
    switch body(of: call.request) {
    case .success(let read): form = read
    case .refusal(let refusal): return .refusal(refusal)
    }
    if call.request.values(of: "dpop").isEmpty {
      return .success(PublicForm(form: form, key: nil))
    }
    switch checkProof(call.proof, in: call.world) {
    case .success(let key): return .success(PublicForm(form: form, key: key))
    case .refusal(let refusal): return .refusal(refusal)
    }
  }

  /// The app that sent the request.
  func client(for call: Call) -> Outcome<AppClient> {
    guard let text = form["client_id"] else {
      return .refusal(ErrorAnswer(.invalidRequest, "client_id is needed"))
    }
    guard let client = call.world.clients[ClientID(text)] else {
      return .refusal(ErrorAnswer(.invalidClient, "unknown client_id"))
    }
    call.note(client.id)
    return .success(client)
  }

  private static func body(of request: HTTPRequest) -> Outcome<Form> {
    let types = request.values(of: "content-type")
    let type = types.count == 1 ? types[0].prefix { $0 != ";" && $0 != " " }.lowercased() : ""
    switch type {
    case "application/x-www-form-urlencoded":
      do throws(Form.Fault) { return .success(try Form(parsing: request.body)) } catch {
        return .refusal(ErrorAnswer(.invalidRequest, "the form is malformed"))
      }
    case "application/json":
      do throws(JSONMalformed) {
        let json = try JSONReader.read(request.body, within: .request)
        guard let members = json.objectMembers else {
          return .refusal(ErrorAnswer(.invalidRequest, "the body must be a JSON object"))
        }
        // Every parameter here is a text, so members of other types are ignored.
        let texts = members.compactMap { member in
          member.value.text.map { Form.Field(member.key, $0) }
        }
        guard texts.allSatisfy({ $0.value.utf8.count <= Form.valueByteLimit }) else {
          return .refusal(
            ErrorAnswer(.invalidRequest, "a member has more than \(Form.valueByteLimit) bytes"))
        }
        return .success(Form(texts))
      } catch {
        return .refusal(ErrorAnswer(.invalidRequest, "the JSON is malformed"))
      }
    default:
      return .refusal(ErrorAnswer(.invalidRequest, "the body must be a form or JSON"))
    }
  }
}

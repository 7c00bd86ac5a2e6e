import HTTPServer
import SignInModel
import SignInService
import SignInWire

extension Route {
  /// Issues an access token to a service account (RFC 6749, section 4.4).
  ///
  /// If the request has a proof, the token is bound to its key (RFC 9449).
  static func serviceToken(_ call: Call, _ read: Form) async throws(Refusal) -> HTTPResponse {
    let form = TokenForm(read)
    var key: String?
    if !call.proof.fields.isEmpty {
      key = try await checkProof(call.proof, in: call.world)
    }
    do throws(Refusal) {
      let account = try await ServiceCredentials.authenticate(call, ClientCredentials(read))
      let request = ServiceTokenRequest(
        account: account, scope: form.scope, resource: form.resource, proofKeyThumbprint: key,
        peer: call.peer
      )
      return .json(try await issueServiceToken(request, in: call.world).json)
    } catch {
      return .serviceRefusal(error)
    }
  }

  /// Describes an access token to a service account (RFC 7662).
  static func introspect(_ call: Call) async throws(Refusal) -> HTTPResponse {
    let read = try ClientForm.readForm(call)
    do throws(Refusal) {
      let account = try await ServiceCredentials.authenticate(call, ClientCredentials(read))
      guard let token = IntrospectionForm(read).token else {
        throw Refusal.invalidRequest("token is needed")
      }
      return .json(try await describeToken(token, for: account, in: call.world))
    } catch {
      return .serviceRefusal(error)
    }
  }
}

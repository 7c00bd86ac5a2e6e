import HTTPServer
import SignInModel
import SignInService
import SignInWire

extension Route {
  /// Issues an access token to a service account (RFC 6749, section 4.4).
  ///
  /// If the request has a proof, the token is bound to its key (RFC 9449).
  static func serviceToken(_ call: Call, _ form: Form) async -> HTTPResponse {
    var key: String?
    if !call.proof.fields.isEmpty {
      switch checkProof(call.proof, in: call.world) {
      case .success(let thumbprint): key = thumbprint
      case .refusal(let refusal): return .refusal(refusal)
      }
    }
    switch await ServiceCredentials.authenticate(call, form) {
    case .refusal(let refusal): return .serviceRefusal(refusal)
    case .success(let account):
      let request = ServiceTokenRequest(
        account: account, scope: form["scope"], resource: form["resource"], proofKeyThumbprint: key,
        peer: call.peer
      )
      switch await issueServiceToken(request, in: call.world) {
      case .success(let answer): return .json(answer.json)
      case .refusal(let refusal): return .serviceRefusal(refusal)
      }
    }
  }

  /// Describes an access token to a service account (RFC 7662).
  static func introspect(_ call: Call) async -> HTTPResponse {
    let form: Form
    switch ClientForm.readForm(call) {
    case .success(let read): form = read
    case .refusal(let refusal): return .refusal(refusal)
    }
    switch await ServiceCredentials.authenticate(call, form) {
    case .refusal(let refusal): return .serviceRefusal(refusal)
    case .success(let account):
      guard let token = form["token"] else {
        return .refusal(ErrorAnswer(.invalidRequest, "token is needed"))
      }
      switch await describeToken(Secret(token), for: account, in: call.world) {
      case .success(let description): return .json(description)
      case .refusal(let refusal): return .serviceRefusal(refusal)
      }
    }
  }
}

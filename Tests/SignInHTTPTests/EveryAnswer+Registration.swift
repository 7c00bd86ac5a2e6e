import HTTPServer
import JSONText
import SignInModel
import SignInService
import SignInTesting
import SignInWire

@testable import SignInHTTP

extension EveryAnswer {
  /// Registers a person with a code.
  func takeRegistrationCode(_ admin: Person) async {
    let verify = Endpoint.verifyRegistration.path
    let policy = Endpoint.adminClient(.init("rider-app")).path
    _ = await admin.call(.patch, policy, #"{"registration_approval":"number"}"#)
    let begun = await form(
      Endpoint.accounts.path,
      [("client_id", "rider-app"), ("phone_number", "+919812345601"), ("name", "Rani")])
    let session = [("registration_session", begun.json["registration_session"]?.text ?? "")]
    let code = await server.sentCode()
    await form(verify, session)
    await form(verify, [("registration_session", "x"), ("otp", code)])
    await form(verify, session + [("otp", "wrong")])
    await form(verify, session + [("otp", code)])
    _ = await admin.call(.patch, policy, #"{"registration_approval":null}"#)
  }
}

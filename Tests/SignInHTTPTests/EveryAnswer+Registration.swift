import HTTPServer
import JSONText
import SignInModel
import SignInService
import SignInTesting
import SignInWire

extension EveryAnswer {
  func takeRegistrationCode(_ admin: Person) async {
    let verify = Endpoint.verifyRegistration.path
    let policy = Endpoint.adminClient(.init("rider-app")).path
    _ = await admin.call(.patch, policy, #"{"registration_approval":"number"}"#)
    let begun = await form(
      Endpoint.accounts.path,
      [("client_id", "rider-app"), ("phone_number", "+919812345601"), ("name", "Rani")])
    let session = [("registration_session", begun.json["registration_session"]?.text ?? "")]
    await deliverMessages(through: [server.messenger], in: server.world)
    let code = String(server.messenger.messages.last?.text.revealed.prefix(6) ?? "")
    await form(verify, session)
    await form(verify, [("registration_session", "x"), ("otp", code)])
    await form(verify, session + [("otp", "wrong")])
    await form(verify, session + [("otp", code)])
    _ = await admin.call(.patch, policy, #"{"registration_approval":null}"#)
  }

  func takeDevelopment() async {
    let inbox = Endpoint.developmentMessages.path
    note(await server.get(inbox), .get, inbox)
    note(await server.get(inbox, query: "a=%"), .get, inbox)
    for (path, body) in [
      (Endpoint.developmentClock.path, "{\"advance\":1}"), (Endpoint.developmentClock.path, "{}"),
      (Endpoint.developmentAccounts.path, "{\"count\":1}"),
      (Endpoint.developmentAccounts.path, "{}"),
    ] {
      let request = HTTPRequest(method: .post, path: path, body: Array(body.utf8))
      note(await server.answer(request), .post, path)
    }
  }
}

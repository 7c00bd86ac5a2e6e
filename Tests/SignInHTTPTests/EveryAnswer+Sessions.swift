import HTTPServer
import JSONText
import SignInWire

extension EveryAnswer {
  func call(
    _ person: Person, _ method: HTTPMethod, _ path: String, of template: String,
    query: String? = nil, _ body: String? = nil, key: String? = nil
  ) async {
    note(await person.call(method, path, query: query, body, key: key), method, template)
  }

  /// Ends one session of the mentor, who is signed in.
  func takeOneSession(_ admin: Person) async {
    let path = Endpoint.adminSessions(.init("mentor")).path
    let listed = await admin.call(.get, path).json["sessions"]?.elements
    let template = Endpoint.adminSession(.id, .session).path
    for session in ["unknown", listed?.first?["id"]?.text ?? "none"] {
      await call(admin, .delete, path + "/" + session, of: template)
    }
    let unknown = Endpoint.adminSession(.init("unknown"), .init("unknown")).path
    await call(admin, .delete, unknown, of: template)
  }
}

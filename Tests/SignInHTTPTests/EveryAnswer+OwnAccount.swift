import HTTPServer
import JSONText
import SignInModel
import SignInService
import SignInTesting
import SignInWire

@testable import SignInHTTP

extension EveryAnswer {
  /// Changes the own name and number, takes the number back, and asks for an erasure.
  func takeOwnAccount(_ admin: Person) async throws {
    server.clock.advance(seconds: 61)
    let person = try await Person.technician(at: server, scope: "openid account jobs")
    server.clock.advance(seconds: 61)
    for body in ["{}", #"{"name":"Tessa Lund"}"#] {
      await call(person, .patch, Endpoint.me.path, of: Endpoint.me.path, body)
    }
    await call(person, .get, Endpoint.accountChanges.path, of: Endpoint.accountChanges.path)
    await takeContactChange(person)
    await call(person, .get, Endpoint.accountChanges.path, of: Endpoint.accountChanges.path)
    await takeUndo(person)
    await takeErasure(person, admin)
  }

  private func takeContactChange(_ person: Person) async {
    let (path, verify) = (Endpoint.contactChange.path, Endpoint.contactChangeCode.path)
    for body in [
      "{}", #"{"phone_number":"+15550101555","current_password":"wrong"}"#,
      #"{"email":"tessa@example.com","current_password":"demo-Technician-1"}"#,
    ] {
      await call(person, .post, path, of: path, body)
    }
    server.clock.advance(seconds: 61)
    let right = #"{"phone_number":"+15550101555","current_password":"demo-Technician-1"}"#
    let begun = await person.call(.post, path, right)
    note(begun, .post, path)
    await call(person, .post, path, of: path, right)
    let code = await server.sentCode()
    let handle = begun.json["change_session"]?.text ?? ""
    for body in [
      "{}", #"{"change_session":"x","otp":"\#(code)"}"#,
      #"{"change_session":"\#(handle)","otp":"wrong"}"#,
      #"{"change_session":"\#(handle)","otp":"\#(code)"}"#,
      #"{"change_session":"\#(handle)","otp":"\#(code)"}"#,
    ] {
      await call(person, .post, verify, of: verify, body)
    }
  }

  private func takeUndo(_ person: Person) async {
    let path = Endpoint.undoContactChange.path
    note(await server.get(path), .get, path)
    note(await server.get(path, query: "undo=unknown"), .get, path)
    let form = HTTPField("Content-Type", "application/x-www-form-urlencoded")
    for body in ["", "undo=unknown"] {
      note(
        await server.answer(
          HTTPRequest(method: .post, path: path, fields: [form], body: Array(body.utf8))),
        .post, path)
    }
    let changes = await person.call(.get, Endpoint.accountChanges.path).json["contact_changes"]
    for id in [changes?.elements?.first?["id"]?.text ?? "", "unknown"] {
      for body in ["{}", #"{"current_password":"demo-Technician-1"}"#] {
        await call(
          person, .post, Endpoint.contactChangeUndo(.init(id)).path,
          of: Endpoint.contactChangeUndo(.id).path, body)
      }
    }
  }

  private func takeErasure(_ person: Person, _ admin: Person) async {
    let (path, admins) = (Endpoint.erasure.path, Endpoint.adminErasure(.init("technician")).path)
    await call(person, .delete, path, of: path)
    await call(admin, .delete, admins, of: Endpoint.adminErasure(.id).path)
    await call(
      admin, .delete, Endpoint.adminErasure(.init("unknown")).path,
      of: Endpoint.adminErasure(.id).path)
    for body in ["{}", #"{"current_password":"demo-Technician-1"}"#] {
      await call(person, .post, path, of: path, body)
    }
    await call(person, .get, Endpoint.accountChanges.path, of: Endpoint.accountChanges.path)
    await call(
      admin, .get, Endpoint.adminAccount(.init("technician")).path,
      of: Endpoint.adminAccount(.id).path)
    await call(person, .delete, path, of: path)
    await call(admin, .delete, admins, of: Endpoint.adminErasure(.id).path)
  }
}

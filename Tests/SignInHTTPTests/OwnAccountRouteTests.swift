import HTTPServer
import JSONText
import SignInModel
import SignInService
import SignInTesting
import SignInWire
import Testing

@testable import SignInHTTP

/// What a person changes in the own account over HTTP.
@Suite("The own account")
struct OwnAccountRouteTests {
  private static let number = "+15550101555"
  private static let password = #""current_password":"demo-Technician-1""#

  private let server: TestServer
  private let person: Person

  init() async throws {
    server = try await TestServer()
    person = try await Person.technician(at: server, scope: "openid account jobs")
    server.clock.advance(seconds: 61)
  }

  private func lastText() async -> String {
    await deliverMessages(through: [server.messenger], in: server.world)
    return server.messenger.messages.last?.text.revealed ?? ""
  }

  /// Changes the number, and returns the query of the link in the message to the old one.
  private func changeNumber() async throws -> String {
    let begun = await person.call(
      .post, Endpoint.contactChange.path, "{\"phone_number\":\"\(Self.number)\",\(Self.password)}")
    #expect(begun.status == 202)
    let handle = try #require(begun.json["change_session"]?.text)
    let code = await lastText().prefix(6)
    let confirmed = await person.call(
      .post, Endpoint.contactChangeCode.path,
      "{\"change_session\":\"\(handle)\",\"otp\":\"\(code)\"}")
    #expect(confirmed.status == 200)
    #expect(
      confirmed.json["undo_until"]?.unixSeconds
        == server.clock.now().adding(seconds: RevocableChange.undoSeconds).seconds)
    let text = await lastText()
    let start = try #require(text.firstRange(of: Endpoint.undoContactChange.path + "?")?.upperBound)
    return String(text[start...].prefix { !$0.isWhitespace })
  }

  private func page(_ query: String, tag: String = "en") async -> HTTPResponse {
    await server.get(
      Endpoint.undoContactChange.path, query: query, [HTTPField("Accept-Language", tag)])
  }

  private func post(_ body: String) async -> HTTPResponse {
    await server.answer(
      HTTPRequest(
        method: .post, path: Endpoint.undoContactChange.path,
        fields: [
          HTTPField("Content-Type", "application/x-www-form-urlencoded"),
          HTTPField("Origin", "null"), HTTPField("Sec-Fetch-Site", "same-origin"),
        ], body: Array(body.utf8)))
  }

  private func text(_ response: HTTPResponse) -> String {
    String(decoding: response.body, as: UTF8.self)
  }

  private func phone() async throws -> String? {
    let account = try await server.world.store.read { (transaction) throws(StoreFault) in
      try transaction.account(AccountID("technician"))
    }
    return account?.phone?.e164
  }

  @Test("T-16 a person changes name and number, and the link of the old number takes it back")
  func changes() async throws {
    let before = try await phone()
    #expect(await person.call(.patch, Endpoint.me.path, #"{"name":"Tessa Lund"}"#).status == 204)
    #expect(await person.call(.get, Endpoint.me.path).json["name"]?.text == "Tessa Lund")
    let query = try await changeNumber()
    #expect(try await phone() == Self.number)
    let listed = await person.call(.get, Endpoint.accountChanges.path).json["contact_changes"]
    #expect(listed?.elements?.map { $0["kind"]?.text } == ["phone_number"])

    // A program that checks mail opens the link, and nothing changes.
    for _ in 0..<2 {
      let question = await page(query)
      #expect(question.status == 200 && text(question).contains("<form method=\"post\""))
      #expect(question.value(of: "cache-control") == "no-store")
      let policy = question.value(of: "content-security-policy")
      #expect(policy?.contains("form-action 'self'") == true)
    }
    #expect(try await phone() == Self.number)
    for _ in 0..<2 {
      let done = await post(query)
      #expect(done.status == 200 && text(done).contains("The change was taken back"))
    }
    #expect(try await phone() == before)
    #expect(text(await page(query)).contains("The change was taken back"))
    #expect(await person.call(.get, Endpoint.me.path).status == 401)
  }

  @Test("L-56 the page of the link speaks the person's language and is never JSON")
  func page() async throws {
    let query = try await changeNumber()
    for tag in ["en", "hi", "nb"] {
      let question = text(await page(query + "&utm=a|b&q=100%", tag: tag))
      #expect(question.contains("lang=\"\(tag)\"") && question.contains("<button>"))
    }
    for broken in ["", "undo=", "undo=x", "undo=x&undo=y", query + "&" + query, "undo=%22%3E%3Cb"] {
      for response in [await page(broken), await post(broken)] {
        #expect(response.status == 200 && text(response).contains("no longer works"), "\(broken)")
        #expect(response.value(of: "content-type") == "text/html; charset=utf-8")
        #expect(!text(response).contains("\"><b"), "\(broken)")
      }
    }
    #expect(try await phone() == Self.number)
  }

  @Test("A person asks for the erasure, sees its time, and cancels it; an administrator can too")
  func erasure() async throws {
    let admin = try await Person.administrator(at: server)
    let account = Endpoint.adminAccount(.init("technician")).path
    for path in [Endpoint.erasure.path, Endpoint.adminErasure(.init("technician")).path] {
      let asked = await person.call(.post, Endpoint.erasure.path, "{\(Self.password)}")
      let due = try #require(asked.json["due_at"]?.unixSeconds)
      #expect(asked.status == 202)
      #expect(due == server.clock.now().adding(seconds: 7 * 86_400).seconds)
      let changes = await person.call(.get, Endpoint.accountChanges.path)
      #expect(changes.json["erasure"]?["due_at"]?.unixSeconds == due)
      #expect(await admin.call(.get, account).json["erasure_at"]?.unixSeconds == due)

      let canceller = path == Endpoint.erasure.path ? person : admin
      #expect(await canceller.call(.delete, path).status == 204)

      #expect(
        await person.call(.get, Endpoint.accountChanges.path).json["erasure"] == nil)
      #expect(await admin.call(.get, account).json["erasure_at"] == nil)
    }
    #expect(await person.call(.post, Endpoint.erasure.path, "{}").code == "invalid_credentials")
  }

  @Test("The link of the message about an erasure keeps the account")
  func erasureLink() async throws {
    _ = await person.call(.post, Endpoint.erasure.path, "{\(Self.password)}")
    let mail = RecordingMessenger(name: "mail", channel: .email)
    await deliverMessages(through: [server.messenger, mail], in: server.world)
    let messages = server.messenger.messages + mail.messages
    let message = try #require(messages.last { $0.kind == .notice }?.text.revealed)
    let start = try #require(
      message.firstRange(of: Endpoint.undoContactChange.path + "?")?.upperBound)
    let query = String(message[start...])
    #expect(text(await page(query)).contains("Keep your account?"))
    #expect(text(await post(query)).contains("Your account stays"))
    #expect(await person.call(.get, Endpoint.accountChanges.path).json["erasure"] == nil)
    #expect(await person.call(.get, Endpoint.me.path).status == 200)
  }
}

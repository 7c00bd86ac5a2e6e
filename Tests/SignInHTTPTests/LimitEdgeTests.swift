import HTTPServer
import JSONText
import SignInModel
import SignInService
import SignInTesting
import SignInWire
import Testing

@testable import SignInHTTP

/// A text with the maximum length in the document is accepted, and one more character is refused.
@Suite("Limits of requests at their edge")
struct LimitEdgeTests {
  /// The `maxLength`, `maximum` or `maxItems` of a parameter or of a member of a body.
  private func limit(
    _ method: String, _ path: String, _ name: String, _ keyword: String = "maxLength"
  ) throws -> Int {
    let operation = try #require(OpenAPI.document["paths"]?[path]?[method])
    let parameter = operation["parameters"]?.elements?.first { $0["name"]?.text == name }
    let content = operation["requestBody"]?["content"]?.objectMembers?.first?.value
    let schema = parameter?["schema"] ?? content?["schema"]?["properties"]?[name]
    return Int(try #require(schema?[keyword]?.number(in: 0...((1 << 53) - 1))))
  }

  private func text(_ count: Int) -> String { String(repeating: "a", count: count) }

  @Test("Parameters of a query")
  func query() async throws {
    let server = try await TestServer()
    let administrator = try await Person.administrator(at: server)
    let query = try limit("get", Endpoint.adminAccounts.path, "query")
    let page = try limit("get", Endpoint.adminAccounts.path, "limit", "maximum")

    for (taken, query) in [
      (true, "query=\(text(query))"), (false, "query=\(text(query + 1))"),
      (true, "limit=\(page)"), (false, "limit=\(page + 1)"), (false, "limit=0"),
    ] {
      let answer = await administrator.call(.get, Endpoint.adminAccounts.path, query: query)
      #expect(answer.status == (taken ? 200 : 400), "\(query.prefix(12))")
    }
  }

  @Test("Header fields: an idempotency key, and the tags of a condition")
  func fields() async throws {
    let server = try await TestServer()
    let administrator = try await Person.administrator(at: server)
    let key = try limit("patch", Endpoint.adminClient(.id).path, "Idempotency-Key")
    let tags = try limit("patch", Endpoint.adminClient(.id).path, "If-Match")

    func status(_ name: String, _ value: String) async -> Int {
      await administrator.call(
        .patch, "/admin/clients/rider-app", "{}", more: [HTTPField(name, value)]
      ).status
    }

    #expect(await status("Idempotency-Key", text(key)) == 200)
    #expect(await status("Idempotency-Key", text(key + 1)) == 400)
    // A tag that no version has.
    #expect(await status("If-Match", text(tags)) == 412)
    #expect(await status("If-Match", text(tags + 1)) == 400)
  }

  @Test("Members of JSON bodies: a name, an e-mail address, and how many organizations")
  func members() async throws {
    let server = try await TestServer()
    let administrator = try await Person.administrator(at: server)
    let name = try limit("patch", Endpoint.adminAccount(.id).path, "name")
    let organizations = try limit(
      "patch", Endpoint.adminAccount(.id).path, "organizations", "maxItems")

    func status(_ body: String) async -> Int {
      await administrator.call(.patch, "/admin/accounts/technician", body).status
    }
    func list(_ count: Int) -> String {
      Array(repeating: "\"north\"", count: count).joined(separator: ",")
    }

    #expect(await status("{\"name\":\"\(text(name))\"}") == 200)
    #expect(await status("{\"name\":\"\(text(name + 1))\"}") == 400)
    // A label of a domain has at most 63 characters.
    let labels = String(repeating: text(59) + ".", count: 4)
    let host = "@" + labels + text(EmailAddress.lengthLimit - 9 - labels.utf8.count)
    #expect(await status("{\"email\":\"\(text(8) + host)\"}") == 200)
    #expect(await status("{\"email\":\"\(text(9) + host)\"}") == 400)
    #expect(await status("{\"organizations\":[\(list(organizations))]}") == 200)
    #expect(await status("{\"organizations\":[\(list(organizations + 1))]}") == 400)
  }

  @Test("Parameters of forms without a limit of their own")
  func forms() async throws {
    let server = try await TestServer()
    let limit = try limit("post", Endpoint.revoke.path, "token")

    func status(_ count: Int) async -> Int {
      let body = "client_id=rider-app&token=\(text(count))"
      return await server.answer(
        HTTPRequest(
          method: .post, path: Endpoint.revoke.path,
          fields: [HTTPField("Content-Type", "application/x-www-form-urlencoded")],
          body: Array(body.utf8))
      ).status
    }

    #expect(await status(limit - 1) == 200)
    #expect(await status(limit) == 200)
    #expect(await status(limit + 1) == 400)
  }

  @Test("Records of other systems: identifiers, lines, numbers, notes, and items of a batch")
  func records() async throws {
    let program = try await WritingProgram.make()
    let title = try limit("put", "/admin/jobs/{id}", "title")
    let id = try limit("put", "/admin/jobs/{id}", "id")
    let items = try limit("post", "/admin/jobs:batch", "items", "maxItems")

    func put(_ id: String, _ body: String) async -> Int {
      await program.call(.put, "/admin/jobs/\(id)", body).status
    }
    func batch(_ count: Int) async -> Int {
      let all = (0..<count).map { "{\"id\":\"j-\($0)\",\"deleted\":true}" }
      return await program.call(
        .post, "/admin/jobs:batch", "{\"items\":[\(all.joined(separator: ","))]}"
      ).status
    }

    #expect(await put(text(id), WritingProgram.job()) == 201)
    #expect(await put(text(id + 1), WritingProgram.job()) == 400)
    #expect(await put("j-1", WritingProgram.job(title: text(title))) == 201)
    #expect(await put("j-2", WritingProgram.job(title: text(title + 1))) == 400)
    #expect(await batch(items) == 200)
    #expect(await batch(items + 1) == 400)
  }
}

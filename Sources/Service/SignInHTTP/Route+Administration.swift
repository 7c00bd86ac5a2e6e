import HTTPServer
import JSONText
import SignInModel
import SignInService
import SignInWire

extension Route {
  static func accounts(_ call: Call, _ access: Access) async throws(Refusal) -> HTTPResponse {
    let input = try PageQuery.read(call)
    if let ids = input.form["ids"] {
      let wanted = ids.utf8.split(separator: UInt8(ascii: ",")).map {
        AccountID(String(decoding: $0, as: UTF8.self))
      }
      let page = try await listAccounts(wanted, rules: call.rules(access), in: call.world)
      return listed("accounts", page) { $0.json }
    }
    let query = try accountQuery(input.form)
    let page = try await listAccounts(
      query, cursor: input.cursor, limit: input.limit, rules: call.rules(access), in: call.world
    )
    return listed("accounts", page) { $0.json }
  }

  private static func accountQuery(_ form: Form) throws(Refusal) -> AccountQuery {
    let text = form["query"] ?? ""
    guard text.utf8.count <= AccountQuery.textByteLimit else {
      throw Refusal.invalidRequest("query is too long")
    }
    let status = form["status"].map { Account.Status(rawValue: $0) }
    let role = form["role"].map { Account.Role(rawValue: $0) }
    if status == .some(nil) { throw Refusal.invalidRequest("unknown status") }
    if role == .some(nil) { throw Refusal.invalidRequest("unknown role") }
    return AccountQuery(text, status: status ?? nil, role: role ?? nil)
  }

  static func makeAccount(_ call: Call, _ access: Access) async throws(Refusal) -> HTTPResponse {
    try await withBody(call, access, AccountCreation.init(reading:)) {
      (creation, once) throws(Refusal) in
      try await createAccount(creation, once: once, rules: call.rules(access), in: call.world)
    } answer: { entry in
      var response = HTTPResponse.json(entry.json, status: 201)
      let place = Endpoint.adminAccounts + "/" + entry.id.text
      response.fields.append(HTTPField("Location", place))
      return response
    }
  }

  static func account(_ call: Call, _ access: Access) async throws(Refusal) -> HTTPResponse {
    try await withAccount(call) { (id) throws(Refusal) in
      try await showAccount(id, rules: call.rules(access), in: call.world)
    }
  }

  static func changeAccount(_ call: Call, _ access: Access) async throws(Refusal) -> HTTPResponse {
    try await withAccount(call) { (id) throws(Refusal) in
      let change = try JSONBody.read(call, AccountChange.init(reading:))
      return try await editAccount(id, change, rules: call.rules(access), in: call.world)
    }
  }

  /// Everything that is stored about one person.
  static func exportAccount(_ call: Call, _ access: Access) async throws(Refusal) -> HTTPResponse {
    let id = AccountID(call.parameter("id"))
    let export = try await SignInService.exportAccount(
      id, rules: call.rules(access), in: call.world)
    return .json(export)
  }

  static func eraseAccount(_ call: Call, _ access: Access) async throws(Refusal) -> HTTPResponse {
    let id = AccountID(call.parameter("id"))
    _ = try await SignInService.eraseAccount(id, rules: call.rules(access), in: call.world)
    return HTTPResponse(status: 204)
  }

  static func lockedSessionOpensItself(_ call: Call, _ access: Access) async throws(Refusal)
    -> HTTPResponse
  {
    try await withAccount(call) { (id) throws(Refusal) in
      try await unlockAccount(id, rules: call.rules(access), in: call.world)
    }
  }

  static func forgetPassword(_ call: Call, _ access: Access) async throws(Refusal) -> HTTPResponse {
    try await withAccount(call) { (id) throws(Refusal) in
      try await resetAccount(id, password: nil, rules: call.rules(access), in: call.world)
    }
  }

  /// Performs an action on the account in the path and answers with the account.
  private static func withAccount(
    _ call: Call, _ act: (AccountID) async throws(Refusal) -> AccountEntry
  ) async throws(Refusal) -> HTTPResponse {
    let entry = try await act(AccountID(call.parameter("id")))
    return .json(entry.json)
  }

  static func listed<Entry>(
    _ name: String, _ page: ListPage<Entry>, json: (Entry) -> JSON
  ) -> HTTPResponse {
    .json(
      .members([
        JSONMember(name, .array(page.entries.map(json))),
        JSONMember("cursor", ifPresent: page.cursor),
      ])
    )
  }
}

extension Call {
  func rules(_ access: Access) -> AccountEditingRules { AccountEditingRules(access, peer: peer) }
}

/// The page of a list that a query requests.
struct PageQuery {
  let form: Form
  let cursor: String?
  let limit: Int

  static func read(_ call: Call) throws(Refusal) -> PageQuery {
    let form: Form
    do throws(Form.Fault) {
      form = try Form(parsing: Array((call.request.query ?? "").utf8))
    } catch {
      throw Refusal.invalidRequest("the query is malformed")
    }
    guard let text = form["limit"] else {
      return PageQuery(form: form, cursor: form["cursor"], limit: PageLimits.standard)
    }
    // The use case checks the limit of a page's length.
    guard let limit = WholeNumber.read(text, in: 0...Int64(Int32.max)) else {
      throw Refusal.invalidRequest("limit must be a number")
    }
    return PageQuery(form: form, cursor: form["cursor"], limit: Int(limit))
  }
}

import HTTPServer
import JSONText
import SignInModel
import SignInService
import SignInWire

extension Route {
  static func accounts(_ call: Call, _ access: Access) async -> HTTPResponse {
    switch PageQuery.read(call) {
    case .refusal(let refusal): return .dataRefusal(refusal)
    case .success(let input):
      if let ids = input.form["ids"] {
        let wanted = ids.utf8.split(separator: UInt8(ascii: ",")).map {
          AccountID(String(decoding: $0, as: UTF8.self))
        }
        let page = await listAccounts(wanted, rules: call.rules(access), in: call.world)
        return listed("accounts", page) { $0.json }
      }
      let query: AccountQuery
      switch accountQuery(input.form) {
      case .success(let read): query = read
      case .refusal(let refusal): return .dataRefusal(refusal)
      }
      let page = await listAccounts(
        query, cursor: input.cursor, limit: input.limit, rules: call.rules(access), in: call.world
      )
      return listed("accounts", page) { $0.json }
    }
  }

  private static func accountQuery(_ form: Form) -> Outcome<AccountQuery> {
    let text = form["query"] ?? ""
    guard text.utf8.count <= AccountQuery.textByteLimit else {
      return .refusal(ErrorAnswer(.invalidRequest, "query is too long"))
    }
    let status = form["status"].map { Account.Status(rawValue: $0) }
    let role = form["role"].map { Account.Role(rawValue: $0) }
    if status == .some(nil) { return .refusal(ErrorAnswer(.invalidRequest, "unknown status")) }
    if role == .some(nil) { return .refusal(ErrorAnswer(.invalidRequest, "unknown role")) }
    return .success(AccountQuery(text, status: status ?? nil, role: role ?? nil))
  }

  static func makeAccount(_ call: Call, _ access: Access) async -> HTTPResponse {
    await withBody(call, access, AccountCreation.init(reading:)) { creation, once in
      await createAccount(creation, once: once, rules: call.rules(access), in: call.world)
    } answer: { entry in
      var response = HTTPResponse.json(entry.json, status: 201)
      let place = Endpoint.adminAccounts + "/" + entry.id.text
      response.fields.append(HTTPField("Location", place))
      return response
    }
  }

  static func account(_ call: Call, _ access: Access) async -> HTTPResponse {
    await withAccount(call) { id in
      await showAccount(id, rules: call.rules(access), in: call.world)
    }
  }

  static func changeAccount(_ call: Call, _ access: Access) async -> HTTPResponse {
    await withAccount(call) { id in
      switch JSONBody.read(call, AccountChange.init(reading:)) {
      case .success(let change):
        await editAccount(id, change, rules: call.rules(access), in: call.world)
      case .refusal(let refusal): .refusal(refusal)
      }
    }
  }

  /// Everything that is stored about one person.
  static func exportAccount(_ call: Call, _ access: Access) async -> HTTPResponse {
    let id = AccountID(call.parameter("id"))
    switch await SignInService.exportAccount(id, rules: call.rules(access), in: call.world) {
    case .success(let export): return .json(export)
    case .refusal(let refusal): return .dataRefusal(refusal)
    }
  }

  static func eraseAccount(_ call: Call, _ access: Access) async -> HTTPResponse {
    let id = AccountID(call.parameter("id"))
    switch await SignInService.eraseAccount(id, rules: call.rules(access), in: call.world) {
    case .success: return HTTPResponse(status: 204)
    case .refusal(let refusal): return .dataRefusal(refusal)
    }
  }

  static func lockedSessionOpensItself(_ call: Call, _ access: Access) async -> HTTPResponse {
    await withAccount(call) { id in
      await unlockAccount(id, rules: call.rules(access), in: call.world)
    }
  }

  static func forgetPassword(_ call: Call, _ access: Access) async -> HTTPResponse {
    await withAccount(call) { id in
      await resetAccount(id, password: nil, rules: call.rules(access), in: call.world)
    }
  }

  /// Performs an action on the account in the path and answers with the account.
  private static func withAccount(
    _ call: Call, _ act: (AccountID) async -> Outcome<AccountEntry>
  ) async -> HTTPResponse {
    switch await act(AccountID(call.parameter("id"))) {
    case .success(let entry): return .json(entry.json)
    case .refusal(let refusal): return .dataRefusal(refusal)
    }
  }

  static func listed<Entry>(
    _ name: String, _ outcome: Outcome<ListPage<Entry>>, json: (Entry) -> JSON
  ) -> HTTPResponse {
    switch outcome {
    case .success(let page):
      return .json(
        .members([
          JSONMember(name, .array(page.entries.map(json))),
          JSONMember("cursor", ifPresent: page.cursor),
        ])
      )
    case .refusal(let refusal): return .dataRefusal(refusal)
    }
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

  static func read(_ call: Call) -> Outcome<PageQuery> {
    let form: Form
    do throws(Form.Fault) {
      form = try Form(parsing: Array((call.request.query ?? "").utf8))
    } catch {
      return .refusal(ErrorAnswer(.invalidRequest, "the query is malformed"))
    }
    guard let text = form["limit"] else {
      return .success(PageQuery(form: form, cursor: form["cursor"], limit: PageLimits.standard))
    }
    // The use case checks the limit of a page's length.
    guard let limit = WholeNumber.read(text, in: 0...Int64(Int32.max)) else {
      return .refusal(ErrorAnswer(.invalidRequest, "limit must be a number"))
    }
    return .success(PageQuery(form: form, cursor: form["cursor"], limit: Int(limit)))
  }
}

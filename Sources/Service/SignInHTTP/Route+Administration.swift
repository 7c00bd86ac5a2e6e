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
      let query: AccountQuery
      switch accountQuery(input.form) {
      case .success(let read): query = read
      case .refusal(let refusal): return .dataRefusal(refusal)
      }
      let page = await listAccounts(
        query, cursor: input.cursor, limit: input.limit, keeper: call.keeper(access), in: call.world
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
      await createAccount(creation, once: once, keeper: call.keeper(access), in: call.world)
    } answer: { entry in
      var response = HTTPResponse.json(entry.json, status: 201)
      let place = Endpoint.adminAccounts + "/" + entry.id.text
      response.fields.append(HTTPField("Location", place))
      return response
    }
  }

  static func account(_ call: Call, _ access: Access) async -> HTTPResponse {
    await withAccount(call) { id in
      await showAccount(id, keeper: call.keeper(access), in: call.world)
    }
  }

  static func changeAccount(_ call: Call, _ access: Access) async -> HTTPResponse {
    await withAccount(call) { id in
      switch JSONBody.read(call, AccountChange.init(reading:)) {
      case .success(let change):
        await editAccount(id, change, keeper: call.keeper(access), in: call.world)
      case .refusal(let refusal): .refusal(refusal)
      }
    }
  }

  /// Everything that is stored about one person.
  static func exportAccount(_ call: Call, _ access: Access) async -> HTTPResponse {
    let id = AccountID(call.parameter("id"))
    switch await SignInService.exportAccount(id, keeper: call.keeper(access), in: call.world) {
    case .success(let export): return .json(export)
    case .refusal(let refusal): return .dataRefusal(refusal)
    }
  }

  static func eraseAccount(_ call: Call, _ access: Access) async -> HTTPResponse {
    let id = AccountID(call.parameter("id"))
    switch await SignInService.eraseAccount(id, keeper: call.keeper(access), in: call.world) {
    case .success: return HTTPResponse(status: 204)
    case .refusal(let refusal): return .dataRefusal(refusal)
    }
  }

  static func lockedSessionOpensItself(_ call: Call, _ access: Access) async -> HTTPResponse {
    await withAccount(call) { id in
      await unlockAccount(id, keeper: call.keeper(access), in: call.world)
    }
  }

  static func forgetPassword(_ call: Call, _ access: Access) async -> HTTPResponse {
    await withAccount(call) { id in
      await resetAccount(id, password: nil, keeper: call.keeper(access), in: call.world)
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

extension AccountCreation {
  fileprivate init(reading body: JSONBody) throws(JSONBody.Wrong) {
    var written = UnparsedAccount()
    written.name = try body.text("name")
    written.role = try body.text("role")
    written.email = try body.text("email")
    written.phone = try body.text("phone_number")
    written.password = try body.text("password").map { Secret($0) }
    written.organizations = try body.list("organizations") { (text) throws(Malformed) in text }
    written.permissions = try body.grants("permissions")
    do throws(UnparsedAccount.Mistake) { try self.init(parsing: written) } catch {
      throw JSONBody.Wrong(member: error.member.rawValue)
    }
  }
}

extension AccountChange {
  fileprivate init(reading body: JSONBody) throws(JSONBody.Wrong) {
    self.init()
    status = try body.word("status")
    name = try body.parsed("name", PersonName.init(parsing:))
    if body.json["email"] == .null {
      email = .removed
    } else {
      email = try body.parsed("email", EmailAddress.init(parsing:)).map { .set($0) }
    }
    phone = try body.parsed("phone_number", PhoneNumber.init(parsing:))
    role = try body.word("role")
    if body.json["organizations"] != nil {
      let asked = try body.list("organizations", OrganizationID.init(parsing:))
      guard asked.count <= Account.organizationLimit else {
        throw JSONBody.Wrong(member: "organizations")
      }
      organizations = asked
    }
    permission = try body.grants("permissions").map { Permission($0) }
    // For `email`, null means that the address is removed. For other members, null is a mistake.
    for member in body.json.objectMembers ?? [] where member.value == .null {
      if !member.isNamed("email") { throw JSONBody.Wrong(member: member.key) }
    }
    if isEmpty { throw JSONBody.Wrong(member: "a member to change") }
  }
}

extension JSONBody {
  /// One word of a closed list; `nil` if the member is absent or null.
  fileprivate func word<Word: RawRepresentable<String>>(
    _ name: String
  ) throws(Wrong) -> Word? {
    guard let text = try text(name) else { return nil }
    guard let word = Word(rawValue: text) else { throw Wrong(member: name) }
    return word
  }

  /// The permissions in a list; `nil` if the member is absent or null.
  fileprivate func grants(_ name: String) throws(Wrong) -> [Permission.Grant]? {
    if json[name] == nil || json[name] == .null { return nil }
    let grants = try objects(name) { entry -> Permission.Grant? in
      guard let level = entry["level"]?.text.flatMap({ Permission.Level(rawValue: $0) }) else {
        return nil
      }
      guard let organization = entry["organization"] else { return Permission.Grant(level) }
      do throws(Malformed) {
        return Permission.Grant(
          level, in: try OrganizationID(parsing: organization.text ?? ""))
      } catch {
        return nil
      }
    }
    guard grants.count <= Permission.grantLimit else { throw Wrong(member: name) }
    return grants
  }
}

extension Call {
  func keeper(_ access: Access) -> AccountEditingRules { AccountEditingRules(access, peer: peer) }
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

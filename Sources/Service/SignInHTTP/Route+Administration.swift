import HTTPServer
import JSONText
import SignInModel
import SignInRules
import SignInService
import SignInWire

extension Route {
  static let ofAdministration: [Route] = [
    Route(
      .get, .adminAccounts, needs: .viewer, answer: accounts,
      Operation(
        name: "listAccounts",
        summary: "Accounts, newest first", chapter: .administration,
        query: accountFilters + page,
        contents: [AccountsQuery.self, PageQuery.self],
        answers: [.json(.reference(.accountPage), "A page of the list")],
        refusals: [.invalidRequest]
      )),
    Route(
      .post, .adminAccounts, needs: .administrator, answer: makeAccount,
      Operation(
        name: "createAccount",
        summary: "Creates an active account; if it has no password, the person chooses one with an"
          + " invitation", chapter: .administration,
        fields: [onceOnly],
        body: .json(creation), contents: [AccountBody.self, FirstPasswordBody.self],
        answers: [
          .json(.reference(.account), "The account, and its path in Location", status: 201)
        ],
        refusals: [
          .invalidRequest, .accountExists, .passwordTooShort, .passwordTooLong, .passwordTooCommon,
          .idempotencyKeyReused,
        ]
      )),
    Route(
      .get, .adminAccount(.id), needs: .viewer, answer: account,
      Operation(
        name: "readAccount", summary: "One account",
        chapter: .administration,
        answers: [.json(.reference(.account), "The account")], refusals: [.accountNotFound]
      )),
    Route(
      .patch, .adminAccount(.id), needs: .administrator, answer: changeAccount,
      Operation(
        name: "changeAccount",
        summary:
          "Changes an account, with all members of the body or none. A deactivation, a new role"
          + " and a new number end its sessions immediately", chapter: .administration,
        body: .json(changes), contents: [AccountBody.self, StatusChangeBody.self],
        answers: [.json(.reference(.account), "The account after the change")],
        refusals: [
          .invalidRequest, .accountNotFound, .accountExists, .illegalTransition, .ownAccount,
          .lastAdministrator,
        ]
      )),
    Route(
      .delete, .adminAccount(.id), needs: .administrator, answer: eraseAccount,
      Operation(
        name: "eraseAccount",
        summary:
          "Erases everything that is stored about a person; only the account's identifier stays"
          + " in the security log", chapter: .administration,
        answers: [.done("Everything is erased")],
        refusals: [.accountNotFound, .ownAccount, .lastAdministrator]
      )),
    Route(
      .delete, .adminErasure(.id), needs: .administrator, answer: keepAccount,
      Operation(
        name: "cancelErasure", summary: "Cancels the erasure that a person asked for",
        chapter: .administration,
        answers: [.done("The account stays")], refusals: [.accountNotFound, .changeNotFound]
      )),
    Route(
      .get, .adminExport(.id), needs: .administrator, answer: exportAccount,
      Operation(
        name: "exportAccount",
        summary: "Everything that is stored about a person", chapter: .administration,
        answers: [.json(.reference(.personExport), "The data of the person")],
        refusals: [.accountNotFound]
      )),
    Route(
      .post, .adminUnlock(.id), needs: .support, answer: endLockout,
      Operation(
        name: "unlockAccount",
        summary: "Ends the lockout of an account", chapter: .administration,
        answers: [.json(.reference(.account), "The account after the change")],
        refusals: [.accountNotFound]
      )),
    Route(
      .post, .adminReset(.id), needs: .support, answer: forgetPassword,
      Operation(
        name: "resetAccount",
        summary: "Ends the lockout and all sessions of an account and removes its password",
        chapter: .administration,
        answers: [.json(.reference(.account), "The account after the change")],
        refusals: [.accountNotFound]
      )),
    Route(
      .get, .adminSessions(.id), needs: .viewer, answer: accountSessions,
      Operation(
        name: "listAccountSessions",
        summary: "The open sessions of an account, newest first", chapter: .administration,
        answers: [.json(sessionList, "The sessions")],
        refusals: [.accountNotFound]
      )),
    Route(
      .delete, .adminSessions(.id), needs: .support, answer: endAccountSessions,
      Operation(
        name: "endAccountSessions",
        summary: "Ends all sessions of an account", chapter: .administration,
        answers: [.done("All sessions have ended")], refusals: [.accountNotFound]
      )),
    Route(
      .delete, .adminSession(.id, .session), needs: .support, answer: endAccountSession,
      Operation(
        name: "endAccountSession",
        summary: "Ends one session of an account", chapter: .administration,
        answers: [.done("The session has ended")],
        refusals: [.accountNotFound, .sessionNotFound]
      )),
  ]

  private static let creation = Schema.object([
    .required(.name, .personName, "In any script"),
    .required(.role, .word(AccountRole.allCases.map { $0.rawValue })),
    .optional(.email, .email, "Required for all roles except riders"),
    .optional(
      .phoneNumber, .phoneNumber,
      "E.164; needed for riders. Without it, the person can sign in at an identity provider only"),
    .optional(.password, .newPassword, "A password that is not often used"),
    .optional(.organizations, organizationList),
    .optional(
      .permissions, permissionList, "Of an administrator; the default is your own permissions"),
  ])

  private static let changes = Schema.object([
    .optional(.status, .word(AccountStatus.allCases.filter { $0 != .pending }.map { $0.rawValue })),
    .optional(
      .reason, .line(upTo: TextLine.lengthLimit),
      "Why the account is deactivated; it is in the security log, and the person does not get it"),
    .optional(.name, .personName, "In any script"),
    .optional(.email, .orNull(.email), "Required for all roles except riders"),
    .optional(
      .phoneNumber, .orNull(.phoneNumber),
      "E.164; it cannot reset a password until the person enters a code that was sent to it. Null"
        + " removes it, if the account has an identity at an identity provider and is no rider's"),
    .optional(.role, .word(AccountRole.allCases.map { $0.rawValue })),
    .optional(
      .organizations, organizationList, "All organizations; the account is removed from the others"
    ),
    .optional(.permissions, permissionList, "All permissions; you cannot give more than your own"),
  ])

  private static let permissionList = Schema.many(
    .reference(.permission), 0...Permission.grantLimit)
  private static let organizationList = Schema.many(
    .identifier, 0...Account.organizationLimit)
}

extension Route {
  static func accounts(_ call: Call, _ access: Access) async throws(Refusal) -> HTTPResponse {
    let list = try ListQuery.read(call)
    let input = AccountsQuery(list.form)
    if let ids = input.accountIDs {
      let page = try await listAccounts(ids, rules: call.rules(access), in: call.world)
      return listed(.accounts, page) { $0.json }
    }
    let query = try accountQuery(input, at: call.world.clock.now())
    let page = try await listAccounts(
      query, try list.page(), rules: call.rules(access), in: call.world)
    return listed(.accounts, page) { $0.json }
  }

  static func accountQuery(
    _ input: AccountsQuery, at now: Instant
  ) throws(Refusal) -> AccountQuery {
    let text = input.text ?? ""
    guard text.utf8.count <= AccountQuery.textByteLimit else {
      throw Refusal.invalidRequest("query is too long")
    }
    let status = input.status.map { AccountStatus(rawValue: $0) }
    let role = input.role.map { AccountRole(rawValue: $0) }
    if status == .some(nil) { throw Refusal.invalidRequest("unknown status") }
    if role == .some(nil) { throw Refusal.invalidRequest("unknown role") }
    var query = AccountQuery(text, status: status ?? nil, role: role ?? nil)
    if input.isLocked == true { query.lockedAt = now }
    return query
  }

  static func makeAccount(_ call: Call, _ access: Access) async throws(Refusal) -> HTTPResponse {
    try await withBody(call, access, AccountCreation.init(reading:)) {
      (creation, once) throws(Refusal) in
      try await createAccount(creation, once: once, rules: call.rules(access), in: call.world)
    } answer: { entry in
      var response = HTTPResponse.json(entry.json, status: 201)
      let place = Endpoint.adminAccount(.init(entry.id.text)).path
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
      let change = try AccountChange(reading: try call.body())
      return try await editAccount(id, change, rules: call.rules(access), in: call.world)
    }
  }

  /// Everything that is stored about one person.
  static func exportAccount(_ call: Call, _ access: Access) async throws(Refusal) -> HTTPResponse {
    let id = AccountID(call.parameter(.id))
    let export = try await SignInService.exportAccount(
      id, rules: call.rules(access), in: call.world)
    return .json(export)
  }

  static func eraseAccount(_ call: Call, _ access: Access) async throws(Refusal) -> HTTPResponse {
    let id = AccountID(call.parameter(.id))
    _ = try await SignInService.eraseAccount(id, rules: call.rules(access), in: call.world)
    return HTTPResponse(status: 204)
  }

  static func keepAccount(
    _ call: Call, _ access: Access
  ) async throws(Refusal) -> HTTPResponse {
    let id = AccountID(call.parameter(.id))
    try await SignInService.cancelErasure(of: id, rules: call.rules(access), in: call.world)
    return HTTPResponse(status: 204)
  }

  static func endLockout(_ call: Call, _ access: Access) async throws(Refusal) -> HTTPResponse {
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
    let entry = try await act(AccountID(call.parameter(.id)))
    return .json(entry.json)
  }

  static func listed<Entry>(
    _ name: WireField, _ page: ListPage<Entry, some PageCursor>, json: (Entry) -> JSON
  ) -> HTTPResponse {
    .json(name.list(page.entries.map(json), cursor: page.cursor?.text))
  }
}

extension Call {
  func rules(_ access: Access) -> AccountEditingRules { AccountEditingRules(access, peer: peer) }
}

/// The query of a list, and the page that it requests.
struct ListQuery {
  let form: Form
  private let cursor: String?
  private let limit: Int

  static func read(_ call: Call) throws(Refusal) -> ListQuery {
    let form = try call.query()
    let page = PageQuery(form)
    guard let text = page.limit else {
      return ListQuery(form: form, cursor: page.cursor, limit: PageLimits.standard)
    }
    guard let limit = WholeNumber.read(text, in: 0...Int64(Int32.max)) else {
      throw Refusal.invalidRequest("limit must be a number")
    }
    return ListQuery(form: form, cursor: page.cursor, limit: Int(limit))
  }

  func page<Cursor: PageCursor>() throws(Refusal) -> PageRequest<Cursor> {
    try PageRequest(parsing: cursor, limit: limit)
  }
}

import HTTPServer
import SignInModel
import SignInRules
import SignInService
import SignInWire

extension Operation {
  static let administration: [Operation] = [
    Operation(
      method: .get, path: Endpoint.adminAccounts, name: "listAccounts",
      summary: "Accounts, newest first", chapter: .administration,
      query: [
        Parameter(
          name: "query", schema: .text(upTo: AccountQuery.textByteLimit),
          note: "part of a name, an e-mail address or a phone number"
        ),
        Parameter(
          name: "status", schema: .word(["active", "deactivated", "pending", "rejected"]),
          note: "only these"
        ),
        Parameter(
          name: "role", schema: .word(Account.Role.allCases.map { $0.rawValue }),
          note: "only these"
        ),
      ] + page,
      answers: [.json(.reference(.accountPage), "a page")], refusals: [.invalidRequest]
    ),
    Operation(
      method: .post, path: Endpoint.adminAccounts, name: "createAccount",
      summary: "Makes an active account; without a password the person chooses theirs with an"
        + " invitation", chapter: .administration,
      fields: [onceOnly],
      body: .json(creation),
      answers: [.json(.reference(.account), "the account, and where it is", status: 201)],
      refusals: [
        .invalidRequest, .accountExists, .passwordTooShort, .passwordTooLong, .passwordTooCommon,
        .idempotencyKeyReused,
      ]
    ),
    Operation(
      method: .get, path: Endpoint.adminAccount, name: "readAccount", summary: "One account",
      chapter: .administration,
      answers: [.json(.reference(.account), "the account")], refusals: [.accountNotFound]
    ),
    Operation(
      method: .patch, path: Endpoint.adminAccount, name: "changeAccount",
      summary: "Changes an account: every member of the body, or none. Deactivation, another role"
        + " and another number end its sessions at once", chapter: .administration,
      body: .json(changes),
      answers: [.json(.reference(.account), "the account as it is now")],
      refusals: [
        .invalidRequest, .accountNotFound, .accountExists, .illegalTransition, .ownAccount,
        .lastAdministrator,
      ]
    ),
    Operation(
      method: .delete, path: Endpoint.adminAccount, name: "eraseAccount",
      summary: "Erases everything that is stored about a person; the security log keeps the"
        + " account's identifier", chapter: .administration,
      answers: [.done("nothing is left")],
      refusals: [.accountNotFound, .ownAccount, .lastAdministrator]
    ),
    Operation(
      method: .get, path: Endpoint.adminExport, name: "exportAccount",
      summary: "Everything that is stored about a person", chapter: .administration,
      answers: [.json(.reference(.personExport), "the person's data")],
      refusals: [.accountNotFound]
    ),
    Operation(
      method: .post, path: Endpoint.adminUnlock, name: "unlockAccount",
      summary: "Opens a locked account", chapter: .administration,
      answers: [.json(.reference(.account), "the account as it is now")],
      refusals: [.accountNotFound]
    ),
    Operation(
      method: .post, path: Endpoint.adminReset, name: "resetAccount",
      summary: "Opens the lock, ends every session and forgets the password",
      chapter: .administration, answers: [.json(.reference(.account), "the account as it is now")],
      refusals: [.accountNotFound]
    ),
    Operation(
      method: .get, path: Endpoint.adminSessions, name: "listAccountSessions",
      summary: "An account's sessions that stand, newest first", chapter: .administration,
      answers: [.json(sessionList, "the sessions")],
      refusals: [.accountNotFound]
    ),
    Operation(
      method: .delete, path: Endpoint.adminSessions, name: "endAccountSessions",
      summary: "Ends every session of an account", chapter: .administration,
      answers: [.done("all are ended")], refusals: [.accountNotFound]
    ),
  ]

  static let overview: [Operation] = [
    Operation(
      method: .get, path: Endpoint.adminMessages, name: "listMessages",
      summary: "What became of text messages, newest first; never what they said",
      chapter: .administration, query: page,
      answers: [
        .json(
          .object([
            .required("messages", .list(.reference(.message))),
            .optional("cursor", .text, "of the next page; absent on the last"),
          ]), "a page"
        )
      ], refusals: [.invalidRequest]
    ),
    Operation(
      method: .get, path: Endpoint.adminEvents, name: "listEvents",
      summary: "The security log, newest first", chapter: .administration,
      query: [Parameter(name: "account", schema: .identifier, note: "only what concerns this one")]
        + page,
      answers: [
        .json(
          .object([
            .required("events", .list(.reference(.event))),
            .optional("cursor", .text, "of the next page; absent on the last"),
          ]), "a page"
        )
      ], refusals: [.invalidRequest]
    ),
  ]

  static let page = [
    Parameter(
      name: "cursor", schema: .text(upTo: ListPosition.textByteLimit), note: "of the page before"),
    Parameter(
      name: "limit", schema: .whole(1...Int64(PageLimits.longest)),
      note: "1 to \(PageLimits.longest), \(PageLimits.standard) without it"
    ),
  ]

  private static let creation = Schema.object([
    .required("name", .personName, "in any script"),
    .required("role", .word(Account.Role.allCases.map { $0.rawValue })),
    .optional("email", .email, "needed by all but riders"),
    .required("phone_number", .phoneNumber, "E.164"),
    .optional("password", .newPassword, "not one that is often used"),
    .optional("organizations", organizations),
    .optional("permissions", permissions, "of an administrator; without them, your own"),
  ])

  private static let changes = Schema.object([
    .optional("status", .word(["active", "deactivated", "rejected"])),
    .optional("name", .personName, "in any script"),
    .optional("email", .orNull(.email), "needed by all but riders"),
    .optional(
      "phone_number", .phoneNumber,
      "E.164; until a code that went there is given, it resets no password"),
    .optional("role", .word(Account.Role.allCases.map { $0.rawValue })),
    .optional("organizations", organizations, "all of them; others are taken away"),
    .optional("permissions", permissions, "all of them; none beyond your own"),
  ])

  private static let permissions = Schema.many(
    .reference(.permission), 0...Permission.grantLimit)
  private static let organizations = Schema.many(
    .identifier, 0...Account.organizationLimit)
}

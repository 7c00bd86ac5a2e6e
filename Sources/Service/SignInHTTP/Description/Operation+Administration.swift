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
          note: "A part of a name, an e-mail address or a phone number"
        ),
        Parameter(
          name: "status", schema: .word(["active", "deactivated", "pending", "rejected"]),
          note: "Only accounts with this status"
        ),
        Parameter(
          name: "role", schema: .word(Account.Role.allCases.map { $0.rawValue }),
          note: "Only accounts with this role"
        ),
        Parameter(
          name: "ids", schema: .text(upTo: AccountEntry.idLimit * (ProductID.lengthLimit + 1)),
          note: "Only accounts with these identifiers, separated by commas, at most"
            + " \(AccountEntry.idLimit); the other parameters then have no effect"
        ),
      ] + page,
      answers: [.json(.reference(.accountPage), "A page of the list")], refusals: [.invalidRequest]
    ),
    Operation(
      method: .post, path: Endpoint.adminAccounts, name: "createAccount",
      summary: "Creates an active account; if it has no password, the person chooses one with an"
        + " invitation", chapter: .administration,
      fields: [onceOnly],
      body: .json(creation),
      answers: [.json(.reference(.account), "The account, and its path in Location", status: 201)],
      refusals: [
        .invalidRequest, .accountExists, .passwordTooShort, .passwordTooLong, .passwordTooCommon,
        .idempotencyKeyReused,
      ]
    ),
    Operation(
      method: .get, path: Endpoint.adminAccount, name: "readAccount", summary: "One account",
      chapter: .administration,
      answers: [.json(.reference(.account), "The account")], refusals: [.accountNotFound]
    ),
    Operation(
      method: .patch, path: Endpoint.adminAccount, name: "changeAccount",
      summary:
        "Changes an account, with all members of the body or none. A deactivation, a new role"
        + " and a new number end its sessions immediately", chapter: .administration,
      body: .json(changes),
      answers: [.json(.reference(.account), "The account after the change")],
      refusals: [
        .invalidRequest, .accountNotFound, .accountExists, .illegalTransition, .ownAccount,
        .lastAdministrator,
      ]
    ),
    Operation(
      method: .delete, path: Endpoint.adminAccount, name: "eraseAccount",
      summary:
        "Erases everything that is stored about a person; only the account's identifier stays"
        + " in the security log", chapter: .administration,
      answers: [.done("Everything is erased")],
      refusals: [.accountNotFound, .ownAccount, .lastAdministrator]
    ),
    Operation(
      method: .get, path: Endpoint.adminExport, name: "exportAccount",
      summary: "Everything that is stored about a person", chapter: .administration,
      answers: [.json(.reference(.personExport), "The data of the person")],
      refusals: [.accountNotFound]
    ),
    Operation(
      method: .post, path: Endpoint.adminUnlock, name: "unlockAccount",
      summary: "Ends the lockout of an account", chapter: .administration,
      answers: [.json(.reference(.account), "The account after the change")],
      refusals: [.accountNotFound]
    ),
    Operation(
      method: .post, path: Endpoint.adminReset, name: "resetAccount",
      summary: "Ends the lockout and all sessions of an account and removes its password",
      chapter: .administration,
      answers: [.json(.reference(.account), "The account after the change")],
      refusals: [.accountNotFound]
    ),
    Operation(
      method: .get, path: Endpoint.adminSessions, name: "listAccountSessions",
      summary: "The open sessions of an account, newest first", chapter: .administration,
      answers: [.json(sessionList, "The sessions")],
      refusals: [.accountNotFound]
    ),
    Operation(
      method: .delete, path: Endpoint.adminSessions, name: "endAccountSessions",
      summary: "Ends all sessions of an account", chapter: .administration,
      answers: [.done("All sessions have ended")], refusals: [.accountNotFound]
    ),
  ]

  static let overview: [Operation] = [
    Operation(
      method: .get, path: Endpoint.adminMessages, name: "listMessages",
      summary: "Messages and their state, newest first, without their texts",
      chapter: .administration, query: page,
      answers: [
        .json(
          .object([
            .required("messages", .list(.reference(.message))),
            .optional("cursor", .text, "The cursor of the next page; absent on the last page"),
          ]), "A page of the list"
        )
      ], refusals: [.invalidRequest]
    ),
    Operation(
      method: .get, path: Endpoint.adminEvents, name: "listEvents",
      summary: "The security log, newest first", chapter: .administration,
      query: [
        Parameter(name: "account", schema: .identifier, note: "Only events about this account")
      ]
        + page,
      answers: [
        .json(
          .object([
            .required("events", .list(.reference(.event))),
            .optional("cursor", .text, "The cursor of the next page; absent on the last page"),
          ]), "A page of the list"
        )
      ], refusals: [.invalidRequest]
    ),
  ]

  static let page = [
    Parameter(
      name: "cursor", schema: .text(upTo: ListPosition.textByteLimit),
      note: "The cursor of the page before"),
    Parameter(
      name: "limit", schema: .whole(1...Int64(PageLimits.longest)),
      note: "1 to \(PageLimits.longest); the default is \(PageLimits.standard)"
    ),
  ]

  private static let creation = Schema.object([
    .required("name", .personName, "In any script"),
    .required("role", .word(Account.Role.allCases.map { $0.rawValue })),
    .optional("email", .email, "Required for all roles except riders"),
    .optional(
      "phone_number", .phoneNumber,
      "E.164; needed for riders. Without it, the person can sign in at an identity provider only"),
    .optional("password", .newPassword, "A password that is not often used"),
    .optional("organizations", organizations),
    .optional(
      "permissions", permissions, "Of an administrator; the default is your own permissions"),
  ])

  private static let changes = Schema.object([
    .optional("status", .word(["active", "deactivated", "rejected"])),
    .optional("name", .personName, "In any script"),
    .optional("email", .orNull(.email), "Required for all roles except riders"),
    .optional(
      "phone_number", .orNull(.phoneNumber),
      "E.164; it cannot reset a password until the person enters a code that was sent to it. Null"
        + " removes it, if the account has an identity at an identity provider and is no rider's"),
    .optional("role", .word(Account.Role.allCases.map { $0.rawValue })),
    .optional(
      "organizations", organizations, "All organizations; the account is removed from the others"),
    .optional("permissions", permissions, "All permissions; you cannot give more than your own"),
  ])

  private static let permissions = Schema.many(
    .reference(.permission), 0...Permission.grantLimit)
  private static let organizations = Schema.many(
    .identifier, 0...Account.organizationLimit)
}

import HTTPServer
import SignInService
import SignInWire

extension Operation {
  /// New passwords that wait, invitations, and what people are told of their accounts.
  static let passwordResets: [Operation] = [
    Operation(
      method: .delete, path: Endpoint.passwordReset, name: "cancelPasswordReset",
      summary: "Cancels the new password that waits for my account", chapter: .data,
      answers: [.done("it never applies")], refusals: [.passwordResetNotFound]
    ),
    Operation(
      method: .delete, path: Endpoint.notice, name: "dismissNotice",
      summary: "Says that I have read what I was told of my account", chapter: .data,
      answers: [.done("no device shows it any more")],
      refusals: [.noticeNotFound]
    ),
    Operation(
      method: .post, path: Endpoint.adminInvitation, name: "inviteAccount",
      summary: "Makes the only invitation of an account without a password; it works once, for"
        + " \(Invitation.lifeSeconds / 86_400) days, and is shown only once, or sent to the person."
        + " To see it needs the permission `administrator`",
      chapter: .administration,
      body: .optionalJSON(
        .object([
          .optional(
            "send", .flag, "send it by e-mail or text message, and do not show it; false without it"
          )
        ])),
      answers: [
        .json(
          .object([
            .optional(
              "invitation", .text, "absent when it is sent; for POST \(Endpoint.acceptInvitation)"),
            .optional("link", .text, "where the person opens it"),
            .required("expires_at", .number),
          ]), "the invitation", status: 201
        )
      ],
      refusals: [.accountNotFound, .illegalTransition, .passwordAlreadySet, .invalidRequest]
    ),
    Operation(
      method: .post, path: Endpoint.adminPasswordApproval, name: "approvePasswordReset",
      summary: "Lets the new password that waits for an account apply at once, if it is the one"
        + " that was seen", chapter: .administration,
      body: .json(
        .object([
          .required("available_at", .moment, "the account's password_available_at, as it was seen")
        ])),
      answers: [.json(.reference(.account), "the account as it is now")],
      refusals: [.invalidRequest, .accountNotFound, .passwordResetNotFound]
    ),
    Operation(
      method: .delete, path: Endpoint.adminPasswordReset, name: "rejectPasswordReset",
      summary: "Rejects the new password that waits for an account",
      chapter: .administration,
      answers: [.json(.reference(.account), "the account as it is now")],
      refusals: [.accountNotFound, .passwordResetNotFound]
    ),
  ]

  /// What a person should know of their account; absent where there is nothing.
  static let newsMembers: [Schema.Member] = [
    .optional(
      "password_reset",
      .object([.required("requested_at", .number), .required("available_at", .number)]),
      "a new password that was chosen on an unknown device, and waits"
    ),
    .optional(
      "notices",
      .list(
        .object([
          .required("id", .text),
          .required("kind", .word(AccountNotice.Kind.allCases.map { $0.rawValue })),
          .required("at", .number),
        ])), "what happened to the account since this session began, newest first"
    ),
  ]
}

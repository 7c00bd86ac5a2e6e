import HTTPServer
import SignInService
import SignInWire

extension Operation {
  /// The routes for waiting passwords, invitations and notices about an account.
  static let passwordResets: [Operation] = [
    Operation(
      method: .delete, path: Endpoint.passwordReset, name: "cancelPasswordReset",
      summary: "Cancels the waiting new password of my account", chapter: .data,
      answers: [.done("The new password is discarded")], refusals: [.passwordResetNotFound]
    ),
    Operation(
      method: .delete, path: Endpoint.notice, name: "dismissNotice",
      summary: "Dismisses a notice about my account that I have read", chapter: .data,
      answers: [.done("No device shows the notice now")],
      refusals: [.noticeNotFound]
    ),
    Operation(
      method: .post, path: Endpoint.adminInvitation, name: "inviteAccount",
      summary:
        "Creates the invitation of an account without a password and replaces an earlier one. It"
        + " works once, for \(Invitation.lifeSeconds / 86_400) days. It is sent to the person, or"
        + " shown once to a caller with the permission `administrator`",
      chapter: .administration,
      body: .optionalJSON(
        .object([
          .optional(
            "send", .flag,
            "true: send it by e-mail or text message and do not show it; the default is false"
          )
        ])),
      answers: [
        .json(
          .object([
            .optional(
              "invitation", .text, "For POST \(Endpoint.acceptInvitation); absent if it is sent"),
            .optional("link", .text, "The URL that the person opens"),
            .required("expires_at", .number),
          ]), "The invitation", status: 201
        )
      ],
      refusals: [.accountNotFound, .illegalTransition, .passwordAlreadySet, .invalidRequest]
    ),
    Operation(
      method: .post, path: Endpoint.adminPasswordApproval, name: "approvePasswordReset",
      summary: "Makes the waiting new password of an account valid immediately, if it is the one"
        + " that the administrator saw", chapter: .administration,
      body: .json(
        .object([
          .required(
            "available_at", .moment,
            "The account's password_available_at that the administrator saw")
        ])),
      answers: [.json(.reference(.account), "The account after the change")],
      refusals: [.invalidRequest, .accountNotFound, .passwordResetNotFound]
    ),
    Operation(
      method: .delete, path: Endpoint.adminPasswordReset, name: "rejectPasswordReset",
      summary: "Rejects the waiting new password of an account",
      chapter: .administration,
      answers: [.json(.reference(.account), "The account after the change")],
      refusals: [.accountNotFound, .passwordResetNotFound]
    ),
  ]

  /// The account updates for the owner.
  ///
  /// A member is absent if there is no update of that kind.
  static let accountUpdateMembers: [Schema.Member] = [
    .optional(
      "password_reset",
      .object([.required("requested_at", .number), .required("available_at", .number)]),
      "A new password that was chosen on an unknown device and waits"
    ),
    .optional(
      "notices",
      .list(
        .object([
          .required("id", .text),
          .required("kind", .word(AccountNotice.Kind.allCases.map { $0.rawValue })),
          .required("at", .number),
        ])), "Notices about the account since this session began, newest first"
    ),
    .optional(
      "contact_proposals",
      .list(
        .object([
          .required("id", .text),
          .required("channel", .word(ContactChannel.allCases.map { $0.rawValue })),
          .required("value", .text, "The phone number (E.164) or the e-mail address"),
          .required("provider", .text, "The provider's name for people"),
        ])),
      "What a provider has verified and the account does not have, at most one for each channel."
        + " Only for a session that began at this provider since then, with the scope `account`"
    ),
  ]
}

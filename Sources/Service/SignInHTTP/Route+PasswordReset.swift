import HTTPServer
import JSONText
import SignInModel
import SignInService
import SignInWire

extension Route {
  /// The routes for waiting passwords, invitations and notices about an account.
  static let ofPasswordResets: [Route] = [
    Route(
      .delete, .passwordReset, .account, answer: cancelPasswordReset,
      Operation(
        name: "cancelPasswordReset",
        summary: "Cancels the waiting new password of my account", chapter: .data,
        answers: [.done("The new password is discarded")], refusals: [.passwordResetNotFound]
      )),
    Route(
      .delete, .notice(.id), .account, answer: dismiss,
      Operation(
        name: "dismissNotice",
        summary: "Dismisses a notice about my account that I have read", chapter: .data,
        answers: [.done("No device shows the notice now")],
        refusals: [.noticeNotFound]
      )),
    Route(
      .post, .adminInvitation(.id), needs: .support, answer: makeInvitation,
      Operation(
        name: "inviteAccount",
        summary:
          "Creates the invitation of an account without a password and replaces an earlier one. It"
          + " works once, for \(Invitation.lifeSeconds / 86_400) days. It is sent to the person, or"
          + " shown once to a caller with the permission `administrator`",
        chapter: .administration,
        body: .optionalJSON(
          .object([
            .optional(
              .send, .flag,
              "true: send it by e-mail or text message and do not show it; the default is false"
            ),
            .optional(
              .link, .flag,
              "false: show it without a link, for a page of yours that sends it to "
                + Endpoint.acceptInvitation.path + "; the default is true"
            ),
          ])),
        contents: [InvitationBody.self],
        answers: [
          .json(
            .object([
              .optional(
                .invitation, .text,
                "For POST \(Endpoint.acceptInvitation.path); absent if it is sent"),
              .optional(
                .link, .text,
                "The URL that the person opens: the page of the first app, by its identifier, that"
                  + " uses passwords, accepts the account's role and has a page"),
              .required(.expiresAt, .number),
            ]), "The invitation", status: 201
          )
        ],
        refusals: [
          .accountNotFound, .illegalTransition, .passwordAlreadySet, .appPageMissing,
          .invalidRequest,
        ]
      )),
    Route(
      .post, .adminPasswordApproval(.id), needs: .support, answer: approvePasswordReset,
      Operation(
        name: "approvePasswordReset",
        summary: "Makes the waiting new password of an account valid immediately, if it is the one"
          + " that the administrator saw", chapter: .administration,
        body: .json(
          .object([
            .required(
              .availableAt, .moment,
              "The account's password_available_at that the administrator saw")
          ])),
        contents: [PasswordApprovalBody.self],
        answers: [.json(.reference(.account), "The account after the change")],
        refusals: [.invalidRequest, .accountNotFound, .passwordResetNotFound]
      )),
    Route(
      .delete, .adminPasswordReset(.id), needs: .support, answer: rejectPasswordReset,
      Operation(
        name: "rejectPasswordReset",
        summary: "Rejects the waiting new password of an account",
        chapter: .administration,
        answers: [.json(.reference(.account), "The account after the change")],
        refusals: [.accountNotFound, .passwordResetNotFound]
      )),
  ]

  /// The account updates for the owner.
  ///
  /// A member is absent if there is no update of that kind.
  static let accountUpdateMembers: [Schema.Member] = [
    .optional(
      .passwordReset,
      .object([.required(.requestedAt, .number), .required(.availableAt, .number)]),
      "A new password that was chosen on an unknown device and waits"
    ),
    .optional(
      .notices,
      .list(
        .object([
          .required(.id, .text),
          .required(.kind, .word(AccountNotice.Kind.allCases.map { $0.rawValue })),
          .required(.at, .number),
        ])), "Notices about the account since this session began, newest first"
    ),
    .optional(
      .contactProposals,
      .list(
        .object([
          .required(.id, .text),
          .required(.channel, .word(ContactChannel.allCases.map { $0.rawValue })),
          .required(.value, .text, "The phone number (E.164) or the e-mail address"),
          .required(.provider, .text, "The provider's name for people"),
        ])),
      "What a provider has verified and the account does not have, at most one for each channel."
        + " Only for a session that began at this provider since then, with the scope `account`"
    ),
  ]
}

/// Routes for a new password that waits, and for invitations.
extension Route {
  /// Sets the password of an invited person.
  static func acceptInvitation(_ call: Call) async throws(Refusal) -> HTTPResponse {
    let open = try await PublicForm.read(call)
    let client = try call.client(of: open.form)
    let form = InvitationForm(open.form)
    guard let invitation = form.invitation, let password = form.password else {
      throw Refusal.invalidRequest("invitation and password are needed")
    }
    var use = InvitationUse(
      client: client, invitation: invitation, password: password,
      proofKeyThumbprint: open.key, peer: call.peer
    )
    use.languages = call.languages(form.uiLocales)
    _ = try await SignInService.acceptInvitation(use, in: call.world)
    return HTTPResponse(status: 204)
  }

  static func cancelPasswordReset(_ call: Call, _ access: Access) async throws(Refusal)
    -> HTTPResponse
  {
    _ = try await cancelWaitingPassword(access, peer: call.peer, in: call.world)
    return HTTPResponse(status: 204)
  }

  static func dismiss(_ call: Call, _ access: Access) async throws(Refusal) -> HTTPResponse {
    _ = try await dismissNotice(call.parameter(.id), access, peer: call.peer, in: call.world)
    return HTTPResponse(status: 204)
  }

  // MARK: Administrators

  static func makeInvitation(_ call: Call, _ access: Access) async throws(Refusal) -> HTTPResponse {
    let id = AccountID(call.parameter(.id))
    let delivery = try readDelivery(call)
    let answer = try await invite(id, by: delivery, rules: call.rules(access), in: call.world)
    return .json(answer.json, status: 201)
  }

  /// `{"send": true}` sends the invitation to the person.
  ///
  /// Without a body, the answer contains it, with a link unless `{"link": false}` asks for none.
  private static func readDelivery(_ call: Call) throws(Refusal) -> InvitationDelivery {
    if call.request.body.isEmpty { return .shown }
    let body = try InvitationBody(try call.body())
    if body.send == true { return .sent() }
    return body.link == false ? .shownWithoutLink : .shown
  }

  static func approvePasswordReset(_ call: Call, _ access: Access) async throws(Refusal)
    -> HTTPResponse
  {
    let body = try PasswordApprovalBody(try call.body())
    let seen = try WireField.availableAt.needed(body.availableAt)
    let entry = try await approveWaitingPassword(
      of: AccountID(call.parameter(.id)), availableAt: seen, rules: call.rules(access),
      in: call.world)
    return .json(entry.json)
  }

  static func rejectPasswordReset(_ call: Call, _ access: Access) async throws(Refusal)
    -> HTTPResponse
  {
    let entry = try await rejectWaitingPassword(
      of: AccountID(call.parameter(.id)), rules: call.rules(access), in: call.world)
    return .json(entry.json)
  }
}

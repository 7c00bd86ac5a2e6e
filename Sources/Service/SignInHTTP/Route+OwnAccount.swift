import HTTPServer
import JSONText
import SignInModel
import SignInService
import SignInWire

/// Routes with which people change their own account.
extension Route {
  private static let currentPassword = Schema.Member.optional(
    .currentPassword, .presentPassword,
    "Needed if the account has a password; otherwise the sign-in must be recent")

  private static let undoPage = Answer(
    status: 200, note: "A page for the person", schema: .text, mediaType: "text/html")

  static let ofOwnAccount: [Route] = [
    Route(
      .patch, .me, .account, answer: changeName,
      Operation(
        name: "changeMyName", summary: "Changes my name", chapter: .data,
        body: .json(.object([.required(.name, .personName)])), contents: [OwnNameBody.self],
        answers: [.done("The name is changed")],
        refusals: [.invalidRequest, .managedByProvider, .rateLimited]
      )),
    Route(
      .post, .contactChange, .account, answer: beginContact,
      Operation(
        name: "changeMyContact",
        summary: "Sends a code to my new e-mail address or phone number", chapter: .data,
        body: .json(
          .object([
            .optional(.email, .email, "One of the two"),
            .optional(.phoneNumber, .phoneNumber, "E.164"),
            currentPassword,
          ])),
        contents: [ContactChangeBody.self],
        answers: [
          .json(
            .object([
              .required(.changeSession, .text, "Send it with the code"),
              .required(.challenge, .reference(.challenge)),
            ]),
            "The same answer for an address or a number of another account", status: 202)
        ],
        refusals: [
          .invalidRequest, .invalidCredentials, .recentSignInNeeded, .ownAccount,
          .managedByProvider, .contactChangeClosed, .mailUnavailable, .accountLocked,
          .resendTooSoon, .rateLimited, .deliveryFailed,
        ]
      )),
    Route(
      .post, .contactChangeCode, .account, answer: confirmContact,
      Operation(
        name: "confirmMyContact",
        summary: "Gives my account the address or number that the code proves. The old one gets a"
          + " message with a link that takes the change back. A new number ends my other sessions",
        chapter: .data,
        body: .json(
          .object([
            .required(.changeSession, .value, "From the call before"),
            .required(.otp, .code, "The code that was sent"),
          ])),
        contents: [ContactCodeBody.self],
        answers: [
          .json(
            .object([
              .optional(
                .undoUntil, .number,
                "Until then it can be taken back; missing if the account had it and only the proof"
                  + " is new")
            ]),
            "The account has the address or number, and it is proved")
        ],
        refusals: [
          .invalidRequest, .invalidSession, .invalidOTP, .otpExpired, .accountExists,
          .managedByProvider, .contactChangeClosed, .accountLocked, .rateLimited,
        ]
      )),
    Route(
      .post, .contactChangeUndo(.id), .account, answer: undoContact,
      Operation(
        name: "undoMyContact",
        summary: "Takes a change of my address or number back, and ends my other sessions. The"
          + " session must have begun before the change",
        chapter: .data, body: .json(.object([currentPassword])),
        contents: [CurrentPasswordBody.self],
        answers: [.done("The account has the old address or number")],
        refusals: [
          .invalidRequest, .invalidCredentials, .recentSignInNeeded, .changeNotFound,
          .managedByProvider, .accountExists, .accountLocked, .rateLimited,
        ]
      )),
    Route(
      .get, .accountChanges, .account, answer: ownChanges,
      Operation(
        name: "listMyChanges", summary: "What I have changed and can take back", chapter: .data,
        answers: [
          .json(
            .object([
              .required(
                .contactChanges,
                .list(
                  .object([
                    .required(.id, .text),
                    .required(
                      .kind,
                      .word([
                        RevocableChange.Kind.email.rawValue,
                        RevocableChange.Kind.phoneNumber.rawValue,
                      ])),
                    .required(.undoUntil, .number),
                  ]))),
              .optional(
                .erasure,
                .object([.required(.requestedAt, .number), .required(.dueAt, .number)]),
                "The account is erased at due_at, unless I cancel it"),
            ]), "The changes, the oldest first")
        ]
      )),
    Route(
      .post, .erasure, .account, answer: askForErasure,
      Operation(
        name: "requestMyErasure", summary: "Asks for the erasure of my account", chapter: .data,
        body: .json(.object([currentPassword])), contents: [CurrentPasswordBody.self],
        answers: [
          .json(
            .object([.required(.dueAt, .number)]),
            "The account is erased then, unless it is cancelled", status: 202)
        ],
        refusals: [
          .invalidRequest, .invalidCredentials, .recentSignInNeeded, .ownAccount,
          .managedByProvider, .accountLocked, .rateLimited,
        ]
      )),
    Route(
      .delete, .erasure, .account, answer: stopErasure,
      Operation(
        name: "cancelMyErasure", summary: "Cancels the erasure of my account", chapter: .data,
        answers: [.done("The account stays")], refusals: [.changeNotFound, .managedByProvider]
      )),
    Route(
      .get, .undoContactChange, .open, answer: undoQuestion,
      Operation(
        name: "askToUndo",
        summary: "The page of the link in a message about a change of the own account",
        chapter: .signIn,
        query: [Parameter(.undo, schema: .value, note: "From the link", isRequired: true)],
        contents: [UndoForm.self], answers: [undoPage]
      )),
    Route(
      .post, .undoContactChange, .open, answer: undoByLink,
      Operation(
        name: "undoByLink",
        summary: "Takes the change of this link back, or cancels its erasure", chapter: .signIn,
        body: .form([
          Parameter(.undo, schema: .value, note: "From the link", isRequired: true)
        ]),
        contents: [UndoForm.self], answers: [undoPage]
      )),
  ]

  private static func changeName(_ call: Call, _ access: Access) async throws(Refusal)
    -> HTTPResponse
  {
    let text = try WireField.name.needed(try OwnNameBody(try call.body()).name)
    let name: PersonName
    do throws(Malformed) { name = try PersonName(parsing: text) } catch {
      throw Refusal.wrongMember(.name)
    }
    try await changeOwnName(name, access, peer: call.peer, in: call.world)
    return HTTPResponse(status: 204)
  }

  private static func beginContact(_ call: Call, _ access: Access) async throws(Refusal)
    -> HTTPResponse
  {
    let body = try ContactChangeBody(try call.body())
    let value: Recipient
    do throws(Malformed) {
      switch (body.email, body.phoneNumber) {
      case (let email?, nil): value = .email(try EmailAddress(parsing: email))
      case (nil, let number?): value = .phone(try PhoneNumber(parsing: number))
      default: throw Malformed(.emailAddress)
      }
    } catch {
      throw Refusal.wrongMember(body.phoneNumber == nil ? .email : .phoneNumber)
    }
    var change = ContactChange(
      access: access, value: value, password: body.currentPassword, peer: call.peer)
    change.languages = call.languages(nil)
    let answer = try await beginContactChange(change, in: call.world)
    return .json(
      ContactChangePrompt(session: answer.session, prompt: answer.prompt).json, status: 202)
  }

  private static func confirmContact(_ call: Call, _ access: Access) async throws(Refusal)
    -> HTTPResponse
  {
    let body = try ContactCodeBody(try call.body())
    var answer = ContactChangeCode(
      access: access, session: try WireField.changeSession.needed(body.changeSession),
      code: try WireField.otp.needed(body.otp), peer: call.peer)
    answer.languages = call.languages(nil)
    let outcome = try await confirmContactChange(answer, in: call.world)
    return .json(.members([JSONMember(.undoUntil, ifPresent: outcome.undoUntil?.seconds)]))
  }

  private static func undoContact(_ call: Call, _ access: Access) async throws(Refusal)
    -> HTTPResponse
  {
    let body = try CurrentPasswordBody(try call.body())
    try await undoContactChange(
      call.parameter(.id), access, password: body.currentPassword, peer: call.peer, in: call.world)
    return HTTPResponse(status: 204)
  }

  private static func ownChanges(_ call: Call, _ access: Access) async throws(Refusal)
    -> HTTPResponse
  {
    let changes = try await readOwnChanges(access, in: call.world)
    let contacts = changes.contacts.map { change in
      JSON.members([
        JSONMember(.id, change.id), JSONMember(.kind, change.kind.rawValue),
        JSONMember(.undoUntil, change.endsAt.seconds),
      ])
    }
    let erasure = changes.erasure.map { erasure in
      JSON.members([
        JSONMember(.requestedAt, erasure.madeAt.seconds),
        JSONMember(.dueAt, erasure.endsAt.seconds),
      ])
    }
    return .json(
      .members([
        JSONMember(.contactChanges, .array(contacts)), erasure.map { JSONMember(.erasure, $0) },
      ]))
  }

  private static func askForErasure(_ call: Call, _ access: Access) async throws(Refusal)
    -> HTTPResponse
  {
    let body = try CurrentPasswordBody(try call.body())
    let due = try await requestErasure(
      access, password: body.currentPassword, languages: call.languages(nil), peer: call.peer,
      in: call.world)
    return .json(.members([JSONMember(.dueAt, due.seconds)]), status: 202)
  }

  private static func stopErasure(_ call: Call, _ access: Access) async throws(Refusal)
    -> HTTPResponse
  {
    try await cancelErasure(access, peer: call.peer, in: call.world)
    return HTTPResponse(status: 204)
  }

  // MARK: The link in the message

  private static func undoQuestion(_ call: Call) async throws(Refusal) -> HTTPResponse {
    guard let secret = undoSecret(Form(query: call.request.query ?? "")) else {
      return BrowserPage.undo(.ended, languages: call.languages(nil))
    }
    let page: BrowserPage.Undo =
      switch try await readUndoLink(secret, in: call.world) {
      case .open(let kind): .question(secret, kind)
      case .done(let kind): .done(kind)
      case .ended: .ended
      }
    return BrowserPage.undo(page, languages: call.languages(nil))
  }

  /// The answer is a page in every case, because a browser sends the form.
  private static func undoByLink(_ call: Call) async throws(Refusal) -> HTTPResponse {
    let form = Form(query: String(decoding: call.request.body, as: UTF8.self))
    guard call.request.mediaType == "application/x-www-form-urlencoded",
      let secret = undoSecret(form)
    else { return BrowserPage.undo(.ended, languages: call.languages(nil)) }
    do throws(Refusal) {
      let kind = try await undoChange(secret, peer: call.peer, in: call.world)
      return BrowserPage.undo(.done(kind), languages: call.languages(nil))
    } catch {
      // Another person has the old address or number now, or the link is of no use any more.
      guard [.changeNotFound, .accountExists].contains(error.code) else {
        return BrowserPage.refusal(status: error.code.status, languages: call.languages(nil))
      }
      return BrowserPage.undo(.ended, languages: call.languages(nil))
    }
  }

  /// Nil if the form has none, or several.
  private static func undoSecret(_ form: Form) -> Secret? {
    form.hasAtMostOne(of: [.undo]) ? UndoForm(form).undo : nil
  }
}

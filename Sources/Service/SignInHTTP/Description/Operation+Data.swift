import HTTPServer
import SignInModel
import SignInService
import SignInWire

extension Operation {
  private static func userInfo(_ method: HTTPMethod, _ name: String) -> Operation {
    Operation(
      method: method, path: Endpoint.userInfo, name: name,
      summary: "Who is signed in (OpenID Connect Core, section 5.3)", chapter: .signIn,
      answers: [
        .json(
          .object([
            .required("sub", .text, "the account"),
            .optional("name", .text, "with the scope profile"),
            .optional("email", .text, "with the scope email"),
            .optional("phone_number", .text, "with the scope phone"),
          ]), "with the claims that the app's configuration adds"
        )
      ]
    )
  }

  static let data: [Operation] = [
    userInfo(.get, "readUserInfo"), userInfo(.post, "postUserInfo"),
    Operation(
      method: .get, path: Endpoint.me, name: "readMe", summary: "Who is signed in",
      chapter: .data,
      answers: [.json(.reference(.me), "the account and its session")]
    ),
    Operation(
      method: .get, path: Endpoint.jobs, name: "listJobs", summary: "The jobs assigned to me",
      chapter: .data,
      answers: [
        .json(
          jobList,
          "at most \(HomeLimits.entries), by start time; those that are done are left out first")
      ]
    ),
    Operation(
      method: .patch, path: Endpoint.job, name: "changeJob",
      summary: "Gives one of my jobs another status; the one it has changes nothing",
      chapter: .data,
      body: .json(.object([.required("status", .word(Job.Status.allCases.map(\.rawValue)))])),
      answers: [.json(.reference(.job), "as it is now")],
      refusals: [.invalidRequest, .jobNotFound, .illegalTransition]
    ),
    Operation(
      method: .get, path: Endpoint.dashboard, name: "readDashboard",
      summary: "The deliveries of my day (UTC), and how many are done", chapter: .data,
      answers: [
        .json(
          .reference(.dashboard),
          "at most \(HomeLimits.entries), by the promised time; those that are delivered or failed"
            + " are left out first")
      ]
    ),
    Operation(
      method: .patch, path: Endpoint.delivery, name: "changeDelivery",
      summary: "Gives one of my deliveries another status; the one it has changes nothing",
      chapter: .data,
      body: .json(
        .object([.required("status", .word(Delivery.Status.allCases.map(\.rawValue)))])),
      answers: [.json(.reference(.delivery), "as it is now")],
      refusals: [.invalidRequest, .deliveryNotFound, .illegalTransition]
    ),
    Operation(
      method: .get, path: Endpoint.activities, name: "listActivities",
      summary: "My activities in the organization of my session", chapter: .data,
      answers: [
        .json(
          .object([.required("activities", .list(.reference(.activity))), Schema.lease]),
          "at most \(HomeLimits.entries), by start time; those that are not planned any more are"
            + " left out first"
        )
      ]
    ),
    Operation(
      method: .post, path: Endpoint.activities, name: "registerActivity",
      summary: "Registers an activity of mine in the organization of my session", chapter: .data,
      fields: [onceOnly], body: .json(Schema.registration),
      answers: [.json(.reference(.activity), "it is kept", status: 201)],
      refusals: [.invalidRequest, .notAMember, .idempotencyKeyReused]
    ),
    Operation(
      method: .patch, path: Endpoint.activity, name: "writeNotes",
      summary: "Keeps my notes about one of my activities", chapter: .data,
      body: .json(
        .object([
          .required(
            "notes", .text(upTo: ActivityEntry.notesByteLimit),
            "at most \(ActivityEntry.notesByteLimit) bytes")
        ])
      ),
      answers: [.json(.reference(.activity), "as it is now")],
      refusals: [.invalidRequest, .activityNotFound]
    ),
    Operation(
      method: .get, path: Endpoint.sessionEvents, name: "awaitSessionEvents",
      summary: "Waits until my session has changed or ended, for at most"
        + " \(SessionWaiters.waitSeconds) seconds",
      chapter: .data,
      query: [
        Parameter(
          name: "seen", schema: .value, note: "the version I know; answered at once without it")
      ],
      answers: [
        .json(
          .object(
            [.required("version", .text), .required("session", .reference(.sessionTerms))]
              + newsMembers
          ), "what changed, or the same version when the time is up")
      ], refusals: [.invalidRequest, .sessionEnded]
    ),
    Operation(
      method: .get, path: Endpoint.sessions, name: "listMySessions",
      summary: "My sessions that stand, newest first", chapter: .data,
      answers: [.json(sessionList, "the one that asks is marked")]
    ),
    Operation(
      method: .delete, path: Endpoint.sessions, name: "endMySessions",
      summary: "Signs me out everywhere, here included", chapter: .data,
      answers: [.done("all are ended")]
    ),
    Operation(
      method: .delete, path: Endpoint.session, name: "endMySession",
      summary: "Ends one of my sessions", chapter: .data,
      answers: [.done("it is ended, or was before")], refusals: [.sessionNotFound]
    ),
    Operation(
      method: .post, path: Endpoint.password, name: "changePassword",
      summary: "Changes my password and ends my other sessions; a wrong current password counts"
        + " like one at sign-in", chapter: .data,
      body: .json(
        .object([
          .required("current_password", .presentPassword), .required("new_password", .newPassword),
        ])
      ),
      answers: [.done("the new password applies")],
      refusals: [
        .invalidRequest, .invalidCredentials, .accountLocked, .rateLimited, .passwordTooShort,
        .passwordTooLong, .passwordTooCommon,
      ]
    ),
  ]

  private static let jobList = Schema.object([
    .required("jobs", .list(.reference(.job))), Schema.lease,
  ])

  static let sessionList = Schema.object([.required("sessions", .list(.reference(.session)))])

  static let operation: [Operation] = [
    Operation(
      method: .post, path: Endpoint.messageReceipts, name: "takeReceipts",
      summary: "What a provider reports about the messages it took, proved in the provider's way",
      chapter: .operation, body: .json(.anything),
      answers: [
        .done("written down, or of a message nobody sent"),
        .json(.anything, "to the question whether this address is ours"),
        Answer(
          status: 401, note: "nobody knows who sent it", schema: .reference(.problem),
          mediaType: "application/problem+json"),
      ], refusals: [.invalidRequest]
    ),
    Operation(
      method: .get, path: Endpoint.alive, name: "isAlive", summary: "Whether the server runs",
      chapter: .operation, answers: [.text("it runs")]
    ),
    Operation(
      method: .get, path: Endpoint.ready, name: "isReady",
      summary: "Whether a decision could be recorded now", chapter: .operation,
      answers: [
        .text("it is ready"),
        .text("the store cannot record a decision, or is damaged", status: 503),
      ]
    ),
  ]

  /// Their refusals are problems with a code that no other route has a use for.
  static let development: [Operation] = [
    Operation(
      method: .get, path: Endpoint.developmentMessages, name: "readInbox",
      summary: "Messages that were sent, newest first", chapter: .development,
      query: [
        Parameter(
          name: "to", schema: .text(upTo: EmailAddress.lengthLimit),
          note: "a phone number or an e-mail address; all without it"
        ),
        Parameter(
          name: "kind", schema: .word(OutboxMessage.Kind.allCases.map { $0.rawValue }),
          note: "codes without it; asked for a number, notices to its accounts' mailboxes too"
        ),
      ],
      answers: [
        .json(
          .list(
            .object([
              .required("to", .text), .required("text", .text), .optional("code", .text),
              .required("sent_at", .number),
            ])
          ), "also a page, for those who ask for HTML"
        )
      ], refusals: [.invalidRequest]
    ),
    Operation(
      method: .post, path: Endpoint.developmentClock, name: "advanceClock",
      summary: "Moves the server's clock forward", chapter: .development,
      body: .json(
        .object([.required("advance", .whole(0...Route.longestAdvanceSeconds), "seconds")])),
      answers: [.json(.object([.required("now", .number)]), "the server's time")],
      refusals: [.invalidRequest]
    ),
    Operation(
      method: .post, path: Endpoint.developmentAccounts, name: "makeLoadAccounts",
      summary: "Makes accounts for load tests", chapter: .development,
      body: .json(.object([.required("count", .whole(1...Route.loadAccountLimit))])),
      answers: [.json(.object([.required("count", .number)]), "how many exist")],
      refusals: [.invalidRequest]
    ),
  ]
}

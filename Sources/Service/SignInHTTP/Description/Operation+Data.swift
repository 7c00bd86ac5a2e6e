import HTTPServer
import SignInModel
import SignInService
import SignInWire

extension Operation {
  private static func userInfo(_ method: HTTPMethod, _ name: String) -> Operation {
    Operation(
      method: method, path: Endpoint.userInfo, name: name,
      summary: "The signed-in person (OpenID Connect Core, section 5.3)", chapter: .signIn,
      answers: [
        .json(
          .object([
            .required("sub", .text, "The account"),
            .optional("name", .text, "With the scope profile"),
            .optional("email", .text, "With the scope email"),
            .optional("phone_number", .text, "With the scope phone"),
          ]), "The claims, with those that the app's configuration adds"
        )
      ]
    )
  }

  static let data: [Operation] = [
    userInfo(.get, "readUserInfo"), userInfo(.post, "postUserInfo"),
    Operation(
      method: .get, path: Endpoint.me, name: "readMe", summary: "The signed-in person",
      chapter: .data,
      answers: [.json(.reference(.me), "The account and its session")]
    ),
    Operation(
      method: .get, path: Endpoint.jobs, name: "listJobs", summary: "The jobs assigned to me",
      chapter: .data,
      answers: [
        .json(
          jobList,
          "At most \(HomeLimits.entries), by start time; done ones are left out first"
        )
      ]
    ),
    Operation(
      method: .patch, path: Endpoint.job, name: "changeJob",
      summary: "Changes the status of one of my jobs; repeating the current status changes nothing",
      chapter: .data,
      body: .json(.object([.required("status", .word(Job.Status.allCases.map(\.rawValue)))])),
      answers: [.json(.reference(.job), "The job after the change")],
      refusals: [.invalidRequest, .jobNotFound, .illegalTransition]
    ),
    Operation(
      method: .get, path: Endpoint.dashboard, name: "readDashboard",
      summary: "My deliveries of the day (UTC), and how many are done", chapter: .data,
      answers: [
        .json(
          .reference(.dashboard),
          "At most \(HomeLimits.entries), by the promised time; if there are more, delivered and"
            + " failed ones are left out first")
      ]
    ),
    Operation(
      method: .patch, path: Endpoint.delivery, name: "changeDelivery",
      summary:
        "Changes the status of one of my deliveries; repeating the current status changes nothing",
      chapter: .data,
      body: .json(
        .object([.required("status", .word(Delivery.Status.allCases.map(\.rawValue)))])),
      answers: [.json(.reference(.delivery), "The delivery after the change")],
      refusals: [.invalidRequest, .deliveryNotFound, .illegalTransition]
    ),
    Operation(
      method: .get, path: Endpoint.activities, name: "listActivities",
      summary: "My activities in the organization of my session", chapter: .data,
      answers: [
        .json(
          .object([.required("activities", .list(.reference(.activity))), Schema.lease]),
          "At most \(HomeLimits.entries), by start time; if there are more, those that are not"
            + " planned are left out first"
        )
      ]
    ),
    Operation(
      method: .post, path: Endpoint.activities, name: "registerActivity",
      summary: "Registers an activity of mine in the organization of my session", chapter: .data,
      fields: [onceOnly], body: .json(Schema.registration),
      answers: [.json(.reference(.activity), "The new activity", status: 201)],
      refusals: [.invalidRequest, .notAMember, .idempotencyKeyReused]
    ),
    Operation(
      method: .patch, path: Endpoint.activity, name: "writeNotes",
      summary: "Stores my notes about one of my activities", chapter: .data,
      body: .json(
        .object([
          .required(
            "notes", .text(upTo: ActivityEntry.notesByteLimit),
            "At most \(ActivityEntry.notesByteLimit) bytes")
        ])
      ),
      answers: [.json(.reference(.activity), "The activity after the change")],
      refusals: [.invalidRequest, .activityNotFound]
    ),
    Operation(
      method: .get, path: Endpoint.sessionEvents, name: "awaitSessionEvents",
      summary: "Waits until my session has changed or ended, for at most"
        + " \(SessionWaiters.waitSeconds) seconds",
      chapter: .data,
      query: [
        Parameter(
          name: "seen", schema: .value,
          note: "The version that I have; without it, the answer is immediate")
      ],
      answers: [
        .json(
          .object(
            [.required("version", .text), .required("session", .reference(.sessionTerms))]
              + accountUpdateMembers
          ), "The new version, or the same version after the longest wait")
      ], refusals: [.invalidRequest, .sessionEnded]
    ),
    Operation(
      method: .get, path: Endpoint.sessions, name: "listMySessions",
      summary: "My open sessions, newest first", chapter: .data,
      answers: [.json(sessionList, "The sessions; the one of this request is marked")]
    ),
    Operation(
      method: .delete, path: Endpoint.sessions, name: "endMySessions",
      summary: "Ends all my sessions, including this one", chapter: .data,
      answers: [.done("All sessions have ended")]
    ),
    Operation(
      method: .delete, path: Endpoint.session, name: "endMySession",
      summary: "Ends one of my sessions", chapter: .data,
      answers: [.done("The session has ended now or earlier")], refusals: [.sessionNotFound]
    ),
    Operation(
      method: .post, path: Endpoint.password, name: "changePassword",
      summary:
        "Changes my password and ends my other sessions; a wrong current password is a failed"
        + " attempt, as at sign-in", chapter: .data,
      body: .json(
        .object([
          .required("current_password", .presentPassword), .required("new_password", .newPassword),
        ])
      ),
      answers: [.done("The new password is valid")],
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
      summary:
        "Accepts a provider's receipts for messages; the provider proves them in its own way",
      chapter: .operation, body: .json(.anything),
      answers: [
        .done("The receipt is stored, or its message is unknown"),
        .json(.anything, "The answer to a handshake"),
        Answer(
          status: 401, note: "The receipt has no valid proof", schema: .reference(.problem),
          mediaType: "application/problem+json"),
      ], refusals: [.invalidRequest]
    ),
    Operation(
      method: .get, path: Endpoint.alive, name: "isAlive", summary: "Whether the server runs",
      chapter: .operation, answers: [.text("The server runs")]
    ),
    Operation(
      method: .get, path: Endpoint.ready, name: "isReady",
      summary: "Whether a decision can be recorded now", chapter: .operation,
      answers: [
        .text("A decision can be recorded"),
        .text("The store cannot record a decision, or is damaged", status: 503),
      ]
    ),
  ]

  /// The routes of a development server.
  ///
  /// Their refusals are problems with their own codes.
  static let development: [Operation] = [
    Operation(
      method: .get, path: Endpoint.developmentMessages, name: "readInbox",
      summary: "The messages in the development inbox, newest first", chapter: .development,
      query: [
        Parameter(
          name: "to", schema: .text(upTo: EmailAddress.lengthLimit),
          note: "A phone number or an e-mail address; without it, all messages"
        ),
        Parameter(
          name: "kind", schema: .word(OutboxMessage.Kind.allCases.map { $0.rawValue }),
          note:
            "The default is code; for a number, also notices by e-mail to its accounts"
        ),
      ],
      answers: [
        .json(
          .list(
            .object([
              .required("to", .text), .required("text", .text), .optional("code", .text),
              .required("sent_at", .number),
            ])
          ), "The messages; with Accept: text/html, a web page"
        )
      ], refusals: [.invalidRequest]
    ),
    Operation(
      method: .post, path: Endpoint.developmentClock, name: "advanceClock",
      summary: "Moves the server's clock forward", chapter: .development,
      body: .json(
        .object([.required("advance", .whole(0...Route.longestAdvanceSeconds), "In seconds")])),
      answers: [.json(.object([.required("now", .number)]), "The time of the server")],
      refusals: [.invalidRequest]
    ),
    Operation(
      method: .post, path: Endpoint.developmentAccounts, name: "makeLoadAccounts",
      summary: "Creates accounts for load tests", chapter: .development,
      body: .json(.object([.required("count", .whole(1...Route.loadAccountLimit))])),
      answers: [.json(.object([.required("count", .number)]), "The number of these accounts")],
      refusals: [.invalidRequest]
    ),
  ]
}

import HTTPServer
import JSONText
import SignInModel
import SignInService
import SignInWire

extension Route {
  private static func userInfoRoute(_ method: HTTPMethod, _ name: String) -> Route {
    Route(
      method, .userInfo, .openID, answer: userInfo,
      Operation(
        name: name, summary: "The signed-in person (OpenID Connect Core, section 5.3)",
        chapter: .signIn,
        answers: [
          .json(
            .object([
              .required(.sub, .text, "The account"),
              .optional(.name, .text, "With the scope profile"),
              .optional(.email, .text, "With the scope email"),
              .optional(.phoneNumber, .text, "With the scope phone"),
            ]), "The claims, with those that the app's configuration adds"
          )
        ]
      ))
  }

  static let ofData: [Route] = [
    userInfoRoute(.get, "readUserInfo"), userInfoRoute(.post, "postUserInfo"),
    Route(
      .get, .me, .openID, answer: me,
      Operation(
        name: "readMe", summary: "The signed-in person",
        chapter: .data,
        answers: [.json(.reference(.me), "The account and its session")]
      )),
    Route(
      .get, .jobs, .jobs, reading: jobs,
      Operation(
        name: "listJobs", summary: "The jobs assigned to me",
        chapter: .data,
        answers: [
          .json(
            jobList,
            "At most \(HomeLimits.entries), by start time; done ones are left out first"
          )
        ]
      )),
    Route(
      .patch, .job(.id), .jobs, answer: changeJob,
      Operation(
        name: "changeJob",
        summary:
          "Changes the status of one of my jobs; repeating the current status changes nothing",
        chapter: .data,
        body: .json(statusBody(Job.Status.allCases.map(\.rawValue))),
        contents: [WorkStatusBody.self],
        answers: [.json(.reference(.job), "The job after the change")],
        refusals: [.invalidRequest, .jobNotFound, .illegalTransition]
      )),
    Route(
      .get, .dashboard, .dashboard, reading: dashboard,
      Operation(
        name: "readDashboard",
        summary: "My deliveries of the day (UTC), and how many are done", chapter: .data,
        answers: [
          .json(
            .reference(.dashboard),
            "At most \(HomeLimits.entries), by the promised time; if there are more, delivered and"
              + " failed ones are left out first")
        ]
      )),
    Route(
      .patch, .delivery(.id), .dashboard, answer: changeDelivery,
      Operation(
        name: "changeDelivery",
        summary:
          "Changes the status of one of my deliveries; repeating the current status changes"
          + " nothing",
        chapter: .data,
        body: .json(statusBody(Delivery.Status.allCases.map(\.rawValue))),
        contents: [WorkStatusBody.self],
        answers: [.json(.reference(.delivery), "The delivery after the change")],
        refusals: [.invalidRequest, .deliveryNotFound, .illegalTransition]
      )),
    Route(
      .get, .activities, .activities, reading: activities,
      Operation(
        name: "listActivities",
        summary: "My activities in the organization of my session", chapter: .data,
        answers: [
          .json(
            .object([.required(.activities, .list(.reference(.activity))), Schema.lease]),
            "At most \(HomeLimits.entries), by start time; if there are more, those that are not"
              + " planned are left out first"
          )
        ]
      )),
    Route(
      .post, .activities, .activities, answer: registerActivity,
      Operation(
        name: "registerActivity",
        summary: "Registers an activity of mine in the organization of my session", chapter: .data,
        fields: [onceOnly], body: .json(Schema.registration),
        answers: [.json(.reference(.activity), "The new activity", status: 201)],
        refusals: [.invalidRequest, .notAMember, .idempotencyKeyReused]
      )),
    Route(
      .patch, .activity(.id), .activities, answer: changeActivity,
      Operation(
        name: "writeNotes",
        summary: "Stores my notes about one of my activities", chapter: .data,
        body: .json(
          .object([
            .required(
              .notes, .text(upTo: ActivityEntry.notesByteLimit),
              "At most \(ActivityEntry.notesByteLimit) bytes")
          ])
        ),
        contents: [NotesBody.self],
        answers: [.json(.reference(.activity), "The activity after the change")],
        refusals: [.invalidRequest, .activityNotFound]
      )),
    Route(
      .get, .sessionEvents, ofSession: sessionEvents,
      Operation(
        name: "awaitSessionEvents",
        summary: "Waits until my session has changed or ended, for at most"
          + " \(SessionWaiters.waitSeconds) seconds",
        chapter: .data,
        query: [
          Parameter(
            .seen, schema: .value,
            note: "The version that I have; without it, the answer is immediate")
        ],
        contents: [SessionEventsQuery.self],
        answers: [
          .json(
            .object(
              [.required(.version, .text), .required(.session, .reference(.sessionTerms))]
                + accountUpdateMembers
            ), "The new version, or the same version after the longest wait")
        ], refusals: [.invalidRequest, .sessionEnded]
      )),
    Route(
      .get, .sessions, .account, answer: ownSessions,
      Operation(
        name: "listMySessions",
        summary: "My open sessions, newest first", chapter: .data,
        answers: [.json(sessionList, "The sessions; the one of this request is marked")]
      )),
    Route(
      .delete, .sessions, .account, answer: endAllOwn,
      Operation(
        name: "endMySessions",
        summary: "Ends all my sessions, including this one", chapter: .data,
        answers: [.done("All sessions have ended")]
      )),
    Route(
      .delete, .session(.id), .account, answer: endOwn,
      Operation(
        name: "endMySession",
        summary: "Ends one of my sessions", chapter: .data,
        answers: [.done("The session has ended now or earlier")], refusals: [.sessionNotFound]
      )),
    Route(
      .post, .password, .account, answer: changePassword,
      Operation(
        name: "changePassword",
        summary:
          "Changes my password and ends my other sessions; a wrong current password is a failed"
          + " attempt, as at sign-in", chapter: .data,
        body: .json(
          .object([
            .required(.currentPassword, .presentPassword),
            .required(.newPassword, .newPassword),
          ])
        ),
        contents: [PasswordChangeBody.self],
        answers: [.done("The new password is valid")],
        refusals: [
          .invalidRequest, .invalidCredentials, .managedByProvider, .accountLocked, .rateLimited,
          .passwordTooShort, .passwordTooLong, .passwordTooCommon,
        ]
      )),
  ]

  private static func statusBody(_ statuses: [String]) -> Schema {
    .object([
      .required(.status, .word(statuses)),
      .optional(
        .statusNote, .text(upTo: WorkStatusBody.noteByteLimit),
        "What the person says about the status, at most \(WorkStatusBody.noteByteLimit) bytes"),
    ])
  }

  private static let jobList = Schema.object([
    .required(.jobs, .list(.reference(.job))), Schema.lease,
  ])

  static let sessionList = Schema.object([
    .required(.sessions, .list(.reference(.session)))
  ])
}

extension Route {
  static func me(_ call: Call, _ access: Access) async throws(Refusal) -> HTTPResponse {
    .json(try await readAccount(access, in: call.world).json)
  }

  /// The claims about the signed-in person (OpenID Connect Core, section 5.3).
  static func userInfo(_ call: Call, _ access: Access) async throws(Refusal) -> HTTPResponse {
    .json(describeUser(access, in: call.world))
  }

  static func jobs(_ call: Call, _ claim: AccessClaim) async throws(Refusal) -> HTTPResponse {
    try await leased(call, claim, .jobs, json: { $0.json }) { try listJobs($0, in: $1, $2) }
  }

  static func dashboard(_ call: Call, _ claim: AccessClaim) async throws(Refusal) -> HTTPResponse {
    try await leased(call, claim, .dashboard, json: { $0.json }) {
      try readDashboard($0, in: $1, $2)
    }
  }

  static func activities(_ call: Call, _ claim: AccessClaim) async throws(Refusal) -> HTTPResponse {
    try await leased(call, claim, .activities, json: { $0.json }) {
      try listActivities($0, in: $1, $2)
    }
  }

  /// The data of a home, with a lease that says how long it may be read offline.
  private static func leased<Answer: Sendable>(
    _ call: Call, _ claim: AccessClaim, _ list: OfflineLease.List, json: (Answer) -> JSON,
    _ read:
      @escaping @Sendable (
        Access, World, any ActivityRecords & DeliveryRecords & JobRecords
      ) throws -> Answer
  ) async throws(Refusal) -> HTTPResponse {
    let world = call.world
    let (access, answer) = try await claim.read(in: world) { try read($0, world, $1) }
    let lease = grantLease(of: list, to: access, at: world.clock.now(), in: world)
    return .json(OfflineLease.add(lease, to: json(answer)))
  }

  static func changeActivity(_ call: Call, _ access: Access) async throws(Refusal) -> HTTPResponse {
    let notes = try readNotes(call)
    let entry = try await writeNotes(notes, about: call.parameter(.id), access, in: call.world)
    return .json(entry.json)
  }

  private static func readNotes(_ call: Call) throws(Refusal) -> String {
    try WireField.notes.needed(try NotesBody(try call.body()).notes)
  }

  static func changeJob(_ call: Call, _ access: Access) async throws(Refusal) -> HTTPResponse {
    try await withStatus(call, Job.Status.init(rawValue:)) { (choice) throws(Refusal) in
      try await changeJobStatus(of: call.parameter(.id), to: choice, access, in: call.world)
    } json: {
      $0.json
    }
  }

  static func changeDelivery(_ call: Call, _ access: Access) async throws(Refusal) -> HTTPResponse {
    try await withStatus(call, Delivery.Status.init(rawValue:)) { (choice) throws(Refusal) in
      try await changeDeliveryStatus(of: call.parameter(.id), to: choice, access, in: call.world)
    } json: {
      $0.json
    }
  }

  private static func withStatus<Status: Sendable, Entry: Sendable>(
    _ call: Call, _ parse: (String) -> Status?,
    act: (StatusChoice<Status>) async throws(Refusal) -> Entry, json: (Entry) -> JSON
  ) async throws(Refusal) -> HTTPResponse {
    let body = try WorkStatusBody(try call.body())
    let status = try WireField.status.needed(parse(body.status ?? ""))
    let entry = try await act(try StatusChoice(status, note: body.note))
    return .json(json(entry))
  }

  static func registerActivity(_ call: Call, _ access: Access) async throws(Refusal) -> HTTPResponse
  {
    guard let organization = access.session.organization else {
      throw Refusal.notAMember("the session has no organization")
    }
    let once = try readOnceOnly(call, access)
    let json = try call.body()
    let registration = try ActivityRegistration(
      reading: json, access, organization: organization)
    let entry = try await SignInService.registerActivity(
      registration, access, once: once, in: call.world)
    return .json(entry.json, status: 201)
  }
}

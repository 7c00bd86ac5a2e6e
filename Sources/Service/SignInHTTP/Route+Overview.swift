import HTTPServer
import JSONText
import SignInModel
import SignInRules
import SignInService
import SignInWire

extension Route {
  static let ofOverview: [Route] = [
    Route(
      .get, .adminOverview, needs: .viewer, answer: overview,
      Operation(
        name: "readOverview",
        summary: "Sign-ins, failures, lockouts and codes by day, and what needs attention",
        chapter: .administration,
        answers: [
          .json(
            .reference(.overview),
            "The last \(OverviewLimits.days) days in UTC; only your organizations, if your"
              + " permission is for organizations")
        ]
      )),
    Route(
      .get, .adminMessages, needs: .viewer, answer: messages,
      Operation(
        name: "listMessages",
        summary: "Messages and their state, newest first, without their texts",
        chapter: .administration,
        query: messageFilters + page,
        contents: [MessagesQuery.self, PageQuery.self],
        answers: [
          .json(
            .object([
              .required(.messages, .list(.reference(.message))),
              .nextCursor,
            ]), "A page of the list"
          )
        ], refusals: [.invalidRequest]
      )),
    Route(
      .get, .adminEvents, needs: .viewer, answer: events,
      Operation(
        name: "listEvents",
        summary: "The security log, newest first", chapter: .administration,
        query: eventFilters + page,
        contents: [EventsQuery.self, PageQuery.self],
        answers: [
          .json(
            .object([
              .required(.events, .list(.reference(.event))),
              .nextCursor,
            ]), "A page of the list"
          )
        ], refusals: [.invalidRequest]
      )),
  ]

  static let page = [
    Parameter(
      .cursor, schema: .text(upTo: ListCursor.textByteLimit),
      note: "The cursor of the page before"),
    Parameter(
      .limit, schema: .whole(1...Int64(PageLimits.longest)),
      note: "1 to \(PageLimits.longest); the default is \(PageLimits.standard)"
    ),
  ]
}

extension Route {
  static func overview(_ call: Call, _ access: Access) async throws(Refusal) -> HTTPResponse {
    .json(try await readOverview(rules: call.rules(access), in: call.world).json)
  }

  static func messages(_ call: Call, _ access: Access) async throws(Refusal) -> HTTPResponse {
    let input = try ListQuery.read(call)
    let page = try await listMessages(
      try input.page(), try messageQuery(MessagesQuery(input.form)), rules: call.rules(access),
      in: call.world)
    return listed(.messages, page) { $0.json }
  }

  /// The events in the form that is hashed, each with its hash, so that a reader of everything can
  /// check the chain.
  static func events(_ call: Call, _ access: Access) async throws(Refusal) -> HTTPResponse {
    let input = try ListQuery.read(call)
    let (query, reference) = try eventQuery(EventsQuery(input.form))
    let page = try await pageEvents(
      query, about: reference, try input.page(), rules: call.rules(access), in: call.world)
    return listed(.events, page) { entry in
      let hash = JSONMember(.hash, Base64URL.encode(entry.event.hash))
      return .object((entry.json.objectMembers ?? []) + [hash])
    }
  }
}

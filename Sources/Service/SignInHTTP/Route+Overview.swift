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
        query: [
          Parameter(
            .outcome, schema: .word(OutboxMessage.Outcome.allCases.map { $0.rawValue }),
            note: "Only messages with this outcome; a failed one was not handed over, or the"
              + " provider reported that it was not delivered"),
          Parameter(
            .to, schema: .text(upTo: EmailAddress.lengthLimit),
            note: "Only messages to this whole number or e-mail address"),
          Parameter(
            .kind, schema: .word(OutboxMessage.Kind.allCases.map { $0.rawValue }),
            note: "Only codes, or only notices"),
          Parameter(.account, schema: .identifier, note: "Only messages for this account"),
        ] + period + page,
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
        query: [
          Parameter(
            .account, schema: .text(upTo: EmailAddress.lengthLimit),
            note: "Only events about this account: an identifier or an e-mail address"),
          Parameter(
            .kind, schema: .word(EventKind.allCases.map { $0.rawValue }),
            note: "Only events of this kind; `failures` are those that the overview counts as"
              + " failed"),
          Parameter(.client, schema: .identifier, note: "Only events of this app"),
        ] + period + page,
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

  private static let period = [
    Parameter(.from, schema: .moment, note: "Only from this moment on, in Unix seconds"),
    Parameter(.until, schema: .moment, note: "Only before this moment, in Unix seconds"),
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

  /// The events in the form that is hashed, each with its hash, so that a reader can check the
  /// chain.
  static func events(_ call: Call, _ access: Access) async throws(Refusal) -> HTTPResponse {
    let input = try ListQuery.read(call)
    let (query, email) = try eventQuery(EventsQuery(input.form))
    let page = try await pageEvents(
      query, ofEmail: email, try input.page(), rules: call.rules(access), in: call.world)
    return listed(.events, page) { event in
      let hash = JSONMember(.hash, Base64URL.encode(event.hash))
      return .object((event.json.objectMembers ?? []) + [hash])
    }
  }
}

// MARK: - Filters

extension Route {
  static func messageQuery(_ input: MessagesQuery) throws(Refusal) -> MessageQuery {
    var query = MessageQuery()
    query.outcome = try word(input.outcome, "unknown outcome") {
      OutboxMessage.Outcome(rawValue: $0)
    }
    query.kind = try word(input.kind, "unknown kind") { OutboxMessage.Kind(rawValue: $0) }
    query.to = try word(input.to, "to must be a number or an e-mail address") { recipient($0) }
    query.account = input.account.map { AccountID($0) }
    query.period = try period(input.time)
    return query
  }

  /// The filter, and the e-mail address of its account if the request names the account by it.
  static func eventQuery(
    _ input: EventsQuery
  ) throws(Refusal) -> (query: EventQuery, email: EmailAddress?) {
    var query = EventQuery()
    var email: EmailAddress?
    if let account = input.account, account.utf8.contains(UInt8(ascii: "@")) {
      let named = try word(account, "account is no e-mail address") { recipient($0) }
      if case .email(let address) = named { email = address }
    } else {
      query.account = input.account.map { AccountID($0) }
    }
    let kind = try word(input.kind, "unknown kind") { EventKind(rawValue: $0) }
    query.codes = kind?.codes
    query.client = input.client.map { ClientID($0) }
    query.period = try period(input.time)
    return (query, email)
  }

  private static func period(_ input: TimeQuery) throws(Refusal) -> Period {
    func moment(_ text: String?) throws(Refusal) -> Instant? {
      try word(text, "from and until must be Unix seconds") {
        WholeNumber.read($0, in: 0...JSON.latestUnixSeconds).map { Instant(seconds: $0) }
      }
    }
    return Period(from: try moment(input.from), until: try moment(input.until))
  }

  private static func recipient(_ text: String) -> Recipient? {
    do throws(Malformed) { return try Recipient(parsing: text) } catch { return nil }
  }

  /// Reads a parameter, and refuses a value that `read` does not accept.
  private static func word<Value>(
    _ text: String?, _ refusal: String, _ read: (String) -> Value?
  ) throws(Refusal) -> Value? {
    guard let text else { return nil }
    guard let value = read(text) else { throw Refusal.invalidRequest(refusal) }
    return value
  }
}

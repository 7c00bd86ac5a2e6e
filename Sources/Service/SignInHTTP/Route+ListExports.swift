import CSVText
import HTTPServer
import SignInService
import SignInWire

extension Route {
  /// Lists as tables for spreadsheets, with the filters and the permissions of the lists.
  static let ofListExports: [Route] = [
    Route(
      .get, .adminListExport(.accounts), needs: .viewer, answer: accountTable,
      Operation(
        name: "exportAccountList", summary: "The list of accounts as CSV",
        chapter: .administration, query: accountFilters, contents: [AccountsQuery.self],
        answers: [table], refusals: [.invalidRequest]
      )),
    Route(
      .get, .adminListExport(.events), needs: .viewer, answer: eventTable,
      Operation(
        name: "exportEventList", summary: "The security log as CSV",
        chapter: .administration, query: eventFilters, contents: [EventsQuery.self],
        answers: [table], refusals: [.invalidRequest]
      )),
    Route(
      .get, .adminListExport(.messages), needs: .viewer, answer: messageTable,
      Operation(
        name: "exportMessageList", summary: "The messages as CSV",
        chapter: .administration, query: messageFilters, contents: [MessagesQuery.self],
        answers: [table], refusals: [.invalidRequest]
      )),
  ]

  private static let table = Operation.Answer(
    status: 200,
    note: "At most \(ListExportLimits.rows) rows, the newest first, in UTF-8 (RFC 4180). A cell"
      + " that begins like a formula has an apostrophe before it. The times are RFC 3339.",
    schema: .text, mediaType: "text/csv")

  private static func accountTable(
    _ call: Call, _ access: Access
  ) async throws(Refusal) -> HTTPResponse {
    let input = AccountsQuery(try call.query())
    let query = try accountQuery(input, at: call.world.clock.now())
    return .table(
      try await exportAccountList(
        query, only: input.accountIDs, rules: call.rules(access), in: call.world), of: .accounts)
  }

  private static func eventTable(
    _ call: Call, _ access: Access
  ) async throws(Refusal) -> HTTPResponse {
    let (query, reference) = try eventQuery(EventsQuery(try call.query()))
    return .table(
      try await exportEventList(
        query, about: reference, rules: call.rules(access), in: call.world), of: .events)
  }

  private static func messageTable(
    _ call: Call, _ access: Access
  ) async throws(Refusal) -> HTTPResponse {
    let query = try messageQuery(MessagesQuery(try call.query()))
    return .table(
      try await exportMessageList(query, rules: call.rules(access), in: call.world), of: .messages)
  }
}

extension HTTPResponse {
  fileprivate static func table(_ table: CSVWriter, of list: ExportedList) -> HTTPResponse {
    HTTPResponse(
      status: 200,
      fields: [
        HTTPField("Content-Type", "text/csv; charset=utf-8"),
        HTTPField("Content-Disposition", "attachment; filename=\"\(list.rawValue).csv\""),
      ], body: table.bytes)
  }
}

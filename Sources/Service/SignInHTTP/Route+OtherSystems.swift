public import HTTPServer
import JSONText
import SignInModel
import SignInService
import SignInWire

extension FieldpassHandler {
  /// The paths that accept larger bodies, for batches.
  public static let largeBodyPaths = Set(
    Route.all.filter { $0.operation.limits == .batch }.map(\.path))

  /// The paths that accept a photo.
  ///
  /// The body is the photo itself, so it has the same limit.
  public static let largeBodyTemplates = Route.all.filter { $0.operation.body.isPhoto }.map {
    let parts = $0.path.split(separator: "{\(Endpoint.Segment.Name.id.rawValue)}")
    return HTTPServerConfiguration.LargeBodyRule(
      before: String(parts[0]), after: String(parts[1]), bytes: ProductPhoto.byteLimit)
  }
}

extension Route {
  /// The routes with which other systems write and read data.
  static let ofOtherSystems: [Route] =
    DataKind.allCases.flatMap { recordRoutes($0) + [batchRoute($0)] } + [
      Route(
        .get, .adminChanges, service: .readChanges, answer: changes,
        Operation(
          name: "listChanges",
          summary:
            "The changes that people made in the apps, oldest first, \(ChangeLimits.page) at a"
            + " time",
          chapter: .otherSystems,
          query: [
            Parameter(
              .after, schema: .changeCursor,
              note: "The cursor of the answer before; without it, from the oldest stored change")
          ],
          contents: [ChangesQuery.self],
          answers: [
            .json(
              .object([
                .required(.changes, .list(.reference(.change))),
                .required(.cursor, .text, "The cursor for the next request"),
                .required(.complete, .flag, "false if there are more changes"),
              ]), "A page of the list")
          ], refusals: [.invalidRequest, .unknownCursor]
        ))
    ]

  private static func recordRoutes(_ kind: DataKind) -> [Route] {
    let endpoint = Endpoint.adminRecord(kind, .id)
    let record = Schema.reference(kind.record)
    let missing = kind.missing
    return [
      Route(
        .get, endpoint, service: kind.scope,
        answer: { (call, principal) throws(Refusal) in
          try await showRecord(call, kind, principal)
        },
        Operation(
          name: "read" + kind.name,
          summary: "One of the \(kind.rawValue), with the members that other systems write",
          chapter: .otherSystems, query: organizationOfID, contents: [RecordQuery.self],
          answers: [.json(record, "The record, with its version as the ETag")],
          refusals: [.invalidRequest, missing]
        )),
      Route(
        .put, endpoint, service: kind.scope,
        answer: { (call, principal) throws(Refusal) in
          try await putRecord(call, kind, principal)
        },
        Operation(
          name: "put" + kind.name,
          summary:
            "Creates or replaces one of the \(kind.rawValue); repeating a request changes nothing",
          chapter: .otherSystems, query: organizationOfID, fields: [ifMatch, ifNoneMatch],
          body: .json(Schema.object(kind.members(isBatch: false))), contents: [RecordQuery.self],
          answers: [
            .json(record, "The record was changed, or already had this content"),
            .json(record, "The record was created", status: 201),
          ],
          refusals: [.invalidRequest, .accountNotFound, missing, .preconditionFailed]
        )),
      Route(
        .delete, endpoint, service: kind.scope,
        answer: { (call, principal) throws(Refusal) in
          try await deleteRecord(call, kind, principal)
        },
        Operation(
          name: "delete" + kind.name,
          summary:
            "Removes one of the \(kind.rawValue); the next sync removes it from offline copies",
          chapter: .otherSystems, query: organizationOfID, fields: [ifMatch],
          contents: [RecordQuery.self], answers: [.done("The record is removed")],
          refusals: [.invalidRequest, missing, .preconditionFailed]
        )),
    ]
  }

  private static func batchRoute(_ kind: DataKind) -> Route {
    Route(
      .post, .adminBatch(kind), service: kind.scope,
      answer: { (call, principal) throws(Refusal) in
        try await writeBatch(call, kind, principal)
      },
      Operation(
        name: "write" + kind.name + "Batch",
        summary:
          "Creates, replaces and removes up to \(DataLimits.batchItems) \(kind.rawValue), each"
          + " independently; repeating a request changes nothing", chapter: .otherSystems,
        body: .json(
          .object([
            .required(
              .items,
              .many(.object(kind.members(isBatch: true)), 1...DataLimits.batchItems),
              "They are decided in this order")
          ])),
        limits: .batch, contents: [DataBatchBody.self],
        answers: [
          .json(
            .object([.required(.results, .list(.reference(.batchResult)), "In the same order")]),
            "The result for each item")
        ], refusals: [.invalidRequest]
      ))
  }

  static let organizationOfID = [
    Parameter(
      .organization, schema: .text(upTo: OrganizationID.lengthLimit),
      note: "The organization in which the id is unique; empty for none; without it, the sender's"
        + " only one, or none")
  ]

  private static let ifMatch = Parameter(
    name: "If-Match", schema: .conditionTags,
    note: "The ETag that the record must have, or * for any; the condition is ignored if the record"
      + " already has the requested content")
  private static let ifNoneMatch = Parameter(
    name: "If-None-Match", schema: .limited(TextLimits(length: 1...1, pattern: "^[*]$")),
    note: "* if the record must not exist")

  private static func showRecord(
    _ call: Call, _ kind: DataKind, _ principal: DataPrincipal
  ) async throws(Refusal) -> HTTPResponse {
    let record = try await readData(kind, try call.recordName(), by: principal, in: call.world)
    return .record(record)
  }

  private static func putRecord(
    _ call: Call, _ kind: DataKind, _ principal: DataPrincipal
  ) async throws(Refusal) -> HTTPResponse {
    let json = try call.uncheckedBody()
    let draft = try DataDraft(reading: json, kind, try call.recordName())
    return try await write(draft.under(try DataBody.condition(call)), principal, call)
  }

  private static func deleteRecord(
    _ call: Call, _ kind: DataKind, _ principal: DataPrincipal
  ) async throws(Refusal) -> HTTPResponse {
    let condition = try DataBody.condition(call)
    let draft = DataDraft.removal(of: try call.recordName(), kind, condition)
    return try await write(draft, principal, call)
  }

  private static func write(
    _ draft: DataDraft, _ principal: DataPrincipal, _ call: Call
  ) async throws(Refusal) -> HTTPResponse {
    let outcomes = try await writeData([draft], by: principal, in: call.world)
    switch outcomes.first {
    case .written(let record, let change)?:
      return .record(record, status: change.status)
    case .removed?: return HTTPResponse(status: 204)
    case .refused(let refusal)?: throw refusal
    case nil: preconditionFailure("one draft must have one outcome")
    }
  }

  private static func writeBatch(
    _ call: Call, _ kind: DataKind, _ principal: DataPrincipal
  ) async throws(Refusal) -> HTTPResponse {
    let json = try call.uncheckedBody()
    if let other = json.objectMembers?.first(where: { !$0.isNamed(.items) }) {
      throw Refusal.invalidRequest("a batch has no \(MemberMistake.shown(other.key))")
    }
    let items = try DataBatchBody(json).items?.elements ?? []
    guard (1...DataLimits.batchItems).contains(items.count) else {
      throw Refusal.invalidRequest("items has 1 to \(DataLimits.batchItems) entries")
    }
    var results = [JSON](repeating: .null, count: items.count)
    var drafts: [(place: Int, draft: DataDraft)] = []
    var placeOfID: [String: Int] = [:]
    for (place, item) in items.enumerated() {
      do throws(Refusal) {
        let draft = try DataDraft(reading: item, kind, nil)
        // Two items of one record would change it again each time the batch is repeated.
        if let earlier = placeOfID.updateValue(place, forKey: draft.name) {
          placeOfID[draft.name] = earlier
          throw Refusal.mistaken([.repeated(item: earlier)])
        }
        drafts.append((place, draft))
      } catch {
        results[place] = DataOutcome.refused(error).json(of: item[.id]?.text ?? "")
      }
    }
    let outcomes = try await writeData(drafts.map(\.draft), by: principal, in: call.world)
    for (entry, outcome) in zip(drafts, outcomes) {
      results[entry.place] = outcome.json(of: entry.draft.id)
    }
    return .json(WireField.results.list(results))
  }

  private static func changes(_ call: Call, _ principal: DataPrincipal) async throws(Refusal)
    -> HTTPResponse
  {
    let after = ChangesQuery(try call.query()).after.map { NumberedCursor(parsing: $0) }
    let page = try await readChanges(after: after, by: principal, in: call.world)
    return .json(
      .members([
        JSONMember(.changes, .array(page.entries.map(\.json))),
        JSONMember(.cursor, page.cursor.text), JSONMember(.complete, page.isComplete),
      ]))
  }
}

extension Call {
  /// The record that the path names, in the organization that the query names.
  func recordName() throws(Refusal) -> RecordName {
    try RecordName(parameter(.id), organization: RecordQuery(try query()).organization)
  }
}

/// The conditions of requests of other systems.
enum DataBody {
  /// The condition of `If-Match` or `If-None-Match` (RFC 9110, section 13.1).
  ///
  /// A weak tag, and a tag that this server did not give, matches no version.
  static func condition(_ call: Call) throws(Refusal) -> DataCondition {
    let match = tags("if-match", of: call.request)
    let noneMatch = tags("if-none-match", of: call.request)
    switch (match, noneMatch) {
    case (nil, nil): return .none
    case (["*"]?, nil): return .present
    case (let tags?, nil):
      let versions = tags.compactMap { tag -> Int64? in
        guard tag.count >= 3, tag.hasPrefix("\""), tag.hasSuffix("\"") else { return nil }
        // No record has version 0.
        return WholeNumber.read(
          tag.dropFirst().dropLast(), in: 1...DataDraft.versions.upperBound)
      }
      return .versions(versions)
    case (nil, ["*"]?): return .absent
    case (nil, _?):
      throw Refusal.invalidRequest("If-None-Match must be *")
    case (_?, _?):
      throw Refusal.invalidRequest("one of If-Match and If-None-Match is allowed")
    }
  }

  /// Nil if there is no such field.
  private static func tags(_ name: StaticString, of request: HTTPRequest) -> [String]? {
    request.values(of: name).isEmpty ? nil : request.elements(of: name)
  }
}

extension HTTPResponse {
  /// A record, with its version as the ETag.
  fileprivate static func record(_ record: DataRecord, status: Int = 200) -> HTTPResponse {
    var response = json(record.json, status: status)
    response.fields.append(HTTPField("ETag", "\"\(record.version)\""))
    return response
  }
}

extension DataOutcome {
  /// The entry of this outcome in the answer to a batch.
  fileprivate func json(of id: String) -> JSON {
    switch self {
    case .written(let record, let change):
      BatchEntry(id: id, status: change.status, change.result, version: record.version).json
    case .removed: BatchEntry(id: id, status: 204, .removed).json
    case .refused(let refusal):
      BatchEntry(id: id, status: refusal.code.dataStatus, refusal).json
    }
  }
}

extension DataOutcome.Change {
  fileprivate var status: Int { self == .created ? 201 : 200 }

  fileprivate var result: BatchEntry.Result {
    switch self {
    case .created: .created
    case .changed: .changed
    case .unchanged: .unchanged
    }
  }
}

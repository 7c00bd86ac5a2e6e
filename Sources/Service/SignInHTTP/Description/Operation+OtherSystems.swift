import HTTPServer
import SignInModel
import SignInService
import SignInWire

extension Operation {
  /// What other systems write and read.
  static let ofOtherSystems: [Operation] =
    DataKind.allCases.flatMap(operations) + [
      Operation(
        method: .get, path: Endpoint.adminChanges, name: "listChanges",
        summary: "What people changed in the apps, oldest first, \(ChangeLimits.page) at a time",
        chapter: .otherSystems,
        query: [
          Parameter(
            name: "after", schema: .cursorNumber,
            note: "the cursor of the answer before; from the oldest that is kept without it")
        ],
        answers: [
          .json(
            .object([
              .required("changes", .list(.reference(.change))),
              .required("cursor", .text, "to ask with next"),
              .required("complete", .flag, "false when there is more to fetch"),
            ]), "a page")
        ], refusals: [.invalidRequest, .unknownCursor]
      )
    ]

  private static func operations(_ kind: DataKind) -> [Operation] {
    let (path, record) = (Endpoint.adminRecord(kind.rawValue), Schema.reference(kind.record))
    let missing = kind.missing
    return [
      Operation(
        method: .get, path: path, name: "read" + kind.name,
        summary: "One of the \(kind.rawValue), as other systems write it", chapter: .otherSystems,
        answers: [.json(record, "the record, with its version as the ETag")], refusals: [missing]
      ),
      Operation(
        method: .put, path: path, name: "put" + kind.name,
        summary: "Makes or replaces one of the \(kind.rawValue); the same again changes nothing",
        chapter: .otherSystems, fields: [ifMatch, ifNoneMatch],
        body: .json(Schema.object(kind.members(isBatch: false))),
        answers: [
          .json(record, "it was changed, or was so already"),
          .json(record, "it was made", status: 201),
        ],
        refusals: [.invalidRequest, .accountNotFound, missing, .preconditionFailed]
      ),
      Operation(
        method: .delete, path: path, name: "delete" + kind.name,
        summary: "Removes one of the \(kind.rawValue), from offline copies at their next sync",
        chapter: .otherSystems, fields: [ifMatch], answers: [.done("it is removed")],
        refusals: [.invalidRequest, missing, .preconditionFailed]
      ),
      Operation(
        method: .post, path: Endpoint.adminBatch(kind.rawValue),
        name: "write" + kind.name + "Batch",
        summary: "Makes, replaces and removes up to \(DataLimits.batchItems) \(kind.rawValue), each"
          + " by itself; the same again changes nothing", chapter: .otherSystems,
        body: .json(
          .object([
            .required(
              "items",
              .many(.object(kind.members(isBatch: true)), 1...DataLimits.batchItems),
              "decided in this order")
          ])),
        answers: [
          .json(
            .object([.required("results", .list(.reference(.batchResult)), "in the same order")]),
            "what became of each item")
        ], refusals: [.invalidRequest]
      ),
    ]
  }

  private static let ifMatch = Parameter(
    name: "If-Match", schema: .conditionTags,
    note: "the ETag that the record must have, or * for any; a record that is already as it would"
      + " be written is not refused")
  private static let ifNoneMatch = Parameter(
    name: "If-None-Match", schema: .limited(TextLimits(length: 1...1, pattern: "^[*]$")),
    note: "* for a record that must not exist")
}

extension DataKind {
  fileprivate var name: String {
    switch self {
    case .jobs: "Job"
    case .deliveries: "Delivery"
    case .activities: "Activity"
    case .products: "Product"
    }
  }

  fileprivate var record: Schema.Name {
    switch self {
    case .jobs: .jobRecord
    case .deliveries: .deliveryRecord
    case .activities: .activityRecord
    case .products: .productRecord
    }
  }

  fileprivate var missing: ErrorCode {
    switch self {
    case .jobs: .jobNotFound
    case .deliveries: .deliveryNotFound
    case .activities: .activityNotFound
    case .products: .productNotFound
    }
  }

  /// What a request may hold.
  fileprivate func members(isBatch: Bool) -> [Schema.Member] {
    let id =
      isBatch
      ? Schema.Member.required("id", .identifier)
      : .optional("id", .identifier, "that of the path, if at all")
    let version = Schema.Member.optional(
      "version", .whole(DataDraft.versions),
      "the version that the record must have; 0 for one that must not exist")
    var members = [id, version]
    if isBatch {
      members.append(.optional("deleted", .flag, "true to remove it: no other member then"))
    }
    return members
      + fields.map { field in
        // In a batch an item that is to be removed has none of them.
        Schema.Member(
          name: field.name, schema: field.schema, isRequired: field.isRequired && !isBatch,
          note: field.note)
      }
  }

  /// What an answer holds.
  fileprivate var answered: [Schema.Member] {
    let own = fields.map { field in
      let isText = field.form.isOptionalText && !field.isRequired
      return Schema.Member(
        name: field.name, schema: isText ? .textOrNull : field.answeredSchema,
        isRequired: field.name != "account", note: field.note)
    }
    let waiting: [Schema.Member] =
      self == .products
      ? [.optional("awaiting", .text, "the address it waits for, in place of account")] : []
    return [
      .required("id", .text),
      .required("version", .number, "greater after every change, over all records"),
    ] + own + waiting
  }
}

extension DataField.Form {
  fileprivate var isOptionalText: Bool {
    switch self {
    case .line, .day: true
    case .account, .organization, .moment, .count, .word, .notes: false
    }
  }
}

extension DataField {
  /// What a request may hold.
  var schema: Schema {
    switch form {
    case .line: .line
    case .account: .text(upTo: EmailAddress.lengthLimit, atLeast: 1)
    case .organization: .identifier
    case .moment: .moment
    case .day: .day
    case .count(let range): .whole(range)
    case .word(let words): .word(words)
    case .notes: .text(upTo: DataLimits.notesBytes)
    }
  }

  /// What an answer holds.
  fileprivate var answeredSchema: Schema {
    switch form {
    case .line, .account, .organization, .day, .notes: .text
    case .moment, .count: .number
    case .word(let words): .word(words)
    }
  }
}

extension Schema {
  static let cursorNumber = limited(
    TextLimits(length: 0...Form.valueByteLimit, pattern: "^[0-9]*$"))

  /// A product as `POST /admin/products` takes it.
  static let broughtProduct = Schema.object(
    [.required("id", .identifier)]
      + DataKind.products.fields.filter { $0.name != "account" }.map { field in
        Member(
          name: field.name, schema: field.isRequired ? field.schema : .orNull(field.schema),
          isRequired: field.isRequired, note: field.note)
      } + [.optional("status", .word(WarrantyStatus.allCases.map(\.rawValue)), "ignored")])

  static func record(_ kind: DataKind) -> Schema { .object(kind.answered) }

  static let change = Schema.object([
    .required("sequence", .number, "the first is 1, and no number is given twice"),
    .required("at", .number),
    .required("kind", .word(DataChange.Kind.allCases.map(\.rawValue))), .required("id", .text),
    .required("change", .word(DataChange.Act.allCases.map(\.rawValue))),
    .required("account", .text, "who changed it"),
    .optional("status", .text, "after the change, of a record that has one"),
    .optional("version", .number, "of the record after the change"),
    .required("record", .anything, "as it is now; null when it was removed since"),
  ])

  static let batchResult = Schema.object([
    .required("id", .text), .required("status", .number, "as of a request of its own"),
    .required("result", .word(["created", "changed", "unchanged", "removed", "refused"])),
    .optional("version", .number, "that it has now; with a conflict, the present one"),
    .optional(
      "code",
      .word(
        ([.invalidRequest, .accountNotFound, .preconditionFailed]
          + DataKind.allCases.map(\.missing)).map(\.rawValue)),
      "why it was refused"),
    .optional("detail", .text), .optional("mistakes", .list(Schema.Name.mistake)),
  ])

  /// What a mentor registers.
  static let registration = Schema.object(
    ActivityRegistration.members.map {
      Schema.Member(
        name: $0.name, schema: $0.schema, isRequired: $0.isRequired, note: $0.note)
    })
}

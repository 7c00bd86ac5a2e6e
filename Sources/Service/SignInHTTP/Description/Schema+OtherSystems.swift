import SignInModel
import SignInService
import SignInWire

extension DataKind {
  var name: String {
    switch self {
    case .jobs: "Job"
    case .deliveries: "Delivery"
    case .activities: "Activity"
    case .products: "Product"
    }
  }

  var record: Schema.Name {
    switch self {
    case .jobs: .jobRecord
    case .deliveries: .deliveryRecord
    case .activities: .activityRecord
    case .products: .productRecord
    }
  }

  var missing: ErrorCode {
    switch self {
    case .jobs: .jobNotFound
    case .deliveries: .deliveryNotFound
    case .activities: .activityNotFound
    case .products: .productNotFound
    }
  }

  /// The members of one record.
  ///
  /// In a batch `id` is required, because the path does not name the record.
  func members(isBatch: Bool) -> [Schema.Member] {
    let id =
      isBatch
      ? Schema.Member.required(.id, .identifier)
      : .optional(.id, .identifier, "If present, the identifier in the path")
    let version = Schema.Member.optional(
      .version, .whole(DataDraft.versions),
      "The version that the record must have; 0 if it must not exist")
    var members = [id, version]
    if isBatch {
      members.append(
        .optional(
          .deleted, .flag, "true to remove the record; then only organization is allowed besides"))
    }
    return members
      + fields.map { field in
        // In a batch, an item that is deleted has none of these members.
        Schema.Member(
          name: field.name, schema: field.requestSchema, isRequired: field.isRequired && !isBatch,
          note: field.note)
      }
  }

  /// The members of an answer.
  fileprivate var answered: [Schema.Member] {
    let own = fields.map { field in
      let mayBeAbsent =
        [WireField.account, .phone, .instructions, .statusNote].contains(field.member)
        || (field.member == .organization && !field.isRequired)
      let isText = field.form.isOptionalText && !field.isRequired && !mayBeAbsent
      return Schema.Member(
        name: field.name, schema: isText ? .textOrNull : field.answeredSchema,
        isRequired: !mayBeAbsent, note: field.note)
    }
    let waiting: [Schema.Member] =
      self == .products
      ? [
        .optional(
          .awaiting, .text, "The e-mail address that it waits for; then there is no account")
      ] : []
    return [
      .required(.id, .text),
      .required(
        .version, .number, "Each change of any record of the organization gives a greater version"),
    ] + own + waiting
  }
}

extension DataField.Form {
  fileprivate var isOptionalText: Bool {
    switch self {
    case .line, .day: true
    case .account, .phone, .organization, .moment, .count, .word, .notes: false
    }
  }
}

extension DataField {
  /// The schema of the field in a request.
  var schema: Schema {
    switch form {
    case .line: .line
    case .account: .text(upTo: EmailAddress.lengthLimit, atLeast: 1)
    case .phone: .phoneNumber
    case .organization: .identifier
    case .moment: .moment
    case .day: .day
    case .count(let range): .whole(range)
    case .word(let words): .word(words)
    case .notes: .text(upTo: DataLimits.notesBytes)
    }
  }

  /// The schema of the member in a request, where null means the same as absent.
  var requestSchema: Schema { isRequired ? schema : .orNull(schema) }

  /// The schema of the field in an answer.
  fileprivate var answeredSchema: Schema {
    switch form {
    case .line, .account, .phone, .organization, .day, .notes: .text
    case .moment, .count: .number
    case .word(let words): .word(words)
    }
  }
}

extension Schema {
  static let changeCursor = limited(
    TextLimits(length: 0...Form.valueByteLimit, pattern: "^[A-Za-z0-9_-]*$"))

  /// A product in a request to `POST /admin/products`.
  static let broughtProduct = Schema.object(
    [.required(.id, .identifier)]
      + DataKind.products.fields.filter {
        $0.member != .account && $0.member != .organization
      }.map { field in
        Member(
          name: field.name, schema: field.requestSchema,
          isRequired: field.isRequired, note: field.note)
      } + [.optional(.status, .word(WarrantyStatus.allCases.map(\.rawValue)), "Ignored")])

  static func record(_ kind: DataKind) -> Schema { .object(kind.answered) }

  static let change = Schema.object([
    .optional(
      .sequence, .number,
      "The first is 1, and each number is used once; only for readers of all organizations"),
    .required(.at, .number),
    .required(.kind, .word(DataChange.Kind.allCases.map(\.rawValue))), .required(.id, .text),
    .optional(.organization, .text, "The organization of the record; absent if it has none"),
    .required(.change, .word(DataChange.Act.allCases.map(\.rawValue))),
    .required(.account, .text, "The account that made the change"),
    .optional(.status, .text, "The status after the change, if the record has one"),
    .optional(.version, .number, "The version of the record after the change"),
    .required(.record, .anything, "The current record; null if it was removed"),
  ])

  static let batchResult = Schema.object([
    .required(.id, .text),
    .required(.status, .number, "The status code that a separate request would get"),
    .required(.result, .word(BatchEntry.Result.allCases.map(\.rawValue))),
    .optional(.version, .number, "The current version, also after a conflict"),
    .optional(
      .code,
      .word(
        ([.invalidRequest, .accountNotFound, .permissionDenied, .preconditionFailed]
          + DataKind.allCases.map(\.missing)).map(\.rawValue)),
      "The reason of a refusal"),
    .optional(.detail, .text), .optional(.mistakes, .list(Schema.Name.mistake)),
  ])

  /// An activity that a mentor registers.
  static let registration = Schema.object(
    ActivityRegistration.members.map {
      Schema.Member(
        name: $0.name, schema: $0.requestSchema, isRequired: $0.isRequired, note: $0.note)
    })
}

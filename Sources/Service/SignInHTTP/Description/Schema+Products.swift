import SignInModel

extension Schema {
  static let productMembers: [Member] = [
    .required("id", .text), .required("name", .text), .required("model", .text),
    .required("serial_number", .text), .required("category", .text),
    .required("warranty_provider", .textOrNull, "who stands behind the warranty"),
    .required("purchased_on", .textOrNull, "such as 2026-11-21; null when nobody knows"),
    .required(
      "warranty_expires_on", .textOrNull, "the last day of the warranty; null without an end"
    ),
    .required(
      "status", .word(WarrantyStatus.allCases.map { $0.rawValue }),
      "on the day of the answer (UTC); expiring from \(WarrantyStatus.expiringDays) days before"
    ),
  ]

  static let heldProductMembers: [Member] =
    productMembers + [
      .optional("owner", .text, "the account that has it"),
      .optional("awaiting", .text, "the address it waits for, while no owner signs in with it"),
      .required("created_at", .number),
    ]

  static let serviceRequestMembers: [Member] = [
    .required("id", .text), .required("product_id", .text), .required("product_name", .text),
    .required("account", .text), .required("description", .text),
    .required("created_at", .number),
  ]

  static let productPage = Schema.object([
    .required("products", .list(.reference(.product)), "new and changed ones, each whole"),
    .required("removed", .list(.text), "identifiers of those that are mine no more"),
    .required("cursor", .text, "to ask with next"),
    .required("complete", .flag, "false when there is more to fetch"),
    .required("synced_at", .number),
    lease,
  ])

  static let lease = Member.required(
    "lease", .text, "a JWT of the type offline-lease+jwt: until its exp this may be read offline"
  )

  static let transfer = Schema.object([
    .required("product_id", .text), .required("to", .text), .required("transferred_at", .number),
  ])
}

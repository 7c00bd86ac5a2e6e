import SignInModel
import SignInWire

extension Schema {
  static let productMembers: [Member] = [
    .required(.id, .text), .required(.name, .text), .required(.model, .text),
    .required(.serialNumber, .text), .required(.category, .text),
    .required(.warrantyProvider, .textOrNull, "The company that gives the warranty"),
    .required(.purchasedOn, .textOrNull, "Such as 2026-11-21; null if unknown"),
    .required(
      .warrantyExpiresOn, .textOrNull, "The last day of the warranty; null if it has no end"
    ),
    .required(
      .status, .word(WarrantyStatus.allCases.map { $0.rawValue }),
      "On the day of the answer in UTC-12, so that the last day has ended everywhere before it is"
        + " expired; expiring in the last \(WarrantyStatus.expiringDays) days"
    ),
    .optional(.photo, .reference(.productPhoto), "Absent if the product has no photo"),
  ]

  static let productPhoto = Schema.object([
    .required(.digest, .text, "The SHA-256 digest of the photo, in base64url"),
    .required(.bytes, .number, "The number of bytes, at most \(ProductPhoto.byteLimit)"),
  ])

  static let heldProductMembers: [Member] =
    productMembers + [
      .optional(.owner, .text, "The account of the owner"),
      .optional(
        .awaiting, .text, "The e-mail address of a future owner; absent if there is an owner"),
      .required(.createdAt, .number), organizationOfID,
    ]

  static let organizationOfID = Member.optional(
    .organization, .text, "The organization in which the id is unique; absent if it has none")

  static let serviceRequestMembers: [Member] = [
    .required(.id, .text), .required(.productID, .text), .required(.productName, .text),
    .required(.account, .text), .required(.description, .text),
    .required(.createdAt, .number),
    .optional(.organization, .text, "The organization of the product; absent if it has none"),
  ]

  static let productPage = Schema.object([
    .required(
      .products, .list(.reference(.product)), "New and changed products, with all members"),
    .required(.removed, .list(.text), "Identifiers of products that I no longer own"),
    .required(.cursor, .text, "The cursor for the next request"),
    .required(.complete, .flag, "false if there are more changes"),
    .required(.syncedAt, .number),
    lease,
  ])

  static let lease = Member.required(
    .lease, .text,
    "A JWT of the type offline-lease+jwt; until its exp this data may be read offline"
  )

  static let transfer = Schema.object([
    .required(.productID, .text), .required(.to, .text), .required(.transferredAt, .number),
  ])
}

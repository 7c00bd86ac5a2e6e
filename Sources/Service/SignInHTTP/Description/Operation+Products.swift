import HTTPServer
import SignInModel
import SignInService
import SignInWire

extension Operation {
  /// The header for requests that must not be performed twice.
  static let onceOnly = Parameter(
    name: "Idempotency-Key",
    schema: .limited(TextLimits(length: 1...IdempotencyKey.keyByteLimit, pattern: "^[!-~]+$")),
    note: "Visible characters; for a day, a repeated request with the same key and body gets the"
      + " same answer and has no further effect"
  )

  static let products: [Operation] = [
    Operation(
      method: .get, path: Endpoint.products, name: "syncProducts",
      summary: "The changes to my products since a cursor, \(ProductFeed.pageLimit) at a time",
      chapter: .data,
      query: [
        Parameter(
          name: "cursor", schema: .text(upTo: ProductFeed.cursorLengthLimit),
          note: "The cursor of the answer before; without it, all products")
      ],
      fields: [
        Parameter(
          name: "If-None-Match", schema: .conditionTags, note: "The ETag of the answer before")
      ],
      answers: [
        .json(Schema.productPage, "A page of the list, with an ETag"),
        Answer(status: 304, note: "Nothing has changed since the answer with this ETag"),
      ], refusals: [.invalidRequest, .unknownCursor]
    ),
    Operation(
      method: .post, path: Endpoint.productTransfer, name: "transferProduct",
      summary: "Transfers one of my products immediately to the account with an e-mail address; the"
        + " answer does not show whether such an account exists", chapter: .data,
      fields: [onceOnly],
      body: .json(.object([.required("to", .email, "An e-mail address")])),
      answers: [.json(Schema.transfer, "The product was transferred")],
      refusals: [
        .invalidRequest, .productNotFound, .alreadyOwner,
        .idempotencyKeyReused,
      ]
    ),
    Operation(
      method: .post, path: Endpoint.serviceRequests, name: "raiseServiceRequest",
      summary: "Requests service for one of my products", chapter: .data,
      fields: [onceOnly],
      body: .json(
        .object([
          .required("product_id", .identifier),
          .required(
            "description", .text(upTo: ServiceDescription.lengthLimit, atLeast: 1),
            "The problem with the product"
          ),
        ])
      ),
      answers: [.json(.reference(.serviceRequest), "The service request", status: 201)],
      refusals: [
        .invalidRequest, .productNotFound, .idempotencyKeyReused,
      ]
    ),
  ]

  static let listedProducts: [Operation] = [
    Operation(
      method: .get, path: Endpoint.adminProducts, name: "listProducts",
      summary: "The products of all people, newest first", chapter: .administration, query: page,
      answers: [.json(list("products", .listedProduct), "A page of the list")],
      refusals: [.invalidRequest]
    ),
    Operation(
      method: .post, path: Endpoint.adminProducts, name: "importProducts",
      summary: "Adds products to an account, or changes its products",
      chapter: .administration, fields: [onceOnly],
      body: .json(
        .object([
          .required("owner", .email, "An e-mail address"),
          .required(
            "products", .many(.reference(.broughtProduct), 1...ProductImport.limit),
            "The member status is ignored"
          ),
        ])
      ),
      answers: [
        .json(.object([.required("count", .number)]), "The number of products", status: 201)
      ],
      refusals: [.invalidRequest, .accountNotFound, .idempotencyKeyReused]
    ),
    Operation(
      method: .post, path: Endpoint.adminProductTransfer, name: "giveProduct",
      summary: "Transfers any product, even one without an owner, to another address",
      chapter: .administration, fields: [onceOnly],
      body: .json(.object([.required("to", .email, "An e-mail address")])),
      answers: [.json(Schema.transfer, "The product was transferred")],
      refusals: [.invalidRequest, .productNotFound, .alreadyOwner, .idempotencyKeyReused]
    ),
    Operation(
      method: .get, path: Endpoint.adminServiceRequests, name: "listServiceRequests",
      summary: "Service requests of owners, newest first", chapter: .administration, query: page,
      answers: [.json(list("service_requests", .serviceRequest), "A page of the list")],
      refusals: [.invalidRequest]
    ),
  ]

  private static func list(_ name: String, _ entry: Schema.Name) -> Schema {
    .object([
      .required(name, .list(.reference(entry))),
      .optional("cursor", .text, "The cursor of the next page; absent on the last page"),
    ])
  }
}

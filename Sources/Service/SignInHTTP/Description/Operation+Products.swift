import HTTPServer
import SignInModel
import SignInService
import SignInWire

extension Operation {
  /// Requests that must not be done twice.
  static let onceOnly = Parameter(
    name: "Idempotency-Key",
    schema: .limited(TextLimits(length: 1...OnceOnly.keyByteLimit, pattern: "^[!-~]+$")),
    note: "visible characters; for a day, the same key and body"
      + " are answered the same and make nothing twice"
  )

  static let products: [Operation] = [
    Operation(
      method: .get, path: Endpoint.products, name: "syncProducts",
      summary: "What changed on my shelf since a cursor, \(ProductFeed.pageLimit) at a time",
      chapter: .data,
      query: [
        Parameter(
          name: "cursor", schema: .text(upTo: ProductFeed.cursorLengthLimit),
          note: "of the answer before; none to start over")
      ],
      fields: [
        Parameter(
          name: "If-None-Match", schema: .conditionTags, note: "the ETag of the answer before")
      ],
      answers: [
        .json(Schema.productPage, "a page, with an ETag"),
        Answer(status: 304, note: "nothing changed since the answer with this ETag"),
      ], refusals: [.invalidRequest, .unknownCursor]
    ),
    Operation(
      method: .post, path: Endpoint.productTransfer, name: "transferProduct",
      summary: "Gives one of my products to whoever has an e-mail address, at once; the answer does"
        + " not tell whether anybody has it", chapter: .data, fields: [onceOnly],
      body: .json(.object([.required("to", .email, "an e-mail address")])),
      answers: [.json(Schema.transfer, "the product is mine no more")],
      refusals: [
        .invalidRequest, .productNotFound, .alreadyOwner,
        .idempotencyKeyReused,
      ]
    ),
    Operation(
      method: .post, path: Endpoint.serviceRequests, name: "raiseServiceRequest",
      summary: "Asks for service for one of my products", chapter: .data,
      fields: [onceOnly],
      body: .json(
        .object([
          .required("product_id", .identifier),
          .required(
            "description", .text(upTo: ServiceDescription.lengthLimit, atLeast: 1),
            "what is wrong with it"
          ),
        ])
      ),
      answers: [.json(.reference(.serviceRequest), "it was taken down", status: 201)],
      refusals: [
        .invalidRequest, .productNotFound, .idempotencyKeyReused,
      ]
    ),
  ]

  static let heldProducts: [Operation] = [
    Operation(
      method: .get, path: Endpoint.adminProducts, name: "listProducts",
      summary: "Everybody's products, newest first", chapter: .administration, query: page,
      answers: [.json(list("products", .heldProduct), "a page")], refusals: [.invalidRequest]
    ),
    Operation(
      method: .post, path: Endpoint.adminProducts, name: "importProducts",
      summary: "Puts products on somebody's shelf, or changes those there",
      chapter: .administration, fields: [onceOnly],
      body: .json(
        .object([
          .required("owner", .email, "an e-mail address"),
          .required(
            "products", .many(.reference(.broughtProduct), 1...ProductImport.limit),
            "a status is ignored"
          ),
        ])
      ),
      answers: [.json(.object([.required("count", .number)]), "how many", status: 201)],
      refusals: [.invalidRequest, .accountNotFound, .idempotencyKeyReused]
    ),
    Operation(
      method: .post, path: Endpoint.adminProductTransfer, name: "giveProduct",
      summary: "Gives anybody's product, or one that waits, to another address",
      chapter: .administration, fields: [onceOnly],
      body: .json(.object([.required("to", .email, "an e-mail address")])),
      answers: [.json(Schema.transfer, "where it is now")],
      refusals: [.invalidRequest, .productNotFound, .alreadyOwner, .idempotencyKeyReused]
    ),
    Operation(
      method: .get, path: Endpoint.adminServiceRequests, name: "listServiceRequests",
      summary: "What owners want done, newest first", chapter: .administration, query: page,
      answers: [.json(list("service_requests", .serviceRequest), "a page")],
      refusals: [.invalidRequest]
    ),
  ]

  private static func list(_ name: String, _ entry: Schema.Name) -> Schema {
    .object([
      .required(name, .list(.reference(entry))),
      .optional("cursor", .text, "of the next page; absent on the last"),
    ])
  }
}

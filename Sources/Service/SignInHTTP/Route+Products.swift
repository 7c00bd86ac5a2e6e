import Compression
import HTTPServer
import JSONText
import SignInModel
import SignInService
import SignInWire

extension Route {
  /// The header for requests that must not be performed twice.
  static let onceOnly = Parameter(
    name: "Idempotency-Key",
    schema: .limited(TextLimits(length: 1...IdempotencyKey.keyByteLimit, pattern: "^[!-~]+$")),
    note: "Visible characters; for a day, a repeated request with the same key and body gets the"
      + " same answer and has no further effect"
  )

  static let ofProducts: [Route] = [
    Route(
      .get, .products, .products, reading: products,
      Operation(
        name: "syncProducts",
        summary: "The changes to my products since a cursor, \(ProductFeed.pageLimit) at a time",
        chapter: .data,
        query: [
          Parameter(
            .cursor, schema: .text(upTo: ProductFeed.cursorLengthLimit),
            note: "The cursor of the answer before; without it, all products")
        ],
        fields: [
          Parameter(
            name: "If-None-Match", schema: .conditionTags, note: "The ETag of the answer before")
        ],
        contents: [SyncQuery.self],
        answers: [
          .json(Schema.productPage, "A page of the list, with an ETag"),
          Answer(status: 304, note: "Nothing has changed since the answer with this ETag"),
        ], refusals: [.invalidRequest, .unknownCursor]
      )),
    Route(
      .post, .productTransfer(.id), .products, answer: transfer,
      Operation(
        name: "transferProduct",
        summary:
          "Transfers one of my products immediately to the account with an e-mail address; the"
          + " answer does not show whether such an account exists", chapter: .data,
        fields: [onceOnly],
        body: .json(.object([.required(.to, .email, "An e-mail address")])),
        contents: [TransferBody.self],
        answers: [.json(Schema.transfer, "The product was transferred")],
        refusals: [
          .invalidRequest, .productNotFound, .alreadyOwner,
          .idempotencyKeyReused,
        ]
      )),
    Route(
      .post, .serviceRequests, .products, answer: raiseRequest,
      Operation(
        name: "raiseServiceRequest",
        summary: "Requests service for one of my products", chapter: .data,
        fields: [onceOnly],
        body: .json(
          .object([
            .required(.productID, .identifier),
            .required(
              .description, .text(upTo: ServiceDescription.lengthLimit, atLeast: 1),
              "The problem with the product"
            ),
          ])
        ),
        contents: [ServiceRequestBody.self],
        answers: [.json(.reference(.serviceRequest), "The service request", status: 201)],
        refusals: [
          .invalidRequest, .productNotFound, .idempotencyKeyReused,
        ]
      )),
  ]

  static let ofListedProducts: [Route] = [
    Route(
      .get, .adminProducts, needs: .viewer, answer: listedProducts,
      Operation(
        name: "listProducts",
        summary: "The products of all people, newest first", chapter: .administration,
        query: productFilters + page, contents: [OwnedRecordsQuery.self, PageQuery.self],
        answers: [.json(list(.products, .listedProduct), "A page of the list")],
        refusals: [.invalidRequest]
      )),
    Route(
      .post, .adminProducts, needs: .administrator, answer: receiveProducts,
      Operation(
        name: "importProducts",
        summary: "Adds products to an account, or changes its products",
        chapter: .administration, fields: [onceOnly],
        body: .json(
          .object([
            .required(.owner, .email, "An e-mail address"),
            .required(
              .products, .many(.reference(.broughtProduct), 1...ProductImport.limit),
              "The member status is ignored"
            ),
          ])
        ),
        contents: [ProductImportBody.self],
        answers: [
          .json(.object([.required(.count, .number)]), "The number of products", status: 201)
        ],
        refusals: [.invalidRequest, .accountNotFound, .idempotencyKeyReused]
      )),
    Route(
      .post, .adminProductTransfer(.id), needs: .administrator, answer: transferAnyProduct,
      Operation(
        name: "giveProduct",
        summary: "Transfers any product, even one without an owner, to another address",
        chapter: .administration, query: organizationOfID, fields: [onceOnly],
        body: .json(.object([.required(.to, .email, "An e-mail address")])),
        contents: [RecordQuery.self, TransferBody.self],
        answers: [.json(Schema.transfer, "The product was transferred")],
        refusals: [
          .invalidRequest, .productNotFound, .accountNotFound, .alreadyOwner,
          .idempotencyKeyReused,
        ]
      )),
    Route(
      .get, .adminServiceRequests, needs: .viewer, answer: serviceRequests,
      Operation(
        name: "listServiceRequests",
        summary: "Service requests of owners, newest first", chapter: .administration,
        query: serviceRequestFilters + page,
        contents: [OwnedRecordsQuery.self, PageQuery.self],
        answers: [.json(list(.serviceRequests, .serviceRequest), "A page of the list")],
        refusals: [.invalidRequest]
      )),
  ]

  private static func list(_ name: WireField, _ entry: Schema.Name) -> Schema {
    .object([.required(name, .list(.reference(entry))), .nextCursor])
  }
}

extension Route {
  static func products(_ call: Call, _ claim: AccessClaim) async throws(Refusal) -> HTTPResponse {
    let sync = try await syncProducts(claim, tags: call.request.entityTags, in: call.world) {
      (access) throws(Refusal) in
      guard let text = SyncQuery(try call.query()).cursor, !text.isEmpty else { return nil }
      guard let cursor = access.productCursor(parsing: text, in: call.world) else {
        throw Refusal.unknownCursor
      }
      return cursor
    }
    switch sync {
    case .unchanged(let tag):
      return HTTPResponse(status: 304, fields: [HTTPField("ETag", tag)])
    case .page(let answer, let tag):
      var response = HTTPResponse.json(answer.json)
      response.fields.append(HTTPField("ETag", tag))
      response.compress(for: call.request)
      return response
    }
  }

  static func transfer(_ call: Call, _ access: Access) async throws(Refusal) -> HTTPResponse {
    let giver = TransferSender(owner: access, peer: call.peer, in: call.world)
    return try await transfer(call, access, giver: giver)
  }

  static func raiseRequest(_ call: Call, _ access: Access) async throws(Refusal) -> HTTPResponse {
    try await withBody(call, access, ServiceRequestDraft.init(reading:)) {
      (draft, once) throws(Refusal) in
      try await raiseServiceRequest(
        draft, access, once: once, peer: call.peer, in: call.world)
    } answer: {
      .json($0.json, status: 201)
    }
  }

  private static func transfer(
    _ call: Call, _ access: Access, giver: TransferSender
  ) async throws(Refusal) -> HTTPResponse {
    let name = try call.recordName()
    return try await withBody(call, access) { (json) throws(Refusal) in
      try WireField.to.parsed(try TransferBody(json).to, EmailAddress.init(parsing:))
    } act: { (address, once) throws(Refusal) in
      try await transferProduct(
        name, to: address, giver: giver, once: once, in: call.world)
    } answer: {
      .json($0.json)
    }
  }
}

extension ServiceRequestDraft {
  fileprivate init(reading json: JSON) throws(Refusal) {
    let body = try ServiceRequestBody(json)
    self.init(
      product: ProductID(try WireField.productID.needed(body.productID)),
      description: try WireField.description.parsed(
        body.description, ServiceDescription.init(parsing:)))
  }
}

// MARK: - Administrators

extension Route {
  static func listedProducts(_ call: Call, _ access: Access) async throws(Refusal) -> HTTPResponse {
    let list = try ListQuery.read(call)
    let query = try productQuery(OwnedRecordsQuery(list.form))
    let page = try await listProducts(
      query, try list.page(), rules: call.rules(access), in: call.world)
    return listed(.products, page) { $0.json }
  }

  static func serviceRequests(_ call: Call, _ access: Access) async throws(Refusal) -> HTTPResponse
  {
    let list = try ListQuery.read(call)
    let query = try serviceRequestQuery(OwnedRecordsQuery(list.form))
    let page = try await listServiceRequests(
      query, try list.page(), rules: call.rules(access), in: call.world)
    return listed(.serviceRequests, page) { $0.json }
  }

  static func transferAnyProduct(_ call: Call, _ access: Access) async throws(Refusal)
    -> HTTPResponse
  {
    try await transfer(call, access, giver: .administrator(call.rules(access)))
  }

  static func receiveProducts(_ call: Call, _ access: Access) async throws(Refusal) -> HTTPResponse
  {
    try await withBody(call, access, ProductImportRequest.init(reading:)) {
      (delivery, once) throws(Refusal) in
      try await importProducts(
        delivery.products, to: delivery.owner, once: once, rules: call.rules(access),
        in: call.world
      )
    } answer: {
      .json(.members([JSONMember(.count, $0)]), status: 201)
    }
  }
}

/// Products for one owner.
private struct ProductImportRequest {
  let owner: EmailAddress
  let products: [ProductEntry]

  init(reading json: JSON) throws(Refusal) {
    let body = try ProductImportBody(json)
    owner = try WireField.owner.parsed(body.owner, EmailAddress.init(parsing:))
    let elements = try WireField.products.needed(body.products?.elements)
    products = try elements.map { (element) throws(Refusal) in
      try WireField.products.needed(ProductEntry(checking: element))
    }
  }
}

extension ProductEntry {
  /// Reads a product of another system.
  ///
  /// Each text must be one line and each date must be valid.
  fileprivate init?(checking json: JSON) {
    guard let entry = ProductEntry(json: json) else { return nil }
    for field in DataKind.products.fields where !field.isRequired {
      let value = json[field.name] ?? .null
      guard value == .null || value.text != nil else { return nil }
    }
    do throws(Malformed) {
      _ = try ProductID(parsing: entry.id.text)
      for text in [entry.name, entry.model, entry.serialNumber, entry.category] {
        _ = try TextLine(parsing: text)
      }
      if let provider = entry.warrantyProvider { _ = try TextLine(parsing: provider) }
    } catch {
      return nil
    }
    self = entry
  }
}

extension ListedProduct {
  fileprivate var json: JSON {
    let holder: HeldProductEntry.Holder =
      switch product.holder {
      case .owner(let account): .owner(account)
      case .awaiting(let address): .awaiting(address.text)
      }
    return HeldProductEntry(
      entry: product.entry, holder: holder, createdAt: product.createdAt,
      organization: product.organization
    ).json(on: today)
  }
}

extension HTTPResponse {
  /// The size in bytes below which a body is not compressed, because it fits into one packet
  /// anyway.
  static let compressionFloor = 1200

  /// Compresses the body if the client accepts gzip.
  ///
  /// The body repeats nothing from the request, so that its size reveals no secret (BREACH).
  mutating func compress(for request: HTTPRequest) {
    fields.append(HTTPField("Vary", "Accept-Encoding"))
    guard body.count >= Self.compressionFloor, request.accepts(coding: "gzip") else { return }
    body = Gzip.compress(body)
    fields.append(HTTPField("Content-Encoding", "gzip"))
  }
}

import Compression
import HTTPServer
import JSONText
import SignInModel
import SignInService
import SignInWire

extension Route {
  static func products(_ call: Call, _ access: Access) async -> HTTPResponse {
    let form: Form
    do throws(Form.Fault) {
      form = try Form(parsing: Array((call.request.query ?? "").utf8))
    } catch {
      return .dataRefusal(ErrorAnswer(.invalidRequest, "the query is malformed"))
    }
    let tags = call.request.entityTags
    switch await syncProducts(access, cursor: form["cursor"], tags: tags, in: call.world) {
    case .refusal(let refusal): return .dataRefusal(refusal)
    case .success(.unchanged(let tag)):
      return HTTPResponse(status: 304, fields: [HTTPField("ETag", tag)])
    case .success(.page(let answer, let tag)):
      var response = HTTPResponse.json(answer.json)
      response.fields.append(HTTPField("ETag", tag))
      response.compress(for: call.request)
      return response
    }
  }

  static func transfer(_ call: Call, _ access: Access) async -> HTTPResponse {
    await transfer(call, access, giver: .owner(access.account.id))
  }

  static func raiseRequest(_ call: Call, _ access: Access) async -> HTTPResponse {
    await withBody(call, access, ServiceWish.init(reading:)) { wish, once in
      await raiseServiceRequest(
        about: wish.product, wish.description, access, once: once, peer: call.peer,
        in: call.world
      )
    } answer: {
      .json($0.json, status: 201)
    }
  }

  private static func transfer(
    _ call: Call, _ access: Access, giver: ProductGiver
  ) async -> HTTPResponse {
    await withBody(call, access) { (body) throws(JSONBody.Wrong) in
      try body.needed("to", try body.parsed("to", EmailAddress.init(parsing:)))
    } act: { address, once in
      await transferProduct(
        ProductID(call.parameter("id")), to: address, giver: giver, once: once,
        by: AccountKeeper(access, peer: call.peer).caller, in: call.world
      )
    } answer: {
      .json($0.json)
    }
  }
}

/// What an owner asks to be done.
private struct ServiceWish {
  let product: ProductID
  let description: ServiceDescription

  init(reading body: JSONBody) throws(JSONBody.Wrong) {
    product = ProductID(try body.needed("product_id", try body.text("product_id")))
    description = try body.needed(
      "description", try body.parsed("description", ServiceDescription.init(parsing:))
    )
  }
}

// MARK: - Administrators

extension Route {
  static func heldProducts(_ call: Call, _ access: Access) async -> HTTPResponse {
    switch ListWish.read(call) {
    case .refusal(let refusal): return .dataRefusal(refusal)
    case .success(let wish):
      let page = await listProducts(
        cursor: wish.cursor, limit: wish.limit, keeper: call.keeper(access), in: call.world
      )
      return listed("products", page) { $0.json }
    }
  }

  static func serviceRequests(_ call: Call, _ access: Access) async -> HTTPResponse {
    switch ListWish.read(call) {
    case .refusal(let refusal): return .dataRefusal(refusal)
    case .success(let wish):
      let page = await listServiceRequests(
        cursor: wish.cursor, limit: wish.limit, keeper: call.keeper(access), in: call.world
      )
      return listed("service_requests", page) { $0.json }
    }
  }

  static func giveElsewhere(_ call: Call, _ access: Access) async -> HTTPResponse {
    await transfer(call, access, giver: .administrator(call.keeper(access)))
  }

  static func bringProducts(_ call: Call, _ access: Access) async -> HTTPResponse {
    await withBody(call, access, ProductDelivery.init(reading:)) { delivery, once in
      await importProducts(
        delivery.products, to: delivery.owner, once: once, keeper: call.keeper(access),
        in: call.world
      )
    } answer: {
      .json(.members([JSONMember("count", $0)]), status: 201)
    }
  }
}

/// Products for one shelf.
private struct ProductDelivery {
  let owner: EmailAddress
  let products: [ProductEntry]

  init(reading body: JSONBody) throws(JSONBody.Wrong) {
    owner = try body.needed("owner", try body.parsed("owner", EmailAddress.init(parsing:)))
    products = try body.objects("products", ProductEntry.init(checking:))
  }
}

extension ProductEntry {
  /// Reads a product somebody else wrote: each text is one line, each date a date.
  fileprivate init?(checking json: JSON) {
    guard let entry = ProductEntry(json: json) else { return nil }
    for name in ["purchased_on", "warranty_expires_on", "warranty_provider"] {
      guard json[name] == nil || json[name] == .null || json[name]?.text != nil else { return nil }
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

extension HeldProduct {
  fileprivate var json: JSON {
    let holder: [JSONMember]
    switch product.holder {
    case .owner(let account): holder = [JSONMember("owner", account.text)]
    case .awaiting(let address): holder = [JSONMember("awaiting", address.text)]
    }
    let entry = product.entry.json(on: today).objectMembers ?? []
    return .object(entry + holder + [JSONMember("created_at", product.createdAt.seconds)])
  }
}

extension HTTPResponse {
  /// A body below this would hardly become smaller: it fits one packet.
  static let compressionFloor = 1200

  /// Compresses the body for whoever takes gzip.
  ///
  /// Nothing in it repeats what the request said, so that its size tells no secret (BREACH).
  mutating func compress(for request: HTTPRequest) {
    fields.append(HTTPField("Vary", "Accept-Encoding"))
    let accepted = request.values(of: "accept-encoding").joined(separator: ",")
    guard body.count >= Self.compressionFloor, Self.acceptsGzip(accepted) else { return }
    body = Gzip.compress(body)
    fields.append(HTTPField("Content-Encoding", "gzip"))
  }

  private static func acceptsGzip(_ accepted: String) -> Bool {
    accepted.split(separator: ",").contains { entry in
      let words = entry.lowercased().split(whereSeparator: { $0 == ";" || $0 == " " })
      return words.first == "gzip" && !words.dropFirst().contains { $0 == "q=0" || $0 == "q=0.0" }
    }
  }
}

extension HTTPRequest {
  /// The validators that `If-None-Match` names, compared weakly (RFC 9110, section 13.1.2).
  var entityTags: [String] {
    values(of: "if-none-match").flatMap { $0.split(separator: ",") }.map { part in
      let tag = String(part.drop { $0 == " " }.prefix { $0 != " " })
      return tag.hasPrefix("W/") ? tag : "W/" + tag
    }
  }
}

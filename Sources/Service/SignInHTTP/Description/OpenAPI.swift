import HTTPServer
import JSONText
import SignInService
import SignInWire

/// The OpenAPI 3.1 document of all routes.
///
/// The document is generated from the routes. A test compares `docs/openapi.json` with it.
public enum OpenAPI {
  /// The version of the program and of its HTTP interface.
  public static let version = "0.1.0"

  /// The document as formatted text with two spaces for each level.
  public static let text = document.indented()

  static let document = JSON.members([
    JSONMember("openapi", "3.1.0"),
    JSONMember(
      "info",
      .members([
        JSONMember("title", "Fieldpass"), JSONMember("version", version),
        JSONMember(
          "description",
          "Sign-in, sessions and offline data. Times with names that end in _at are Unix seconds,"
            + " and those in _in are seconds from now. Programs must use error and code, never the"
            + " descriptions. Before a route reads a request, the server may refuse it with a"
            + " problem: 400, 404, 405 with Allow, 408, 413, 414, 431, 501 or 505."
        ),
        JSONMember("license", .members([JSONMember("name", "Apache-2.0")])),
      ])
    ),
    JSONMember("servers", .array([.members([JSONMember("url", "/")])])),
    JSONMember(
      "tags",
      .array(
        Operation.Tag.allCases.map {
          .members([JSONMember("name", $0.rawValue), JSONMember("description", ifPresent: $0.note)])
        }
      )
    ),
    JSONMember("paths", paths),
    JSONMember(
      "components",
      .members([
        JSONMember("securitySchemes", securitySchemes),
        JSONMember(
          "schemas",
          .object(
            Schema.Name.allCases.sorted { $0.rawValue < $1.rawValue }
              .map { JSONMember($0.rawValue, $0.schema.json) }
          )
        ),
      ])
    ),
  ])

  private static let securitySchemes = JSON.members([
    JSONMember(
      "token",
      .members([
        JSONMember("type", "http"), JSONMember("scheme", "DPoP"),
        JSONMember(
          "description", "Authorization: DPoP with an access token, and a DPoP proof (RFC 9449)"
        ),
      ])
    ),
    JSONMember(
      "bearer",
      .members([
        JSONMember("type", "http"), JSONMember("scheme", "bearer"),
        JSONMember(
          "description", "An access token of an app with `dpop_required: false` (RFC 6750)"),
      ])
    ),
    JSONMember(
      "proof",
      .members([
        JSONMember("type", "apiKey"), JSONMember("in", "header"), JSONMember("name", "DPoP"),
        JSONMember("description", "A proof of the device's key (RFC 9449)"),
      ])
    ),
  ])

  private static let paths: JSON = {
    var paths: [JSONMember] = []
    var seen: Set<String> = []
    for path in Route.all.map({ $0.path }) where seen.insert(path).inserted {
      let routes = Route.all.filter { $0.path == path }
      paths.append(
        JSONMember(
          path, .object(routes.map { JSONMember($0.method.rawValue.lowercased(), $0.json) })))
    }
    return .object(paths)
  }()
}

extension Route {
  fileprivate var json: JSON {
    let head: [JSONMember?] = [
      JSONMember("operationId", operation.name), JSONMember("summary", operation.summary),
      JSONMember("description", ifPresent: permission?.described),
      JSONMember("tags", Schema.strings([operation.chapter.rawValue])),
    ]
    var members = head.compactMap { $0 }
    let parameters = pathParameters + operation.query.map { $0.json(in: "query") }
    let all = parameters + operation.fields.map { $0.json(in: "header") }
    if !all.isEmpty { members.append(JSONMember("parameters", .array(all))) }
    if let requestBody { members.append(JSONMember("requestBody", requestBody)) }
    members.append(JSONMember("responses", responses))
    if let security { members.append(JSONMember("security", security)) }
    return .object(members)
  }

  private var pathParameters: [JSON] {
    PathTemplate(path).parameterNames.map { name in
      Parameter(name: name, schema: .identifier, note: "The identifier", isRequired: true)
        .json(in: "path")
    }
  }

  private var security: JSON? {
    let none = JSON.array([])
    return switch access {
    case .open, .development: nil
    case .proof: .array([.members([JSONMember("proof", none)]), .object([])])
    case .session: tokens(none)
    case .scope(let scope): tokens(Schema.strings([scope.rawValue]))
    case .service(let scope):
      // A token of a service account, or of an administrator.
      .array(
        [scope.rawValue, Scope.admin.rawValue].flatMap {
          tokens(Schema.strings([$0])).elements ?? []
        })
    }
  }

  private func tokens(_ scopes: JSON) -> JSON {
    .array([
      .members([JSONMember("token", scopes), JSONMember("proof", .array([]))]),
      .members([JSONMember("bearer", scopes)]),
    ])
  }

  private var requestBody: JSON? {
    let form = "application/x-www-form-urlencoded"
    return switch operation.body {
    case .none: nil
    case .form(let parameters): requestBody(form, .object(parameters.map { $0.member }))
    case .formOrJSON(let parameters):
      requestBody("application/json", .object(parameters.map { $0.member }))
    case .json(let schema): requestBody("application/json", schema)
    case .optionalJSON(let schema): requestBody("application/json", schema, isRequired: false)
    case .photo: requestBody(Operation.photoRange, .photo)
    }
  }

  private func requestBody(
    _ mediaType: String, _ schema: Schema, isRequired: Bool = true
  ) -> JSON {
    let content = JSONMember(mediaType, .members([JSONMember("schema", schema.json)]))
    return .members([JSONMember("required", isRequired), JSONMember("content", .object([content]))])
  }

  private var responses: JSON {
    let given = operation.answers.map { answer in
      JSONMember(
        String(answer.status), response(answer.note, answer.mediaType, answer.schema)
      )
    }
    let mediaType =
      operation.refusalForm == .problem ? "application/problem+json" : "application/json"
    let member = operation.refusalForm == .problem ? WireField.code : .error
    let refused = refusalWordsByStatus.map { status, words in
      JSONMember(
        String(status),
        response(
          words.joined(separator: ", "), mediaType,
          .refined(operation.refusalForm, member: member, words)
        )
      )
    }
    return .object((given + refused).sorted { $0.key < $1.key })
  }

  /// The refusal codes of this operation, by status.
  ///
  /// They include codes that apps do not use: for a path parameter that cannot be decoded, and
  /// for a web page of another site that calls a development route.
  private var refusalWordsByStatus: [(status: Int, words: [String])] {
    var words = refusalsByStatus.map { (status: $0.status, words: $0.codes.map { $0.rawValue }) }
    if operation.chapter == .development { words.append((403, ["foreign_host", "cross_site"])) }
    guard PathTemplate(path).hasParameters else { return words }
    if let index = words.firstIndex(where: { $0.status == 404 }) {
      words[index].words.append("not_found")
    } else {
      words.append((404, ["not_found"]))
    }
    // The server refuses a large body before it knows the route of a path that cannot be decoded.
    if let index = words.firstIndex(where: { $0.status == 413 }) {
      words[index].words.append(HTTPProblem.malformedRequest(status: 413).code)
    }
    return words
  }

  private func response(_ note: String, _ mediaType: String, _ schema: Schema?) -> JSON {
    .members([
      JSONMember("description", note),
      schema.map {
        JSONMember(
          "content", .members([JSONMember(mediaType, .members([JSONMember("schema", $0.json)]))])
        )
      },
    ])
  }
}

extension Operation.Parameter {
  fileprivate var member: Schema.Member {
    Schema.Member(name: name, schema: schema, isRequired: isRequired, note: note)
  }

  fileprivate func json(in place: String) -> JSON {
    .members([
      JSONMember("name", name), JSONMember("in", place), JSONMember("description", note),
      JSONMember("required", isRequired), JSONMember("schema", schema.json),
    ])
  }
}

extension JSON {
  /// The value as formatted text: two spaces for each level, and a line end after the last line.
  func indented() -> String { lines(level: 0) + "\n" }

  private func lines(level: Int) -> String {
    let inner = String(repeating: "  ", count: level + 1)
    let outer = String(repeating: "  ", count: level)
    switch self {
    case .array(let elements) where !elements.isEmpty:
      let lines = elements.map { inner + $0.lines(level: level + 1) }
      return "[\n" + lines.joined(separator: ",\n") + "\n" + outer + "]"
    case .object(let members) where !members.isEmpty:
      let lines = members.map { member in
        let key = String(decoding: JSON.string(member.key).utf8, as: UTF8.self)
        return inner + key + ": " + member.value.lines(level: level + 1)
      }
      return "{\n" + lines.joined(separator: ",\n") + "\n" + outer + "}"
    case .null, .bool, .int, .decimal, .string, .array, .object:
      return String(decoding: utf8, as: UTF8.self)
    }
  }
}

extension Route {
  static func description() -> HTTPResponse {
    HTTPResponse(
      status: 200, fields: [HTTPField("Content-Type", "application/json")],
      body: Array(OpenAPI.text.utf8)
    )
  }
}

extension Permission.Need {
  fileprivate var described: String {
    isEverywhere
      ? "Needs the permission `\(level.rawValue)` in every organization."
      : "Needs the permission `\(level.rawValue)`. A permission in one organization is enough for"
        + " the data of that organization."
  }
}

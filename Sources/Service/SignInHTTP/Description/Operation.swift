import HTTPServer
import SignInService
import SignInWire

/// What developers are told about one route: what it takes, what it answers, and how it refuses.
struct Operation: Sendable {
  enum Chapter: String, CaseIterable, Sendable {
    case discovery = "Discovery"
    case signIn = "Sign-in"
    case data = "Apps' data"
    case administration = "Administration"
    case otherSystems = "Data of other systems"
    case operation = "Operation"
    case development = "Development"

    var note: String? {
      switch self {
      case .discovery, .signIn, .data, .administration, .operation: nil
      case .otherSystems:
        "With the token of a service account that has the scope, or of an administrator's session."
      case .development:
        "Routes that exist only with --development. They answer 403 when Host is not a loopback"
          + " name, and when Sec-Fetch-Site tells that another site's page asks."
      }
    }
  }

  struct Parameter: Sendable {
    let name: String
    let schema: Schema
    let note: String
    var isRequired = false
  }

  enum Body: Sendable {
    case none
    /// `application/x-www-form-urlencoded`
    case form([Parameter])
    /// One JSON object of texts. A form with the same members is taken too, and not described:
    /// generators make one body of each operation.
    case formOrJSON([Parameter])
    case json(Schema)
    /// The same, or no body.
    case optionalJSON(Schema)

    /// What a JSON body must be; nil where there is none.
    var schema: Schema? {
      switch self {
      case .none, .form, .formOrJSON: nil
      case .json(let schema), .optionalJSON(let schema): schema
      }
    }
  }

  struct Answer: Sendable {
    let status: Int
    let note: String
    /// Nil when the answer has no body that a schema could describe.
    var schema: Schema?
    var mediaType = "application/json"

    static func json(_ schema: Schema, _ note: String, status: Int = 200) -> Answer {
      Answer(status: status, note: note, schema: schema)
    }

    static func text(_ note: String, status: Int = 200) -> Answer {
      Answer(status: status, note: note, schema: .text, mediaType: "text/plain")
    }

    static func done(_ note: String) -> Answer { Answer(status: 204, note: note) }
  }

  let method: HTTPMethod
  let path: String
  let name: String
  let summary: String
  let chapter: Chapter
  var query: [Parameter] = []
  /// Request header fields besides those of `access`.
  var fields: [Parameter] = []
  var body = Body.none
  let answers: [Answer]
  /// How it refuses, besides what `access` refuses.
  var refusals: [ErrorCode] = []
  /// What a refusal of this route looks like.
  var refusalForm = Schema.Name.problem
}

extension Operation {
  /// What the route needs.
  var access: RouteAccess { route.access }

  /// What an administrator must be allowed to; nil outside of administration.
  var permission: Permission.Need? { route.permission }

  private var route: Route {
    guard let route = Route.all.first(where: { $0.method == method && $0.path == path }) else {
      preconditionFailure("\(name) describes a route that does not exist")
    }
    return route
  }

  /// Which of `If-Match` and `If-None-Match` a route reads, by its method and path.
  static let conditions = Dictionary(
    uniqueKeysWithValues: all.map { operation in
      let names = operation.fields.map(\.name)
      return (
        "\(operation.method.rawValue) \(operation.path)",
        (match: names.contains("If-Match"), noneMatch: names.contains("If-None-Match"))
      )
    })

  /// Every way the route refuses, by status.
  var refusalsByStatus: [(status: Int, codes: [ErrorCode])] {
    var codes: [Int: [ErrorCode]] = [:]
    for code in accessRefusals + refusals {
      let status = refusalForm == .problem ? code.dataStatus : code.status
      codes[status, default: []].append(code)
    }
    return codes.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  private var accessRefusals: [ErrorCode] {
    switch access {
    case .open: []
    case .proof: [.invalidProof, .useProofNonce]
    case .session: [.invalidToken, .invalidProof, .useProofNonce, .temporarilyUnavailable]
    case .scope, .service:
      [
        .invalidToken, .invalidProof, .useProofNonce, .insufficientScope,
        .temporarilyUnavailable,
      ] + (permission == nil ? [] : [.permissionDenied])
    }
  }
}

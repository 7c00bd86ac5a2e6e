import Cryptography
import HTTPServer
import JSONText
import SignInModel
import SignInService
import SignInWire

extension HTTPResponse {
  static func json(_ json: JSON, status: Int = 200) -> HTTPResponse {
    HTTPResponse(
      status: status, fields: [HTTPField("Content-Type", "application/json")], body: json.utf8
    )
  }

  /// How long clients may cache a public document.
  ///
  /// After this time, all clients know a new key.
  static let publicCaching = "public, max-age=300"

  /// A document that is public and may be cached.
  ///
  /// If the client already has this version, the answer is 304 without the document (RFC 9110,
  /// section 13.1.2).
  static func publicDocument(_ json: JSON, to request: HTTPRequest) -> HTTPResponse {
    let body = json.utf8
    let digest = SHA256Digest.of(body)
    let tag = "W/\"" + Base64URL.encode(Array(digest.prefix(16))) + "\""
    var fields = [HTTPField("ETag", tag), HTTPField("Cache-Control", publicCaching)]
    if request.entityTags.contains(tag) {
      return HTTPResponse(status: 304, fields: fields)
    }
    fields.append(HTTPField("Content-Type", "application/json"))
    return HTTPResponse(status: 200, fields: fields, body: body)
  }

  static func text(_ text: String, status: Int = 200) -> HTTPResponse {
    HTTPResponse(
      status: status, fields: [HTTPField("Content-Type", "text/plain; charset=utf-8")],
      body: Array(text.utf8)
    )
  }

  /// A problem document (RFC 9457), for all routes that are not OAuth endpoints.
  static func problem(_ problem: HTTPProblem, detail: String? = nil) -> HTTPResponse {
    .problem(Problem(status: problem.status, code: problem.code, detail: detail))
  }

  /// The answer to a method that the path does not have.
  ///
  /// `methods` are those that it has.
  static func refusedMethod(allowing methods: String) -> HTTPResponse {
    var response = problem(.methodNotAllowed)
    response.fields.append(HTTPField("Allow", methods))
    return response
  }

  private static func problem(_ problem: Problem) -> HTTPResponse {
    HTTPResponse(
      status: problem.status, fields: [HTTPField("Content-Type", "application/problem+json")],
      body: problem.json(title: title(of: problem.status)).utf8, code: problem.code
    )
  }

  /// An error answer (RFC 6749, section 5.2), for the OAuth and sign-in endpoints.
  static func refusal(_ answer: Refusal) -> HTTPResponse {
    var response = json(answer.json, status: answer.code.status)
    response.code = answer.code.rawValue
    response.reason = answer.reason
    if answer.retryIn != nil { response.fields += retryAfter(answer, answer.code.status) }
    response.fields += nonce(of: answer)
    return response
  }

  /// When the client may try again (RFC 9110, section 10.2.3), if the answer is 429 or 503.
  private static func retryAfter(_ answer: Refusal, _ status: Int) -> [HTTPField] {
    guard status == 503 || status == 429 else { return [] }
    return [HTTPField("Retry-After", String(answer.retryIn ?? 1))]
  }

  /// The nonce for the next proof (RFC 9449, section 8.2).
  private static func nonce(of answer: Refusal) -> [HTTPField] {
    answer.proofNonce.map { [HTTPField("DPoP-Nonce", $0)] } ?? []
  }

  /// The same refusal for a data route (RFC 6750, section 3; RFC 9449, section 7.1).
  ///
  /// An `insufficient_scope` answer names `scope`, the scope that the route needs. A route that
  /// also accepts unbound tokens adds a challenge of the scheme `Bearer`.
  static func dataRefusal(
    _ answer: Refusal, scope: String? = nil, acceptsBearer: Bool = false
  ) -> HTTPResponse {
    let status = answer.code.dataStatus
    let isUnauthorized = status == 401
    var response = problem(Problem(answer, status: status))
    response.reason = answer.reason
    if isUnauthorized {
      // The standard has no error code for an ended session, so `invalid_token` is sent.
      let code = answer.code == .sessionEnded ? ErrorCode.invalidToken : answer.code
      response.challenge("DPoP error=\"\(code.rawValue)\", algs=\"ES256\"")
      if acceptsBearer { response.challenge("Bearer error=\"\(code.rawValue)\"") }
    }
    if answer.code == .insufficientScope, let scope {
      let parameters = "error=\"\(answer.code.rawValue)\", scope=\"\(scope)\""
      response.challenge("DPoP " + parameters)
      if acceptsBearer { response.challenge("Bearer " + parameters) }
    }
    response.fields += retryAfter(answer, status)
    if let version = answer.currentVersion {
      response.fields.append(HTTPField("ETag", "\"\(version)\""))
    }
    response.fields += nonce(of: answer)
    return response
  }

  /// The answer of a route that refuses.
  static func refusal(_ refusal: Refusal, at route: Route) -> HTTPResponse {
    switch route.access {
    case .scope(let scope): dataRefusal(refusal, scope: scope.rawValue)
    case .service(let scope): dataRefusal(refusal, scope: scope.rawValue, acceptsBearer: true)
    case .session: dataRefusal(refusal)
    case .open, .proof, .development:
      route.operation.refusalForm == .problem ? dataRefusal(refusal) : .refusal(refusal)
    }
  }

  private mutating func challenge(_ value: String) {
    fields.append(HTTPField("WWW-Authenticate", value))
  }

  private static func title(of status: Int) -> String {
    switch status {
    case 400: "Bad Request"
    case 401: "Unauthorized"
    case 403: "Forbidden"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 408: "Request Timeout"
    case 409: "Conflict"
    case 410: "Gone"
    case 412: "Precondition Failed"
    case 413: "Content Too Large"
    case 414: "URI Too Long"
    case 415: "Unsupported Media Type"
    case 422: "Unprocessable Content"
    case 429: "Too Many Requests"
    case 431: "Request Header Fields Too Large"
    case 501: "Not Implemented"
    case 503: "Service Unavailable"
    case 505: "HTTP Version Not Supported"
    default: "Error"
    }
  }
}

/// A request that reaches no use case.
///
/// The refusals of use cases are `Refusal`s.
enum HTTPProblem {
  case notFound
  case methodNotAllowed
  /// A request that the HTTP server did not parse, or that is too large or too slow.
  case malformedRequest(status: Int)
  /// A receipt for a message that its provider did not prove.
  case unprovedReceipt
  /// A page of another site sent the request.
  case crossSite
  /// The request names another host than this one.
  case foreignHost

  var status: Int {
    switch self {
    case .notFound: 404
    case .methodNotAllowed: 405
    case .malformedRequest(let status): status
    case .unprovedReceipt: 401
    case .crossSite, .foreignHost: 403
    }
  }

  var code: String {
    switch self {
    case .notFound: "not_found"
    case .methodNotAllowed: "method_not_allowed"
    case .malformedRequest: "malformed_request"
    case .unprovedReceipt: "unproved_receipt"
    case .crossSite: "cross_site"
    case .foreignHost: "foreign_host"
    }
  }
}

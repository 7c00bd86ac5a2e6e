import HTTPServer
import SignInService
import SignInWire

/// Lets web pages of configured origins call the routes that OAuth and OpenID libraries use in
/// browsers (Fetch standard, section 3.3).
///
/// Other routes and other origins get no permission.
struct CrossOrigin: Sendable {
  /// How long a browser may cache the permission.
  static let permissionSeconds = 600
  static let paths: Set<String> = [
    Endpoint.openIDConfiguration.path, Endpoint.serverMetadata.path, Endpoint.keys.path,
    Endpoint.token.path,
    Endpoint.revoke.path, Endpoint.userInfo.path,
  ]

  private let origins: Set<String>

  init(_ clients: some Sequence<AppRegistration>) { origins = Set(clients.flatMap(\.origins)) }

  /// Whether a web page of another site sent the request, and its origin is not configured for the
  /// app.
  ///
  /// Browsers write `Sec-Fetch-Site` themselves (Fetch Metadata, section 2.3). Programs and old
  /// browsers send none.
  static func isForeign(_ request: HTTPRequest, to client: AppRegistration) -> Bool {
    guard request.values(of: "sec-fetch-site").contains("cross-site") else { return false }
    let sent = request.values(of: "origin")
    return sent.count != 1 || !client.origins.contains(sent[0])
  }

  /// The origin of the request, if it may read the answer.
  func permitted(_ request: HTTPRequest) -> String? {
    guard Self.paths.contains(request.path) else { return nil }
    let sent = request.values(of: "origin")
    guard sent.count == 1, origins.contains(sent[0]) else { return nil }
    return sent[0]
  }

  /// The answer to a preflight request, with which a browser asks for permission before it sends a
  /// token or a proof; `nil` for other requests.
  func preflight(_ request: HTTPRequest, allowing methods: String) -> HTTPResponse? {
    guard request.method == .options, permitted(request) != nil,
      !request.values(of: "access-control-request-method").isEmpty
    else { return nil }
    return HTTPResponse(
      status: 204,
      fields: [
        HTTPField("Access-Control-Allow-Methods", methods),
        HTTPField("Access-Control-Allow-Headers", "Authorization, Content-Type, DPoP"),
        HTTPField("Access-Control-Max-Age", String(Self.permissionSeconds)),
      ]
    )
  }

  /// The fields of an answer that a page of another origin may read.
  private static let readableFields =
    "Date, DPoP-Nonce, ETag, Request-Id, Retry-After, WWW-Authenticate"

  /// Adds the permission for the web page to the answer.
  func permit(_ request: HTTPRequest, _ response: inout HTTPResponse) {
    guard Self.paths.contains(request.path), !origins.isEmpty else { return }
    response.fields.append(HTTPField("Vary", "Origin"))
    guard let origin = permitted(request) else { return }
    response.fields.removeAll { $0.isNamed("cross-origin-resource-policy") }
    response.fields += [
      HTTPField("Access-Control-Allow-Origin", origin),
      HTTPField("Access-Control-Expose-Headers", Self.readableFields),
      HTTPField("Cross-Origin-Resource-Policy", "cross-origin"),
    ]
  }
}

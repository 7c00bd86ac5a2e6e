public import JSONText
public import SignInWire

/// A request of a screen to the server for the signed-in account.
///
/// The session adds its token, renews it first if necessary, and delivers the answer.
///
/// A home calls `FlowContext.ask`, and waits for `Event.answered` with the number that it got.
public struct APIRequest: Equatable, Sendable {
  /// In seconds: long enough for a slow network, and short enough to tell the person soon.
  static let usualTimeoutSeconds: Int64 = 30

  let method: Call.Method
  let path: String
  var body = Call.Body.none
  /// Makes it safe to send the request twice: the server acts once and gives the same answer again.
  public var idempotencyKey: String?
  /// The ETag of the version that was read, so that the change of another person is not overwritten
  /// (RFC 9110, section 13.1.1).
  public var ifMatch: String?
  /// What the shell does with the body; `nil` if the core gets it.
  var bodyTarget: BodyTarget?
  var timeoutSeconds = APIRequest.usualTimeoutSeconds

  init(_ method: Call.Method, _ endpoint: Endpoint, _ query: Form = Form()) {
    let suffix = query.fields.isEmpty ? "" : "?" + query.encoded
    self.init(method, path: endpoint.path + suffix)
  }

  /// A request to any path of the server, for the data of an embedding app.
  public init(_ method: Call.Method, path: String, body: JSON? = nil) {
    self.method = method
    self.path = path
    self.body = body.map { .json($0) } ?? .none
  }

  public static func get(_ endpoint: Endpoint, _ query: Form = Form()) -> APIRequest {
    APIRequest(.get, endpoint, query)
  }

  /// A request that saves the body of its answer as a file.
  package static func file(
    _ endpoint: Endpoint, _ query: Form = Form(), as name: String, timeoutSeconds: Int64
  ) -> APIRequest {
    var request = get(endpoint, query)
    request.bodyTarget = BodyTarget(.file, name)
    request.timeoutSeconds = timeoutSeconds
    return request
  }

  /// A request whose body goes to the shell.
  package static func get(_ endpoint: Endpoint, to target: BodyTarget) -> APIRequest {
    var request = get(endpoint)
    request.bodyTarget = target
    return request
  }

  /// Without an idempotency key, the server stores nothing of the body.
  public static func post(
    _ endpoint: Endpoint, _ body: JSON, idempotencyKey: String? = nil
  ) -> APIRequest {
    var request = APIRequest(.post, path: endpoint.path, body: body)
    request.idempotencyKey = idempotencyKey
    return request
  }

  public static func patch(
    _ endpoint: Endpoint, _ body: JSON, idempotencyKey: String, ifMatch: String? = nil
  ) -> APIRequest {
    var request = APIRequest(.patch, path: endpoint.path, body: body)
    request.idempotencyKey = idempotencyKey
    request.ifMatch = ifMatch
    return request
  }

  public static func delete(_ endpoint: Endpoint) -> APIRequest {
    APIRequest(.delete, endpoint)
  }
}

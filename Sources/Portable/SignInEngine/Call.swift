public import JSONText
public import SignInModel
public import SignInWire

/// One HTTP request to the server.
public struct Call: Equatable, Sendable {
  public enum Method: String, Sendable {
    case get = "GET"
    case post = "POST"
    case patch = "PATCH"
    case delete = "DELETE"
  }

  /// What the request contains to prove its sender (RFC 9449).
  public enum Authorization: Equatable, Sendable {
    case none
    case proof
    case proofWithToken(Secret)
  }

  public enum Body: Equatable, Sendable, CustomStringConvertible {
    case none
    case form(Form)
    case json(JSON)

    /// Without the values, because they may be passwords and codes.
    public var description: String {
      switch self {
      case .none: "none"
      case .form(let form): form.fields.map { $0.name }.joined(separator: "&")
      case .json: "JSON"
      }
    }
  }

  public let method: Method
  public let path: String
  public let body: Body
  public let authorization: Authorization
  public let idempotencyKey: String?
  public var ifMatch: String?
  /// What the shell does with the body; `nil` if the core gets it.
  public var bodyTarget: BodyTarget?
  /// The longest time to wait for the answer, in seconds.
  public internal(set) var timeoutSeconds: Int64
  /// The best estimate of the server's time, in Unix seconds: the `iat` of the proof.
  public var issuedAt: Int64 = 0

  public static func post(
    _ endpoint: Endpoint, _ form: Form, _ authorization: Authorization
  ) -> Call {
    Call(
      method: .post, path: endpoint.path, body: .form(form), authorization: authorization,
      idempotencyKey: nil, timeoutSeconds: APIRequest.usualTimeoutSeconds
    )
  }

  /// A request without a token: it checks that the server answers, or reads public information.
  package static func probe(_ endpoint: Endpoint, seconds: Int64) -> Call {
    Call(
      method: .get, path: endpoint.path, body: .none, authorization: .none, idempotencyKey: nil,
      timeoutSeconds: seconds
    )
  }

  /// Reads the server's public information about an app: an `AppEntry`.
  public static func publicInformation(about app: AppProfile) -> Call {
    probe(.app(Endpoint.Segment(app.clientID)), seconds: APIRequest.usualTimeoutSeconds)
  }

  public var form: Form? { if case .form(let form) = body { form } else { nil } }
}

extension Call {
  package init(_ apiRequest: APIRequest, token: Secret) {
    method = apiRequest.method
    path = apiRequest.path
    body = apiRequest.body
    authorization = .proofWithToken(token)
    idempotencyKey = apiRequest.idempotencyKey
    ifMatch = apiRequest.ifMatch
    bodyTarget = apiRequest.bodyTarget
    timeoutSeconds = apiRequest.timeoutSeconds
  }
}

#if !hasFeature(Embedded)
  extension Call.Body: CustomReflectable {
    /// `dump` shows only the description.
    public var customMirror: Mirror { Mirror(self, children: []) }
  }
#endif

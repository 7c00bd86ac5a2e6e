import HTTPServer
import SignInModel
import SignInService
import SignInWire

/// What a caller needs to call a route.
enum RouteAccess: Equatable, Sendable {
  case open
  /// Nothing, and the route exists only on a development server.
  case development
  /// A proof of the device's key, in the header `DPoP`, if the app needs one.
  ///
  /// It is checked together with the form, because the form names the app and the app decides
  /// whether a nonce is needed. A service account has no proof and authenticates in another way.
  case proof
  /// An access token with any scope, and its proof.
  ///
  /// The caller reads about its own session.
  case session
  /// An access token with this scope, and its proof.
  ///
  /// `admin` works only for administrators.
  case scope(Scope)
  /// An access token of a service account with this scope, or of an administrator's session with
  /// the scope `admin`.
  case service(ServiceScope)
}

/// One operation of the server: a method and a path, what a caller needs, the use case, and the
/// description for developers.
///
/// The need is a part of every row, so a route without it does not compile. The server does not
/// start if a data route needs no token or an administration route names no permission.
/// `FieldpassHandler` checks the need before it calls the route.
///
/// It is a class, because every request refers to its route.
final class Route: Sendable {
  typealias Parameter = Operation.Parameter
  typealias Answer = Operation.Answer

  /// The function that answers.
  ///
  /// The cases differ in the checks that the handler does first.
  enum Handler: Sendable {
    case unchecked(@Sendable (Call) async throws(Refusal) -> HTTPResponse)
    case proof(@Sendable (Call, FormWithProof) async throws(Refusal) -> HTTPResponse)
    case tokens(@Sendable (Call, TokenSender) async throws(Refusal) -> HTTPResponse)
    case session(@Sendable (Call, consuming SessionClaim) async throws(Refusal) -> HTTPResponse)
    case scope(
      Scope, Permission.Need?, @Sendable (Call, Access) async throws(Refusal) -> HTTPResponse)
    /// The route itself checks the session, with its own read.
    case reading(
      Scope, @Sendable (Call, AccessClaim) async throws(Refusal) -> HTTPResponse)
    case service(
      ServiceScope, @Sendable (Call, DataPrincipal) async throws(Refusal) -> HTTPResponse)
  }

  let method: HTTPMethod
  /// With a name for each segment that varies, such as `.adminAccount(.id)`.
  let endpoint: Endpoint
  let path: String
  let access: RouteAccess
  let handler: Handler
  let operation: Operation
  /// Whether the route reads `If-Match` and `If-None-Match`.
  let conditions: (match: Bool, noneMatch: Bool)

  /// A route that the handler answers without a token and without a proof.
  enum OpenAccess: Sendable {
    case open, development

    fileprivate var access: RouteAccess {
      switch self {
      case .open: .open
      case .development: .development
      }
    }
  }

  private init(
    _ method: HTTPMethod, _ endpoint: Endpoint, _ access: RouteAccess, _ handler: Handler,
    _ operation: Operation
  ) {
    self.method = method
    self.endpoint = endpoint
    path = endpoint.path
    self.access = access
    self.handler = handler
    self.operation = operation
    let fields = operation.fields.map(\.name)
    conditions = (match: fields.contains("If-Match"), noneMatch: fields.contains("If-None-Match"))
  }

  convenience init(
    _ method: HTTPMethod, _ endpoint: Endpoint, _ access: OpenAccess,
    answer: @escaping @Sendable (Call) async throws(Refusal) -> HTTPResponse,
    _ operation: Operation
  ) {
    self.init(method, endpoint, access.access, .unchecked(answer), operation)
  }

  /// A route for a form of an app.
  convenience init(
    _ method: HTTPMethod, _ endpoint: Endpoint,
    proved answer: @escaping @Sendable (Call, FormWithProof) async throws(Refusal) -> HTTPResponse,
    _ operation: Operation
  ) {
    self.init(method, endpoint, .proof, .proof(answer), operation)
  }

  /// A route for a form of an app or of a service account.
  convenience init(
    _ method: HTTPMethod, _ endpoint: Endpoint,
    sentBy answer: @escaping @Sendable (Call, TokenSender) async throws(Refusal) -> HTTPResponse,
    _ operation: Operation
  ) {
    self.init(method, endpoint, .proof, .tokens(answer), operation)
  }

  convenience init(
    _ method: HTTPMethod, _ endpoint: Endpoint,
    ofSession answer:
      @escaping @Sendable (Call, consuming SessionClaim) async throws(Refusal) -> HTTPResponse,
    _ operation: Operation
  ) {
    self.init(method, endpoint, .session, .session(answer), operation)
  }

  convenience init(
    _ method: HTTPMethod, _ endpoint: Endpoint, _ scope: Scope,
    answer: @escaping @Sendable (Call, Access) async throws(Refusal) -> HTTPResponse,
    _ operation: Operation
  ) {
    self.init(method, endpoint, .scope(scope), .scope(scope, nil, answer), operation)
  }

  /// A route that reads in the transaction in which its session is checked.
  convenience init(
    _ method: HTTPMethod, _ endpoint: Endpoint, _ scope: Scope,
    reading answer: @escaping @Sendable (Call, AccessClaim) async throws(Refusal) -> HTTPResponse,
    _ operation: Operation
  ) {
    self.init(method, endpoint, .scope(scope), .reading(scope, answer), operation)
  }

  /// A route of administration.
  convenience init(
    _ method: HTTPMethod, _ endpoint: Endpoint, needs permission: Permission.Need,
    answer: @escaping @Sendable (Call, Access) async throws(Refusal) -> HTTPResponse,
    _ operation: Operation
  ) {
    self.init(method, endpoint, .scope(.admin), .scope(.admin, permission, answer), operation)
  }

  convenience init(
    _ method: HTTPMethod, _ endpoint: Endpoint, service scope: ServiceScope,
    answer: @escaping @Sendable (Call, DataPrincipal) async throws(Refusal) -> HTTPResponse,
    _ operation: Operation
  ) {
    self.init(method, endpoint, .service(scope), .service(scope, answer), operation)
  }

  /// The permission that an administrator needs.
  ///
  /// Every administration route has one.
  var permission: Permission.Need? {
    switch handler {
    case .scope(_, let permission, _): permission
    case .service(let scope, _): scope.need
    case .unchecked, .proof, .tokens, .session, .reading: nil
    }
  }

  /// Whether the route exists only on a development server.
  var isDevelopmentOnly: Bool { access == .development }

  /// `HEAD` is answered like `GET`, and the server leaves out the body.
  func accepts(_ method: HTTPMethod) -> Bool {
    method == self.method || (method == .head && self.method == .get)
  }

  /// Data routes that need no token, and administration routes that name no permission.
  ///
  /// The list must be empty.
  static func unguarded(_ routes: [Route]) -> [String] {
    routes.filter { route in
      switch route.access {
      case .open, .proof, .development: route.endpoint.isOfData
      case .session, .scope: route.endpoint.isOfAdministration && route.permission == nil
      case .service: false
      }
    }.map { "\($0.method.rawValue) \($0.path)" }
  }

  /// Every route, in the order of the description.
  static let all: [Route] =
    ofDiscovery + ofSignIn + ofProviders + ofIdentities + ofOwnAccount + ofPasswords + ofData
    + ofPasswordResets
    + ofProducts + ofProductPhotos + ofAdministration + ofPolicies + ofOverview + ofListExports
    + ofListedProducts
    + ofOtherSystems
    + ofOperation + ofDevelopment
}

public import HTTPServer
import JSONText
import SignInModel
public import SignInService
import SignInWire
import Synchronization

/// Routes to use cases, and answers to statuses: the only place that knows both.
public final class FieldpassHandler: HTTPHandler {
  public let world: World
  let assets: WebAssets
  /// Nil in production, where its routes do not exist.
  let development: (any DevelopmentTools)?
  let proxies: TrustedProxies
  let metrics: Metrics
  let eventCounts: EventCounts
  let waiters: SessionWaiters
  let readiness = ReadinessCheck()
  private let crossOrigin: CrossOrigin
  /// Takes one line of JSON without its line end.
  let log: @Sendable (String) -> Void
  private let routes: RouteTable

  public init(
    world: World, assets: WebAssets, development: (any DevelopmentTools)?,
    proxies: TrustedProxies = .none, waiters: SessionWaiters = SessionWaiters(),
    log: @escaping @Sendable (String) -> Void
  ) {
    self.world = world
    self.assets = assets
    self.development = development
    self.proxies = proxies
    self.waiters = waiters
    self.log = log
    crossOrigin = CrossOrigin(world.clients.values)
    metrics = Metrics()
    let unguarded = Route.unguarded(Route.all)
    precondition(unguarded.isEmpty, "these routes need no token or permission: \(unguarded)")
    routes = RouteTable(Route.all.filter { development != nil || !$0.isDevelopmentOnly })
    eventCounts = EventCounts(since: world.clock.now())
  }

  public func answer(_ request: HTTPRequest) async -> HTTPResponse {
    let began = world.clock.now()
    let id = Base64URL.encode(world.randomness.bytes(9))
    let routed = await route(request, id)
    return finished(routed, to: request, id, since: began)
  }

  /// Not inlined: the frame of a call that waits would hold all this needs.
  @inline(never) private func finished(
    _ routed: Routed, to request: HTTPRequest, _ id: String, since began: Instant
  ) -> HTTPResponse {
    var response = routed.response
    finish(&response, id: id)
    crossOrigin.permit(request, &response)
    let took = world.clock.now().milliseconds - began.milliseconds
    var answered = AnsweredRequest(
      route: routed.name, status: response.status, code: response.code, client: routed.client,
      milliseconds: took
    )
    answered.reason = response.reason
    metrics.count(answered)
    log(LogLine.request(id: id, at: began, method: request.method.rawValue, answered))
    return response
  }

  public func refusal(status: Int) -> HTTPResponse {
    let id = Base64URL.encode(world.randomness.bytes(9))
    var response = HTTPResponse.problem(status: status, code: "malformed_request")
    metrics.count(
      AnsweredRequest(
        route: "malformed", status: status, code: response.code, client: nil, milliseconds: 0
      ))
    log(LogLine.refused(id: id, at: world.clock.now(), status: status, code: response.code))
    response.fields.append(HTTPField("Request-Id", id))
    response.fields += Self.headers(isSecure: isSecure, policy: .data)
    return response
  }

  /// An answer, the name of its route, and the app it was given to, as far as that is known.
  private struct Routed {
    let name: String
    let response: HTTPResponse
    var client: ClientID?

    init(_ name: String, _ response: HTTPResponse, _ client: ClientID? = nil) {
      (self.name, self.response, self.client) = (name, response, client)
    }
  }

  /// Bytes of all fields of one condition: of `If-Match`, and of `If-None-Match`.
  static let conditionByteLimit = 1024

  /// The refusal of a request whose conditions are too long, at a route that reads them.
  private static func refusedCondition(
    _ request: HTTPRequest, at route: Route
  ) -> HTTPResponse? {
    func isLong(_ values: [String]) -> Bool {
      values.reduce(0) { $0 + $1.utf8.count } > conditionByteLimit
    }
    guard let reads = Operation.conditions["\(route.method.rawValue) \(route.path)"],
      (reads.match && isLong(request.values(of: "if-match")))
        || (reads.noneMatch && isLong(request.values(of: "if-none-match")))
    else { return nil }
    return .dataRefusal(
      ErrorAnswer(.invalidRequest, "a condition has more than \(conditionByteLimit) bytes"))
  }

  private func route(_ request: HTTPRequest, _ id: String) async -> Routed {
    if let match = routes.match(request.path) {
      for route in match.routes where route.accepts(request.method) {
        if route.isDevelopmentOnly,
          let refusal = Route.refusedOrigin(request, issuer: world.issuer)
        {
          return Routed(match.name, refusal)
        }
        if let refusal = Self.refusedCondition(request, at: route) {
          return Routed(match.name, refusal)
        }
        let call = Call(request: request, handler: self, id: id, parameters: match.parameters)
        let response = await self.answer(call, by: route.answer)
        return Routed(match.name, response, call.client)
      }
      let methods = allowed(by: match.routes)
      if let permission = crossOrigin.preflight(request, allowing: methods) {
        return Routed(match.name, permission)
      }
      var response = HTTPResponse.problem(status: 405, code: "method_not_allowed")
      response.fields.append(HTTPField("Allow", methods))
      return Routed(match.name, response)
    }
    if development != nil, let elsewhere = movedToIssuer(request) {
      return Routed("web", elsewhere)
    }
    return Routed("web", assets.answer(request, isDevelopment: development != nil))
  }

  private func answer(_ call: Call, by answer: Route.Answer) async -> HTTPResponse {
    switch answer {
    case .unchecked(let answer): return await answer(call)
    case .scope(let scope, let need, let answer):
      return await answered(call, scope, need, by: answer)
    case .service(let scope, let answer): return await answered(call, scope, by: answer)
    case .session(let answer):
      switch call.sessionClaim {
      case .success(let claim):
        call.note(claim.client)
        return await answer(call, claim)
      case .refusal(let refusal): return .dataRefusal(refusal)
      }
    }
  }

  /// Not inlined: a call that waits would hold the account and the app for all its time.
  @inline(never) private func answered(
    _ call: Call, _ scope: Scope, _ need: Permission.Need?,
    by answer: @Sendable (Call, Access) async -> HTTPResponse
  ) async -> HTTPResponse {
    let outcome = await authorizeAccess(
      authorization: call.request.values(of: "authorization"), proof: call.proof, scope: scope,
      need: need, in: world
    )
    switch outcome {
    case .success(let access):
      call.note(access.client.id)
      return await answer(call, access)
    case .refusal(let refusal): return .dataRefusal(refusal, scope: scope.rawValue)
    }
  }

  @inline(never) private func answered(
    _ call: Call, _ scope: ServiceScope,
    by answer: @Sendable (Call, DataPrincipal) async -> HTTPResponse
  ) async -> HTTPResponse {
    let outcome = await authorizeData(
      authorization: call.request.values(of: "authorization"), proof: call.proof, scope: scope,
      in: world
    )
    switch outcome {
    case .success(let principal):
      if let client = principal.client { call.note(client) }
      return await answer(call, principal)
    case .refusal(let refusal): return .dataRefusal(refusal, scope: scope.rawValue)
    }
  }

  /// A page asked for under another name of this machine than the issuer's, such as `localhost`:
  /// its proofs would name an address the server does not know itself by.
  private func movedToIssuer(_ request: HTTPRequest) -> HTTPResponse? {
    let hosts = request.values(of: "host")
    guard request.path == "/" || request.path.hasPrefix("/app/"), hosts.count == 1,
      !world.issuer.hasSuffix("//" + hosts[0])
    else { return nil }
    return HTTPResponse(
      status: 307,
      fields: [HTTPField("Location", world.issuer + request.path)]
    )
  }

  private func allowed(by routes: [Route]) -> String {
    var names: [String] = []
    for route in routes {
      names.append(route.method.rawValue)
      if route.method == .get { names.append(HTTPMethod.head.rawValue) }
    }
    return names.joined(separator: ", ")
  }

  private var isSecure: Bool { world.issuer.hasPrefix("https://") }

  private func finish(_ response: inout HTTPResponse, id: String) {
    response.fields.append(HTTPField("Request-Id", id))
    // Pages and public documents say themselves how long they may be kept; other data is personal.
    let kept = response.fields.first { $0.isNamed("cache-control") }
    let policy: ContentPolicy =
      switch kept?.value {
      case nil: .data
      case HTTPResponse.publicCaching?: .publicData
      case _?: .page
      }
    response.fields += Self.headers(isSecure: isSecure, policy: policy)
  }

  enum ContentPolicy {
    case page, data
    /// What every caller may read and keep for a while.
    case publicData
  }

  /// Strict by default: what an answer does not need it may not do.
  static func headers(isSecure: Bool, policy: ContentPolicy) -> [HTTPField] {
    var fields = [
      HTTPField("X-Content-Type-Options", "nosniff"),
      HTTPField("Referrer-Policy", "no-referrer"),
      HTTPField("Cross-Origin-Resource-Policy", "same-origin"),
      HTTPField("Cross-Origin-Opener-Policy", "same-origin"),
      HTTPField("X-Frame-Options", "DENY"),
    ]
    if isSecure {
      fields.append(HTTPField("Strict-Transport-Security", "max-age=63072000; includeSubDomains"))
    }
    switch policy {
    case .page:
      fields.append(
        HTTPField(
          "Content-Security-Policy",
          "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; "
            + "img-src 'self'; font-src 'self'; connect-src 'self'; manifest-src 'self'; "
            + "worker-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; "
            + "frame-ancestors 'none'"
        )
      )
      fields.append(
        HTTPField("Permissions-Policy", "camera=(), microphone=(), geolocation=(), payment=()")
      )
    case .data, .publicData:
      if policy == .data { fields.append(HTTPField("Cache-Control", "no-store")) }
      fields.append(
        HTTPField(
          "Content-Security-Policy",
          "default-src 'none'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'"
        )
      )
    }
    return fields
  }
}

/// One request on its way through the handler.
final class Call: Sendable {
  let request: HTTPRequest
  let handler: FieldpassHandler
  let id: String
  /// What stands where the route's path has `{…}`, decoded.
  private let parameters: [String: String]
  private let knownClient = Mutex<ClientID?>(nil)

  init(
    request: HTTPRequest, handler: FieldpassHandler, id: String, parameters: [String: String]
  ) {
    self.request = request
    self.handler = handler
    self.id = id
    self.parameters = parameters
  }

  func parameter(_ name: String) -> String {
    guard let value = parameters[name] else {
      preconditionFailure("the route's path has no {\(name)}")
    }
    return value
  }

  var world: World { handler.world }

  /// The registered app that the request speaks for, once it is known.
  var client: ClientID? { knownClient.withLock { $0 } }

  /// Lets log and metrics name the app; it must be a registered one, so that their words stay few.
  func note(_ client: ClientID) { knownClient.withLock { $0 = client } }

  /// The session that the request's token and proof speak for, whether or not it has ended.
  var sessionClaim: Outcome<SessionClaim> {
    authorizeSession(
      authorization: request.values(of: "authorization"), proof: proof, in: world
    )
  }

  /// The network address of whoever asked: behind a trusted proxy, of the proxy's caller.
  var peer: String { handler.proxies.caller(of: request) }

  /// In which languages the person wants to be written to: those the app asks for, or else those
  /// the request accepts.
  func languages(_ form: Form) -> [String] {
    if let wished = form["ui_locales"] { return MessageLanguage.wishes(uiLocales: wished) }
    return request.values(of: "accept-language").first.map {
      MessageLanguage.wishes(acceptLanguage: $0)
    } ?? []
  }

  /// What the request carries to prove its sender's key.
  var proof: DPoPClaim {
    DPoPClaim(
      fields: request.values(of: "dpop"), method: request.method.rawValue, path: request.path,
      peer: peer
    )
  }
}

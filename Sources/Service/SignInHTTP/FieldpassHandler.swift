public import HTTPServer
import JSONText
import SignInModel
public import SignInService
import SignInWire
import Synchronization

/// Calls the use case of a route and turns its outcome into an HTTP answer.
public final class FieldpassHandler: HTTPHandler {
  public let world: World
  let assets: WebAssets
  /// `nil` in production, where the development routes do not exist.
  let development: (any DevelopmentTools)?
  let proxies: TrustedProxies
  let metrics: Metrics
  let eventCounts: EventCounts
  let waiters: SessionWaiters
  let readiness = ReadinessCheck()
  /// What an operator should correct although the server is ready; `nil` if there is nothing.
  let readinessWarning: @Sendable () -> String?
  /// Where people report weaknesses of this server; `nil` if that is not configured.
  let securityContact: String?
  private let crossOrigin: CrossOrigin
  /// Writes one line of JSON.
  ///
  /// The line has no line end.
  let log: @Sendable (String) -> Void
  private let routes: RouteTable

  public init(
    world: World, assets: WebAssets, development: (any DevelopmentTools)?,
    proxies: TrustedProxies = .none, waiters: SessionWaiters = SessionWaiters(),
    readinessWarning: @escaping @Sendable () -> String? = { nil },
    securityContact: String? = nil, log: @escaping @Sendable (String) -> Void
  ) {
    self.world = world
    self.assets = assets
    self.development = development
    self.proxies = proxies
    self.waiters = waiters
    self.readinessWarning = readinessWarning
    self.log = log
    self.securityContact = securityContact
    crossOrigin = CrossOrigin(world.clients.values)
    metrics = Metrics()
    let unguarded = Route.unguarded(Route.all)
    precondition(unguarded.isEmpty, "these routes must need a token or permission: \(unguarded)")
    routes = RouteTable(Route.all.filter { development != nil || !$0.isDevelopmentOnly })
    eventCounts = EventCounts(since: world.clock.now())
  }

  public func answer(_ request: HTTPRequest) async -> HTTPResponse {
    let began = world.clock.now()
    let id = Base64URL.encode(world.randomness.bytes(9))
    let routed = await route(request, id)
    return finished(routed, to: request, id, since: began)
  }

  /// Not inlined, so that these variables are not stored in the async frame of a waiting request.
  @inline(never) private func finished(
    _ routed: Routed, to request: HTTPRequest, _ id: String, since began: Instant
  ) -> HTTPResponse {
    var response = routed.response
    showPage(insteadOf: &response, to: request)
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

  public func refusal(status: Int, path: String) -> HTTPResponse {
    refusal(status: status, to: HTTPRequest(method: .get, path: path))
  }

  public func refusal(status: Int, to request: HTTPRequest) -> HTTPResponse {
    let path = request.path
    let id = Base64URL.encode(world.randomness.bytes(9))
    var response =
      switch status {
      case 413: tooLarge(path)
      case 503: overloaded(path)
      default: HTTPResponse.problem(.malformedRequest(status: status))
      }
    metrics.count(
      AnsweredRequest(
        route: "malformed", status: status, code: response.code, client: nil, milliseconds: 0
      ))
    log(LogLine.refused(id: id, at: world.clock.now(), status: status, code: response.code))
    showPage(insteadOf: &response, to: request)
    finish(&response, id: id)
    return response
  }

  /// Replaces the document of a refusal by a page, if a browser shows it to a person (L-56).
  private func showPage(insteadOf response: inout HTTPResponse, to request: HTTPRequest) {
    guard response.status >= 400,
      response.fields.contains(where: { $0.isNamed("content-type") && $0.value.contains("json") }),
      WebAssets.isPage(request, isProgram: { isForPrograms(request.path) })
    else { return }
    let page = BrowserPage.refusal(
      status: response.status, languages: request.preferredLanguages)
    response.fields.removeAll { $0.isNamed("content-type") }
    response.fields += page.fields
    response.body = page.body
  }

  /// Whether only programs use the path.
  private func isForPrograms(_ path: String) -> Bool {
    guard let match = routes.match(path) else { return false }
    return !match.routes.contains { route in
      route.operation.answers.contains { $0.mediaType == "text/html" }
    }
  }

  /// The answer to a large body while the server receives its maximum of them.
  private func overloaded(_ path: String) -> HTTPResponse {
    let refusal = Refusal.overloaded(retrySeconds: 1)
    guard let route = routes.match(path)?.routes.first else { return .dataRefusal(refusal) }
    return .refusal(refusal, at: route)
  }

  /// The answer to a body that is larger than its path accepts.
  private func tooLarge(_ path: String) -> HTTPResponse {
    if let photo = routes.match(path)?.routes.first(where: { $0.operation.body.isPhoto }) {
      return .refusal(.photoTooLarge, at: photo)
    }
    let limits = HTTPServerConfiguration.Limits()
    return .problem(
      .malformedRequest(status: 413),
      detail: "a body has at most \(limits.bodyBytes) bytes, a batch \(limits.largeBodyBytes), a "
        + "photo \(ProductPhoto.byteLimit)")
  }

  /// An answer, the name of its route, and the app that sent the request, if it is known.
  private struct Routed {
    let name: String
    let response: HTTPResponse
    var client: ClientID?

    init(_ name: String, _ response: HTTPResponse, _ client: ClientID? = nil) {
      (self.name, self.response, self.client) = (name, response, client)
    }
  }

  /// The largest number of bytes in all fields of one condition, `If-Match` or `If-None-Match`.
  static let conditionByteLimit = 1024

  /// The refusal if the route reads a condition and the condition is too long; `nil` otherwise.
  private static func refusedCondition(
    _ request: HTTPRequest, at route: Route
  ) -> HTTPResponse? {
    func isLong(_ values: [String]) -> Bool {
      values.reduce(0) { $0 + $1.utf8.count } > conditionByteLimit
    }
    let reads = route.conditions
    guard
      (reads.match && isLong(request.values(of: "if-match")))
        || (reads.noneMatch && isLong(request.values(of: "if-none-match")))
    else { return nil }
    return .dataRefusal(
      Refusal.invalidRequest("a condition has more than \(conditionByteLimit) bytes"))
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
        let call = Call(
          request, at: route, parameters: match.parameters, handler: self, id: id)
        let response: HTTPResponse
        do throws(Refusal) {
          response = try await self.answer(call, by: route.handler)
        } catch {
          response = .refusal(error, at: route)
        }
        return Routed(match.name, response, call.client)
      }
      let methods = allowed(by: match.routes)
      if let permission = crossOrigin.preflight(request, allowing: methods) {
        return Routed(match.name, permission)
      }
      return Routed(match.name, .refusedMethod(allowing: methods))
    }
    if let practice = development?.practice, request.path.hasPrefix(PracticeProvider.path) {
      let refusal = Route.refusedHost(request, issuer: world.issuer)
      return Routed("practice", refusal ?? practice.answer(request))
    }
    if development != nil, let elsewhere = movedToIssuer(request) {
      return Routed("web", elsewhere)
    }
    if let securityContact, request.path == PageAddress.securityText {
      let document = SecurityText(contact: securityContact, issuer: world.issuer)
      return Routed("web", document.answer(request, at: world.clock.now()))
    }
    let file = assets.answer(
      request, isDevelopment: development != nil,
      isConfigured: { world.clients[ClientID($0)] != nil })
    return Routed("web", file)
  }

  private func answer(_ call: Call, by handler: Route.Handler) async throws(Refusal) -> HTTPResponse
  {
    switch handler {
    case .unchecked(let answer): return try await answer(call)
    case .proof(let answer): return try await answer(call, try await FormWithProof.read(call))
    case .tokens(let answer): return try await answer(call, try await TokenSender.read(call))
    case .scope(let scope, let need, let answer):
      return try await answered(call, scope, need, by: answer)
    case .reading(let scope, let answer): return try await answered(call, scope, by: answer)
    case .service(let scope, let answer): return try await answered(call, scope, by: answer)
    case .session(let answer):
      let claim = try await call.sessionClaim()
      call.note(appOf: claim)
      return try await answer(call, claim)
    }
  }

  /// Not inlined, so that a waiting request does not store the account and the app in its async
  /// frame.
  @inline(never) private func answered(
    _ call: Call, _ scope: Scope, _ need: Permission.Need?,
    by answer: @Sendable (Call, Access) async throws(Refusal) -> HTTPResponse
  ) async throws(Refusal) -> HTTPResponse {
    let access = try await authorizeAccess(
      authorization: call.request.values(of: "authorization"), proof: call.proof, scope: scope,
      need: need, in: world
    )
    call.note(access.client.id)
    return try await answer(call, access)
  }

  @inline(never) private func answered(
    _ call: Call, _ scope: Scope,
    by answer: @Sendable (Call, AccessClaim) async throws(Refusal) -> HTTPResponse
  ) async throws(Refusal) -> HTTPResponse {
    let claim = try await claimAccess(
      authorization: call.request.values(of: "authorization"), proof: call.proof, scope: scope,
      in: world
    )
    call.note(appOf: claim.session)
    return try await answer(call, claim)
  }

  @inline(never) private func answered(
    _ call: Call, _ scope: ServiceScope,
    by answer: @Sendable (Call, DataPrincipal) async throws(Refusal) -> HTTPResponse
  ) async throws(Refusal) -> HTTPResponse {
    let principal = try await authorizeData(
      authorization: call.request.values(of: "authorization"), proof: call.proof, scope: scope,
      in: world
    )
    if let client = principal.client { call.note(client) }
    return try await answer(call, principal)
  }

  /// A redirect for a web page that was requested under another name of this machine, such as
  /// `localhost`.
  ///
  /// Its proofs would contain that name, and the server accepts only the issuer's.
  private func movedToIssuer(_ request: HTTPRequest) -> HTTPResponse? {
    let hosts = request.values(of: "host")
    let isPage = request.path == PageAddress.start || request.path.hasPrefix(PageAddress.apps)
    guard isPage, hosts.count == 1, !world.issuer.hasSuffix("//" + hosts[0])
    else { return nil }
    return HTTPResponse(
      status: 307,
      fields: [HTTPField("Location", world.issuer + request.path + request.suffix)]
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
    // Pages and public documents set their own caching. All other answers contain personal data.
    let kept = response.fields.first { $0.isNamed("cache-control") }
    let policy: ContentPolicy =
      switch kept?.value {
      case nil: .data
      case HTTPResponse.publicCaching?: .publicData
      case BrowserPage.caching?: .browserPage
      case HTTPResponse.photoCaching?: .photo
      case _?: .page
      }
    response.fields += Self.headers(isSecure: isSecure, policy: policy)
  }

  enum ContentPolicy {
    case page, data
    /// A page with an inline style and nothing else.
    case browserPage
    /// A document that is public and may be cached.
    case publicData
    /// A file of an administrator, which must do nothing if a browser opens it as a page.
    case photo
  }

  /// The security headers of an answer.
  ///
  /// They forbid everything that the answer does not need.
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
            + "img-src 'self' blob:; font-src 'self'; connect-src 'self'; manifest-src 'self'; "
            + "worker-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; "
            + "frame-ancestors 'none'"
        )
      )
      fields.append(
        HTTPField("Permissions-Policy", "camera=(), microphone=(), geolocation=(), payment=()")
      )
    case .browserPage:
      fields.append(
        HTTPField(
          "Content-Security-Policy",
          "default-src 'none'; style-src \(BrowserPage.styleSource); base-uri 'none'; "
            + "form-action 'self'; frame-ancestors 'none'"))
    case .photo:
      fields.append(HTTPField("Content-Security-Policy", "default-src 'none'; sandbox"))
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

/// One request during its processing.
final class Call: Sendable {
  let request: HTTPRequest
  let route: Route
  let handler: FieldpassHandler
  let id: String
  /// The decoded values of the path's parameters.
  private let parameters: [String: String]
  private let knownClient = Mutex<ClientID?>(nil)

  init(
    _ request: HTTPRequest, at route: Route, parameters: [String: String],
    handler: FieldpassHandler, id: String
  ) {
    self.request = request
    self.route = route
    self.handler = handler
    self.id = id
    self.parameters = parameters
  }

  func parameter(_ name: Endpoint.Segment.Name) -> String {
    guard let value = parameters[name.rawValue] else {
      preconditionFailure("the route's path has no {\(name.rawValue)}")
    }
    return value
  }

  var world: World { handler.world }

  /// The registered app that sent the request; `nil` until it is known.
  var client: ClientID? { knownClient.withLock { $0 } }

  /// Sets the app for the log and the metrics.
  ///
  /// It must be a registered app, so that the number of different labels stays small.
  func note(_ client: ClientID) { knownClient.withLock { $0 = client } }

  /// Sets the app that a token names, if it is still registered.
  func note(appOf claim: SessionClaim) {
    if world.clients[claim.client] != nil { note(claim.client) }
  }

  /// The parameters of the query.
  func query() throws(Refusal) -> Form {
    do throws(Form.Fault) {
      return try Form(parsing: Array((request.query ?? "").utf8))
    } catch {
      throw Refusal.invalidRequest("the query is malformed")
    }
  }

  /// The registered app that sent the form.
  func client(of form: Form) throws(Refusal) -> AppRegistration {
    guard let text = form[.clientID] else {
      throw Refusal.invalidRequest("client_id is needed")
    }
    guard let client = world.clients[ClientID(text)] else {
      throw Refusal.invalidClient("unknown client_id")
    }
    note(client.id)
    return client
  }

  /// The session of the request's token and proof.
  ///
  /// The session may have ended.
  func sessionClaim() async throws(Refusal) -> SessionClaim {
    try await authorizeSession(
      authorization: request.values(of: "authorization"), proof: proof, in: world
    )
  }

  /// The network address of the sender.
  ///
  /// Behind a trusted proxy, the address of the proxy's caller.
  var peer: String { handler.proxies.caller(of: request) }

  /// The languages that the person wants for messages: those of the parameter `ui_locales`, or else
  /// those of the `Accept-Language` header.
  func languages(_ uiLocales: String?) -> [String] {
    if let wished = uiLocales { return MessageLanguage.preferredTags(uiLocales: wished) }
    return request.preferredLanguages
  }

  /// The request's proof of the sender's key.
  var proof: DPoPClaim {
    DPoPClaim(
      fields: request.values(of: "dpop"), method: request.method.rawValue, path: request.path,
      peer: peer
    )
  }
}

extension HTTPRequest {
  /// The query with its question mark; empty if there is none.
  var suffix: String { query.map { "?" + $0 } ?? "" }

  /// The languages of the `Accept-Language` header.
  fileprivate var preferredLanguages: [String] {
    values(of: "accept-language").first.map {
      MessageLanguage.preferredTags(acceptLanguage: $0)
    } ?? []
  }
}

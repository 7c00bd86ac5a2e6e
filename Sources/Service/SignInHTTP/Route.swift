import HTTPServer
import SignInModel
import SignInService
import SignInWire

/// What a caller needs to call a route.
enum RouteAccess: Equatable, Sendable {
  case open
  /// Only a proof of the device's key, in the header `DPoP`.
  ///
  /// It is checked together with the form, because the form names the app and the app decides
  /// whether a nonce is needed.
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

/// A path and a method, what a caller needs, and the use case.
///
/// The need is a part of every row, so a route without it does not compile. The server does not
/// start if a data route needs no token or an administration route names no permission.
/// `FieldpassHandler` checks the need before it calls the route. `Operation.all` describes each
/// route for developers.
struct Route: Sendable {
  /// The function that answers.
  ///
  /// The cases differ in the checks that the handler does first.
  enum Answer: Sendable {
    case unchecked(@Sendable (Call) async throws(Refusal) -> HTTPResponse)
    case session(@Sendable (Call, consuming SessionClaim) async throws(Refusal) -> HTTPResponse)
    case scope(
      Scope, Permission.Need?, @Sendable (Call, Access) async throws(Refusal) -> HTTPResponse)
    case service(
      ServiceScope, @Sendable (Call, DataPrincipal) async throws(Refusal) -> HTTPResponse)
  }

  let method: HTTPMethod
  let path: String
  let access: RouteAccess
  /// The permission that an administrator needs.
  ///
  /// Every administration route has one.
  let permission: Permission.Need?
  let isDevelopmentOnly: Bool
  let answer: Answer

  /// A route that the handler answers without a token.
  enum OpenAccess: Sendable {
    case open, proof
    case development
  }

  init(
    _ method: HTTPMethod, _ path: String, _ access: OpenAccess,
    answer: @escaping @Sendable (Call) async throws(Refusal) -> HTTPResponse
  ) {
    self.method = method
    self.path = path
    self.answer = .unchecked(answer)
    permission = nil
    self.access = access == .proof ? .proof : .open
    isDevelopmentOnly = access == .development
  }

  init(
    _ method: HTTPMethod, _ path: String,
    ofSession answer:
      @escaping @Sendable (Call, consuming SessionClaim) async throws(Refusal) -> HTTPResponse
  ) {
    self.method = method
    self.path = path
    self.answer = .session(answer)
    permission = nil
    access = .session
    isDevelopmentOnly = false
  }

  init(
    _ method: HTTPMethod, _ path: String, _ scope: Scope,
    answer: @escaping @Sendable (Call, Access) async throws(Refusal) -> HTTPResponse
  ) {
    self.method = method
    self.path = path
    self.answer = .scope(scope, nil, answer)
    access = .scope(scope)
    permission = nil
    isDevelopmentOnly = false
  }

  /// A route of administration.
  init(
    _ method: HTTPMethod, _ path: String, needs permission: Permission.Need,
    answer: @escaping @Sendable (Call, Access) async throws(Refusal) -> HTTPResponse
  ) {
    self.method = method
    self.path = path
    self.answer = .scope(.admin, permission, answer)
    access = .scope(.admin)
    self.permission = permission
    isDevelopmentOnly = false
  }

  init(
    _ method: HTTPMethod, _ path: String, service scope: ServiceScope,
    answer: @escaping @Sendable (Call, DataPrincipal) async throws(Refusal) -> HTTPResponse
  ) {
    self.method = method
    self.path = path
    self.answer = .service(scope, answer)
    access = .service(scope)
    permission = scope.need
    isDevelopmentOnly = false
  }

  /// `HEAD` is answered like `GET`, and the server leaves out the body.
  func accepts(_ method: HTTPMethod) -> Bool {
    method == self.method || (method == .head && self.method == .get)
  }

  /// Whether the path has data of people, so that the route must need a token.
  var isOfData: Bool { path.hasPrefix("/api/") || isOfAdministration }

  /// Whether the path is for administrators, so that the route must name a permission.
  var isOfAdministration: Bool { path.hasPrefix("/admin/") }

  /// Data routes that need no token, and administration routes that name no permission.
  ///
  /// The list must be empty.
  static func unguarded(_ routes: [Route]) -> [String] {
    routes.filter { route in
      switch route.access {
      case .open, .proof: route.isOfData
      case .session, .scope: route.isOfAdministration && route.permission == nil
      case .service: false
      }
    }.map { "\($0.method.rawValue) \($0.path)" }
  }

  /// Every route, in this order: discovery, sign-in, data of apps, administration, operation,
  /// development, other systems.
  static let all: [Route] = routes + ofIdentities + ofOtherSystems

  private static let routes: [Route] = [
    Route(.get, Endpoint.openIDConfiguration, .open) { metadata($0) },
    Route(.get, Endpoint.serverMetadata, .open) { metadata($0) },
    Route(.get, Endpoint.keys, .open) { publicKeys($0) },
    Route(.get, Endpoint.app, .open) { (call) throws(Refusal) in try await app(call) },

    Route(.post, Endpoint.challenge, .proof) { (call) throws(Refusal) in try await challenge(call)
    },
    Route(.post, Endpoint.pushedRequest, .proof) { (call) throws(Refusal) in
      try await pushRequest(call)
    },
    Route(.get, Endpoint.authorize, .open) { (call) throws(Refusal) in try await authorize(call) },
    Route(.get, Endpoint.signedOut, .open) { signedOut($0) },
    Route(.get, Endpoint.providerCallback, .open) { (call) throws(Refusal) in
      try await providerCallback(call)
    },
    Route(.post, Endpoint.providerCallback, .open) { (call) throws(Refusal) in
      try await providerPost(call)
    },
    Route(.post, Endpoint.token, .proof) { (call) throws(Refusal) in try await token(call) },
    Route(.post, Endpoint.revoke, .open) { (call) throws(Refusal) in try await revoke(call) },
    Route(.post, Endpoint.introspect, .open) { (call) throws(Refusal) in try await introspect(call)
    },
    Route(.post, Endpoint.forgotPassword, .open) { (call) throws(Refusal) in
      try await forgotPassword(call)
    },
    Route(.post, Endpoint.resetPassword, .open) { (call) throws(Refusal) in
      try await resetPassword(call)
    },
    Route(.post, Endpoint.acceptInvitation, .open) { (call) throws(Refusal) in
      try await acceptInvitation(call)
    },
    Route(.post, Endpoint.accounts, .open) { (call) throws(Refusal) in try await register(call) },

    Route(.get, Endpoint.userInfo, .openID, answer: userInfo),
    Route(.post, Endpoint.userInfo, .openID, answer: userInfo),

    Route(.get, Endpoint.me, .openID, answer: me),
    Route(.get, Endpoint.jobs, .jobs, answer: jobs),
    Route(.patch, Endpoint.job, .jobs, answer: changeJob),
    Route(.get, Endpoint.dashboard, .dashboard, answer: dashboard),
    Route(.patch, Endpoint.delivery, .dashboard, answer: changeDelivery),
    Route(.get, Endpoint.products, .products, answer: products),
    Route(.post, Endpoint.productTransfer, .products, answer: transfer),
    Route(.post, Endpoint.serviceRequests, .products, answer: raiseRequest),
    Route(.get, Endpoint.activities, .activities, answer: activities),
    Route(.post, Endpoint.activities, .activities, answer: registerActivity),
    Route(.patch, Endpoint.activity, .activities, answer: changeActivity),
    Route(.get, Endpoint.sessionEvents, ofSession: sessionEvents),
    Route(.get, Endpoint.sessions, .account, answer: ownSessions),
    Route(.delete, Endpoint.sessions, .account, answer: endAllOwn),
    Route(.delete, Endpoint.session, .account, answer: endOwn),
    Route(.delete, Endpoint.passwordReset, .account, answer: cancelPasswordReset),
    Route(.delete, Endpoint.notice, .account, answer: dismiss),
    Route(.post, Endpoint.password, .account, answer: changePassword),

    Route(.get, Endpoint.adminAccounts, needs: .viewer, answer: accounts),
    Route(.post, Endpoint.adminAccounts, needs: .administrator, answer: makeAccount),
    Route(.get, Endpoint.adminAccount, needs: .viewer, answer: account),
    Route(.patch, Endpoint.adminAccount, needs: .administrator, answer: changeAccount),
    Route(.delete, Endpoint.adminAccount, needs: .administrator, answer: eraseAccount),
    Route(.get, Endpoint.adminExport, needs: .administrator, answer: exportAccount),
    Route(.post, Endpoint.adminUnlock, needs: .support, answer: lockedSessionOpensItself),
    Route(.post, Endpoint.adminReset, needs: .support, answer: forgetPassword),
    Route(.post, Endpoint.adminInvitation, needs: .support, answer: makeInvitation),
    Route(.delete, Endpoint.adminPasswordReset, needs: .support, answer: rejectPasswordReset),
    Route(.post, Endpoint.adminPasswordApproval, needs: .support, answer: approvePasswordReset),
    Route(.get, Endpoint.adminSessions, needs: .viewer, answer: accountSessions),
    Route(.delete, Endpoint.adminSessions, needs: .support, answer: endAccountSessions),
    Route(.get, Endpoint.adminOrganizations, needs: .viewer, answer: organizations),
    Route(.get, Endpoint.adminOrganization, needs: .viewer, answer: organization),
    Route(.patch, Endpoint.adminOrganization, needs: .administrator, answer: changeOrganization),
    Route(.get, Endpoint.adminClients, needs: .viewer, answer: clients),
    Route(.get, Endpoint.adminClient, needs: .viewerEverywhere, answer: client),
    Route(.patch, Endpoint.adminClient, needs: .administratorEverywhere, answer: changeClient),
    Route(.get, Endpoint.adminClientPolicy, needs: .viewer, answer: policySheet),
    Route(.get, Endpoint.adminProducts, needs: .viewer, answer: listedProducts),
    Route(.post, Endpoint.adminProducts, needs: .administrator, answer: receiveProducts),
    Route(.post, Endpoint.adminProductTransfer, needs: .administrator, answer: transferAnyProduct),
    Route(.get, Endpoint.adminServiceRequests, needs: .viewer, answer: serviceRequests),
    Route(.get, Endpoint.adminMessages, needs: .viewer, answer: messages),
    Route(.get, Endpoint.adminEvents, needs: .viewer, answer: events),

    Route(.post, Endpoint.messageReceipts, .open) { (call) throws(Refusal) in
      try await messageReceipts(call)
    },

    Route(.get, Endpoint.description, .open) { _ in description() },
    Route(.get, Endpoint.alive, .open) { _ in .text("alive\n") },
    Route(.get, Endpoint.ready, .open) { (call) throws(Refusal) in try await ready(call) },

    Route(.get, Endpoint.developmentMessages, .development) { (call) throws(Refusal) in
      try await developmentMessages(call)
    },
    Route(.post, Endpoint.developmentClock, .development) {
      advanceClock($0)
    },
    Route(.post, Endpoint.developmentAccounts, .development) { (call) throws(Refusal) in
      try await makeAccounts(call)
    },
  ]
}

import HTTPServer
import SignInModel
import SignInService
import SignInWire

/// What a request needs.
enum RouteAccess: Equatable, Sendable {
  case open
  /// The `DPoP` field alone: a proof of the device's key, checked with the form beside it,
  /// because the form names the app, which decides about nonces.
  case proof
  /// An access token of any scope and the proof beside it: the session reads about itself.
  case session
  /// An access token whose session was granted this scope, and the proof beside it. `admin`
  /// counts for administrators only.
  case scope(Scope)
  /// An access token of a service account that has this scope, or of an administrator's session
  /// with the scope `admin`.
  case service(ServiceScope)
}

/// One path and method, what a request needs to be answered there, and the use case behind it.
///
/// What is needed is part of every row: a route without it does not compile, and a route of data
/// that needs nothing, or one of administration without a permission, stops the server at its
/// start. `FieldpassHandler` checks it, before the route
/// sees the request. `Operation.all` describes each route to developers.
struct Route: Sendable {
  /// The function that answers, and how much the handler checks before it.
  enum Answer: Sendable {
    case unchecked(@Sendable (Call) async -> HTTPResponse)
    case session(@Sendable (Call, consuming SessionClaim) async -> HTTPResponse)
    case scope(Scope, Permission.Need?, @Sendable (Call, Access) async -> HTTPResponse)
    case service(ServiceScope, @Sendable (Call, DataPrincipal) async -> HTTPResponse)
  }

  let method: HTTPMethod
  let path: String
  let access: RouteAccess
  /// What an administrator must be allowed to; every route of administration has one.
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
    answer: @escaping @Sendable (Call) async -> HTTPResponse
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
    ofSession answer: @escaping @Sendable (Call, consuming SessionClaim) async -> HTTPResponse
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
    answer: @escaping @Sendable (Call, Access) async -> HTTPResponse
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
    answer: @escaping @Sendable (Call, Access) async -> HTTPResponse
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
    answer: @escaping @Sendable (Call, DataPrincipal) async -> HTTPResponse
  ) {
    self.method = method
    self.path = path
    self.answer = .service(scope, answer)
    access = .service(scope)
    permission = scope.need
    isDevelopmentOnly = false
  }

  /// `HEAD` is answered as `GET`; the server leaves the body out.
  func accepts(_ method: HTTPMethod) -> Bool {
    method == self.method || (method == .head && self.method == .get)
  }

  /// Whether the path holds people's data, so that the route must need a token.
  var isOfData: Bool { path.hasPrefix("/api/") || isOfAdministration }

  /// Whether the path is for administrators, so that the route must name a permission.
  var isOfAdministration: Bool { path.hasPrefix("/admin/") }

  /// Routes of data that need no token, and routes of administration that name no permission: there
  /// must be none.
  static func unguarded(_ routes: [Route]) -> [String] {
    routes.filter { route in
      switch route.access {
      case .open, .proof: route.isOfData
      case .session, .scope: route.isOfAdministration && route.permission == nil
      case .service: false
      }
    }.map { "\($0.method.rawValue) \($0.path)" }
  }

  /// Every route, in reading order: discovery, sign-in, apps' data,
  /// administration, operation, development.
  static let all: [Route] = routes + ofOtherSystems

  private static let routes: [Route] = [
    Route(.get, Endpoint.openIDConfiguration, .open) { metadata($0) },
    Route(.get, Endpoint.serverMetadata, .open) { metadata($0) },
    Route(.get, Endpoint.keys, .open) { publicKeys($0) },
    Route(.get, Endpoint.app, .open) { app($0) },

    Route(.post, Endpoint.challenge, .proof) { await challenge($0) },
    Route(.post, Endpoint.token, .proof) { await token($0) },
    Route(.post, Endpoint.revoke, .open) { await revoke($0) },
    Route(.post, Endpoint.introspect, .open) { await introspect($0) },
    Route(.post, Endpoint.forgotPassword, .open) { await forgotPassword($0) },
    Route(.post, Endpoint.resetPassword, .open) { await resetPassword($0) },
    Route(.post, Endpoint.acceptInvitation, .open) { await acceptInvitation($0) },
    Route(.post, Endpoint.accounts, .open) { await register($0) },

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
    Route(.post, Endpoint.adminUnlock, needs: .support, answer: openLock),
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
    Route(.get, Endpoint.adminProducts, needs: .viewer, answer: heldProducts),
    Route(.post, Endpoint.adminProducts, needs: .administrator, answer: bringProducts),
    Route(.post, Endpoint.adminProductTransfer, needs: .administrator, answer: giveElsewhere),
    Route(.get, Endpoint.adminServiceRequests, needs: .viewer, answer: serviceRequests),
    Route(.get, Endpoint.adminMessages, needs: .viewer, answer: messages),
    Route(.get, Endpoint.adminEvents, needs: .viewer, answer: events),

    Route(.post, Endpoint.messageReceipts, .open) { await messageReceipts($0) },

    Route(.get, Endpoint.description, .open) { _ in description() },
    Route(.get, Endpoint.alive, .open) { _ in .text("alive\n") },
    Route(.get, Endpoint.ready, .open) { await ready($0) },

    Route(.get, Endpoint.developmentMessages, .development) {
      await developmentMessages($0)
    },
    Route(.post, Endpoint.developmentClock, .development) {
      advanceClock($0)
    },
    Route(.post, Endpoint.developmentAccounts, .development) {
      await makeAccounts($0)
    },
  ]
}

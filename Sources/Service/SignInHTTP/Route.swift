import HTTPServer
import SignInWire

/// One path and method, and the use case behind it.
///
/// `Operation.all` describes each of them to developers.
struct Route: Sendable {
  let method: HTTPMethod
  let path: String
  var isDevelopmentOnly = false
  let answer: @Sendable (Call) async -> HTTPResponse

  /// `HEAD` is answered as `GET`; the server leaves the body out.
  func accepts(_ method: HTTPMethod) -> Bool {
    method == self.method || (method == .head && self.method == .get)
  }

  /// Every route, in reading order: discovery, sign-in, apps' data,
  /// administration, operation, development.
  static let all: [Route] = [
    Route(method: .get, path: Endpoint.openIDConfiguration) { metadata($0) },
    Route(method: .get, path: Endpoint.serverMetadata) { metadata($0) },
    Route(method: .get, path: Endpoint.keys) { publicKeys($0) },

    Route(method: .post, path: Endpoint.challenge) { await challenge($0) },
    Route(method: .post, path: Endpoint.token) { await token($0) },
    Route(method: .post, path: Endpoint.revoke) { await revoke($0) },
    Route(method: .post, path: Endpoint.forgotPassword) { await forgotPassword($0) },
    Route(method: .post, path: Endpoint.resetPassword) { await resetPassword($0) },
    Route(method: .post, path: Endpoint.accounts) { await register($0) },

    Route(method: .get, path: Endpoint.me) { await me($0) },
    Route(method: .get, path: Endpoint.jobs) { await jobs($0) },
    Route(method: .get, path: Endpoint.dashboard) { await dashboard($0) },
    Route(method: .get, path: Endpoint.products) { await products($0) },
    Route(method: .post, path: Endpoint.productTransfer) { await transfer($0) },
    Route(method: .post, path: Endpoint.serviceRequests) { await raiseRequest($0) },
    Route(method: .get, path: Endpoint.activities) { await activities($0) },
    Route(method: .patch, path: Endpoint.activity) { await changeActivity($0) },
    Route(method: .get, path: Endpoint.sessionEvents) { await sessionEvents($0) },
    Route(method: .get, path: Endpoint.sessions) { await ownSessions($0) },
    Route(method: .delete, path: Endpoint.sessions) { await endAllOwn($0) },
    Route(method: .delete, path: Endpoint.session) { await endOwn($0) },

    Route(method: .get, path: Endpoint.adminAccounts) { await accounts($0) },
    Route(method: .post, path: Endpoint.adminAccounts) { await makeAccount($0) },
    Route(method: .get, path: Endpoint.adminAccount) { await account($0) },
    Route(method: .patch, path: Endpoint.adminAccount) { await changeAccount($0) },
    Route(method: .post, path: Endpoint.adminUnlock) { await openLock($0) },
    Route(method: .post, path: Endpoint.adminReset) { await forgetPassword($0) },
    Route(method: .get, path: Endpoint.adminSessions) { await accountSessions($0) },
    Route(method: .delete, path: Endpoint.adminSessions) { await endAccountSessions($0) },
    Route(method: .get, path: Endpoint.adminOrganizations) { await organizations($0) },
    Route(method: .get, path: Endpoint.adminOrganization) { await organization($0) },
    Route(method: .patch, path: Endpoint.adminOrganization) { await changeOrganization($0) },
    Route(method: .get, path: Endpoint.adminClients) { await clients($0) },
    Route(method: .get, path: Endpoint.adminClient) { await client($0) },
    Route(method: .patch, path: Endpoint.adminClient) { await changeClient($0) },
    Route(method: .get, path: Endpoint.adminClientPolicy) { await policySheet($0) },
    Route(method: .get, path: Endpoint.adminProducts) { await heldProducts($0) },
    Route(method: .post, path: Endpoint.adminProducts) { await bringProducts($0) },
    Route(method: .post, path: Endpoint.adminProductTransfer) { await giveElsewhere($0) },
    Route(method: .get, path: Endpoint.adminServiceRequests) { await serviceRequests($0) },
    Route(method: .get, path: Endpoint.adminMessages) { await messages($0) },
    Route(method: .get, path: Endpoint.adminEvents) { await events($0) },

    Route(method: .post, path: Endpoint.messageReceipts) { await messageReceipts($0) },

    Route(method: .get, path: Endpoint.description) { _ in description() },
    Route(method: .get, path: Endpoint.alive) { _ in .text("alive\n") },
    Route(method: .get, path: Endpoint.ready) { await ready($0) },
    Route(method: .get, path: Endpoint.metrics) { await metrics($0) },

    Route(method: .get, path: Endpoint.developmentMessages, isDevelopmentOnly: true) {
      await developmentMessages($0)
    },
    Route(method: .post, path: Endpoint.developmentClock, isDevelopmentOnly: true) {
      advanceClock($0)
    },
    Route(method: .post, path: Endpoint.developmentAccounts, isDevelopmentOnly: true) {
      await makeAccounts($0)
    },
  ]
}

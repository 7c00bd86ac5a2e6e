/// The paths that server and clients use.
///
/// `{id}` means one segment that varies.
public enum Endpoint {
  public static let challenge = "/oauth/challenge"
  public static let token = "/oauth/token"
  public static let revoke = "/oauth/revoke"
  public static let introspect = "/oauth/introspect"
  public static let userInfo = "/oauth/userinfo"
  /// Where a browser begins a sign-in at a provider.
  public static let authorize = "/oauth/authorize"
  /// Pushed authorization requests (RFC 9126).
  public static let pushedRequest = "/oauth/par"
  /// Where a provider sends the browser back.
  public static let providerCallback = "/providers/{name}/callback"
  /// The page after a sign-out at a provider.
  public static let signedOut = "/oauth/signed-out"
  public static let forgotPassword = "/password/forgot"
  public static let resetPassword = "/password/reset"
  public static let acceptInvitation = "/password/invitation"
  public static let accounts = "/accounts"
  /// Public information about an app.
  public static let app = "/apps/{id}"
  public static let keys = "/jwks.json"
  public static let openIDConfiguration = "/.well-known/openid-configuration"
  public static let serverMetadata = "/.well-known/oauth-authorization-server"
  public static let me = "/api/me"
  public static let jobs = "/api/jobs"
  public static let dashboard = "/api/dashboard"
  public static let products = "/api/products"
  public static let productTransfer = "/api/products/{id}/transfer"
  public static let serviceRequests = "/api/service-requests"
  public static let activities = "/api/activities"
  public static let activity = "/api/activities/{id}"
  public static let job = "/api/jobs/{id}"
  public static let delivery = "/api/deliveries/{id}"
  public static let sessionEvents = "/api/session/events"
  public static let sessions = "/api/sessions"
  public static let session = "/api/sessions/{id}"
  public static let identities = "/api/identities"
  public static let identity = "/api/identities/{id}"
  public static let passwordReset = "/api/password-reset"
  public static let notice = "/api/notices/{id}"
  public static let notices = "/api/notices"
  public static let contactProposal = "/api/contact-proposals/{id}"
  public static let contactProposals = "/api/contact-proposals"
  /// A person who is signed in changes the password.
  public static let password = "/api/password"
  public static let adminAccounts = "/admin/accounts"
  public static let adminAccount = "/admin/accounts/{id}"
  public static let adminExport = "/admin/accounts/{id}/export"
  public static let adminUnlock = "/admin/accounts/{id}/unlock"
  public static let adminReset = "/admin/accounts/{id}/reset"
  public static let adminInvitation = "/admin/accounts/{id}/invitation"
  public static let adminPasswordReset = "/admin/accounts/{id}/password-reset"
  public static let adminPasswordApproval = "/admin/accounts/{id}/password-reset/approval"
  public static let adminIdentities = "/admin/accounts/{id}/identities"
  public static let adminIdentity = "/admin/accounts/{id}/identities/{identity}"
  public static let adminSessions = "/admin/accounts/{id}/sessions"
  public static let adminProducts = "/admin/products"
  public static let adminChanges = "/admin/changes"
  public static let adminProductTransfer = "/admin/products/{id}/transfer"
  public static let adminServiceRequests = "/admin/service-requests"
  public static let adminOrganizations = "/admin/organizations"
  public static let adminOrganization = "/admin/organizations/{id}"
  public static let adminClients = "/admin/clients"
  public static let adminClient = "/admin/clients/{id}"
  public static let adminClientPolicy = "/admin/clients/{id}/policy"
  public static let adminProviders = "/admin/providers"
  public static let adminProviderCheck = "/admin/providers/{name}/check"
  public static let adminMessages = "/admin/messages"
  public static let adminEvents = "/admin/events"
  public static let messageReceipts = "/messages/receipts/{messenger}"
  public static let description = "/openapi.json"
  public static let alive = "/livez"
  public static let ready = "/readyz"
  public static let metrics = "/metrics"
  public static let developmentMessages = "/dev/messages"
  public static let developmentClock = "/dev/clock"
  public static let developmentAccounts = "/dev/accounts"

  /// One record that other systems write.
  ///
  /// `kind` is its kind, such as `jobs`.
  public static func adminRecord(_ kind: String) -> String { "/admin/" + kind + "/{id}" }

  /// Up to 500 records of one kind in one request.
  public static func adminBatch(_ kind: String) -> String { "/admin/" + kind + ":batch" }

  /// Public information about the app with this `client_id`.
  public static func app(_ client: String) -> String { "/apps/" + client }

  /// Where this provider sends the browser back.
  ///
  /// Each provider has its own path, so that no answer of one is accepted as another's.
  public static func callback(of provider: String) -> String {
    "/providers/" + provider + "/callback"
  }

  /// The provider of this messenger posts its receipts here.
  public static func receipts(of messenger: String) -> String { "/messages/receipts/" + messenger }
}

/// The paths that server and clients use.
///
/// A case with a segment is a path in which this segment varies.
public enum Endpoint: Hashable, Sendable {
  case challenge
  case token
  case revoke
  case introspect
  case userInfo
  /// Where a browser begins a sign-in at a provider.
  case authorize
  /// Pushed authorization requests (RFC 9126).
  case pushedRequest
  /// Where a provider sends the browser back.
  ///
  /// Each provider has its own path, so that no answer of one is accepted as another's.
  case providerCallback(Segment)
  /// The page after a sign-out at a provider.
  case signedOut
  case forgotPassword
  case resetPassword
  case acceptInvitation
  case accounts
  case verifyRegistration
  /// Public information about an app.
  case app(Segment)
  case keys
  case openIDConfiguration
  case serverMetadata
  case me
  case jobs
  case dashboard
  case products
  case productTransfer(Segment)
  case productPhoto(Segment)
  case serviceRequests
  case activities
  case activity(Segment)
  case job(Segment)
  case delivery(Segment)
  case sessionEvents
  case sessions
  case session(Segment)
  case identities
  case identity(Segment)
  case passwordReset
  case notice(Segment)
  case contactProposal(Segment)
  /// What the person has changed and can still take back.
  case accountChanges
  case contactChange
  case contactChangeCode
  case contactChangeUndo(Segment)
  case erasure
  /// The page that a link in a message to the old address opens.
  case undoContactChange
  /// A person who is signed in changes the password.
  case password
  case adminOverview
  case adminAccounts
  case adminAccount(Segment)
  case adminExport(Segment)
  case adminErasure(Segment)
  case adminUnlock(Segment)
  case adminReset(Segment)
  case adminInvitation(Segment)
  case adminPasswordReset(Segment)
  case adminPasswordApproval(Segment)
  case adminIdentities(Segment)
  case adminIdentity(Segment, Segment)
  case adminSessions(Segment)
  case adminSession(Segment, Segment)
  case adminProducts
  case adminChanges
  case adminProductTransfer(Segment)
  case adminProductPhoto(Segment)
  /// One record that other systems write.
  case adminRecord(DataKind, Segment)
  /// Up to 500 records of one kind in one request.
  case adminBatch(DataKind)
  case adminServiceRequests
  case adminOrganizations
  case adminOrganization(Segment)
  case adminClients
  case adminClient(Segment)
  case adminClientPolicy(Segment)
  case adminProviders
  case adminProviderCheck(Segment)
  case adminMessages
  case adminEvents
  /// A list as a table for spreadsheets.
  case adminListExport(ExportedList)
  case messageReceipts(Segment)
  case description
  case alive
  case ready
  case metrics
  case developmentMessages
  case developmentClock
  case developmentAccounts

  /// One segment of a path that varies: a value, or the name of a parameter in a template.
  public struct Segment: Hashable, Sendable {
    /// The names of parameters.
    public enum Name: String, Sendable {
      case id, identity, messenger, name, session
    }

    fileprivate let text: String

    /// A value, which is percent-encoded in the path.
    public init(_ value: String) { text = Form.percentEncoded(value) }

    private init(_ name: Name) { text = "{" + name.rawValue + "}" }

    public static let id = Segment(.id)
    public static let identity = Segment(.identity)
    public static let messenger = Segment(.messenger)
    public static let name = Segment(.name)
    public static let session = Segment(.session)
  }

  /// The folder of the paths with data of the apps.
  public static let dataFolder = "/api/"

  /// Whether the path has data of people, so that a route there must need a token.
  public var isOfData: Bool { path.hasPrefix(Self.dataFolder) || isOfAdministration }

  /// Whether the path is for administrators, so that a route there must name a permission.
  public var isOfAdministration: Bool { path.hasPrefix("/admin/") }

  /// The path of a request.
  ///
  /// With `.id` and the like for the segments, it is the template that servers match.
  public var path: String {
    switch self {
    case .challenge: "/oauth/challenge"
    case .token: "/oauth/token"
    case .revoke: "/oauth/revoke"
    case .introspect: "/oauth/introspect"
    case .userInfo: "/oauth/userinfo"
    case .authorize: "/oauth/authorize"
    case .pushedRequest: "/oauth/par"
    case .providerCallback(let name): "/providers/\(name.text)/callback"
    case .signedOut: "/oauth/signed-out"
    case .forgotPassword: "/password/forgot"
    case .resetPassword: "/password/reset"
    case .acceptInvitation: "/password/invitation"
    case .accounts: "/accounts"
    case .verifyRegistration: "/accounts/verify"
    case .app(let id): "/apps/\(id.text)"
    case .keys: "/jwks.json"
    case .openIDConfiguration: "/.well-known/openid-configuration"
    case .serverMetadata: "/.well-known/oauth-authorization-server"
    case .me: "/api/me"
    case .jobs: "/api/jobs"
    case .dashboard: "/api/dashboard"
    case .products: "/api/products"
    case .productTransfer(let id): "/api/products/\(id.text)/transfer"
    case .productPhoto(let id): "/api/products/\(id.text)/photo"
    case .serviceRequests: "/api/service-requests"
    case .activities: "/api/activities"
    case .activity(let id): "/api/activities/\(id.text)"
    case .job(let id): "/api/jobs/\(id.text)"
    case .delivery(let id): "/api/deliveries/\(id.text)"
    case .sessionEvents: "/api/session/events"
    case .sessions: "/api/sessions"
    case .session(let id): "/api/sessions/\(id.text)"
    case .identities: "/api/identities"
    case .identity(let id): "/api/identities/\(id.text)"
    case .passwordReset: "/api/password-reset"
    case .notice(let id): "/api/notices/\(id.text)"
    case .contactProposal(let id): "/api/contact-proposals/\(id.text)"
    case .accountChanges: "/api/account-changes"
    case .contactChange: "/api/contact-changes"
    case .contactChangeCode: "/api/contact-changes/verify"
    case .contactChangeUndo(let id): "/api/contact-changes/\(id.text)/undo"
    case .erasure: "/api/erasure"
    case .undoContactChange: "/account/undo"
    case .password: "/api/password"
    case .adminOverview: "/admin/overview"
    case .adminAccounts: "/admin/accounts"
    case .adminAccount(let id): "/admin/accounts/\(id.text)"
    case .adminExport(let id): "/admin/accounts/\(id.text)/export"
    case .adminErasure(let id): "/admin/accounts/\(id.text)/erasure"
    case .adminUnlock(let id): "/admin/accounts/\(id.text)/unlock"
    case .adminReset(let id): "/admin/accounts/\(id.text)/reset"
    case .adminInvitation(let id): "/admin/accounts/\(id.text)/invitation"
    case .adminPasswordReset(let id): "/admin/accounts/\(id.text)/password-reset"
    case .adminPasswordApproval(let id): "/admin/accounts/\(id.text)/password-reset/approval"
    case .adminIdentities(let id): "/admin/accounts/\(id.text)/identities"
    case .adminIdentity(let id, let identity):
      "/admin/accounts/\(id.text)/identities/\(identity.text)"
    case .adminSessions(let id): "/admin/accounts/\(id.text)/sessions"
    case .adminSession(let id, let session):
      "/admin/accounts/\(id.text)/sessions/\(session.text)"
    case .adminProducts: "/admin/products"
    case .adminChanges: "/admin/changes"
    case .adminProductTransfer(let id): "/admin/products/\(id.text)/transfer"
    case .adminProductPhoto(let id): "/admin/products/\(id.text)/photo"
    case .adminRecord(let kind, let id): "/admin/\(kind.rawValue)/\(id.text)"
    case .adminBatch(let kind): "/admin/\(kind.rawValue):batch"
    case .adminServiceRequests: "/admin/service-requests"
    case .adminOrganizations: "/admin/organizations"
    case .adminOrganization(let id): "/admin/organizations/\(id.text)"
    case .adminClients: "/admin/clients"
    case .adminClient(let id): "/admin/clients/\(id.text)"
    case .adminClientPolicy(let id): "/admin/clients/\(id.text)/policy"
    case .adminProviders: "/admin/providers"
    case .adminProviderCheck(let name): "/admin/providers/\(name.text)/check"
    case .adminMessages: "/admin/messages"
    case .adminEvents: "/admin/events"
    case .adminListExport(let list): "/admin/exports/\(list.rawValue)"
    case .messageReceipts(let messenger): "/messages/receipts/\(messenger.text)"
    case .description: "/openapi.json"
    case .alive: "/livez"
    case .ready: "/readyz"
    case .metrics: "/metrics"
    case .developmentMessages: "/dev/messages"
    case .developmentClock: "/dev/clock"
    case .developmentAccounts: "/dev/accounts"
    }
  }
}

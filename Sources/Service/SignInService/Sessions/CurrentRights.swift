import SignInModel
import SignInWire

/// What a session or an unfinished sign-in was granted.
struct GrantedRights: Equatable, Sendable {
  /// The scopes, with a space between them.
  let scope: String
  /// Nil if no organization was chosen.
  let organization: OrganizationID?
  /// The identity provider at which the person signed in; nil for secrets of this server.
  let provider: String?
}

/// The names in today's configuration that rights depend on.
struct ConfiguredNames: Equatable, Sendable {
  let organizations: Set<OrganizationID>
  let providers: Set<String>
  /// The organizations that administer providers, by the name of the provider.
  let owners: [String: OrganizationID]
}

/// The right without which nothing else is left.
enum MissingRight: Error, Equatable, CaseIterable, Sendable {
  case activeAccount
  /// The account has left the organization.
  case membership
  /// The organization is no longer configured.
  case organization
  /// The app is no longer configured.
  case app
  /// The app no longer accepts the role of the account.
  case role
  /// The provider is no longer configured for the app, or belongs to another organization.
  case provider
  /// The app or the person may use none of the granted scopes any more.
  case scope

  /// The reason why a session ends.
  var endReason: EndReason {
    switch self {
    case .activeAccount: .accountDeactivated
    case .membership: .revoked
    case .organization, .app, .role, .provider, .scope: .noRights
    }
  }

  /// The refusal for an unfinished sign-in.
  var signInRefusal: Refusal {
    switch self {
    case .activeAccount: .accountDeactivated
    case .membership, .organization: .notAMember
    case .app, .role, .provider, .scope: .invalidSession
    }
  }

  /// The event of a refused sign-in.
  var event: SecurityEvent.Code {
    switch self {
    case .activeAccount: .refusedDeactivated
    case .membership, .organization: .refusedNotAMember
    case .app, .role, .provider, .scope: .refusedUnregistered
    }
  }
}

/// The scopes that are left today: the granted ones that both the app and the person may still
/// have.
///
/// Every use of a session or of an unfinished sign-in calls this function, so a change of the
/// configuration or of the account applies to the next use (L-50).
func currentScope(
  of granted: GrantedRights, in app: AppRegistration?, for account: Account?,
  _ names: ConfiguredNames
) throws(MissingRight) -> String {
  guard let account, account.status == .active else { throw .activeAccount }
  if let organization = granted.organization {
    guard account.organizations.contains(organization) else { throw .membership }
    guard names.organizations.contains(organization) else { throw .organization }
  } else if account.hasOnlyFormerOrganizations(names) {
    // Without an organization, a session can read the records of all of them.
    throw .organization
  }
  guard let app else { throw .app }
  guard app.roles.contains(account.role) else { throw .role }
  let owner = granted.provider.flatMap { names.owners[$0] }
  if let provider = granted.provider {
    guard names.providers.contains(provider), app.providers.contains(provider) else {
      throw .provider
    }
    // An organization's own provider says who a person is in that organization only.
    if let owner, granted.organization != owner { throw .provider }
  }
  let words = granted.scope.split(separator: " ")
  let allowed = app.allowedScopes
  let left = words.filter { word in
    account.mayHave(word, names, at: owner) && allowed.contains { $0.utf8.elementsEqual(word.utf8) }
  }
  // A refresh token alone reads nothing.
  func reads(_ word: Substring) -> Bool { word != Scope.offlineAccess.rawValue }
  guard left.contains(where: reads) || !words.contains(where: reads) else { throw .scope }
  return left.joined(separator: " ")
}

extension Account {
  /// Whether the person may use this scope, in an app that may have it.
  ///
  /// `owner` is the organization of the provider; nil for other sign-ins. It may control what the
  /// provider says, so no sign-in there gives a permission in others.
  fileprivate func mayHave(
    _ scope: Substring, _ names: ConfiguredNames, at owner: OrganizationID?
  ) -> Bool {
    guard scope == Scope.admin.rawValue else { return true }
    guard role == .administrator else { return false }
    if let owner, !permission.isOnly(in: owner) { return false }
    return permission.everywhere != nil
      || permission.organizations.keys.contains(where: names.organizations.contains)
  }

  /// Whether all the account's organizations were removed from the configuration.
  ///
  /// An administrator's data follows from the permission instead.
  fileprivate func hasOnlyFormerOrganizations(_ names: ConfiguredNames) -> Bool {
    role != .administrator && !organizations.isEmpty
      && !organizations.contains(where: names.organizations.contains)
  }
}

extension Session {
  var granted: GrantedRights {
    GrantedRights(scope: scope, organization: organization, provider: provider)
  }

  func has(_ other: Scope) -> Bool {
    scope.utf8.split(separator: UInt8(ascii: " ")).contains {
      $0.elementsEqual(other.rawValue.utf8)
    }
  }
}

extension SignInAttempt {
  var granted: GrantedRights {
    GrantedRights(scope: scope, organization: organization, provider: federation?.provider)
  }
}

extension SignInTerms {
  var granted: GrantedRights {
    GrantedRights(
      scope: scope, organization: organization, provider: continued?.federation?.provider)
  }
}

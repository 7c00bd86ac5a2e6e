public import SignInWire

extension AppClient.Home {
  /// The scope of the routes that this home reads; nil when it reads none.
  public var scope: Scope? {
    switch self {
    case .assignedJobs: .jobs
    case .dashboard: .dashboard
    case .products: .products
    case .activities: .activities
    case .console: .admin
    case .none: nil
    }
  }
}

extension AppClient {
  /// The scopes that every app may ask for, whatever its configuration lists: those of its home,
  /// and of the page that shows a person's own sessions.
  public var ownScopes: [Scope] { [.account] + (home.scope.map { [$0] } ?? []) }

  /// Every scope that the app may ask for.
  public var allowedScopes: [String] {
    scopes + ownScopes.map(\.rawValue).filter { !scopes.contains($0) }
  }
}

extension Account.Role {
  /// The scopes of `asked`, words with a space between, that an account of this role may have:
  /// `admin` is for administrators only, whichever other roles the app accepts.
  func permitted(_ asked: String) -> String {
    if self == .administrator { return asked }
    return asked.split(separator: " ").filter { $0 != Scope.admin.rawValue }
      .joined(separator: " ")
  }
}

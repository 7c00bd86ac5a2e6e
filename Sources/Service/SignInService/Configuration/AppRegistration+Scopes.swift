import SignInModel
public import SignInWire

extension AppRegistration.Home {
  /// The scope of the routes that this home reads; `nil` if it reads none.
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

extension AppRegistration {
  /// The scopes that an app may always request: the scope of its home, and the one for a person's
  /// own sessions.
  public var ownScopes: [Scope] { [.account] + (home.scope.map { [$0] } ?? []) }

  /// Every scope that the app may request.
  public var allowedScopes: [String] {
    scopes + ownScopes.map(\.rawValue).filter { !scopes.contains($0) }
  }
}

extension AccountRole {
  /// The scopes of `asked` that an account of this role may have.
  ///
  /// `asked` has words with a space between them.
  ///
  /// Only administrators may have `admin`, even if the app accepts other roles too.
  func permitted(_ asked: String) -> String {
    if self == .administrator { return asked }
    return asked.split(separator: " ").filter { $0 != Scope.admin.rawValue }
      .joined(separator: " ")
  }
}

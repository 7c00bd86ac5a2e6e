import SignInModel
import SignInWire

extension AppRegistration {
  /// Warnings about values that are allowed and are probably mistakes.
  var warnings: [String] {
    var warnings = scopes.compactMap(warning(of:))
    if home == .console, !scopes.contains(Scope.admin.rawValue) {
      warnings.append(
        "the home of \(id.text) is the console, and its scopes do not name `admin`, which it gets "
          + "all the same; add `admin`, or choose another home")
    }
    if home == .console, !roles.contains(.administrator) {
      warnings.append(
        "the home of \(id.text) is the console, and its roles do not name `administrator`, so "
          + "no person can use it")
    }
    if !redirectURIs.isEmpty, providers.isEmpty {
      warnings.append(
        "\(id.text) has redirect_uris, which only a sign-in at a provider uses, and names no "
          + "providers; name them, or remove redirect_uris")
    }
    return warnings
  }

  /// A scope that no route of this server and no claim needs.
  private func warning(of scope: String) -> String? {
    guard Scope(rawValue: scope) == nil, UserInfoScope(rawValue: scope) == nil else { return nil }
    let known = Scope.allCases.map(\.rawValue) + UserInfoScope.allCases.map(\.rawValue)
    if let meant = SpellingSuggestion.nearest(to: scope, among: known) {
      return "`\(scope)` in the scopes of \(id.text) opens no route of this server; did you mean "
        + "`\(meant)`?"
    }
    // With audiences, the scopes of another API are expected.
    guard audiences.isEmpty else { return nil }
    return "`\(scope)` in the scopes of \(id.text) opens no route of this server; leave it only if "
      + "an API of your own needs it, and name that API in audiences"
  }
}

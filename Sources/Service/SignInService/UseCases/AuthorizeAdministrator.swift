import SignInModel
public import SignInWire

/// The scopes that only some people may have.
public enum RestrictedScope {
  public static let admin = "admin"

  /// What of `scope` a person of this role may have: an app that asks for `admin` gets it for
  /// administrators only, whoever else its configuration lets in.
  static func granted(_ scope: String, to role: Account.Role) -> String {
    if role == .administrator { return scope }
    return scope.split(separator: " ").filter { $0 != admin }.joined(separator: " ")
  }
}

/// Checks that a request comes from an administrator who was given the scope `admin`.
///
/// The role is read each time, so that one who is no administrator any more loses the scope at
/// once.
public func authorizeAdministrator(
  authorization: [String], proof: DPoPClaim, in world: World
) async -> Outcome<Access> {
  switch await authorizeAccess(authorization: authorization, proof: proof, in: world) {
  case .refusal(let refusal): return .refusal(refusal)
  case .success(let access):
    guard access.account.role == .administrator, access.has(scope: RestrictedScope.admin) else {
      return .refusal(ErrorAnswer(.insufficientScope, "the scope admin is needed"))
    }
    return .success(access)
  }
}

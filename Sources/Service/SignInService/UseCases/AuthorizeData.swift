public import SignInModel
public import SignInWire

/// Who asks to write data of other systems, or to read what people changed of it: a service
/// account, an administrator, or a shell on the server.
public struct DataPrincipal: Sendable {
  /// The OAuth client that asks; nil for a shell.
  public let client: ClientID?
  /// The only organization whose data it may touch; nil for all.
  public let organization: OrganizationID?

  /// A command that somebody runs on the server itself.
  public static let shell = DataPrincipal(client: nil, organization: nil)

  /// The one place that decides whether this principal may write data of this account.
  ///
  /// The scope of the kind of data was checked before, when the request was let in.
  func mayWrite(for account: Account) -> Bool {
    guard let organization else { return true }
    return account.organizations.contains(organization)
  }

  /// Whether it may touch what belongs to this organization itself.
  func mayWrite(in other: OrganizationID) -> Bool {
    organization == nil || organization == other
  }
}

/// Lets in a service account whose token has `scope`, or an administrator's session with the scope
/// `admin`.
///
/// Of the request's `Authorization` fields exactly one is right. A token that is bound to a key
/// needs the `DPoP` scheme and a proof of that key; one that is not is sent as `Bearer`.
public func authorizeData(
  authorization: [String], proof: DPoPClaim, scope: ServiceScope, in world: World
) async -> Outcome<DataPrincipal> {
  let parts = authorization.first?.split(separator: " ", omittingEmptySubsequences: false) ?? []
  guard authorization.count == 1, parts.count == 2,
    let token = ServiceToken(checking: String(parts[1]), at: world.clock.now(), in: world)
  else {
    switch await authorizeAccess(
      authorization: authorization, proof: proof, scope: .admin, in: world)
    {
    case .success(let access):
      return .success(DataPrincipal(client: access.client.id, organization: nil))
    case .refusal(let refusal): return .refusal(refusal)
    }
  }
  let scheme = parts[0].lowercased()
  let needed = token.proofKeyThumbprint == nil ? "Bearer" : "DPoP"
  guard scheme == needed.lowercased() else {
    return .refusal(
      ErrorAnswer(.invalidToken, "the token must be sent with the \(needed) scheme"))
  }
  if let thumbprint = token.proofKeyThumbprint {
    switch checkProof(proof, accessToken: String(parts[1]), in: world) {
    case .refusal(let refusal): return .refusal(refusal)
    case .success(let proved):
      guard proved == thumbprint else {
        return .refusal(ErrorAnswer(.invalidToken, "the token is bound to another key"))
      }
    }
  }
  guard token.scopes.contains(scope) else {
    return .refusal(ErrorAnswer(.insufficientScope, "the scope \(scope.rawValue) is needed"))
  }
  return .success(
    DataPrincipal(client: token.account.id, organization: token.account.organization))
}

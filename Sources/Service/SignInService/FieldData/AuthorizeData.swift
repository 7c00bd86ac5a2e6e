public import SignInModel
public import SignInWire

/// The sender of a request that writes data for other systems or reads changes: a service account,
/// an administrator, or an operator's command on the server.
public struct DataPrincipal: Sendable {
  /// The OAuth client of the sender; `nil` for an operator's command.
  public let client: ClientID?
  /// The permission of the sender.
  let permission: Permission
  /// The level that the operation requires in an organization.
  let level: Permission.Level

  /// A command on the server itself.
  public static let operatorCommand = DataPrincipal(
    client: nil, permission: .everything, level: .administrator)

  var isEverywhere: Bool { permission.hasEverywhere(level) }

  /// Whether this principal may write data of this account.
  ///
  /// Only this function decides this. The scope for the kind of data was checked when the request
  /// was authorized.
  func mayWrite(for account: Account) -> Bool {
    isEverywhere || account.organizations.contains { permission.has(level, in: $0) }
  }

  /// Whether this principal may change and remove records of this account that belong to no
  /// organization.
  ///
  /// Such a record may be of each of the account's organizations.
  func mayWriteForAllOrganizations(of account: Account) -> Bool {
    isEverywhere || account.organizations.allSatisfy { permission.has(level, in: $0) }
  }

  /// The organizations in which this principal may write; `nil` if it may write everywhere.
  var organizations: [OrganizationID]? { permission.organizations(with: level) }

  /// The spaces that an id can mean if the request names no organization.
  func spaces(of name: RecordName) -> [OrganizationID?] {
    switch name.space {
    case .organization(let organization): [organization]
    case .shared: [nil]
    case .unnamed: organizations ?? [nil]
    }
  }

  /// The organization of a written record that names none: the only one in which this principal may
  /// write for this account; `nil` if there are several, or if it may write everywhere.
  func organization(ofWorkFor account: Account) -> OrganizationID? {
    guard !isEverywhere else { return nil }
    let all = account.organizations.filter { permission.has(level, in: $0) }
    return all.count == 1 ? all[0] : nil
  }

  /// Whether the principal may write records that belong to this organization.
  func mayWrite(in other: OrganizationID) -> Bool { permission.has(level, in: other) }
}

extension ServiceScope {
  /// The level that an administrator needs for the same operation.
  var level: Permission.Level {
    switch self {
    case .writeJobs, .writeDeliveries, .writeActivities, .writeProducts: .administrator
    case .readChanges, .introspect: .viewer
    }
  }
}

extension ServiceScope {
  /// The permission that a route of this scope requires of an administrator.
  public var need: Permission.Need { Permission.Need(level: level, isEverywhere: false) }
}

extension ServiceAccount {
  fileprivate var permission: Permission {
    organization.map { Permission([Permission.Grant(.administrator, in: $0)]) } ?? .everything
  }
}

/// Accepts a token of a service account with `scope`, or an administrator's session.
///
/// A session needs the scope `admin`, and the administrator needs the permission. `authorization`
/// must have exactly one `Authorization` field. A token that is bound to a key requires the `DPoP`
/// scheme and a proof of that key. A token that is bound to none is sent as `Bearer`.
public func authorizeData(
  authorization: [String], proof: DPoPClaim, scope: ServiceScope, in world: World
) async throws(Refusal) -> DataPrincipal {
  guard let field = AuthorizationField(authorization),
    let token = ServiceToken(checking: field.token, at: world.clock.now(), in: world)
  else {
    let access = try await authorizeAccess(
      authorization: authorization, proof: proof, scope: .admin, in: world)
    let permission = access.account.permission
    guard permission.meets(scope.need) else {
      throw Refusal.permissionDenied
    }
    return DataPrincipal(client: access.client.id, permission: permission, level: scope.level)
  }
  let needed = token.proofKeyThumbprint == nil ? "Bearer" : "DPoP"
  guard field.scheme == needed.lowercased() else {
    throw Refusal.invalidToken("the token must be sent with the \(needed) scheme")
  }
  if let thumbprint = token.proofKeyThumbprint {
    let proved = try await checkProof(proof, accessToken: field.token, in: world)
    guard proved == thumbprint else {
      throw Refusal.invalidToken("the token is bound to another key")
    }
  }
  guard token.scopes.contains(scope) else {
    throw Refusal.insufficientScope(scope.rawValue)
  }
  return DataPrincipal(
    client: token.account.id, permission: token.account.permission, level: scope.level)
}

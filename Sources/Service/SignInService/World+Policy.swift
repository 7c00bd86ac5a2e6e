import SignInModel
import SignInRules

extension World {
  /// The policy of an app: the configured values with the later changes of administrators.
  ///
  /// For members of an organization, it is restricted by the values of that organization. It is
  /// computed inside the transaction that uses it. So a change applies to all later decisions, on
  /// every server with this store.
  ///
  /// `client` is the app as configured.
  func policy(
    of client: AppClient, for organization: OrganizationID?, _ transaction: any Transaction
  ) throws(StoreFault) -> AppClient {
    var policy = client
    let changes = try transaction.policyChanges(of: .client(client.id))
    if !changes.isEmpty {
      policy.apply(changes.json)
      policy = policy.settled
    }
    guard let known = organizations.first(where: { $0.id == organization }) else { return policy }
    let own = try transaction.policyChanges(of: .organization(known.id))
    return policy.restricted(by: known.policy.merged(own.json))
  }

  /// The policy for a sign-in.
  ///
  /// It is that of the requested organization, or else of the account's first one.
  ///
  /// If the app conceals accounts, the account's own organization counts only after a secret was
  /// proved. Before that, nothing may depend on whether the account exists (T-03, L-12).
  func policy(
    of client: AppClient, asked: OrganizationID?, account: Account?, isProved: Bool,
    _ transaction: any Transaction
  ) throws(StoreFault) -> AppClient {
    let policy = try policy(of: client, for: asked, transaction)
    guard let account, isProved || policy.disclosure == .disclosed else { return policy }
    let organization = account.organization(asked: asked)
    if organization == asked { return policy }
    return try self.policy(of: client, for: organization, transaction)
  }
}

extension Account {
  /// The organization of a sign-in: the requested one if the account is a member, or else the first
  /// one.
  func organization(asked: OrganizationID?) -> OrganizationID? {
    if let asked, organizations.contains(asked) { return asked }
    return organizations.first
  }
}

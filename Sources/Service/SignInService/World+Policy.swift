import SignInModel
import SignInRules

extension World {
  /// The policy that holds for an app: as configured, with what administrators changed since.
  ///
  /// For the people of an organization it is narrowed by that organization's own, configured and
  /// changed. It is computed inside the transaction that decides by it, so a change holds for every
  /// decision after it, on every node.
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

  /// The policy that holds for somebody who signs in: that of the organization they ask for, or
  /// else of their account's first.
  ///
  /// In an app that conceals who has an account, the account's own organization counts only once a
  /// secret was proved: until then nothing may depend on whether there is an account (T-03, L-12).
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
  /// The organization somebody signs in to: the one they ask for, if it is theirs, or their first.
  func organization(asked: OrganizationID?) -> OrganizationID? {
    if let asked, organizations.contains(asked) { return asked }
    return organizations.first
  }
}

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
  func registration(
    of client: AppRegistration, for organization: OrganizationID?, _ transaction: any PolicyRecords
  ) throws(StoreFault) -> AppRegistration {
    let changes = try transaction.policyChanges(of: .client(client.id))
    let known = organizations.first { $0.id == organization }
    let own =
      try known.map { (known) throws(StoreFault) in
        try transaction.policyChanges(of: .organization(known.id))
      } ?? .none
    return computedPolicies.registration(of: client, for: known?.id, after: [changes, own]) {
      var app = client
      if !changes.isEmpty {
        app.policy.apply(changes.json)
        app = app.settled
      }
      guard let known else { return app }
      return app.restricted(by: known.policy.merged(own.json))
    }
  }

  /// The policy for a sign-in.
  ///
  /// It is that of the requested organization, or else of the account's first one.
  ///
  /// If the app conceals accounts, the account's own organization counts only after a secret was
  /// proved. Before that, nothing may depend on whether the account exists (T-03, L-12).
  func registration(
    of client: AppRegistration, asked: OrganizationID?, account: Account?, isProved: Bool,
    _ transaction: any PolicyRecords
  ) throws(StoreFault) -> AppRegistration {
    let app = try registration(of: client, for: asked, transaction)
    guard let account, isProved || app.policy.disclosure == .disclosed else { return app }
    let organization = self.organization(of: account, asked: asked)
    if organization == asked { return app }
    return try self.registration(of: client, for: organization, transaction)
  }

  /// The policies that a change of the account itself must satisfy: one for each of its
  /// organizations.
  ///
  /// The account is the same in all of them. So a person cannot choose the weakest by a switch to
  /// another organization.
  func registrations(
    of client: AppRegistration, changing account: Account, _ transaction: any PolicyRecords
  ) throws(StoreFault) -> [AppRegistration] {
    let own = organizations(of: account)
    if own.isEmpty { return [try registration(of: client, for: nil, transaction)] }
    return try own.map { (organization) throws(StoreFault) in
      try registration(of: client, for: organization, transaction)
    }
  }
}

extension World {
  /// The organization of a sign-in: the requested one if the account is a member, or else the first
  /// one.
  ///
  /// An organization that is no longer configured is left out.
  func organization(of account: Account, asked: OrganizationID?) -> OrganizationID? {
    let own = organizations(of: account)
    if let asked, own.contains(asked) { return asked }
    return own.first
  }

  /// The organizations of the account that are configured.
  func organizations(of account: Account) -> [OrganizationID] {
    account.organizations.filter(names.organizations.contains)
  }
}

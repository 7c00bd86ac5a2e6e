import JSONText
import SignInModel
import SignInTesting

@testable import SignInService

extension TestWorld {
  static let keeper = AccountKeeper(
    administrator: AccountID("ada"),
    caller: Caller(client: ClientID("console"), peer: peer, proofKeyThumbprint: "key")
  )

  /// An organization with this policy in the configuration.
  static func organization(
    _ name: String, _ policy: String = "{}"
  ) throws -> Configuration.Organization {
    var organization = Configuration.Organization(id: OrganizationID(name), name: name)
    organization.policy = PolicyChanges(try JSONReader.read(Array(policy.utf8)))
    return organization
  }

  @discardableResult
  func changeClient(_ patch: String, tags: [String]? = nil) async throws -> PolicyAnswer? {
    let wish = PolicyWish(
      patch: try JSONReader.read(Array(patch.utf8)), tags: tags, keeper: Self.keeper
    )
    return success(await changeClientPolicy(of: client.id, wish, in: world))
  }

  @discardableResult
  func changeOrganization(_ name: String, _ patch: String) async throws -> PolicyAnswer? {
    let wish = PolicyWish(
      patch: try JSONReader.read(Array(patch.utf8)), tags: nil, keeper: Self.keeper
    )
    return success(await changeOrganizationPolicy(of: OrganizationID(name), wish, in: world))
  }

  /// The policy that holds for an organization's people, or for people of none.
  func policy(of organization: String? = nil) async throws -> AppClient {
    try await store.read { (look) throws(StoreFault) in
      try world.policy(of: client, for: organization.map { OrganizationID($0) }, look)
    }
  }
}

extension PolicyAnswer {
  var paths: [String]? {
    if case .mistaken(let mistakes) = self { mistakes.map(\.path) } else { nil }
  }

  var entry: PolicyEntry? {
    if case .holds(let entry) = self { entry } else { nil }
  }
}

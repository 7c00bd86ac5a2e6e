import JSONText
import SignInModel

extension ConfigurationRules {
  /// An organization's own provider must not create accounts outside that organization.
  ///
  /// Its administrators decide which identities it has, so they could sign in there as people of
  /// others.
  func checkOwner(
    _ entry: JSON, _ path: String, _ organizations: [String],
    _ checker: inout ConfigurationChecker
  ) {
    guard let owner = entry["administered_by"]?.text else { return }
    guard organizations.contains(owner) else {
      return checker.note(
        "\(path).administered_by", "is not among the organizations",
        "write the id of an entry of \"organizations\"")
    }
    func note(_ path: String) {
      checker.note(
        path, "is offered to people of others, but \(owner) administers the provider",
        "write \"organization\": \"\(owner)\" here, or remove \"administered_by\"")
    }
    let organization = entry["organization"]?.text
    if organization != owner, organization != nil || entry["create_accounts"]?.flag == true {
      note("\(path).organization")
    }
    for (place, rule) in (entry["account_rules"]?.elements ?? []).enumerated() {
      if let given = rule["organization"]?.text, given != owner {
        note("\(path).account_rules[\(place)].organization")
      }
    }
  }

  /// An identity belongs to an issuer, so one that is linked at an organization's own provider is
  /// an identity at every other provider with the same issuer.
  func checkSharedIssuers(_ checker: inout ConfigurationChecker) {
    var owners: [String: OrganizationID?] = [:]
    for provider in configuration.providers.map(\.settings) {
      guard let first = owners[provider.identityIssuer] else {
        owners[provider.identityIssuer] = .some(provider.administeredBy)
        continue
      }
      let index = (root["providers"]?.elements ?? []).firstIndex {
        $0["name"]?.text == provider.name
      }
      guard first != provider.administeredBy, let index else { continue }
      checker.note(
        "providers[\(index)].administered_by",
        "differs from that of another provider with the same issuer, whose people are the same",
        "write the same organization in both, or remove both")
    }
  }
}

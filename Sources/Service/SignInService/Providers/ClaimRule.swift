import JSONText
public import SignInModel

/// A role or an organization for the people who have a value in a claim of the provider.
public struct ClaimRule: Equatable, Sendable {
  /// The largest number of rules of one provider, and of values of one rule.
  public static let countLimit = 64

  public let claim: String
  /// The rule applies if the claim has at least one of these values.
  public let values: [String]
  /// Nil for the provider's default role.
  public let role: AccountRole?
  /// Nil for the provider's default organization.
  public let organization: OrganizationID?
}

/// The claims of one person that the rules of a provider compare.
public struct ClaimValues: Equatable, Sendable {
  /// The claim with the groups of a person at Microsoft Entra.
  static let groups = "groups"

  /// As bytes, because texts that only look alike must differ.
  private var values: [String: Set<[UInt8]>] = [:]
  private var withheld: Set<String> = []

  public init() {}

  /// Adds the claims that are still absent.
  ///
  /// Text, flags and lists of texts are compared. Any other value equals nothing.
  mutating func read(_ json: JSON, for names: Set<String>) {
    for name in names where values[name] == nil {
      switch json[name] {
      case .string(let text)?: set(name, to: [text])
      case .bool(let flag)?: set(name, to: [flag ? "true" : "false"])
      case .array(let elements)?: set(name, to: elements.compactMap(\.text))
      case nil: if Self.isWithheld(name, by: json) { withheld.insert(name) }
      default: set(name, to: [])
      }
    }
  }

  mutating func set(_ name: String, to texts: [String]) {
    values[name] = Set(texts.map { Array($0.utf8) })
  }

  /// Whether the provider has a claim that it did not send.
  ///
  /// A claim in `_claim_names` is at another address (OpenID Connect Core, section 5.6.2).
  /// Microsoft Entra does this with more than 200 groups, and writes `hasgroups` in some tokens.
  private static func isWithheld(_ name: String, by json: JSON) -> Bool {
    if json["_claim_names"]?[name] != nil { return true }
    guard name == groups, let mark = json["hasgroups"] else { return false }
    return mark.flag ?? (mark.text == "true")
  }

  func isKnown(_ name: String) -> Bool { values[name] != nil }

  func isWithheld(_ name: String) -> Bool { !isKnown(name) && withheld.contains(name) }

  fileprivate func meets(_ rule: ClaimRule) -> Bool {
    guard let found = values[rule.claim] else { return false }
    return rule.values.contains { found.contains(Array($0.utf8)) }
  }
}

/// What a provider's rules say about a person.
enum Assignment: Equatable, Sendable {
  case assigned(AccountRole, OrganizationID?)
  /// No rule and no default gives a role.
  case noRole
  /// A rule needs this claim, which the provider did not send.
  case unknown(claim: String)
}

extension IdentityProvider.NewAccounts {
  /// The claims that the rules compare.
  var claims: Set<String> { Set(rules.map(\.claim)) }

  /// The role and the organization that the first matching rule and the defaults give.
  ///
  /// A rule that needs an unknown claim ends the search, because a later rule may give a person
  /// more or less than that one.
  func assignment(for values: ClaimValues) -> Assignment {
    for rule in rules {
      if values.isWithheld(rule.claim) { return .unknown(claim: rule.claim) }
      guard values.meets(rule) else { continue }
      return assigned(rule.role ?? role, rule.organization ?? organization)
    }
    return assigned(role, organization)
  }

  private func assigned(_ role: AccountRole?, _ organization: OrganizationID?) -> Assignment {
    role.map { .assigned($0, organization) } ?? .noRole
  }

  /// The organizations of an account after the provider gave it `organization`.
  ///
  /// Organizations that the configuration of the provider does not name stay.
  func organizations(
    of account: Account, given organization: OrganizationID?
  ) -> [OrganizationID] {
    let own = Set(([self.organization] + rules.map(\.organization)).compactMap { $0 })
    let kept = account.organizations.filter { !own.contains($0) || $0 == organization }
    guard let organization, !kept.contains(organization) else { return kept }
    return kept + [organization]
  }
}

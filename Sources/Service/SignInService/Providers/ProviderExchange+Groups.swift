import JSONText
import SignInModel

/// The groups of a person at Microsoft Entra, if the ID token has too many of them to name them.
extension ProviderExchange {
  enum GroupLimits {
    /// The largest number of answers with groups for one sign-in.
    static let pages = 10
    static let path = "/v1.0/me/getMemberObjects"
  }

  /// Reads the groups from Microsoft Graph if a rule needs them for this sign-in.
  ///
  /// Without them the sign-in is refused, so that no person gets a role that the groups would not
  /// give.
  func readGroups(
    into claims: inout ProviderClaims, with accessToken: Secret?
  ) async throws(Fault) {
    guard let new = provider.settings.newAccounts,
      case .unknown(let claim) = new.assignment(for: claims.values),
      try await needsAssignment(claims.subject, new)
    else { return }
    guard claim == ClaimValues.groups, let endpoint = provider.settings.groupEndpoint,
      let accessToken
    else {
      throw .misconfigured(
        "does not send the claim `\(claim)` of this person, which `account_rules` needs",
        claim == ClaimValues.groups
          ? "write `read_groups` for Microsoft Entra, or let the provider send fewer groups"
          : "let the provider send the claim in the ID token")
    }
    claims.values.set(claim, to: try await groups(at: endpoint, with: accessToken))
  }

  /// Whether this sign-in creates an account, or may change the role or the organization of an
  /// existing one.
  private func needsAssignment(
    _ subject: String, _ new: IdentityProvider.NewAccounts
  ) async throws(Fault) -> Bool {
    let issuer = provider.settings.identityIssuer
    do throws(StoreFault) {
      let identity = try await world.store.read {
        (transaction: any IdentityRecords) throws(StoreFault) in
        try transaction.identity(issuer: issuer, subject: subject)
      }
      guard let identity else { return true }
      return new.updatesAccounts && identity.hasCreatedAccount(at: provider)
    } catch {
      throw .provider(.unavailable("the store cannot be read"))
    }
  }

  private func groups(
    at endpoint: String, with accessToken: Secret
  ) async throws(Fault) -> [String] {
    var request = try bearing(accessToken, to: endpoint + GroupLimits.path)
    // The ID token also contains groups that are not security groups.
    request.json = #"{"securityEnabledOnly":false}"#
    var groups: [String] = []
    for _ in 0..<GroupLimits.pages {
      let answer = try await send(request)
      try checkGroupStatus(answer.status)
      guard let json = answer.json, let elements = json["value"]?.elements else {
        throw .untrusted("the answer with the groups has no list")
      }
      let page = elements.compactMap(\.text)
      guard page.count == elements.count else {
        throw .untrusted("the answer with the groups has other values than text")
      }
      groups += page
      guard let next = json["@odata.nextLink"] else { return groups }
      // The access token goes to no other server.
      guard let address = next.text, TextFormat.secureURL.problem(address) == nil,
        address.hasPrefix(endpoint + "/")
      else { throw .untrusted("the next groups are at another address") }
      request = try bearing(accessToken, to: address)
    }
    throw .untrusted("the groups have more than \(GroupLimits.pages) pages")
  }

  private func checkGroupStatus(_ status: Int) throws(Fault) {
    switch status {
    case 200: return
    case 400, 401, 403:
      throw .misconfigured(
        "refused to name the groups of a person with \(status)",
        "write the scopes `User.Read` and `GroupMember.Read.All` of Microsoft Graph, and consent to"
          + " them at the provider")
    default: throw .provider(.unavailable("the request for groups was answered \(status)"))
    }
  }
}

extension ProviderExchange.Fault {
  fileprivate static func misconfigured(_ problem: String, _ remedy: String) -> Self {
    .provider(.misconfigured([ProviderMistake(problem: problem, remedy: remedy)]))
  }
}

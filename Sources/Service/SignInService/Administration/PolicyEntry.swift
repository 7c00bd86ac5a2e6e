import Cryptography
public import JSONText
import SignInModel

/// One app or organization with the policy that applies to it, as administrators see it.
public struct PolicyEntry: Equatable, Sendable {
  public let json: JSON
  /// A tag that changes whenever anything in the entry changes (RFC 9110, section 8.8.3).
  public let tag: String

  init(_ json: JSON) {
    self.json = json
    tag = Base64URL.encode(SHA256Digest.of(json.utf8))
  }

  /// `app` is the app with the policy that applies.
  init(_ app: AppRegistration, _ changes: PolicyChanges) {
    self.init(.object((app.json.objectMembers ?? []) + [JSONMember("changes", changes.json)]))
  }

  /// An app, for readers who may not read its policy.
  init(nameOf client: AppRegistration) {
    self.init(.members([JSONMember("id", client.id.text), JSONMember("name", client.name)]))
  }

  init(_ organization: Configuration.Organization, _ changes: PolicyChanges) {
    self.init(
      .members([
        JSONMember("id", organization.id.text),
        JSONMember("name", organization.name),
        JSONMember("policy", organization.policy.merged(changes.json).json),
        JSONMember("changes", changes.json),
      ])
    )
  }
}

import Cryptography
public import JSONText
import SignInModel

/// One app or organization with the policy that holds for it, as administrators see it.
public struct PolicyEntry: Equatable, Sendable {
  public let json: JSON
  /// Another one as soon as anything in the entry is different (RFC 9110, section 8.8.3).
  public let tag: String

  init(_ json: JSON) {
    self.json = json
    tag = Base64URL.encode(SHA256Digest.of(json.utf8))
  }

  /// `policy` is the app under the policy that holds.
  init(_ policy: AppClient, _ changes: PolicyChanges) {
    self.init(.object((policy.json.objectMembers ?? []) + [JSONMember("changes", changes.json)]))
  }

  /// An app for those who may not read its policy.
  init(nameOf client: AppClient) {
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

/// What became of a wish to change a policy.
public enum PolicyAnswer: Equatable, Sendable {
  /// The entry as it is now, changed or not.
  case holds(PolicyEntry)
  /// Nothing was changed: every mistake at once, each with its place in the document.
  case mistaken([ConfigurationMistake])

  /// Only what was done is remembered: whoever is told of a mistake may ask again.
  var remembered: JSON? { if case .holds(let entry) = self { entry.json } else { nil } }
}

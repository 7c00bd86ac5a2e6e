import Cryptography
public import JSONText
import SignInModel
import SignInWire

/// One app or organization with the policy that applies to it, as administrators see it.
public struct PolicyEntry: Equatable, Sendable {
  public let json: JSON
  /// A tag that changes whenever anything in the entry changes (RFC 9110, section 8.8.3).
  public let tag: String

  init(_ answer: PolicyAnswer) {
    json = answer.json
    tag = Base64URL.encode(SHA256Digest.of(json.utf8))
  }

  /// `app` is the app with the policy that applies.
  init(_ app: AppRegistration, _ changes: PolicyChanges) {
    self.init(
      PolicyAnswer(
        client: app.id.text, name: app.name, settings: app.settings, changes: changes.json))
  }

  /// An app, for readers who may not read its policy.
  init(nameOf client: AppRegistration) {
    self.init(PolicyAnswer(client: client.id.text, name: client.name))
  }

  init(_ organization: Configuration.Organization, _ changes: PolicyChanges) {
    self.init(
      PolicyAnswer(
        organization: organization.id.text, name: organization.name,
        policy: organization.policy.merged(changes.json).json, changes: changes.json))
  }
}

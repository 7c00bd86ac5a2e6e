public import JSONText

/// An app or an organization with its policy, as administrators read it.
public struct PolicyAnswer: Equatable, Sendable {
  public let id: String
  public let name: String
  public let json: JSON

  /// Returns `nil` if the identifier or the name is missing.
  public init?(json: JSON) {
    guard let id = json.text(.id), let name = json.text(.name) else { return nil }
    self.id = id
    self.name = name
    self.json = json
  }

  private init(_ id: String, _ name: String, _ members: [JSONMember]) {
    self.id = id
    self.name = name
    json = .object([JSONMember(.id, id), JSONMember(.name, name)] + members)
  }

  /// An app, for readers who may not read its policy.
  public init(client id: String, name: String) { self.init(id, name, []) }

  /// An app; `settings` has the keys of the configuration, with all policy values.
  public init(client id: String, name: String, settings: [JSONMember], changes: JSON) {
    self.init(id, name, settings + [JSONMember(.changes, changes)])
  }

  /// An organization; `policy` has the values that differ for its members.
  public init(organization id: String, name: String, policy: JSON, changes: JSON) {
    self.init(id, name, [JSONMember(.policy, policy), JSONMember(.changes, changes)])
  }

  /// A policy value of an app; null if it is absent.
  public func value(_ key: PolicyKey) -> JSON { key.value(in: json) }

  /// The policy of an organization; null for an app.
  public var policy: JSON { json[.policy] ?? .null }

  /// Whether administrators changed a value.
  public var isChanged: Bool { json[.changes]?.objectMembers?.isEmpty == false }
}

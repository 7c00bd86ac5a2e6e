public import JSONText
public import SignInModel

/// The public data of one organization.
public struct OrganizationEntry: Equatable, Sendable {
  public let id: OrganizationID
  public let name: String

  public init(id: OrganizationID, name: String) {
    self.id = id
    self.name = name
  }

  public var json: JSON { .members([JSONMember(.id, id.text), JSONMember(.name, name)]) }

  public init?(json: JSON) {
    guard let id = json.text(.id), let name = json.text(.name) else { return nil }
    self.init(id: OrganizationID(id), name: name)
  }
}

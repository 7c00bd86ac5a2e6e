public import JSONText
public import SignInModel

/// One permission of an administrator: a level, in one organization or in all.
public struct PermissionEntry: Equatable, Sendable {
  /// `viewer`, `support` or `administrator`.
  public let level: String
  /// `nil` for all organizations.
  public let organization: OrganizationID?

  public init(level: String, organization: OrganizationID?) {
    self.level = level
    self.organization = organization
  }

  public var json: JSON {
    .members([
      JSONMember(.level, level), JSONMember(.organization, ifPresent: organization?.text),
    ])
  }

  public init?(json: JSON) {
    guard let level = json.text(.level) else { return nil }
    self.init(level: level, organization: json.text(.organization).map { OrganizationID($0) })
  }
}

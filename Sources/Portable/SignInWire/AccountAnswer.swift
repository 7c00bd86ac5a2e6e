public import JSONText
public import SignInModel

/// The account that is signed in: the answer of `GET /api/me`.
public struct AccountAnswer: Equatable, Sendable {
  public let id: AccountID
  public let name: String
  public let email: String?
  /// Masked: `***-***-1234`.
  ///
  /// `nil` if the account has no number.
  public let phone: String?
  public let role: String
  /// The organizations of the account, in the stored order.
  public let organizations: [OrganizationEntry]
  public let session: TokenAnswer.SessionTerms
  /// The permissions of an administrator.
  ///
  /// They are empty for all other roles.
  public var permissions: [PermissionEntry] = []
  public var accountUpdate = AccountUpdate()

  public init(
    id: AccountID, name: String, email: String?, phone: String?, role: String,
    organizations: [OrganizationEntry], session: TokenAnswer.SessionTerms
  ) {
    self.id = id
    self.name = name
    self.email = email
    self.phone = phone
    self.role = role
    self.organizations = organizations
    self.session = session
  }

  public var json: JSON {
    let members: [JSONMember?] = [
      JSONMember(.id, id.text),
      JSONMember(.name, name),
      JSONMember(.email, ifPresent: email),
      JSONMember(.phone, ifPresent: phone),
      JSONMember(.role, role),
      JSONMember(.organizations, .array(organizations.map { $0.json })),
      permissions.isEmpty
        ? nil : JSONMember(.permissions, .array(permissions.map { $0.json })),
      JSONMember(.session, session.json),
    ]
    return .members(members + accountUpdate.members.map { $0 })
  }

  public init?(json: JSON) {
    guard let id = json.text(.id), let name = json.text(.name),
      let role = json.text(.role),
      let session = TokenAnswer.SessionTerms(json: json[.session])
    else { return nil }
    var organizations: [OrganizationEntry] = []
    for entry in json.elements(.organizations) ?? [] {
      if let organization = OrganizationEntry(json: entry) { organizations.append(organization) }
    }
    self.init(
      id: AccountID(id), name: name, email: json.text(.email),
      phone: json.text(.phone), role: role,
      organizations: organizations, session: session
    )
    permissions = (json.elements(.permissions) ?? []).compactMap { PermissionEntry(json: $0) }
    accountUpdate = AccountUpdate(json: json)
  }
}

public import JSONText
public import SignInModel

/// The data of one account for administrators, under `/admin/accounts`.
public struct AccountEntry: Equatable, Sendable {
  /// The most identifiers in `ids` of `GET /admin/accounts`.
  public static let idLimit = 100

  public let id: AccountID
  public let name: String
  public let email: String?
  /// In E.164 form and not masked, so that administrators can correct it.
  ///
  /// `nil` if the person signs in at an identity provider that knows no verified number.
  public let phone: String?
  /// `technician`, `rider`, `owner`, `mentor` or `administrator`.
  public let role: String
  /// `active`, `deactivated`, `pending` or `rejected`.
  public let status: String
  public let organizations: [OrganizationID]
  /// `false` for people who sign in with a code only, or who must still choose a password.
  public let hasPassword: Bool
  /// Wrong answers since the last complete sign-in.
  public let failuresInRow: Int64
  /// The end of the account's longest lockout.
  ///
  /// All unknown devices share one lockout. Each known device has its own.
  public let lockedUntil: Instant?
  /// How many known devices are locked out.
  public let lockedDevices: Int64
  public let createdAt: Instant
  /// When a new password from an unknown device becomes valid.
  ///
  /// It is `nil` if none is waiting.
  public var passwordAvailableAt: Instant?
  /// When the account is erased at the person's request.
  ///
  /// It is `nil` if there is no request.
  public var erasureAt: Instant?
  /// The permissions, if the account is an administrator.
  public var permissions: [PermissionEntry] = []
  /// Since when a changed number is not verified by a code.
  ///
  /// It is `nil` if the number is verified.
  public var phoneUnverifiedSince: Instant?
  /// How the address was proved.
  ///
  /// It is `nil` if the account has not proved it.
  public var emailProof: ContactProof?
  /// How the number was proved.
  ///
  /// It is `nil` if the account has not proved it.
  public var phoneProof: ContactProof?

  public init(
    id: AccountID, name: String, email: String?, phone: String?, role: String, status: String,
    organizations: [OrganizationID], hasPassword: Bool, failuresInRow: Int64,
    lockedUntil: Instant?, lockedDevices: Int64, createdAt: Instant
  ) {
    self.id = id
    self.name = name
    self.email = email
    self.phone = phone
    self.role = role
    self.status = status
    self.organizations = organizations
    self.hasPassword = hasPassword
    self.failuresInRow = failuresInRow
    self.lockedUntil = lockedUntil
    self.lockedDevices = lockedDevices
    self.createdAt = createdAt
  }

  public var json: JSON {
    .members([
      JSONMember(.id, id.text),
      JSONMember(.name, name),
      JSONMember(.email, ifPresent: email),
      JSONMember(.phoneNumber, ifPresent: phone),
      JSONMember(.role, role),
      JSONMember(.status, status),
      JSONMember(.organizations, .array(organizations.map { JSON.string($0.text) })),
      JSONMember(.hasPassword, hasPassword),
      JSONMember(.failuresInRow, failuresInRow),
      JSONMember(.lockedUntil, ifPresent: lockedUntil?.seconds),
      JSONMember(.lockedDevices, lockedDevices),
      JSONMember(.createdAt, createdAt.seconds),
      JSONMember(.passwordAvailableAt, ifPresent: passwordAvailableAt?.seconds),
      JSONMember(.erasureAt, ifPresent: erasureAt?.seconds),
      permissions.isEmpty
        ? nil : JSONMember(.permissions, .array(permissions.map { $0.json })),
      JSONMember(.phoneNumberUnverifiedSince, ifPresent: phoneUnverifiedSince?.seconds),
      JSONMember(.emailProved, ifPresent: emailProof?.rawValue),
      JSONMember(.phoneProved, ifPresent: phoneProof?.rawValue),
    ])
  }

  public init?(json: JSON) {
    guard let id = json.text(.id), let name = json.text(.name),
      let role = json.text(.role),
      let status = json.text(.status), let hasPassword = json.flag(.hasPassword),
      let failuresInRow = json.count(.failuresInRow),
      let createdAt = json.unixSeconds(.createdAt)
    else { return nil }
    var organizations: [OrganizationID] = []
    for entry in json.elements(.organizations) ?? [] {
      if let text = entry.text { organizations.append(OrganizationID(text)) }
    }
    self.init(
      id: AccountID(id), name: name, email: json.text(.email),
      phone: json.text(.phoneNumber), role: role,
      status: status, organizations: organizations, hasPassword: hasPassword,
      failuresInRow: failuresInRow,
      lockedUntil: json.unixSeconds(.lockedUntil).map { Instant(seconds: $0) },
      // A stored answer of an earlier version has no such member.
      lockedDevices: json.count(.lockedDevices) ?? 0,
      createdAt: Instant(seconds: createdAt)
    )
    erasureAt = json.unixSeconds(.erasureAt).map { Instant(seconds: $0) }
    passwordAvailableAt = json.unixSeconds(.passwordAvailableAt).map { Instant(seconds: $0) }
    permissions = (json.elements(.permissions) ?? []).compactMap { PermissionEntry(json: $0) }
    phoneUnverifiedSince = json.unixSeconds(.phoneNumberUnverifiedSince).map {
      Instant(seconds: $0)
    }
    emailProof = json.text(.emailProved).flatMap { ContactProof(rawValue: $0) }
    phoneProof = json.text(.phoneProved).flatMap { ContactProof(rawValue: $0) }
  }
}

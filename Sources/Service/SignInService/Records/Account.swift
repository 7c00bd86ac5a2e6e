public import SignInModel

/// A person who can sign in.
///
/// It can be locked or deactivated; an identity at a provider cannot.
public struct Account: Equatable, Sendable {
  /// Organizations of one account.
  public static let organizationLimit = 100

  public enum Status: String, Sendable {
    case active
    case deactivated
    case pending
    case rejected
  }

  /// What a person does, and with it which home they land on and which scopes they may have.
  public enum Role: String, CaseIterable, Sendable {
    case technician
    case rider
    case owner
    case mentor
    case administrator
  }

  public let id: AccountID
  public var email: EmailAddress?
  public var phone: PhoneNumber
  public var name: String
  public var role: Role
  public var status: Status
  /// Argon2id in its encoded form, or nil for people who have no password.
  ///
  /// A store with keys seals it when it is written and gives it back sealed; it is opened where a
  /// password is compared.
  public var passwordHash: String?
  public var organizations: [OrganizationID]
  /// What the account may administer; none unless its role is `administrator`.
  public var permission: Permission
  /// When an administrator changed the number, until a code that went there was given; nil
  /// otherwise.
  ///
  /// Until then a code that goes there does not replace a password.
  public var phoneChangedAt: Instant?
  public let createdAt: Instant
  /// Whether it belongs to the demo, so that its password is published: production refuses a store
  /// that holds such an account (L-42).
  public let isDemo: Bool

  public init(
    id: AccountID, email: EmailAddress?, phone: PhoneNumber, name: String, role: Role,
    status: Status, passwordHash: String?, organizations: [OrganizationID],
    permission: Permission = .none, phoneChangedAt: Instant? = nil, createdAt: Instant,
    isDemo: Bool = false
  ) {
    self.id = id
    self.email = email
    self.phone = phone
    self.name = name
    self.role = role
    self.status = status
    self.passwordHash = passwordHash
    self.organizations = organizations
    self.permission = permission
    self.phoneChangedAt = phoneChangedAt
    self.createdAt = createdAt
    self.isDemo = isDemo
  }
}

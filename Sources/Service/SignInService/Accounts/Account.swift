public import SignInModel

/// A person who can sign in.
///
/// An account can be locked or deactivated. An identity at an identity provider cannot.
public struct Account: Equatable, Sendable {
  /// The organizations that one account can have, at most.
  public static let organizationLimit = 100

  public let id: AccountID
  /// A changed address is not proved.
  public var email: EmailAddress? {
    didSet { if email != oldValue { emailProof = nil } }
  }
  /// Nil if the person signs in at an identity provider that knows no verified number.
  ///
  /// A changed number is not proved.
  public var phone: PhoneNumber? {
    didSet { if phone != oldValue { phoneProof = nil } }
  }
  /// How the account has proved its address; nil if it has not.
  public var emailProof: ContactProof?
  /// How the account has proved its number; nil if it has not.
  public var phoneProof: ContactProof?
  public var name: String
  public var role: AccountRole
  public var status: AccountStatus
  /// The hash of the password, encoded as Argon2id or in an imported kind; nil if the account has
  /// no password.
  ///
  /// A store with keys seals the hash when it writes it, and returns it sealed. It is opened where
  /// a password is compared.
  public var passwordHash: String?
  public var organizations: [OrganizationID]
  /// What the account may administer.
  ///
  /// It is empty unless the role is `administrator`.
  public var permission: Permission
  /// The time when an administrator changed the phone number; nil if no such change is unconfirmed.
  ///
  /// It becomes nil when a code that was sent to the new number is entered. Before that, a code
  /// that was sent there cannot replace a password.
  public var phoneChangedAt: Instant?
  /// When everything that was open was last ended; nil if that never happened.
  ///
  /// A sign-in at an identity provider that began before does not begin a session. Only
  /// `save(signedOutAt:of:)` writes it.
  public var signedOutAt: Instant?
  public let createdAt: Instant
  /// Whether the account belongs to the demo.
  ///
  /// The password of such an account is public, so production refuses a store that contains one
  /// (L-42).
  public let isDemo: Bool

  public init(
    id: AccountID, email: EmailAddress?, phone: PhoneNumber?, name: String, role: AccountRole,
    status: AccountStatus, passwordHash: String?, organizations: [OrganizationID],
    permission: Permission = .none, phoneChangedAt: Instant? = nil, createdAt: Instant,
    isDemo: Bool = false, emailProof: ContactProof? = nil, phoneProof: ContactProof? = nil
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
    self.emailProof = emailProof
    self.phoneProof = phoneProof
  }
}

public import SignInModel

/// What an administrator changes of an account; what is nil stays as it is.
public struct AccountChange: Equatable, Sendable {
  public enum Email: Equatable, Sendable {
    case set(EmailAddress)
    /// Only an account that signs in with its number alone can do without.
    case removed
  }

  public var status: Account.Status?
  public var name: PersonName?
  public var email: Email?
  public var phone: PhoneNumber?
  public var role: Account.Role?
  /// All of them: those that are left out are taken away.
  public var organizations: [OrganizationID]?
  /// All that the account may administer.
  public var permission: Permission?

  public init() {}

  public var isEmpty: Bool { self == AccountChange() }
}

/// A member of an account that was changed, by the name that requests use.
///
/// The security log names what was changed, never a value.
enum ChangedMember: String, CaseIterable {
  case name
  case email
  case phoneNumber = "phone_number"
  case role
  case organizations
  case permissions

  func differs(_ before: Account, _ after: Account) -> Bool {
    switch self {
    case .name: before.name != after.name
    case .email: before.email != after.email
    case .phoneNumber: before.phone != after.phone
    case .role: before.role != after.role
    case .organizations: before.organizations != after.organizations
    case .permissions: before.permission != after.permission
    }
  }
}

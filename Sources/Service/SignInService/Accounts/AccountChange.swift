public import SignInModel

/// The changes that an administrator makes to an account.
///
/// A value that is nil does not change.
public struct AccountChange: Equatable, Sendable {
  public enum Email: Equatable, Sendable {
    case set(EmailAddress)
    /// Allowed only for an account that signs in with its phone number alone.
    case removed
  }

  public enum PhoneChange: Equatable, Sendable {
    case set(PhoneNumber)
    /// Allowed only for an account that signs in at an identity provider.
    case removed
  }

  public var status: AccountStatus?
  /// Why the account is deactivated.
  ///
  /// Only the security log shows it. The person never gets it. It is stored beside the log, so that
  /// an erasure removes it.
  public var reason: TextLine?
  public var name: PersonName?
  public var email: Email?
  public var phone: PhoneChange?
  public var role: AccountRole?
  /// The complete list.
  ///
  /// An organization that is not in it is removed from the account.
  public var organizations: [OrganizationID]?
  /// The complete permission of the account.
  public var permission: Permission?

  public init() {}

  public var isEmpty: Bool { self == AccountChange() }

  /// The address and the number that the change contains.
  var written: [Recipient] {
    var written: [Recipient] = []
    if case .set(let address) = email { written.append(.email(address)) }
    if case .set(let number) = phone { written.append(.phone(number)) }
    return written
  }

  /// The new address and the new number, because only one account can have them.
  var subjects: [Subject] { written.map { Subject($0) } }
}

/// A changed member of an account, by the name that requests use.
///
/// The security log contains the names of the changed members, never their values.
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

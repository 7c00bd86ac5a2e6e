import JSONText
public import SignInModel
import SignInWire

/// A new account as text, from a request or a command line.
public struct UnparsedAccount: Sendable {
  /// The members that can be wrong, by the names that requests use.
  public enum Member: String, Sendable {
    case name
    case role
    case email
    case phoneNumber = "phone_number"
    case organizations
    case permissions
  }

  /// The first wrong member.
  ///
  /// Its value is not repeated.
  public struct Mistake: Error, Equatable, Sendable {
    public let member: Member
    public let isMissing: Bool
  }

  public var name: String?
  public var role: String?
  public var email: String?
  public var phone: String?
  public var password: Secret?
  public var organizations: [String] = []
  /// Nil if no permissions were written.
  public var permissions: [Permission.Grant]?

  public init() {}
}

extension AccountCreation {
  /// Applies the same checks to requests and to the command line.
  public init(parsing written: UnparsedAccount) throws(UnparsedAccount.Mistake) {
    func parsed<Value>(
      _ member: UnparsedAccount.Member, _ text: String?,
      _ parse: (String) throws(Malformed) -> Value
    ) throws(UnparsedAccount.Mistake) -> Value {
      guard let text else { throw UnparsedAccount.Mistake(member: member, isMissing: true) }
      do throws(Malformed) { return try parse(text) } catch {
        throw UnparsedAccount.Mistake(member: member, isMissing: false)
      }
    }
    name = try parsed(.name, written.name, PersonName.init(written:))
    guard let role = Account.Role(rawValue: written.role ?? "") else {
      throw UnparsedAccount.Mistake(member: .role, isMissing: written.role == nil)
    }
    self.role = role
    email =
      written.email == nil
      ? nil : try parsed(.email, written.email, EmailAddress.init(parsing:))
    phone = try parsed(.phoneNumber, written.phone, PhoneNumber.init(parsing:))
    password = written.password
    guard written.organizations.count <= Account.organizationLimit else {
      throw UnparsedAccount.Mistake(member: .organizations, isMissing: false)
    }
    var organizations: [OrganizationID] = []
    for text in written.organizations {
      organizations.append(try parsed(.organizations, text, OrganizationID.init(parsing:)))
    }
    self.organizations = organizations
    if let grants = written.permissions {
      guard grants.count <= Permission.grantLimit else {
        throw UnparsedAccount.Mistake(member: .permissions, isMissing: false)
      }
      permission = Permission(grants)
    } else {
      permission = nil
    }
  }
}

extension PersonName {
  /// Parses a name from a command line or a file.
  ///
  /// A request with too many combining marks in a row is refused when its JSON is read. A command
  /// line or a file has no such check before, so it is done here.
  public init(written text: String) throws(Malformed) {
    guard !CombiningMarks.haveRun(in: text, longerThan: Form.marksInARow) else {
      throw Malformed(.personName)
    }
    try self.init(parsing: text)
  }
}

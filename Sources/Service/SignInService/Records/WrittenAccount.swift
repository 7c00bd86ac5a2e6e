public import SignInModel

/// A new account as it was written in a request or on a command line.
public struct WrittenAccount: Sendable {
  /// The members that can be wrong, by the names that requests use.
  public enum Member: String, Sendable {
    case name
    case role
    case email
    case phoneNumber = "phone_number"
    case organizations
  }

  /// The first member that is wrong; its value is not repeated.
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

  public init() {}
}

extension AccountCreation {
  /// The same check for requests and for the command line.
  public init(parsing written: WrittenAccount) throws(WrittenAccount.Mistake) {
    func parsed<Value>(
      _ member: WrittenAccount.Member, _ text: String?, _ parse: (String) throws(Malformed) -> Value
    ) throws(WrittenAccount.Mistake) -> Value {
      guard let text else { throw WrittenAccount.Mistake(member: member, isMissing: true) }
      do throws(Malformed) { return try parse(text) } catch {
        throw WrittenAccount.Mistake(member: member, isMissing: false)
      }
    }
    name = try parsed(.name, written.name, PersonName.init(parsing:))
    guard let role = Account.Role(rawValue: written.role ?? "") else {
      throw WrittenAccount.Mistake(member: .role, isMissing: written.role == nil)
    }
    self.role = role
    email =
      written.email == nil
      ? nil : try parsed(.email, written.email, EmailAddress.init(parsing:))
    phone = try parsed(.phoneNumber, written.phone, PhoneNumber.init(parsing:))
    password = written.password
    var organizations: [OrganizationID] = []
    for text in written.organizations {
      organizations.append(try parsed(.organizations, text, OrganizationID.init(parsing:)))
    }
    self.organizations = organizations
  }
}

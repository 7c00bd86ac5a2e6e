import JSONText
public import SignInModel
public import SignInWire

/// A new account as text, from a request or a command line.
public struct UnparsedAccount: Sendable {
  /// The members that can be wrong.
  public enum Member: CaseIterable, Sendable {
    case name, role, email, phoneNumber, organizations, permissions

    /// The name in requests.
    public var field: WireField {
      switch self {
      case .name: .name
      case .role: .role
      case .email: .email
      case .phoneNumber: .phoneNumber
      case .organizations: .organizations
      case .permissions: .permissions
      }
    }
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

extension UnparsedAccount.Member {
  /// How the member must be written, as an imperative.
  public var remedy: String {
    switch self {
    case .name: "write 1 to \(PersonName.lengthLimit) characters without control characters"
    case .role: "write one of \(AccountRole.allCases.map(\.rawValue).joined(separator: ", "))"
    case .email: "write an address such as name@example.com"
    case .phoneNumber: "write a number such as +4790000001"
    case .organizations: "write at most \(Account.organizationLimit) identifiers of organizations"
    case .permissions:
      "write at most \(Permission.grantLimit) of viewer, support and administrator, each for all"
        + " organizations or for one"
    }
  }

  public var malformed: MemberMistake {
    MemberMistake(member: field.rawValue, problem: "is malformed", remedy: remedy)
  }

  /// The mistake of a text that was refused.
  public func malformed(_ reason: Malformed) -> MemberMistake {
    guard reason.value == .phoneZero else { return malformed }
    return MemberMistake(
      member: field.rawValue, problem: PhoneNumber.zeroProblem, remedy: PhoneNumber.zeroRemedy)
  }

  fileprivate var missing: MemberMistake {
    MemberMistake(member: field.rawValue, problem: "is missing", remedy: remedy)
  }
}

extension AccountCreation {
  /// Applies the same checks to requests and to the command line.
  ///
  /// - Throws: Every mistake. No value is repeated.
  public init(parsing written: UnparsedAccount) throws(Refusal) {
    var mistakes: [MemberMistake] = []
    func parsed<Value>(
      _ member: UnparsedAccount.Member, _ text: String,
      _ parse: (String) throws(Malformed) -> Value
    ) -> Value? {
      do throws(Malformed) { return try parse(text) } catch {
        mistakes.append(member.malformed(error))
        return nil
      }
    }
    func needed<Value>(
      _ member: UnparsedAccount.Member, _ text: String?,
      _ parse: (String) throws(Malformed) -> Value
    ) -> Value? {
      if let text { return parsed(member, text, parse) }
      mistakes.append(member.missing)
      return nil
    }
    let name = needed(.name, written.name, PersonName.init(written:))
    let role = written.role.flatMap { AccountRole(rawValue: $0) }
    if role == nil {
      let member = UnparsedAccount.Member.role
      mistakes.append(written.role == nil ? member.missing : member.malformed)
    }
    let email = written.email.flatMap { parsed(.email, $0, EmailAddress.init(parsing:)) }
    let phone = written.phone.flatMap { parsed(.phoneNumber, $0, PhoneNumber.init(parsing:)) }
    // Riders sign in with their number.
    if role == .rider, written.phone == nil {
      mistakes.append(UnparsedAccount.Member.phoneNumber.missing)
    }
    var organizations: [OrganizationID] = []
    for text in written.organizations.prefix(Account.organizationLimit) {
      guard let id = parsed(.organizations, text, OrganizationID.init(parsing:)) else { break }
      organizations.append(id)
    }
    if written.organizations.count > Account.organizationLimit {
      mistakes.append(UnparsedAccount.Member.organizations.malformed)
    }
    if let grants = written.permissions, grants.count > Permission.grantLimit {
      mistakes.append(UnparsedAccount.Member.permissions.malformed)
    }
    guard mistakes.isEmpty, let name, let role else {
      throw Refusal.mistaken(mistakes)
    }
    self.init(
      name: name, role: role, email: email, phone: phone, password: written.password,
      organizations: organizations, permission: written.permissions.map { Permission($0) })
  }
}

extension PhoneNumber {
  /// Why a number with a zero in front of its national part is refused.
  static let zeroProblem = "has a 0 after its calling code that may not belong to the number"
  /// How such a number must be written, as an imperative.
  static let zeroRemedy =
    "write the digits that are dialled from another country, such as +4790000001"
}

extension Refusal {
  /// The refusal of a parameter `phone_number`.
  public static func malformedNumber(_ reason: Malformed) -> Refusal {
    reason.value == .phoneZero
      ? invalidRequest("phone_number \(PhoneNumber.zeroProblem): \(PhoneNumber.zeroRemedy)")
      : invalidRequest("phone_number must be in E.164 form")
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

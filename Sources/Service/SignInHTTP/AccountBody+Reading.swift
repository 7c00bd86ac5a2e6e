import JSONText
import SignInModel
import SignInService
import SignInWire

/// The members of an account, and the mistakes in them.
private struct AccountMembers {
  let body: AccountBody
  private(set) var mistakes: [MemberMistake] = []

  init(reading json: JSON) {
    var wrong: [WireField] = []
    body = AccountBody(json, wrong: &wrong)
    for member in UnparsedAccount.Member.allCases where wrong.contains(member.field) {
      mistakes.append(member.malformed)
    }
  }

  /// Adds a mistake, unless the member has one already.
  mutating func add(_ mistake: MemberMistake) {
    if !mistakes.contains(where: { $0.member == mistake.member }) { mistakes.append(mistake) }
  }

  /// Parses a member; nil if it is absent or malformed.
  mutating func parsed<Input, Value>(
    _ member: UnparsedAccount.Member, _ input: Input?,
    _ parse: (Input) throws(Malformed) -> Value?
  ) -> Value? {
    guard let input else { return nil }
    do throws(Malformed) {
      let value = try parse(input)
      if value == nil { add(member.malformed) }
      return value
    } catch {
      add(member.malformed(error))
      return nil
    }
  }

  mutating func grants() -> [Permission.Grant]? {
    parsed(.permissions, body.permissions) { (permissions) throws(Malformed) in
      guard permissions.count <= Permission.grantLimit else { return nil }
      return try permissions.map(Permission.Grant.init(parsing:))
    }
  }
}

extension Permission.Grant {
  fileprivate init(parsing body: PermissionBody) throws(Malformed) {
    guard let level = body.level.flatMap({ Permission.Level(rawValue: $0) }) else {
      throw Malformed(.identifier)
    }
    switch body.organization {
    case nil: self.init(level)
    case .null?: throw Malformed(.identifier)
    case .text(let text)?: self.init(level, in: try OrganizationID(parsing: text))
    }
  }
}

extension NullableText {
  fileprivate var text: String? {
    if case .text(let text) = self { text } else { nil }
  }
}

extension AccountCreation {
  init(reading json: JSON) throws(Refusal) {
    var members = AccountMembers(reading: json)
    let body = members.body
    var written = UnparsedAccount()
    written.name = body.name
    written.role = body.role
    written.email = body.email?.text
    written.phone = body.phone?.text
    written.organizations = body.organizations ?? []
    written.permissions = members.grants()
    written.password = try FirstPasswordBody(json).password
    do throws(Refusal) {
      try self.init(parsing: written)
      if !members.mistakes.isEmpty { throw Refusal.mistaken(members.mistakes) }
    } catch {
      for mistake in error.mistakes { members.add(mistake) }
      throw Refusal.mistaken(members.mistakes)
    }
  }
}

extension AccountChange {
  init(reading json: JSON) throws(Refusal) {
    self.init()
    var members = AccountMembers(reading: json)
    let body = members.body
    let decision = try StatusChangeBody(json)
    if let text = decision.status {
      status = try WireField.status.needed(AccountStatus(rawValue: text))
    }
    if let text = decision.reason {
      guard status == .deactivated else {
        throw Refusal.invalidRequest("only a deactivation has a reason")
      }
      do throws(Malformed) { reason = try TextLine(parsing: text) } catch {
        throw Refusal.invalidRequest(
          "reason must have 1 to \(TextLine.lengthLimit) characters and no control codes")
      }
    }
    name = members.parsed(.name, body.name, PersonName.init(parsing:))
    email = members.parsed(.email, body.email) { (email) throws(Malformed) in
      guard let text = email.text else { return .removed }
      return .set(try EmailAddress(parsing: text))
    }
    phone = members.parsed(.phoneNumber, body.phone) { (phone) throws(Malformed) in
      guard let text = phone.text else { return .removed }
      return .set(try PhoneNumber(parsing: text))
    }
    role = members.parsed(.role, body.role) { AccountRole(rawValue: $0) }
    organizations = members.parsed(.organizations, body.organizations) {
      (texts) throws(Malformed) in
      guard texts.count <= Account.organizationLimit else { return nil }
      return try texts.map(OrganizationID.init(parsing:))
    }
    permission = members.grants().map { Permission($0) }
    // An e-mail address or a number that is null is removed. For other members, null is a mistake.
    let removable = [WireField.email.rawValue, WireField.phoneNumber.rawValue]
    for member in json.objectMembers ?? []
    where member.value == .null && !removable.contains(member.key) {
      members.add(
        MemberMistake(member: member.key, problem: "is null", remedy: "leave it out, or write it"))
    }
    if !members.mistakes.isEmpty {
      throw Refusal.mistaken(members.mistakes)
    }
    if isEmpty {
      throw Refusal.invalidRequest("the request has no member to change")
    }
  }
}

import JSONText
import SignInModel
import SignInService
import SignInWire

/// Reads the members of an account and collects all mistakes.
private struct AccountBody {
  let body: JSONBody
  private(set) var mistakes: [MemberMistake] = []

  init(_ body: JSONBody) { self.body = body }

  /// Adds a mistake, unless the member has one already.
  mutating func add(_ mistake: MemberMistake) {
    if !mistakes.contains(where: { $0.member == mistake.member }) { mistakes.append(mistake) }
  }

  private mutating func read<Value>(
    _ member: UnparsedAccount.Member, _ value: (JSONBody) throws(Refusal) -> Value?
  ) -> Value? {
    do throws(Refusal) { return try value(body) } catch {
      add(member.malformed)
      return nil
    }
  }

  /// The text of a member; nil if it is absent, null or not a text.
  mutating func text(_ member: UnparsedAccount.Member) -> String? {
    read(member) { (body) throws(Refusal) in try body.text(member.field) }
  }

  mutating func parsed<Value, Fault>(
    _ member: UnparsedAccount.Member, _ parse: (String) throws(Fault) -> Value
  ) -> Value? {
    read(member) { (body) throws(Refusal) in
      guard let text = try body.text(member.field) else { return nil }
      return try body.parsed(member.field, text, parse)
    }
  }

  /// The elements of a list; nil if it is absent.
  mutating func organizations<Value>(
    _ parse: (String) throws(Malformed) -> Value
  ) -> [Value]? {
    let member = UnparsedAccount.Member.organizations
    guard body.json[member.field] != nil else { return nil }
    return read(member) { (body) throws(Refusal) in
      let list = try body.list(member.field, parse)
      guard list.count <= Account.organizationLimit else {
        throw Refusal.wrongMember(member.field)
      }
      return list
    }
  }

  /// The permissions in a list; nil if the member is absent or null.
  mutating func grants() -> [Permission.Grant]? {
    let member = UnparsedAccount.Member.permissions
    if body.json[member.field] == nil || body.json[member.field] == .null { return nil }
    return read(member) { (body) throws(Refusal) in
      let grants = try body.objects(member.field, Permission.Grant.init(reading:))
      guard grants.count <= Permission.grantLimit else {
        throw Refusal.wrongMember(member.field)
      }
      return grants
    }
  }
}

extension Permission.Grant {
  fileprivate init?(reading json: JSON) {
    guard let level = json["level"]?.text.flatMap({ Permission.Level(rawValue: $0) }) else {
      return nil
    }
    guard let organization = json["organization"] else {
      self.init(level)
      return
    }
    do throws(Malformed) {
      self.init(level, in: try OrganizationID(parsing: organization.text ?? ""))
    } catch {
      return nil
    }
  }
}

extension AccountCreation {
  init(reading json: JSONBody) throws(Refusal) {
    var body = AccountBody(json)
    var written = UnparsedAccount()
    written.name = body.text(.name)
    written.role = body.text(.role)
    written.email = body.text(.email)
    written.phone = body.text(.phoneNumber)
    written.organizations = body.organizations { (text) throws(Malformed) in text } ?? []
    written.permissions = body.grants()
    written.password = try json.text(.password).map { Secret($0) }
    do throws(MemberMistakes) {
      try self.init(parsing: written)
      if !body.mistakes.isEmpty { throw MemberMistakes(mistakes: body.mistakes) }
    } catch {
      for mistake in error.mistakes { body.add(mistake) }
      throw MemberMistakes(mistakes: body.mistakes).refusal
    }
  }
}

extension AccountChange {
  init(reading json: JSONBody) throws(Refusal) {
    self.init()
    var body = AccountBody(json)
    if let text = try json.text(.status) {
      guard let status = Account.Status(rawValue: text) else {
        throw Refusal.wrongMember(.status)
      }
      self.status = status
    }
    name = body.parsed(.name, PersonName.init(parsing:))
    if json.json[.email] == .null {
      email = .removed
    } else {
      email = body.parsed(.email, EmailAddress.init(parsing:)).map { .set($0) }
    }
    if json.json[.phoneNumber] == .null {
      phone = .removed
    } else {
      phone = body.parsed(.phoneNumber, PhoneNumber.init(parsing:)).map { .set($0) }
    }
    if let text = body.text(.role) {
      role = Account.Role(rawValue: text)
      if role == nil { body.add(UnparsedAccount.Member.role.malformed) }
    }
    organizations = body.organizations(OrganizationID.init(parsing:))
    permission = body.grants().map { Permission($0) }
    // An e-mail address or a number that is null is removed. For other members, null is a mistake.
    let removable = [RequestField.email.rawValue, RequestField.phoneNumber.rawValue]
    for member in json.json.objectMembers ?? []
    where member.value == .null && !removable.contains(member.key) {
      body.add(
        MemberMistake(member: member.key, problem: "is null", remedy: "leave it out, or write it"))
    }
    if !body.mistakes.isEmpty {
      throw MemberMistakes(mistakes: body.mistakes).refusal
    }
    if isEmpty {
      throw Refusal.invalidRequest("the request has no member to change")
    }
  }
}

import JSONText
import SignInModel
import SignInWire

extension ConfigurationShape {
  /// The policy keys of an app that an administrator may change while the server runs.
  static let clientPolicy = ConfigurationShape.object(policyMembers)

  /// The policy keys of an organization: all keys of an app, except the budgets for all
  /// organizations together.
  static let organizationPolicy = ConfigurationShape.object(
    members(of: PolicyRow.table.filter { $0.organization != .noValue })
  ).withoutDefaults

  /// The default values.
  static let standard = AppRegistration(
    id: ClientID("standard"), name: "", home: .dashboard, signIn: .passwordAndCode, roles: [],
    scopes: []
  )

  static let policyMembers = members(of: PolicyRow.table)

  private static func members(of rows: [PolicyRow]) -> [ConfigurationMember] {
    rows.map(\.key).nested { key, name in
      let row = PolicyRow.of(key)
      return .optional(
        name, ConfigurationShape(key.field.form), row.help,
        standard: key.field.hasDefault ? row.standard : nil)
    } object: { name, members in
      .optional(name, .object(members), PolicyRow.objects[name] ?? "")
    }
  }

  private init(_ form: PolicyValue.Form) {
    switch form {
    case .number(let range): self = .number(range)
    case .choice(let words): self = .choice(words)
    case .callingCodes: self = .list(of: .text(.numberPrefix), atLeast: 1)
    case .message: self = .text(.message)
    }
  }
}

extension ConfigurationShape {
  /// The same shape without defaults.
  ///
  /// If a key is absent, the value of another source applies.
  var withoutDefaults: ConfigurationShape {
    switch self {
    case .object(let members):
      .object(
        members.map { member in
          .optional(member.key, member.shape.withoutDefaults, member.help)
        }
      )
    case .list(let element, let least, let most):
      .list(of: element.withoutDefaults, atLeast: least, atMost: most)
    case .text, .number, .flag, .choice, .flagOrChoice, .kinds: self
    }
  }
}

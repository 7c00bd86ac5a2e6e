import JSONText
import SignInModel
import SignInWire

extension ConfigurationShape {
  /// The policy keys of an app that an administrator may change while the server runs.
  static let clientPolicy = ConfigurationShape.object(policyMembers)

  /// The policy keys of an organization: all keys of an app, except the budgets for all
  /// organizations together.
  static let organizationPolicy = ConfigurationShape.object(
    members(of: PolicyKey.inConfigurationOrder.filter { $0.field.organization != .noValue })
  ).withoutDefaults

  /// The default values.
  static let standard = AppRegistration(
    id: ClientID("standard"), name: "", home: .dashboard, signIn: .passwordAndCode, roles: [],
    scopes: []
  )

  static let policyMembers = members(of: PolicyKey.inConfigurationOrder)

  private static func members(of keys: [PolicyKey]) -> [ConfigurationMember] {
    keys.nested { key, name in
      let field = key.field
      return .optional(
        name, ConfigurationShape(field.form), key.help,
        standard: field.standard == .null ? nil : field.standard)
    } object: { name, members in
      .optional(name, .object(members), PolicyKey.objects[name] ?? "")
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
    case .text, .number, .flag, .choice, .flagOrChoice, .textOr, .kinds: self
    }
  }
}

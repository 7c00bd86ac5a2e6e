import JSONText
import SignInService
import SignInWire

extension Schema.Name {
  static let clientMembers: [Schema.Member] =
    [
      .required(.id, .text), .required(.name, .text), .required(.home, .text),
      .required(.signIn, .word(AppRegistration.SignIn.allCases.map { $0.rawValue })),
      .required(.roles, .list(role)), .required(.scopes, .list(.text)),
      .required(.dpopRequired, .flag), .required(.requireDPoPNonce, .flag),
      .optional(.defaultCountry, .text), .required(.allowRegistration, .flag),
      .required(.securityNoticesBySMS, .flag),
      .required(.changes, .reference(.policyChanges), "The values that administrators changed"),
    ] + policy(isWhole: true) { $0 }

  /// A client in a list.
  ///
  /// The policy is included only if the administrator may read it.
  static let listedClientMembers: [Schema.Member] = clientMembers.map { member in
    Schema.Member(
      name: member.name, schema: member.schema,
      isRequired: [WireField.id, .name].map(\.rawValue).contains(member.name), note: member.note
    )
  }

  static let organizationMembers: [Schema.Member] = [
    .required(.id, .text), .required(.name, .text),
    .required(.policy, .reference(.policyChanges), "The values that differ for its members"),
    .required(.changes, .reference(.policyChanges), "The values that administrators changed"),
  ]

  /// The members of a policy, with the keys of the configuration.
  ///
  /// If `isWhole` is `true`, all members are required. Otherwise only changed members are present.
  /// `form` transforms the schema of each value.
  static func policy(isWhole: Bool, _ form: (Schema) -> Schema) -> [Schema.Member] {
    PolicyKey.allCases.nested { key, name in
      Schema.Member(
        name: name, schema: form(Schema(key.field.form)),
        isRequired: isWhole && key.field.standard != .null, note: key.help)
    } object: { name, members in
      Schema.Member(
        name: name, schema: form(.object(members)),
        isRequired: members.contains(where: \.isRequired),
        note: PolicyKey.objects[name])
    }
  }

  static let policyValueMembers: [Schema.Member] = [
    .required(.key, .word(PolicyKey.allCases.map { $0.rawValue })),
    .required(
      .value, .anything,
      "The current value, in the form of the configuration; null if it is not set"),
    .required(
      .source, .word(PolicyValue.Source.allCases.map { $0.rawValue }),
      "The source of the value; client if the organization sets no value or a weaker one"
    ),
    .required(
      .configured, .anything, "The value without the changes of administrators at this place"),
    .required(.own, .anything, "The value of the organization, or null"),
    .required(.changed, .flag, "Whether administrators changed it at this place"),
    .required(.form, .word(["number", "choice", "calling_codes", "message"])),
    .optional(.minimum, .number, "Of a number; it depends on the other values"),
    .optional(.maximum, .number), .optional(.choices, .list(.text)),
  ]
}

extension Schema {
  fileprivate init(_ form: PolicyValue.Form) {
    switch form {
    case .number(let range): self = .whole(range)
    case .choice(let words): self = .word(words)
    case .callingCodes: self = .callingCodes
    case .message: self = .text(upTo: PolicyKey.textLengthLimit, atLeast: 1)
    }
  }
}

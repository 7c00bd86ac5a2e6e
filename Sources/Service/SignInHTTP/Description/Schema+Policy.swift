import SignInRules
import SignInService
import SignInWire

extension Schema.Name {
  static let clientMembers: [Schema.Member] =
    [
      .required("id", .text), .required("name", .text), .required("home", .text),
      .required("sign_in", .word(AppClient.SignIn.allCases.map { $0.rawValue })),
      .required("roles", .list(role)), .required("scopes", .list(.text)),
      .required("dpop_required", .flag), .required("require_dpop_nonce", .flag),
      .optional("default_country", .text), .required("allow_registration", .flag),
      .required("security_notices_by_sms", .flag),
      .required("changes", .reference(.policyChanges), "The values that administrators changed"),
    ] + policy(isWhole: true) { $0 }

  /// A client in a list.
  ///
  /// The policy is included only if the administrator may read it.
  static let listedClientMembers: [Schema.Member] = clientMembers.map { member in
    Schema.Member(
      name: member.name, schema: member.schema,
      isRequired: member.name == "id" || member.name == "name", note: member.note
    )
  }

  static let organizationMembers: [Schema.Member] = [
    .required("id", .text), .required("name", .text),
    .required("policy", .reference(.policyChanges), "The values that differ for its members"),
    .required("changes", .reference(.policyChanges), "The values that administrators changed"),
  ]

  /// The members of a policy, with the keys of the configuration.
  ///
  /// If `isWhole` is `true`, all members are required. Otherwise only changed members are present.
  /// `form` transforms the schema of each value.
  static func policy(isWhole: Bool, _ form: (Schema) -> Schema) -> [Schema.Member] {
    func member(_ name: String, _ schema: Schema, _ note: String? = nil) -> Schema.Member {
      Schema.Member(name: name, schema: form(schema), isRequired: isWhole, note: note)
    }
    func number(_ key: String) -> Schema {
      guard let range = PolicyKey(rawValue: key)?.range else {
        preconditionFailure("\(key) is not a number in a policy")
      }
      return .whole(range)
    }
    func numbers(_ group: String, _ names: [String]) -> Schema {
      .object(names.map { member($0, number("\(group).\($0)")) })
    }
    let message = Schema.text(upTo: PolicyKey.textLengthLimit, atLeast: 1)
    func optional(_ name: String, _ schema: Schema, _ note: String? = nil) -> Schema.Member {
      .optional(name, form(schema), note)
    }
    return [
      member("disclosure", .word(["concealed", "disclosed"])),
      member("code", numbers("code", ["digits", "life_seconds", "resend_seconds"])),
      member(
        "lockout",
        numbers("lockout", ["failures", "lock_seconds", "longest_lock_seconds", "stop_after"])
      ),
      member("throttle", numbers("throttle", throttleKeys)),
      member("messages", numbers("messages", messageKeys)),
      optional("countries", .callingCodes, "Calling codes; if absent, that of the default country"),
      optional(
        "texts",
        .object(
          [optional("sign_in", message), optional("password_reset", message)]
            + ["sign_in", "password_reset"].flatMap { purpose in
              MessageLanguage.allCases.map { optional("\(purpose)_\($0.rawValue)", message) }
            }),
        "With {code}; {minutes} and {host} are optional"
      ),
      member("access_token_seconds", number("access_token_seconds")),
      member("session_seconds", number("session_seconds")),
      member("idle_seconds", number("idle_seconds")),
      member("background_seconds", number("background_seconds")),
      member("offline_seconds", number("offline_seconds")),
      member("unlock", .word(AppClient.Unlock.allCases.map { $0.rawValue })),
      member(
        "password_reset", .word(PasswordResetMode.allCases.map { $0.rawValue }),
        "How a forgotten password is replaced"
      ),
      member("password_reset_wait_seconds", number("password_reset_wait_seconds")),
    ]
  }

  static let policyValueMembers: [Schema.Member] = [
    .required("key", .word(PolicyKey.allCases.map { $0.rawValue })),
    .required(
      "value", .anything,
      "The current value, in the form of the configuration; null if it is not set"),
    .required(
      "source", .word(PolicyValue.Source.allCases.map { $0.rawValue }),
      "The source of the value; client if the organization sets no value or a weaker one"
    ),
    .required(
      "configured", .anything, "The value without the changes of administrators at this place"),
    .required("own", .anything, "The value of the organization, or null"),
    .required("changed", .flag, "Whether administrators changed it at this place"),
    .required("form", .word(["number", "choice", "calling_codes", "message"])),
    .optional("minimum", .number, "Of a number; it depends on the other values"),
    .optional("maximum", .number), .optional("choices", .list(.text)),
  ]

  private static let throttleKeys = [
    "sends_per_address_per_hour", "failures_per_address_per_hour", "sends_per_device_per_hour",
  ]

  private static let messageKeys = [
    "per_number_per_hour", "per_number_per_day", "per_prefix_per_day",
    "per_organization_per_day", "per_day", "price_per_day", "brake_after", "brake_percent",
  ]
}

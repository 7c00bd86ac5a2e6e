import JSONText
import SignInModel
import SignInRules

extension ConfigurationShape {
  /// The policy keys of an app that an administrator may change while the server runs.
  static let clientPolicy = ConfigurationShape.object(policyMembers)

  /// The policy keys of an organization: all keys of an app, except the budgets for all
  /// organizations together.
  static let organizationPolicy = ConfigurationShape.object(
    policyMembers.map { member in
      guard member.key == "messages", case .object(let budgets) = member.shape else {
        return member
      }
      let ofApp: Set = ["per_day", "price_per_day", "brake_after", "brake_percent"]
      let own = budgets.filter { !ofApp.contains($0.key) }
      return .optional(member.key, .object(own), member.help)
    }
  ).withoutDefaults

  /// The default values.
  static let standard = AppClient(
    id: ClientID("standard"), name: "", home: .dashboard, signIn: .passwordAndCode, roles: [],
    scopes: []
  )

  static let policyMembers: [ConfigurationMember] = [
    .optional(
      "disclosure",
      .choice(AccountDisclosure.allCases.map(\.rawValue)),
      "Answers for unknown accounts: concealed like those for known ones, or disclosed",
      standard: .string(standard.disclosure.rawValue)),
    .optional("code", code, "Codes by text message"),
    .optional("lockout", lockout, "Lockout after failed attempts"),
    .optional("throttle", throttle, "Rate limits of one network address and of one device"),
    .optional("messages", messages, "Limits for the number of text messages and their cost"),
    .optional(
      "countries",
      .list(of: .text(.numberPrefix), atLeast: 1),
      "Calling codes to which messages may go, or ranges inside one such as +1-242, because +1"
        + " alone includes premium ranges; if absent, the default country's, or any registered"
        + " number"
    ),
    .optional(
      "texts", texts, "Texts of messages, in place of the standard texts in every language"),
    .optional(
      "access_token_seconds",
      .number(AppClient.Limits.accessTokenSeconds),
      "Lifetime of an access token", standard: .int(standard.accessTokenSeconds)),
    .optional(
      "session_seconds",
      .number(AppClient.Limits.sessionSeconds),
      "Longest lifetime of a session", standard: .int(standard.sessionSeconds)),
    .optional(
      "idle_seconds",
      .number(AppClient.Limits.idleSeconds),
      "Idle timeout of a session; at most the length of the session",
      standard: .int(standard.idleSeconds)),
    .optional(
      "background_seconds",
      .number(AppClient.Limits.backgroundSeconds),
      "Time in the background after which the app must be unlocked",
      standard: .int(standard.backgroundSeconds)),
    .optional(
      "unlock", .choice(AppClient.Unlock.allCases.map(\.rawValue)), "Method of unlocking the app",
      standard: .string(standard.unlock.rawValue)),
    .optional(
      "offline_seconds",
      .number(AppClient.Limits.offlineSeconds),
      "Time in which synced data may be read without a connection to the server; 0 for no offline "
        + "copy",
      standard: .int(standard.offlineSeconds)),
    .optional(
      "password_reset", .choice(PasswordResetMode.allCases.map(\.rawValue)),
      "Method of replacing a forgotten password; an administrator's is always replaced by another "
        + "administrator",
      standard: .string(standard.passwordReset.rawValue)),
    .optional(
      "password_reset_wait_seconds",
      .number(AppClient.Limits.passwordResetWaitSeconds),
      "Wait before a new password that was chosen on an unknown device takes effect",
      standard: .int(standard.passwordResetWaitSeconds)),
  ]

  private static let code = ConfigurationShape.object([
    .optional(
      "digits", .number(AppClient.Limits.codeDigits), "Digits of a code",
      standard: .int(standard.code.digits)),
    .optional(
      "life_seconds", .number(AppClient.Limits.codeLifeSeconds), "Lifetime of a code",
      standard: .int(standard.code.lifeSeconds)),
    .optional(
      "resend_seconds",
      .number(AppClient.Limits.codeResendSeconds),
      "Wait between two codes", standard: .int(standard.code.resendSeconds)),
  ])

  private static let lockout = ConfigurationShape.object([
    .optional(
      "failures",
      .number(AppClient.Limits.lockoutFailures),
      "Failed attempts before a lockout", standard: .int(standard.lockout.failureLimit)),
    .optional(
      "lock_seconds", .number(AppClient.Limits.lockSeconds),
      "Length of the first lockout; each further lockout is twice as long",
      standard: .int(standard.lockout.lockSeconds)),
    .optional(
      "longest_lock_seconds",
      .number(AppClient.Limits.longestLockSeconds),
      "Longest lockout", standard: .int(standard.lockout.longestLockSeconds)),
    .optional(
      "stop_after",
      .number(AppClient.Limits.lockoutStopAfter),
      "Failed attempts in a row before a stop, which only a reset or an administrator removes",
      standard: .int(standard.lockout.stopLimit)),
  ])

  private static let texts = ConfigurationShape.object(
    [
      .optional("sign_in", .text(.message), "Text of a message with a code to sign in"),
      .optional(
        "password_reset", .text(.message), "Text of a message with a code to set a new password"),
    ]
      + MessageTemplate.languageKeys.map { key in
        .optional(key, .text(.message), "The same text in this language")
      })
}

// MARK: - Throttles

extension ConfigurationShape {
  private static let throttle = ConfigurationShape.object([
    .optional(
      "sends_per_address_per_hour", .number(AppClient.Limits.originPerHour),
      "Messages per hour that one network address may cause; a completed sign-in gives its message "
        + "back",
      standard: .int(standard.throttle.addressSendsPerHour)),
    .optional(
      "failures_per_address_per_hour", .number(AppClient.Limits.originPerHour),
      "Failed attempts per hour from one network address",
      standard: .int(standard.throttle.addressFailuresPerHour)),
    .optional(
      "sends_per_device_per_hour", .number(AppClient.Limits.originPerHour),
      "Messages per hour that one device key may cause; a completed sign-in resets the count",
      standard: .int(standard.throttle.deviceSendsPerHour)),
  ])

  private static let messages = ConfigurationShape.object([
    .optional(
      "per_number_per_hour", .number(AppClient.Limits.messagesPerNumber),
      "Messages to one number in an hour, for each known device and for all unknown ones together",
      standard: .int(standard.messages.perNumberPerHour)),
    .optional(
      "per_number_per_day", .number(AppClient.Limits.messagesPerNumber),
      "Messages to one number in a day; at least per_number_per_hour",
      standard: .int(standard.messages.perNumberPerDay)),
    .optional(
      "per_prefix_per_day", .number(AppClient.Limits.messageBudget),
      "Messages in a day to numbers that differ in the last four digits only",
      standard: .int(standard.messages.perPrefixPerDay)),
    .optional(
      "per_organization_per_day", .number(AppClient.Limits.messageBudget),
      "Messages in a day to people of one organization",
      standard: .int(standard.messages.perOrganizationPerDay)),
    .optional(
      "per_day", .number(AppClient.Limits.messageBudget), "All messages of the app in a day",
      standard: .int(standard.messages.perDay)),
    .optional(
      "price_per_day", .number(AppClient.Limits.price),
      "Limit for the cost of an app's messages in a day, in millionths of the currency; applies to "
        + "numbers with an entry in prices",
      standard: .int(standard.messages.pricePerDay)),
    .optional(
      "brake_after", .number(AppClient.Limits.messageBudget),
      "Messages in a day to one number block before brake_percent applies",
      standard: .int(standard.messages.brake.afterSent)),
    .optional(
      "brake_percent", .number(AppClient.Limits.brakePercent),
      "Minimum percentage of codes entered in such a block",
      standard: .int(standard.messages.brake.leastPercent)),
  ])
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

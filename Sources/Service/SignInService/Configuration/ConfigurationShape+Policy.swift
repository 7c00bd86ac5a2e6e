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
      "Whether answers tell that an account does not exist",
      standard: .string(standard.disclosure.rawValue)),
    .optional("code", code, "Codes by text message"),
    .optional("lockout", lockout, "What wrong answers lead to"),
    .optional("throttle", throttle, "How often one address and one device may try"),
    .optional("messages", messages, "How many text messages may be sent"),
    .optional(
      "countries",
      .list(of: .text(.numberPrefix), atLeast: 1),
      "Calling codes messages may go to, or ranges inside one such as +1-242, for +1 alone admits"
        + " premium ranges; if absent the default country's, or any registered number"
    ),
    .optional(
      "texts", texts, "What text messages say, in place of the standard texts in every language"),
    .optional(
      "access_token_seconds",
      .number(AppClient.Limits.accessTokenSeconds),
      "Life of an access token", standard: .int(standard.accessTokenSeconds)),
    .optional(
      "session_seconds",
      .number(AppClient.Limits.sessionSeconds),
      "Longest life of a session", standard: .int(standard.sessionSeconds)),
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
      "unlock", .choice(AppClient.Unlock.allCases.map(\.rawValue)), "How it is unlocked",
      standard: .string(standard.unlock.rawValue)),
    .optional(
      "offline_seconds",
      .number(AppClient.Limits.offlineSeconds),
      "How long synced data may be read without seeing the server; 0 for not at all",
      standard: .int(standard.offlineSeconds)),
    .optional(
      "password_reset", .choice(PasswordResetMode.allCases.map(\.rawValue)),
      "How a forgotten password is replaced; an administrator's always by another administrator",
      standard: .string(standard.passwordReset.rawValue)),
    .optional(
      "password_reset_wait_seconds",
      .number(AppClient.Limits.passwordResetWaitSeconds),
      "How long a new password waits that was chosen on an unknown device",
      standard: .int(standard.passwordResetWaitSeconds)),
  ]

  private static let code = ConfigurationShape.object([
    .optional(
      "digits", .number(AppClient.Limits.codeDigits), "Digits of a code",
      standard: .int(standard.code.digits)),
    .optional(
      "life_seconds", .number(AppClient.Limits.codeLifeSeconds), "Life of a code",
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
      "Wrong answers that lock an account", standard: .int(standard.lockout.failureLimit)),
    .optional(
      "lock_seconds", .number(AppClient.Limits.lockSeconds), "First lock; each doubles",
      standard: .int(standard.lockout.lockSeconds)),
    .optional(
      "longest_lock_seconds",
      .number(AppClient.Limits.longestLockSeconds),
      "Longest lock", standard: .int(standard.lockout.longestLockSeconds)),
    .optional(
      "stop_after",
      .number(AppClient.Limits.lockoutStopAfter),
      "Wrong answers in a row after which only a reset or an administrator helps",
      standard: .int(standard.lockout.stopLimit)),
  ])

  private static let texts = ConfigurationShape.object(
    [
      .optional("sign_in", .text(.message), "With a code to sign in"),
      .optional("password_reset", .text(.message), "With a code to set a new password"),
    ]
      + MessageTemplate.languageKeys.map { key in
        .optional(key, .text(.message), "The same for who reads this language")
      })
}

// MARK: - Throttles

extension ConfigurationShape {
  private static let throttle = ConfigurationShape.object([
    .optional(
      "sends_per_address_per_hour", .number(AppClient.Limits.originPerHour),
      "Messages one network address may cause; those answered do not count",
      standard: .int(standard.throttle.addressSendsPerHour)),
    .optional(
      "failures_per_address_per_hour", .number(AppClient.Limits.originPerHour),
      "Wrong answers from one network address",
      standard: .int(standard.throttle.addressFailuresPerHour)),
    .optional(
      "sends_per_device_per_hour", .number(AppClient.Limits.originPerHour),
      "Messages one device key may cause; a complete sign-in resets the count",
      standard: .int(standard.throttle.deviceSendsPerHour)),
  ])

  private static let messages = ConfigurationShape.object([
    .optional(
      "per_number_per_hour", .number(AppClient.Limits.messagesPerNumber),
      "To one number, for each known device and for all unknown ones together",
      standard: .int(standard.messages.perNumberPerHour)),
    .optional(
      "per_number_per_day", .number(AppClient.Limits.messagesPerNumber),
      "To one number; at least per_number_per_hour",
      standard: .int(standard.messages.perNumberPerDay)),
    .optional(
      "per_prefix_per_day", .number(AppClient.Limits.messageBudget),
      "To numbers that differ in the last four digits only",
      standard: .int(standard.messages.perPrefixPerDay)),
    .optional(
      "per_organization_per_day", .number(AppClient.Limits.messageBudget),
      "To people of one organization", standard: .int(standard.messages.perOrganizationPerDay)),
    .optional(
      "per_day", .number(AppClient.Limits.messageBudget), "All messages of the app",
      standard: .int(standard.messages.perDay)),
    .optional(
      "price_per_day", .number(AppClient.Limits.price),
      "What they may cost, in millionths; counts where `prices` names one",
      standard: .int(standard.messages.pricePerDay)),
    .optional(
      "brake_after", .number(AppClient.Limits.messageBudget),
      "Messages in a day to numbers that differ in the last four digits, after which so many"
        + " must have been entered", standard: .int(standard.messages.brake.afterSent)),
    .optional(
      "brake_percent", .number(AppClient.Limits.brakePercent), "How many of a hundred that is",
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

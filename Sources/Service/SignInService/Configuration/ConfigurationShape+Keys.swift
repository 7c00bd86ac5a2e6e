import JSONText
import SignInModel
import SignInRules

extension ConfigurationShape {
  /// The whole configuration, whose keys are part of the contract with operators.
  static let configuration = ConfigurationShape.object([
    .optional("issuer", .text(.issuer), "The address at which people and apps reach the server"),
    .optional("listen", .text(.listenAddress), "The address and port to listen on"),
    .optional("tls", tls, "What the server presents when it speaks TLS itself"),
    .optional("store", .text(.storeLocation), "Where accounts and sessions are kept"),
    .optional("organizations", .list(of: organization, atLeast: 0), "Who uses this server"),
    .required("clients", .list(of: client, atLeast: 1), "The apps that people sign in with"),
    .optional("providers", .list(of: provider, atLeast: 0), "Other places to sign in at"),
    .optional(
      "messengers",
      .list(of: messenger, atLeast: 0),
      "Who carries text messages, in the order in which they are asked"
    ),
    .optional(
      "trusted_proxies",
      .list(of: .text(.networkAddress), atLeast: 0),
      "Addresses of proxies that write X-Forwarded-For; nobody else is believed"
    ),
  ])

  static let portLimits: ClosedRange<Int64> = 1...65535

  private static let provider = ConfigurationShape.kinds(
    providers,
    whenNone: "remove the entry; this version checks passwords and codes itself"
  )

  private static let messenger = ConfigurationShape.kinds(
    messengers,
    whenNone: "remove the entry"
  )

  /// Says what holds where nothing is written.
  private static let standard = AppClient(
    id: ClientID("standard"), name: "", home: .dashboard, signIn: .passwordAndCode, roles: [],
    scopes: []
  )

  private static let tls = ConfigurationShape.object([
    .required("certificate", .text(.path), "PEM file of the certificate and those it rests on"),
    .required("key", .text(.path), "PEM file of the certificate's private key"),
    .optional(
      "allow_tls_1_2", .flag, "Also serve devices that cannot speak TLS 1.3", standard: .bool(false)
    ),
  ])

  private static let organization = ConfigurationShape.object([
    .required("id", .text(.identifier), "How apps name it"),
    .required("name", .text(.line), "How people name it"),
  ])

  private static let client = ConfigurationShape.object([
    .required("id", .text(.identifier), "The OAuth client_id"),
    .required("name", .text(.line), "How people name the app"),
    .required("home", .choice(AppClient.Home.allCases.map(\.rawValue)), "Where people land"),
    .required(
      "sign_in",
      .choice(AppClient.SignIn.allCases.map(\.rawValue)),
      "What people prove"
    ),
    .required(
      "roles",
      .list(of: .choice(Account.Role.allCases.map(\.rawValue)), atLeast: 1),
      "Whose accounts may use the app"
    ),
    .required(
      "scopes",
      .list(of: .text(.scope), atLeast: 1),
      "What its tokens may be asked for"
    ),
    .optional(
      "disclosure",
      .choice(AccountDisclosure.allCases.map(\.rawValue)),
      "Whether answers tell that an account does not exist",
      standard: .string(standard.disclosure.rawValue)),
    .optional(
      "dpop_required", .flag, "Bind tokens to the device's key (RFC 9449)",
      standard: .bool(standard.requiresDPoP)),
    .optional(
      "require_dpop_nonce", .flag, "Demand a server's nonce in every proof (RFC 9449, section 8)",
      standard: .bool(standard.requiresProofNonce)),
    .optional("code", code, "Codes by text message"),
    .optional("lockout", lockout, "What wrong answers lead to"),
    .optional("throttle", throttle, "How often one address and one device may try"),
    .optional("messages", messages, "How many text messages may be sent"),
    .optional(
      "countries",
      .list(of: .text(.callingCode), atLeast: 1),
      "Calling codes messages may go to; if absent the default country's, or any registered number"
    ),
    .optional(
      "allow_weak_codes", .flag, "Accept codes of fewer than six digits",
      standard: .bool(standard.allowsWeakCodes)),
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
      "Life of a session nobody uses; at most that of the session",
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
    .optional("default_country", .text(.callingCode), "Calling code that is filled in at first"),
    .optional(
      "allow_registration", .flag, "Let people ask for an account; needs phone_code",
      standard: .bool(standard.allowsRegistration)),
  ])

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
      "Messages one device key may cause; a complete sign-in starts anew",
      standard: .int(standard.throttle.deviceSendsPerHour)),
  ])

  private static let messages = ConfigurationShape.object([
    .optional(
      "per_number_per_hour", .number(AppClient.Limits.messagesPerNumber),
      "To one number; a complete sign-in starts anew",
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
  ])
}

// MARK: - Kinds

extension ConfigurationShape {
  /// Kinds without an adapter are described too: their mistakes are found before they are usable.
  static let messengers: [ConfigurationKind] = [
    ConfigurationKind(
      name: Configuration.Messenger.inbox,
      use: .developmentOnly,
      members: messengerMembers([])
    ),
    ConfigurationKind(
      name: "azure-communication-services",
      members: messengerMembers([
        .required("endpoint", .text(.secureURL), "The resource's address"),
        .required("from", .text(.line), "The sending number"),
      ]),
      secret: "access_key"
    ),
    ConfigurationKind(
      name: "aws-sns",
      members: messengerMembers([
        .required("region", .text(.identifier), "Such as eu-north-1"),
        .required("access_key_id", .text(.identifier), "The access key's public half"),
        .optional("endpoint", .text(.secureURL), "An address other than the region's own"),
        .optional("sender_id", .text(.line), "The sender's name"),
        .optional("entity_id", .text(.line), "Registered entity, for India"),
        .optional("template_id", .text(.line), "Registered template, for India"),
      ]),
      secret: "secret_access_key"
    ),
    ConfigurationKind(
      name: "twilio",
      members: messengerMembers([
        .required("account_sid", .text(.identifier), "The account"),
        .required("from", .text(.line), "The sending number"),
        .optional("endpoint", .text(.secureURL), "An address other than the vendor's own"),
      ]),
      secret: "auth_token"
    ),
    ConfigurationKind(
      name: "webhook",
      use: .everywhere,
      members: messengerMembers([.required("url", .text(.secureURL), "Where messages are posted")]),
      secret: "secret"
    ),
    ConfigurationKind(
      name: "smpp",
      members: messengerMembers([
        .required("host", .text(.hostName), "The gateway"),
        .required("port", .number(portLimits), "The gateway's port"),
        .required("system_id", .text(.line), "The account at the gateway"),
        .required("source", .text(.line), "The sending number or name"),
        .optional("tls", .flag, "Speak TLS to the gateway"),
      ]),
      secret: "password"
    ),
  ]

  static let providers: [ConfigurationKind] = [
    ConfigurationKind(
      name: "openid",
      members: providerMembers([
        .required("issuer", .text(.issuer), "The provider's issuer"),
        .required("client_id", .text(.line), "Our name at the provider"),
        .required("scopes", .list(of: .text(.scope), atLeast: 1), "What is asked for"),
      ]),
      secret: "client_secret"
    ),
    ConfigurationKind(
      name: "oauth2",
      members: providerMembers([
        .required("authorization_endpoint", .text(.secureURL), "Where people are sent"),
        .required("token_endpoint", .text(.secureURL), "Where codes become tokens"),
        .required("userinfo_endpoint", .text(.secureURL), "Where people are described"),
        .required("client_id", .text(.line), "Our name at the provider"),
        .required("scopes", .list(of: .text(.scope), atLeast: 1), "What is asked for"),
      ]),
      secret: "client_secret"
    ),
    ConfigurationKind(
      name: "saml",
      members: providerMembers([
        .required("issuer", .text(.line), "The provider's entity identifier")
      ])
    ),
  ]

  private static func messengerMembers(_ own: [ConfigurationMember]) -> [ConfigurationMember] {
    [.required("name", .text(.identifier), "How logs and metrics name it")] + own + [
      .optional(
        "countries",
        .list(of: .text(.callingCode), atLeast: 1),
        "Calling codes; every one if absent"
      )
    ]
  }

  private static func providerMembers(_ own: [ConfigurationMember]) -> [ConfigurationMember] {
    [.required("name", .text(.identifier), "How apps name it")] + own + [
      .optional(
        "email_domains",
        .list(of: .text(.hostName), atLeast: 1),
        "Whose addresses sign in there"
      ),
      .optional("organization", .text(.identifier), "Whose people sign in there"),
    ]
  }
}

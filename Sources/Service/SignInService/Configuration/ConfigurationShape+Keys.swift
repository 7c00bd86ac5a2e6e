import JSONText
import SignInModel
import SignInRules
import SignInWire

extension ConfigurationShape {
  /// The whole configuration.
  ///
  /// Its keys are a contract with operators.
  static func configuration(
    _ stores: [StoreKind], _ messengers: [MessengerKind]
  ) -> ConfigurationShape {
    .object(members(stores, messengers))
  }

  private static func members(
    _ stores: [StoreKind], _ messengers: [MessengerKind]
  ) -> [ConfigurationMember] {
    [
      .optional(
        "issuer", .text(.ownIssuer), "The address at which people and apps reach the server"),
      .optional("listen", .text(.listenAddress), "The address and port to listen on"),
      .optional(
        "metrics_listen", .text(.listenAddress),
        "The address and port at which monitoring reads /metrics, which reveals which accounts "
          + "exist"
      ),
      .optional("tls", tls, "Certificate and key, for a server that terminates TLS itself"),
      .optional("store", store(stores), "Location of the database"),
      .optional(
        "organizations", .list(of: organization, atLeast: 0),
        "Organizations whose people use this server"),
      .required("clients", .list(of: client, atLeast: 1), "The apps that people sign in with"),
      .optional(
        "service_accounts", .list(of: serviceAccount, atLeast: 0),
        "Your programs that write or read data"),
      .optional(
        "change_webhooks",
        .list(of: changeWebhook, atLeast: 0, atMost: ChangeSendingLimits.receivers),
        "URLs to which the server posts the changes that people make"),
      .optional(
        "providers", .list(of: provider, atLeast: 0),
        "Identity providers at which people can sign in"),
      .optional(
        "messengers",
        .list(of: messenger(messengers), atLeast: 0),
        "Messengers, in the order in which the server tries them"
      ),
      .optional(
        "prices", .list(of: price, atLeast: 1),
        "Price of one message part by number prefix; the longest matching prefix applies"
      ),
    ] + surroundings
  }

  /// Files beside the configuration, and the network around the server.
  private static var surroundings: [ConfigurationMember] {
    [
      .optional(
        "breached_passwords_file", .text(.path),
        "SHA-1 digests of refused passwords, ordered by hash as Have I Been Pwned does"
      ),
      .optional(
        "places_file", .text(.path),
        "Towns or countries of network addresses, in the MaxMind DB format, for lists of sessions"
      ),
      .optional(
        "security_contact", .text(.contact),
        "Where people report weaknesses of this server; it is shown in /.well-known/security.txt"
      ),
      .optional(
        "event_days", .number(Configuration.eventDayLimits), "Days the security log is kept",
        standard: .int(Configuration.standardEventDays)),
      .optional(
        "trusted_proxies",
        .list(of: .text(.networkRange), atLeast: 0, atMost: Configuration.proxyLimit),
        "Addresses and networks of proxies that write X-Forwarded-For or Forwarded; no other writer"
          + " is trusted"
      ),
      .optional(
        "behind_tls_proxy", .flag,
        "Allow listening without a certificate at a private address, for a proxy that speaks TLS",
        standard: .bool(false)),
      .optional(
        "authorities_file", .text(.path),
        "PEM file with the authorities for all calls to other servers; those of the machine if "
          + "absent"),
      .optional(
        "connections_per_address", .number(Configuration.connectionLimits),
        "Open connections of one network address; trusted proxies have any number",
        standard: .int(Configuration.standardConnectionsPerAddress)),
    ]
  }

  static let portLimits: ClosedRange<Int64> = 1...65535

  private static let provider = ConfigurationShape.kinds(
    providers,
    whenNone: "remove the entry"
  )

  private static func messenger(_ messengers: [MessengerKind]) -> ConfigurationShape {
    .kinds([.inbox] + messengers.map { ConfigurationKind($0) }, whenNone: "remove the entry")
  }

  private static let tls = ConfigurationShape.object([
    .required(
      "certificate", .text(.path),
      "PEM file with the server certificate and its intermediate certificates"),
    .required("key", .text(.path), "PEM file of the certificate's private key"),
    .optional(
      "allow_tls_1_2", .flag, "Also accept TLS 1.2, for devices without TLS 1.3",
      standard: .bool(false)
    ),
  ])

  private static let price = ConfigurationShape.object([
    .required("country", .text(.numberStart), "A calling code, or the beginning of numbers"),
    .required(
      "millionths", .number(Configuration.Price.range),
      "Price of one part, in millionths of your currency"),
  ])

  private static let organization = ConfigurationShape.object([
    .required("id", .text(.identifier), "Identifier that apps send"),
    .required("name", .text(.name), "Name of the organization that people see"),
    policyOfOrganization,
  ])

  private static let policyOfOrganization = ConfigurationMember.optional(
    "policy", organizationPolicy,
    "Policy of the organization; for values that protect accounts, only stricter values than the "
      + "app's take effect"
  )

  /// The keys of an organization that an administrator may change while the server runs.
  static let organizationDocument = ConfigurationShape.object([policyOfOrganization])

  /// The keys of an app that cannot be changed while the server runs.
  static var fixedClientKeys: [String] { (clientIdentity + clientSwitches).map(\.key) }

  private static let client = ConfigurationShape.object(
    clientIdentity + policyMembers + clientSwitches
  )

  private static let clientIdentity: [ConfigurationMember] = [
    .required("id", .text(.identifier), "The OAuth client_id"),
    .required("name", .text(.name), "Name of the app that people see"),
    .optional(
      "home", .choice(AppRegistration.Home.allCases.map(\.rawValue)),
      "First screen after sign-in; none for an app with its own screens",
      standard: .string(AppRegistration.Home.none.rawValue)
    ),
    .required(
      "sign_in",
      .choice(AppRegistration.SignIn.allCases.map(\.rawValue)),
      "Sign-in method: e-mail and password, or phone number; a one-time code follows"
    ),
    .required(
      "roles",
      .list(of: .choice(AccountRole.allCases.map(\.rawValue)), atLeast: 1),
      "Roles whose accounts may use the app"
    ),
    .required(
      "scopes",
      .list(of: .text(.scope), atLeast: 1),
      "Scopes that the app may request, in addition to account and the scope of its home; scopes "
        + "of your own APIs are allowed"
    ),
  ]

  private static let claim = ConfigurationShape.object([
    .required("name", .text(.claimName), "The claim's name, such as https://example.com/role"),
    .required(
      "from", .choice(TokenClaim.Attribute.allCases.map(\.rawValue)),
      "Account attribute that the claim contains"),
  ])

  /// Keys that cannot be changed while the server runs.
  private static let clientSwitches: [ConfigurationMember] = [
    .optional(
      "dpop_required", .flag,
      "Bind tokens to the device's key (RFC 9449); without it programs may take Bearer tokens",
      standard: .bool(standard.requiresDPoP)),
    .optional(
      "require_dpop_nonce", .flag, "Demand a server's nonce in every proof (RFC 9449, section 8)",
      standard: .bool(standard.requiresProofNonce)),
    .optional(
      "line_types", .list(of: .choice(LineType.allCases.map(\.rawValue)), atLeast: 1),
      "Types of phone lines to which messages may go; if absent, ordinary lines only"
    ),
    .optional(
      "android_app_hash", .text(.appHash), "Hash by which Android's SMS Retriever finds the app"),
    .optional(
      "allow_weak_codes", .flag, "Accept codes of fewer than six digits",
      standard: .bool(standard.allowsWeakCodes)),
    .optional(
      "security_notices_by_sms", .flag,
      "Also tell people by text message of a changed password and a new device",
      standard: .bool(standard.sendsNoticesBySMS)),
    .optional(
      "default_country", .text(.callingCode),
      "Calling code with which the phone number field is prefilled"),
    .optional(
      "audiences", .list(of: .text(.resource), atLeast: 1, atMost: AppRegistration.audienceLimit),
      "Your APIs that its tokens are for, by their resource indicators (RFC 8707)"),
    .optional(
      "claims", .list(of: claim, atLeast: 1, atMost: TokenClaim.countLimit),
      "Claims in the app's tokens and user info"),
    .optional(
      "origins", .list(of: .text(.origin), atLeast: 1, atMost: AppRegistration.originLimit),
      "Origins of pages that may call discovery, keys, token, revocation and user info"),
    .optional(
      "providers", .list(of: .text(.identifier), atLeast: 1, atMost: AppRegistration.providerLimit),
      "The names of the identity providers at which its people can sign in"),
    .optional(
      "redirect_uris",
      .list(of: .text(.redirectURI), atLeast: 1, atMost: AppRegistration.redirectURILimit),
      "Addresses at which the app receives the result of a sign-in at a provider; Fieldpass web "
        + "apps need none"),
    .optional(
      "allow_registration", .flag, "Let people ask for an account; needs phone_code",
      standard: .bool(standard.allowsRegistration)),
    .optional(
      "registration_numbers_file", .text(.path),
      "A file with one phone number in each line: if registration_approval is list, these people "
        + "need no approval by an administrator; needs allow_registration"),
  ]
}

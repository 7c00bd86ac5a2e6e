import SignInModel
import SignInService
import SignInWire

extension Schema.Name {
  /// The schemas to which other schemas refer.
  var schema: Schema {
    switch self {
    case .account: .object(Self.accountMembers)
    case .accountPage:
      .object([
        .required(.accounts, .list(.reference(.account)), "Newest first"),
        .nextCursor,
      ])
    case .activity: .object(Self.activityMembers)
    case .activityRecord: .record(.activities)
    case .appProvider: .object(Self.appProviderMembers)
    case .batchResult: .batchResult
    case .broughtProduct: .broughtProduct
    case .change: .change
    case .challenge: .object(Self.challengeMembers)
    case .challengeError: .object(Self.oauthErrorMembers + Self.promptMembers)
    case .client: .object(Self.clientMembers)
    case .listedClient: .object(Self.listedClientMembers)
    case .dashboard: .object(Self.dashboardMembers)
    case .delivery: .object(Self.deliveryMembers)
    case .deliveryRecord: .record(.deliveries)
    case .event: .object(Self.eventMembers)
    case .identity: .object(Schema.identityMembers)
    case .job: .object(Self.jobMembers)
    case .jobRecord: .record(.jobs)
    case .key:
      .object([WireField.kty, .crv, .use, .alg, .kid, .x, .y].map { .required($0, .text) })
    case .me: .object(Self.meMembers)
    case .message: .object(Self.messageMembers)
    case .metadata: .object(Self.metadataMembers)
    case .oauthError: .object(Self.oauthErrorMembers)
    case .organization: .object(Self.organizationMembers)
    case .overview: .object(Schema.overviewMembers)
    case .permission: .object(Schema.permissionMembers)
    case .personExport: .object(Schema.exportMembers)
    case .policyChanges: .object(Self.policy(isWhole: false) { $0 })
    case .policyPatch: .object(Self.policy(isWhole: false) { .orNull($0) })
    case .policyValue: .object(Self.policyValueMembers)
    case .problem: .object(Self.problemMembers)
    case .product: .object(Schema.productMembers)
    case .productPhoto: Schema.productPhoto
    case .productRecord: .record(.products)
    case .listedProduct: .object(Schema.heldProductMembers)
    case .serviceRequest: .object(Schema.serviceRequestMembers)
    case .session: .object(Self.sessionMembers)
    case .sessionTerms: .object(Self.termsMembers)
    case .tokens: .object(Self.tokenMembers)
    }
  }

  static let role = Schema.word(AccountRole.allCases.map { $0.rawValue })
  private static let proof = Schema.word(ContactProof.allCases.map { $0.rawValue })
  private static let status = Schema.word(AccountStatus.allCases.map { $0.rawValue })

  private static let accountMembers: [Schema.Member] = [
    .required(.id, .text), .required(.name, .text), .optional(.email, .text),
    .optional(.phoneNumber, .text, "E.164; absent if the account has none"),
    .required(.role, role),
    .required(.status, status), .required(.organizations, .list(.text)),
    .required(.hasPassword, .flag), .required(.failuresInRow, .number),
    .optional(.lockedUntil, .number, "The latest end of its current lockouts"),
    .required(
      .lockedDevices, .number, "The number of its known devices that are locked separately"),
    .required(.createdAt, .number),
    .optional(
      .passwordAvailableAt, .number,
      "When a new password becomes valid that was chosen on an unknown device"
    ),
    .optional(.erasureAt, .number, "When the account is erased, because the person asked for it"),
    .optional(
      .permissions, .list(.reference(.permission)), "Of an administrator; absent if there are none"
    ),
    .optional(
      .phoneNumberUnverifiedSince, .number,
      "When the number was changed; absent after the person entered a code that was sent to it"
    ),
    .optional(
      .emailProved, proof,
      "How the account proved its e-mail address; absent if it has not: nothing that is meant for"
        + " the address goes to the account"),
    .optional(
      .phoneProved, proof, "The same for the phone number; `code` is a code that was sent there"),
  ]

  private static let meMembers: [Schema.Member] =
    [
      .required(.id, .text), .required(.name, .text), .optional(.email, .text),
      .optional(.phone, .text, "Masked; absent if the account has no number"),
      .required(.role, role),
      .required(
        .organizations, .list(.object([.required(.id, .text), .required(.name, .text)]))),
      .optional(
        .permissions, .list(.reference(.permission)),
        "Of an administrator; absent if there are none"
      ),
      .required(.session, .reference(.sessionTerms)),
    ] + Route.accountUpdateMembers

  private static let sessionMembers: [Schema.Member] = [
    .required(.id, .text), .required(.clientID, .text), .optional(.organization, .text),
    .required(.amr, .list(.text), "RFC 8176"), .required(.startedAt, .number),
    .required(.lastUsedAt, .number), .required(.expiresAt, .number),
    .required(.current, .flag, "Whether it is the session of this request"),
    .required(.bound, .flag, "Whether its tokens are bound to a device key (DPoP)"),
    .optional(
      .device, .object([.optional(.browser, .text), .optional(.system, .text)]),
      "Names from the user agent of the sign-in; absent if they are not known"
    ),
    .optional(
      .place, .object([.optional(.town, .text), .required(.country, .text)]),
      "Approximately where the sign-in came from; absent if that is not known"
    ),
  ]

  private static let termsMembers: [Schema.Member] = [
    .required(.id, .text), .required(.expiresAt, .number),
    .required(.idleTimeout, .number, "In seconds"),
    .required(.backgroundTimeout, .number, "In seconds"),
    .required(.unlock, .word(UnlockMethod.allCases.map { $0.rawValue })),
    .required(.organization, .textOrNull),
  ]

  private static let tokenMembers: [Schema.Member] = [
    .required(.accessToken, .text, "RFC 9068"),
    .required(.tokenType, .word(["DPoP", "Bearer"])),
    .required(.expiresIn, .number), .optional(.refreshToken, .text),
    .optional(
      .authorizationExpiresIn, .number,
      "Seconds until the session ends; absent with client_credentials"),
    .optional(
      .refreshTokenTimeout, .number,
      "Seconds without use after which it expires"),
    .optional(.idToken, .text), .required(.scope, .text),
    .optional(.session, .reference(.sessionTerms), "Absent with client_credentials"),
  ]

  private static let oauthErrorMembers: [Schema.Member] = [
    .required(.error, .text, "A stable code for programs"),
    .optional(.errorDescription, .text, "For developers"),
    .optional(.retryIn, .number, "Seconds, also sent as Retry-After"),
    .optional(.lockedUntil, .number),
    .optional(
      .reason, .text,
      "With invalid_grant, why a session ended; with rate_limited, why the number gets no "
        + "messages; with otp_expired, another_device if the newer code works only there; "
        + "with redirect_to_web, phone_missing if the account has no identity either"),
  ]

  private static let promptMembers: [Schema.Member] = [
    .optional(.authSession, .text, "Send it with the next call"),
    .optional(.challenge, .reference(.challenge)), .optional(.attemptsLeft, .number),
    .optional(.resendAt, .number),
    .optional(
      .superseded, .flag,
      "With otp_expired: true if a newer code has taken the place of the entered one"),
    .optional(
      .requestURI, .text,
      "With redirect_to_web: the parameter of the authorization endpoint; absent if the password"
        + " was right, and the account has no phone number for codes"),
    .optional(.expiresIn, .number, "Seconds until the browser must open it"),
  ]

  private static let appProviderMembers: [Schema.Member] = [
    .required(.name, .text, "The value of provider at the challenge endpoint"),
    .required(.label, .text, "The name for people"),
    .required(.available, .flag, "false while the provider does not answer as it should"),
  ]

  private static let challengeMembers: [Schema.Member] = [
    .required(.type, .word(["otp"])),
    .required(
      .channel, .word(OutboxMessage.Channel.allCases.map { $0.rawValue }),
      "email only if the code proves a new e-mail address"),
    .required(.destination, .text, "Masked"), .required(.digits, .number),
    .required(.expiresAt, .number), .required(.resendAt, .number),
    .required(.attemptsLeft, .number),
    .optional(
      .delivery, .word(CodePrompt.Delivery.allCases.map { $0.rawValue }),
      "In the answer to status=true"
    ),
    .optional(
      .channels, .list(.word(["sms", "voice"])),
      "In the answer to status=true: the channels for another code"
    ),
  ]

  private static let dashboardMembers: [Schema.Member] = [
    .required(.dayAt, .number, "Midnight in UTC"),
    .required(
      .summary,
      .object(
        [WireField.total, .delivered, .failed, .remaining].map { .required($0, .number) }
      )
    ), .required(.deliveries, .list(.reference(.delivery))), Schema.lease,
  ]

  private static let deliveryMembers: [Schema.Member] =
    [
      .required(.id, .text), .required(.recipient, .text), .required(.place, .text),
      .required(.parcels, .number), .required(.startsAt, .number),
      .required(.endsAt, .number),
      .required(.status, .word(Delivery.Status.allCases.map { $0.rawValue })),
    ] + visitMembers

  private static let activityMembers: [Schema.Member] = [
    .required(.id, .text), .required(.title, .text), .required(.startsAt, .number),
    .required(.endsAt, .number), .required(.place, .text),
    .required(.with, .text, "The person that the mentor meets"),
    .required(.status, .word(Activity.Status.allCases.map { $0.rawValue })),
    .required(.notes, .text, "The notes of the mentor; empty if there are none"),
  ]

  private static let jobMembers: [Schema.Member] =
    [
      .required(.id, .text), .required(.title, .text), .required(.customer, .text),
      .required(.place, .text), .required(.startsAt, .number), .required(.endsAt, .number),
      .required(.status, .word(Job.Status.allCases.map { $0.rawValue })),
    ] + visitMembers

  private static let visitMembers: [Schema.Member] = [
    .optional(.phone, .text, "The number to call there"),
    .optional(.instructions, .text, "What the person must know before the visit"),
    .optional(.statusNote, .text, "What the person wrote about the status"),
  ]

  private static let messageMembers: [Schema.Member] = [
    .required(.id, .text), .required(.to, .text, "Masked"),
    .required(.state, .word(["waiting", "handed_over", "failed"])),
    .required(.tries, .number), .required(.createdAt, .number),
    .required(.expiresAt, .number, "It is not sent after this moment"),
    .required(.kind, .word(OutboxMessage.Kind.allCases.map { $0.rawValue })),
    .required(.channel, .word(OutboxMessage.Channel.allCases.map { $0.rawValue })),
    .required(.segments, .number, "The number of parts of the text"), .optional(.client, .text),
    .optional(.organization, .text),
    .optional(.messenger, .text, "The messenger that accepted it"),
    .optional(.handedOverAt, .number),
    .optional(.receipt, .word(OutboxMessage.Receipt.allCases.map { $0.rawValue })),
    .optional(.receivedAt, .number),
    .optional(.price, .number, "In millionths of the operator's currency"),
  ]

  private static let problemMembers: [Schema.Member] = [
    .required(.type, .text), .required(.title, .text), .required(.status, .number),
    .required(.code, .text, "A stable code for programs"), .optional(.detail, .text),
    .optional(.reason, .text, "With session_ended, why the session ended"),
    .optional(.lockedUntil, .number, "With account_locked, in Unix seconds"),
    .optional(.attemptsLeft, .number, "With invalid_otp"),
    .optional(.retryIn, .number, "In seconds"),
    .optional(
      .version, .number,
      "With precondition_failed, the current version of the record of another system"),
    .optional(
      .mistakes, .list(mistake),
      "All mistakes, in requests of administration and of other systems"),
  ]

  static let mistake = Schema.object([
    .required(.path, .text, "Such as lockout.failures or starts_at"), .required(.problem, .text),
    .required(.remedy, .text),
  ])

  private static let eventMembers: [Schema.Member] = [
    .optional(
      .sequence, .number,
      "The first is 1, and there are no gaps; only for a permission in all organizations"),
    .required(.at, .number, "In milliseconds since 1970"),
    .required(.code, .text, "A name with dots, in the past tense"), .optional(.account, .text),
    .optional(.client, .text), .optional(.session, .text), .optional(.peer, .text),
    .optional(.proofKey, .text, "RFC 7638"),
    .optional(
      .detail, .text,
      "Words with more detail; those of a changed policy end with an object that has the old and "
        + "the new value of each changed key"),
    .optional(.count, .number, "The number of equal refusals that it reports; absent for one"),
    .optional(
      .key, .text,
      "The name of the key for the hash; absent in old events"),
    .required(
      .hash, .text, "HMAC-SHA-256 of the previous hash and of these members, in base64url"),
  ]

  private static let metadataMembers: [Schema.Member] =
    [
      WireField.issuer, .authorizationChallengeEndpoint, .tokenEndpoint, .revocationEndpoint,
      .userinfoEndpoint, .introspectionEndpoint, .jwksURI,
    ].map { .required($0, .text) }
    + [
      WireField.responseTypesSupported, .grantTypesSupported, .subjectTypesSupported,
      .scopesSupported, .idTokenSigningAlgValuesSupported,
      .tokenEndpointAuthMethodsSupported, .tokenEndpointAuthSigningAlgValuesSupported,
      .revocationEndpointAuthMethodsSupported,
      .introspectionEndpointAuthMethodsSupported,
      .introspectionEndpointAuthSigningAlgValuesSupported,
      .codeChallengeMethodsSupported, .dpopSigningAlgValuesSupported, .claimsSupported,
    ].map { .required($0, .list(.text)) }
    + [
      .optional(.authorizationEndpoint, .text, "If identity providers are configured"),
      .optional(.pushedAuthorizationRequestEndpoint, .text, "RFC 9126"),
      .optional(
        .requirePushedAuthorizationRequests, .flag,
        "The authorization endpoint accepts only a request_uri"),
      .optional(.authorizationResponseIssParameterSupported, .flag, "RFC 9207"),
    ]
}

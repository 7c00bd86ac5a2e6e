import JSONText

/// A kind of provider whose addresses and checks are known, so that the configuration names only
/// the tenant.
struct ProviderPreset: Sendable {
  /// The value of `kind`.
  let name: String
  /// Its keys besides those of every provider.
  let members: [ConfigurationMember]
  /// The requested scopes if the configuration names none.
  let scopes: [String]
  let algorithms: [SignatureAlgorithm]
  /// The issuer, and the address of the metadata if it is not at the issuer.
  ///
  /// Nil if a needed key is missing.
  let addresses: @Sendable (JSON) -> (issuer: String, discovery: String?)?
  /// Claims that every ID token must have.
  var claims: @Sendable (JSON) -> [RequiredClaim] = { _ in [] }
  /// Whether its sign-out follows OpenID Connect RP-Initiated Logout.
  var canEndSession = true

  static let all = [bankID, vipps, entra, entraExternalID, azureADB2C, cognito]

  static func named(_ name: String) -> ProviderPreset? { all.first { $0.name == name } }

  private static let environment = ConfigurationMember.optional(
    "environment", .choice(["production", "test"]), "The provider's production or test service",
    standard: .string("production"))

  /// Microsoft Graph outside national clouds.
  static let graphEndpoint = "https://graph.microsoft.com"

  /// An ID token of Microsoft Entra names at most 200 groups.
  private static let groups: [ConfigurationMember] = [
    .optional(
      "read_groups", .flag,
      "Reads the groups of a person from Microsoft Graph if the ID token has too many of them",
      standard: .bool(false)),
    .optional(
      "graph_endpoint", .text(.secureURL), "Address of Microsoft Graph in a national cloud",
      standard: .string(graphEndpoint)),
  ]

  private static func isTest(_ json: JSON) -> Bool { json["environment"]?.text == "test" }

  /// BankID (Norway), API version 4.
  static let bankID = ProviderPreset(
    name: "bankid", members: [environment], scopes: ["openid", "profile"], algorithms: [.es256],
    addresses: { json in
      let issuer =
        isTest(json)
        ? "https://auth.current.bankid.no/auth/realms/current"
        : "https://auth.bankid.no/auth/realms/prod"
      return (issuer, nil)
    })

  static let vipps = ProviderPreset(
    name: "vipps", members: [environment],
    scopes: ["openid", "name", "phoneNumber", "email"], algorithms: [.rs256],
    addresses: { json in
      let host = isTest(json) ? "apitest.vipps.no" : "api.vipps.no"
      return ("https://\(host)/access-management-1.0/access/", nil)
    })

  /// Microsoft Entra ID, for the people of one tenant.
  static let entra = ProviderPreset(
    name: "entra",
    members: [.required("tenant", .text(.identifier), "Identifier (GUID) of the tenant")] + groups,
    scopes: ["openid", "profile", "email"], algorithms: [.rs256],
    addresses: { json in
      guard let tenant = json.validText("tenant", .identifier) else { return nil }
      return ("https://login.microsoftonline.com/\(tenant)/v2.0", nil)
    },
    claims: { json in
      // The tenant is a part of the issuer, too. This catches a tenant that is not a GUID.
      json.validText("tenant", .identifier).map { [RequiredClaim(["tid"], $0)] } ?? []
    })

  static let entraExternalID = ProviderPreset(
    name: "entra-external-id",
    members: [
      .required("tenant", .text(.identifier), "Identifier (GUID) of the tenant"),
      .required("subdomain", .text(.identifier), "First part of the tenant's ciamlogin.com name"),
    ] + groups,
    scopes: ["openid", "profile", "email"], algorithms: [.rs256],
    addresses: { json in
      guard let tenant = json.validText("tenant", .identifier),
        let subdomain = json.validText("subdomain", .identifier)
      else { return nil }
      let metadata = IdentityProvider.discovery(
        of: "https://\(subdomain).ciamlogin.com/\(tenant)/v2.0")
      return ("https://\(tenant).ciamlogin.com/\(tenant)/v2.0", metadata)
    })

  static let azureADB2C = ProviderPreset(
    name: "azure-ad-b2c",
    members: [
      .required("tenant", .text(.identifier), "Identifier (GUID) of the tenant"),
      .required("subdomain", .text(.identifier), "First part of the tenant's b2clogin.com name"),
      .required("policy", .text(.identifier), "Name of the user flow or policy"),
    ],
    scopes: ["openid", "profile"], algorithms: [.rs256],
    addresses: { json in
      guard let tenant = json.validText("tenant", .identifier),
        let subdomain = json.validText("subdomain", .identifier),
        let policy = json.validText("policy", .identifier)
      else { return nil }
      let host = "https://\(subdomain).b2clogin.com"
      // The issuer names the tenant, and the address of the metadata names the policy.
      return (
        "\(host)/\(tenant)/v2.0/",
        IdentityProvider.discovery(of: "\(host)/\(subdomain).onmicrosoft.com/\(policy)/v2.0")
      )
    },
    claims: { json in
      // All policies of a tenant have one issuer, and a token of another policy must be refused.
      json.validText("policy", .identifier).map {
        [RequiredClaim(["tfp", "acr"], $0, ignoresCase: true)]
      } ?? []
    })

  static let cognito = ProviderPreset(
    name: "cognito",
    members: [
      .required("region", .text(.identifier), "Region of the user pool, such as eu-north-1"),
      .required("user_pool", .text(.identifier), "Identifier of the user pool"),
    ],
    scopes: ["openid", "profile", "email", "phone"], algorithms: [.rs256],
    addresses: { json in
      guard let region = json.validText("region", .identifier),
        let pool = json.validText("user_pool", .identifier)
      else { return nil }
      return ("https://cognito-idp.\(region).amazonaws.com/\(pool)", nil)
    },
    claims: { _ in [RequiredClaim(["token_use"], "id")] }, canEndSession: false)
}

import JSONText
import SignInModel

extension Configuration {
  /// An identity provider, and the place of this server's credential there.
  public struct Provider: Equatable, Sendable {
    public let settings: IdentityProvider.Settings
    public let credential: CredentialLocation

    /// How this server authenticates at the provider's token endpoint.
    public enum CredentialLocation: Equatable, Sendable {
      /// A public client, with PKCE only.
      case none
      case secret(SecretLocation, IdentityProvider.SecretMethod?)
      /// A P-256 key in the PEM format, for `private_key_jwt`.
      case key(SecretLocation, id: String?)
    }
  }
}

extension IdentityProvider {
  /// How the secret is sent (RFC 6749, section 2.3.1).
  public enum SecretMethod: String, CaseIterable, Sendable {
    case basic
    case post
  }
}

extension ConfigurationShape {
  /// `saml` is described too, so that its mistakes are found before the kind is usable.
  static let providers: [ConfigurationKind] =
    [
      ConfigurationKind(
        name: "openid", use: .everywhere,
        members: providerMembers(
          [
            .required(
              "issuer", .text(.providerIssuer), "The provider's issuer, as its tokens name it"),
            .optional(
              "discovery", .text(.secureURL),
              "Address of its metadata; at the issuer if absent"),
          ] + openIDMembers + clientMembers(nil)),
        secret: "client_secret", isSecretRequired: false
      ),
      ConfigurationKind(
        name: "oauth2", use: .everywhere,
        members: providerMembers(
          [
            .required(
              "authorization_endpoint", .text(.secureURL), "Address at which people sign in"),
            .required(
              "token_endpoint", .text(.secureURL), "Address at which codes are exchanged for tokens"
            ),
            .required(
              "userinfo_endpoint", .text(.secureURL),
              "Address at which the identity of the person is read"),
            .optional(
              "subject_claim", .text(.scope),
              "The member of the user info that always identifies the same person",
              standard: .string(IdentityProvider.Endpoints.standardSubjectClaim)),
          ] + clientMembers(nil)),
        secret: "client_secret", isSecretRequired: false
      ),
      ConfigurationKind(
        name: "saml",
        members: providerMembers([
          .required("issuer", .text(.line), "The provider's entity identifier")
        ])
      ),
    ]
    + ProviderPreset.all.map { preset in
      ConfigurationKind(
        name: preset.name, use: .everywhere,
        members: providerMembers(
          preset.members
            + openIDMembers.filter { preset.canEndSession || $0.key != endSessionKey }
            + clientMembers(preset.scopes)),
        secret: "client_secret", isSecretRequired: false)
    }

  private static let parameter = ConfigurationShape.object([
    .required("name", .text(.scope), "The name of the parameter"),
    .required("value", .text(.line), "Its value"),
  ])

  private static let openIDMembers: [ConfigurationMember] = [
    .optional(
      "signing_algorithms",
      .list(of: .choice(SignatureAlgorithm.allCases.map(\.rawValue)), atLeast: 1),
      "The algorithms that sign its ID tokens; those of the kind if absent"),
    .optional(
      "acr_values", .list(of: .text(.scope), atLeast: 1),
      "The required classes of authentication; a sign-in of another class is refused"),
    .optional(
      "trusted_audiences",
      .list(of: .text(.line), atLeast: 1, atMost: IDTokenCheck.trustedAudienceLimit),
      "Audiences that its ID tokens may name beside this server's client_id"),
    .optional(
      endSessionKey, .flag,
      "Leads a person who signs out of an app to the provider's sign-out too",
      standard: .bool(false)),
  ]
  static let endSessionKey = "end_provider_session"

  /// `standard` are the scopes of a preset; nil if the configuration must name them.
  private static func clientMembers(_ standard: [String]?) -> [ConfigurationMember] {
    let scopes = ConfigurationShape.list(of: .text(.scope), atLeast: 1)
    return clientMembers + [
      standard.map { words in
        .optional(
          "scopes", scopes, "The scopes that are requested",
          standard: .array(words.map { .string($0) }))
      } ?? .required("scopes", scopes, "The scopes that are requested")
    ]
  }

  private static let clientMembers: [ConfigurationMember] = [
    .required("client_id", .text(.line), "The client_id of this server at the provider"),
    .optional(
      "client_authentication", .choice(IdentityProvider.SecretMethod.allCases.map(\.rawValue)),
      "Way to send the secret; the metadata decides if absent"),
    .optional(
      "client_key_file", .text(.path),
      "A PEM file with a P-256 key that signs instead of a secret, for private_key_jwt"),
    .optional(
      "client_key_env", .text(.environmentVariable),
      "The environment variable that contains that key"),
    .optional("client_key_id", .text(.line), "The kid of that key at the provider"),
    .optional(
      "authorization_parameters", .list(of: parameter, atLeast: 1, atMost: 16),
      "Further parameters of the authorization request"),
    .optional(
      "allow_private_addresses", .flag,
      "Allows a provider in a private network or behind the proxy of the environment, and on this"
        + " machine if its address says so",
      standard: .bool(false)),
    .optional(
      "second_factor", .choice(IdentityProvider.SecondFactor.allCases.map(\.rawValue)),
      "When a code by text message follows a sign-in at the provider",
      standard: .string(IdentityProvider.SecondFactor.never.rawValue)),
    .optional(
      "mfa_values", .list(of: .text(.scope), atLeast: 1),
      "The values of amr or acr that prove several factors; mfa and acr_values if absent"),
    .optional(
      "create_accounts", .flag,
      "Creates an account at the first sign-in of an unknown person",
      standard: .bool(false)),
    .optional(
      "role", .choice(AccountRole.allCases.map(\.rawValue)),
      "The role of accounts that are created, if no rule gives one"),
    .optional(
      "account_rules", .list(of: rule, atLeast: 1, atMost: ClaimRule.countLimit),
      "Roles and organizations by claims; the first rule that applies to a person counts"),
    .optional(
      "update_accounts", .flag,
      "Each sign-in gives an account that the provider created its role and organization again",
      standard: .bool(false)),
  ]

  private static let rule = ConfigurationShape.object([
    .required("claim", .text(.scope), "The claim that is compared, such as groups"),
    .required(
      "values", .list(of: .text(.line), atLeast: 1, atMost: ClaimRule.countLimit),
      "The rule applies if the claim has one of these values"),
    .optional(
      "role", .choice(AccountRole.allCases.map(\.rawValue)),
      "The role; that of the provider if absent"),
    .optional(
      "organization", .text(.identifier), "The organization; that of the provider if absent"),
  ])

  private static func providerMembers(_ own: [ConfigurationMember]) -> [ConfigurationMember] {
    [
      .required("name", .text(.identifier), "Name in the configuration of apps and in provider="),
      .optional("label", .text(.name), "Name that people see; the name if absent"),
    ] + own + [
      .optional(
        "email_domains",
        .list(of: .text(.hostName), atLeast: 1),
        "The domains whose addresses sign in there"
      ),
      .optional(
        "organization", .text(.identifier),
        "The organization of accounts that are created, if no rule gives one"),
      .optional(
        "administered_by", .text(.identifier),
        "The organization to which the provider belongs: its administrators may link identities, "
          + "and people sign in to it only; if absent, only administrators of all organizations "
          + "may link"
      ),
    ]
  }
}

extension ConfigurationReader {
  /// `nil` for a kind that cannot be used, or without a needed key.
  func provider(_ json: JSON) -> Configuration.Provider? {
    guard let clientID = json["client_id"]?.text, let kind = providerKind(json) else { return nil }
    var settings = IdentityProvider.Settings(
      name: json.string("name"), kind: kind, clientID: clientID, scopes: json.strings("scopes"))
    settings.label = json.validText("label", .name).flatMap(TextFormat.name(in:)) ?? settings.name
    if let preset = ProviderPreset.named(json.string("kind")) {
      settings.algorithms = preset.algorithms
      settings.requiredClaims = preset.claims(json)
      if settings.scopes.isEmpty { settings.scopes = preset.scopes }
    }
    let algorithms = json.strings("signing_algorithms").compactMap(SignatureAlgorithm.init)
    if !algorithms.isEmpty { settings.algorithms = algorithms }
    settings.assurances = json.strings("acr_values")
    settings.parameters = (json["authorization_parameters"]?.elements ?? []).map {
      IdentityProvider.Parameter(name: $0.string("name"), value: $0.string("value"))
    }
    settings.secondFactor =
      json["second_factor"]?.text.flatMap(IdentityProvider.SecondFactor.init) ?? .never
    settings.endsSession = json[ConfigurationShape.endSessionKey]?.flag ?? false
    settings.factorProofs = json.strings("mfa_values")
    settings.allowsPrivateAddresses = json["allow_private_addresses"]?.flag ?? false
    settings.emailDomains = json.strings("email_domains").map {
      EmailAddress.domain(parsing: $0) ?? $0.lowercased()
    }
    let isGeneric = ["openid", "oauth2"].contains(json.string("kind"))
    settings.requiresEmailOfDomains = isGeneric && !settings.emailDomains.isEmpty
    settings.administeredBy = json.validText("administered_by", .identifier)
      .map { OrganizationID($0) }
    settings.trustedAudiences = json.strings("trusted_audiences")
    settings.authenticationAgeSeconds = settings.parameters.first { $0.name == "max_age" }
      .flatMap { WholeNumber.read($0.value, in: IdentityProvider.authenticationAgeLimits) }
    if json["create_accounts"]?.flag == true { settings.newAccounts = newAccounts(json) }
    if json["read_groups"]?.flag == true {
      let endpoint = json.validText("graph_endpoint", .secureURL) ?? ProviderPreset.graphEndpoint
      settings.groupEndpoint = endpoint.hasSuffix("/") ? String(endpoint.dropLast()) : endpoint
    }
    return Configuration.Provider(settings: settings, credential: credential(json))
  }

  private func newAccounts(_ json: JSON) -> IdentityProvider.NewAccounts {
    IdentityProvider.NewAccounts(
      role: json["role"]?.text.flatMap(AccountRole.init),
      organization: json.validText("organization", .identifier).map { OrganizationID($0) },
      rules: (json["account_rules"]?.elements ?? []).map { rule in
        ClaimRule(
          claim: rule.string("claim"), values: rule.strings("values"),
          role: rule["role"]?.text.flatMap(AccountRole.init),
          organization: rule.validText("organization", .identifier).map { OrganizationID($0) })
      },
      updatesAccounts: json["update_accounts"]?.flag ?? false)
  }

  private func providerKind(_ json: JSON) -> IdentityProvider.Kind? {
    switch json.string("kind") {
    case "openid":
      guard let issuer = json.validText("issuer", .providerIssuer) else { return nil }
      let discovery =
        json.validText("discovery", .secureURL) ?? IdentityProvider.discovery(of: issuer)
      return .openID(issuer: issuer, discovery: discovery)
    case "oauth2":
      return .oauth2(
        IdentityProvider.Endpoints(
          authorization: json.string("authorization_endpoint"),
          token: json.string("token_endpoint"), userInfo: json.string("userinfo_endpoint"),
          subjectClaim: json.validText("subject_claim", .scope)
            ?? IdentityProvider.Endpoints.standardSubjectClaim))
    case let name:
      guard let preset = ProviderPreset.named(name), let found = preset.addresses(json) else {
        return nil
      }
      return .openID(
        issuer: found.issuer,
        discovery: found.discovery ?? IdentityProvider.discovery(of: found.issuer))
    }
  }

  private func credential(_ json: JSON) -> Configuration.Provider.CredentialLocation {
    let key =
      json.validText("client_key_file", .path).map {
        Configuration.SecretLocation.file(resolved($0))
      } ?? json.validText("client_key_env", .environmentVariable).map { .environment($0) }
    if let key { return .key(key, id: json.validText("client_key_id", .line)) }
    let secret =
      json.validText("client_secret_file", .path).map {
        Configuration.SecretLocation.file(resolved($0))
      } ?? json.validText("client_secret_env", .environmentVariable).map { .environment($0) }
    guard let secret else { return .none }
    let method = json["client_authentication"]?.text.flatMap(IdentityProvider.SecretMethod.init)
    return .secret(secret, method)
  }
}

extension ConfigurationRules {
  func checkProviders(_ checker: inout ConfigurationChecker) {
    checkRepetition("providers", "name", &checker)
    let entries = root["providers"]?.elements ?? []
    let organizations = (root["organizations"]?.elements ?? []).compactMap { $0["id"]?.text }
    for (index, entry) in entries.enumerated() {
      let path = "providers[\(index)]"
      let keys = ["client_key_file", "client_key_env"].filter { entry[$0] != nil }
      if !keys.isEmpty, entry["client_secret_file"] != nil || entry["client_secret_env"] != nil {
        checker.note(
          path, "has a secret and a key", "keep the one that the provider has registered")
      }
      if keys.count > 1 {
        checker.note(
          "\(path).client_key_file", "is used together with client_key_env", "keep one of the two")
      }
      ProviderIssuerRules(entry: entry, path: path).check(into: &checker)
      checkNewAccounts(entry, path, &checker)
      let several = IdentityProvider.SecondFactor.unlessSeveral.rawValue
      if entry["mfa_values"] != nil, entry["second_factor"]?.text != several {
        checker.note(
          "\(path).mfa_values", "has no use without \"second_factor\": \"\(several)\"",
          "add it, or remove this")
      }
      checkAssignment(entry, path, organizations, &checker)
      for (place, rule) in (entry["account_rules"]?.elements ?? []).enumerated() {
        checkRule(rule, of: entry, "\(path).account_rules[\(place)]", organizations, &checker)
      }
      checkOwner(entry, path, organizations, &checker)
      checkOpenIDScope(entry, path, &checker)
      checkParameters(entry, path, &checker)
    }
    checkSubjectClaims(entries, &checker)
    checkSharedIssuers(&checker)
    let practice = isDevelopment ? PracticeProvider.allCases.map(\.rawValue) : []
    checkProvidersOfClients(entries.compactMap { $0["name"]?.text } + practice, &checker)
  }

  private func checkNewAccounts(
    _ entry: JSON, _ path: String, _ checker: inout ConfigurationChecker
  ) {
    if entry["create_accounts"]?.flag == true {
      if entry["role"] == nil, entry["account_rules"] == nil {
        checker.note("\(path).role", "is missing", "write the role of the accounts it creates")
      }
    } else {
      for key in ["account_rules", "update_accounts"] where entry[key] != nil {
        checker.note(
          "\(path).\(key)", "has no use without \"create_accounts\"",
          "add \"create_accounts\": true, or remove it")
      }
    }
    let comparesGroups = (entry["account_rules"]?.elements ?? []).contains {
      $0["claim"]?.text == ClaimValues.groups
    }
    if entry["read_groups"]?.flag == true, !comparesGroups {
      checker.note(
        "\(path).read_groups", "has no use without a rule for \"\(ClaimValues.groups)\"",
        "add one to \"account_rules\", or remove it")
    }
  }

  /// Identities at one token endpoint share their identifiers, so all entries must read the same
  /// claim.
  private func checkSubjectClaims(_ entries: [JSON], _ checker: inout ConfigurationChecker) {
    var claims: [String: String] = [:]
    for (index, entry) in entries.enumerated() where entry["kind"]?.text == "oauth2" {
      let endpoint = entry.string("token_endpoint")
      let claim =
        entry["subject_claim"]?.text ?? IdentityProvider.Endpoints.standardSubjectClaim
      if let first = claims[endpoint], first != claim {
        checker.note(
          "providers[\(index)].subject_claim",
          "differs from that of another provider with the same token endpoint",
          "write the same claim in both")
      } else {
        claims[endpoint] = claim
      }
    }
  }

  /// Parameters that this server must compare with the ID token, or that have a key of their own.
  private func checkParameters(
    _ entry: JSON, _ path: String, _ checker: inout ConfigurationChecker
  ) {
    for (place, parameter) in (entry["authorization_parameters"]?.elements ?? []).enumerated() {
      let path = "\(path).authorization_parameters[\(place)]"
      let age = WholeNumber.read(
        parameter.string("value"), in: IdentityProvider.authenticationAgeLimits)
      if parameter.string("name") == "acr_values" {
        checker.note(
          path, "asks for assurances that are not compared", "write \"acr_values\" of the provider")
      } else if parameter.string("name") == "max_age", age == nil {
        let limits = IdentityProvider.authenticationAgeLimits
        checker.note(
          "\(path).value", "is not an age",
          "write seconds from \(limits.lowerBound) to \(limits.upperBound)")
      }
    }
  }

  /// The role and the organization that a provider or one of its rules gives.
  private func checkAssignment(
    _ entry: JSON, _ path: String, _ organizations: [String],
    _ checker: inout ConfigurationChecker
  ) {
    if entry["role"]?.text == AccountRole.administrator.rawValue {
      checker.note(
        "\(path).role", "lets the provider create administrators",
        "choose another role, and create administrators yourself")
    }
    if let organization = entry["organization"]?.text, !organizations.contains(organization) {
      checker.note(
        "\(path).organization", "is not among the organizations",
        "write the id of an entry of \"organizations\"")
    }
  }

  private func checkRule(
    _ rule: JSON, of entry: JSON, _ path: String, _ organizations: [String],
    _ checker: inout ConfigurationChecker
  ) {
    checkAssignment(rule, path, organizations, &checker)
    if rule["role"] == nil, rule["organization"] == nil {
      checker.note(path, "gives nothing", "add a role or an organization")
    } else if rule["role"] == nil, entry["role"] == nil {
      checker.note(
        "\(path).role", "is missing, and the provider has no role for it",
        "write the role of the accounts it creates")
    }
  }

  /// Without the scope `openid`, the provider returns no ID token.
  private func checkOpenIDScope(
    _ entry: JSON, _ path: String, _ checker: inout ConfigurationChecker
  ) {
    guard entry["kind"]?.text != "oauth2", let scopes = entry["scopes"]?.elements,
      !scopes.contains(.string("openid"))
    else { return }
    checker.note("\(path).scopes", "does not contain \"openid\"", "add \"openid\"")
  }

  private func checkProvidersOfClients(
    _ names: [String], _ checker: inout ConfigurationChecker
  ) {
    for (index, client) in (root["clients"]?.elements ?? []).enumerated() {
      for (place, name) in client.strings("providers").enumerated() where !names.contains(name) {
        checker.note(
          "clients[\(index)].providers[\(place)]", "is not among the providers",
          "write the name of an entry of \"providers\"")
      }
      if client["providers"] != nil, client["redirect_uris"] == nil,
        client["home"]?.text ?? AppRegistration.Home.none.rawValue
          == AppRegistration.Home.none.rawValue
      {
        checker.note(
          "clients[\(index)].redirect_uris", "is missing",
          "write where the app gets the result of a sign-in at a provider")
      }
    }
  }
}

import JSONText
import SignInModel
import SignInRules
import SignInWire

/// Creates a configuration from checked JSON.
///
/// A value with a mistake gets its default, so that the rules between keys can be checked too. The
/// configuration is then not used.
struct ConfigurationReader {
  let root: JSON
  let stores: [StoreKind]
  let messengers: [MessengerKind]
  /// The folder of relative paths.
  ///
  /// If it is empty, paths do not change.
  let folder: String

  /// The path relative to the working folder of the server.
  func resolved(_ path: String) -> String {
    guard !path.isEmpty, !path.hasPrefix("/"), !folder.isEmpty else { return path }
    return (folder.hasSuffix("/") ? folder : folder + "/") + path
  }

  func configuration() -> Configuration {
    var configuration = Configuration()
    configuration.issuer = root.validText("issuer", .ownIssuer)
    if let listen = root["listen"]?.text.flatMap(ListenAddress.init(parsing:)) {
      configuration.listen = listen
    }
    if let listen = root["metrics_listen"]?.text.flatMap(ListenAddress.init(parsing:)) {
      configuration.metricsListen = listen
    }
    if let tls = root["tls"] {
      configuration.tls = Configuration.TLS(
        certificateFile: resolved(tls.string("certificate")),
        keyFile: resolved(tls.string("key"))
      )
      configuration.tls?.allowsTLS12 = tls["allow_tls_1_2"]?.flag ?? false
    }
    configuration.store =
      root.validText("store", .storeLocation(stores)).flatMap(store)
      ?? root["store"].flatMap(storeServer)
    configuration.organizations = (root["organizations"]?.elements ?? []).map(organization)
    configuration.clients = (root["clients"]?.elements ?? []).map(client)
    configuration.serviceAccounts = (root["service_accounts"]?.elements ?? []).compactMap(
      serviceAccount)
    configuration.changeWebhooks = (root["change_webhooks"]?.elements ?? []).compactMap(
      changeWebhook)
    configuration.providers = (root["providers"]?.elements ?? []).compactMap(provider)
    configuration.breachedPasswordsFile = root.validText("breached_passwords_file", .path)
      .map(resolved)
    configuration.placesFile = root.validText("places_file", .path).map(resolved)
    configuration.securityContact = root.validText("security_contact", .contact)
    root.read("event_days", Configuration.eventDayLimits, into: &configuration.eventDays)
    root.read(
      "connections_per_address", Configuration.connectionLimits,
      into: &configuration.connectionsPerAddress
    )
    configuration.trustedProxies = root.strings("trusted_proxies").compactMap(Self.range)
    configuration.isBehindTLSProxy = root["behind_tls_proxy"]?.flag ?? false
    configuration.authoritiesFile = root.validText("authorities_file", .path).map(resolved)
    configuration.prices = (root["prices"]?.elements ?? []).map {
      Configuration.Price(
        country: $0.string("country"),
        millionths: $0["millionths"]?.number(in: Configuration.Price.range) ?? 0
      )
    }
    configuration.messengers = (root["messengers"]?.elements ?? []).compactMap(messenger)
    return configuration
  }

  private func store(_ location: String) -> Configuration.StoreLocation? {
    for kind in stores {
      guard let folder = kind.detail(of: location) else { continue }
      return Configuration.StoreLocation(kind: kind.name, folder: resolved(folder))
    }
    return nil
  }

  private func organization(_ json: JSON) -> Configuration.Organization {
    var organization = Configuration.Organization(
      id: OrganizationID(json.string("id")), name: json.string("name")
    )
    organization.policy = PolicyChanges(json["policy"] ?? .object([]))
    return organization
  }

  /// `nil` if the credential is missing.
  private func serviceAccount(_ json: JSON) -> Configuration.ServiceAccount? {
    let credential: Configuration.ServiceAccount.CredentialLocation
    if let path = json.validText("secret_file", .path) {
      credential = .secret(.file(resolved(path)))
    } else if let name = json.validText("secret_env", .environmentVariable) {
      credential = .secret(.environment(name))
    } else if let path = json.validText("jwks_file", .path) {
      credential = .keySet(file: resolved(path))
    } else {
      return nil
    }
    return Configuration.ServiceAccount(
      id: ClientID(json.string("id")), name: json.string("name"),
      scopes: json.strings("scopes").compactMap(ServiceScope.init(rawValue:)),
      organization: json.validText("organization", .identifier).map { OrganizationID($0) },
      credential: credential, audiences: json.strings("audiences")
    )
  }

  /// `nil` if the secret is missing.
  private func changeWebhook(_ json: JSON) -> Configuration.ChangeWebhook? {
    let secret =
      json.validText("secret_file", .path).map { Configuration.SecretLocation.file(resolved($0)) }
      ?? json.validText("secret_env", .environmentVariable).map { .environment($0) }
    return secret.map {
      Configuration.ChangeWebhook(name: json.string("name"), url: json.string("url"), secret: $0)
    }
  }

  private func messenger(_ json: JSON) -> Configuration.Messenger? {
    let kinds = [.inbox] + messengers.map { ConfigurationKind($0) }
    guard let kind = kinds.first(where: { $0.name == json.string("kind") }) else { return nil }
    var messenger = Configuration.Messenger(name: json.string("name"), kind: kind.name)
    messenger.countries = json.strings("countries")
    for member in kind.members where member.key != "name" {
      messenger.texts[member.key] = json[member.key]?.text
      if case .number(let range) = member.shape {
        messenger.numbers[member.key] = json[member.key]?.number(in: range)
      }
      messenger.flags[member.key] = json[member.key]?.flag
    }
    if let secret = kind.secret {
      messenger.secret =
        json.validText("\(secret)_file", .path).map { .file(resolved($0)) }
        ?? json.validText("\(secret)_env", .environmentVariable).map { .environment($0) }
    }
    return messenger
  }

  private func client(_ json: JSON) -> AppRegistration {
    var client = AppRegistration(
      id: ClientID(json.string("id")),
      name: json.string("name"),
      home: json["home"]?.text.flatMap { AppRegistration.Home(rawValue: $0) }
        ?? AppRegistration.Home.none,
      signIn: AppRegistration.SignIn(rawValue: json.string("sign_in")) ?? .passwordAndCode,
      roles: json.strings("roles").compactMap(AccountRole.init(rawValue:)),
      scopes: json.strings("scopes")
    )
    client.requiresDPoP = json["dpop_required"]?.flag ?? client.requiresDPoP
    client.requiresProofNonce = json["require_dpop_nonce"]?.flag ?? client.requiresProofNonce
    client.allowsWeakCodes = json["allow_weak_codes"]?.flag ?? client.allowsWeakCodes
    let types = json.strings("line_types").compactMap(LineType.init(rawValue:))
    if !types.isEmpty { client.lineTypes = types }
    client.androidAppHash = json.validText("android_app_hash", .appHash)
    client.defaultCountry = json.validText("default_country", .callingCode)
    client.sendsNoticesBySMS =
      json["security_notices_by_sms"]?.flag ?? client.sendsNoticesBySMS
    client.allowsRegistration = json["allow_registration"]?.flag ?? client.allowsRegistration
    client.registrationNumbersFile =
      json.validText("registration_numbers_file", .path).map(resolved)
    client.audiences = json.strings("audiences")
    client.origins = json.strings("origins")
    client.providers = json.strings("providers")
    client.redirectURIs = json.strings("redirect_uris")
    client.claims = (json["claims"]?.elements ?? []).compactMap { claim in
      TokenClaim.Attribute(rawValue: claim.string("from")).map {
        TokenClaim(name: claim.string("name"), attribute: $0)
      }
    }
    client.policy.apply(json)
    let policy = Set(PolicyKey.allCases.map { $0.steps[0] })
    client.written = PolicyChanges(
      .object((json.objectMembers ?? []).filter { policy.contains($0.key) })
    )
    return client
  }

  private static func range(_ text: String) -> NetworkRange? {
    do throws(Malformed) { return try NetworkRange(parsing: text) } catch { return nil }
  }
}

import JSONText
import SignInModel
import SignInRules

/// Makes a configuration of JSON that was checked.
///
/// Where the check found a mistake it takes the standard value, so that the rules between keys can
/// still be asked; what it made is thrown away then.
struct ConfigurationReader {
  let root: JSON

  func configuration() -> Configuration {
    var configuration = Configuration()
    configuration.issuer = root.validText("issuer", .issuer)
    if let listen = root["listen"]?.text.flatMap(ListenAddress.init(parsing:)) {
      configuration.listen = listen
    }
    if let tls = root["tls"] {
      configuration.tls = Configuration.TLS(
        certificateFile: tls.string("certificate"),
        keyFile: tls.string("key")
      )
      configuration.tls?.allowsTLS12 = tls["allow_tls_1_2"]?.flag ?? false
    }
    if let store = root.validText("store", .storeLocation) {
      configuration.store = .sqlite(directory: String(store.dropFirst("sqlite:".count)))
    }
    configuration.organizations = (root["organizations"]?.elements ?? []).map {
      Configuration.Organization(id: OrganizationID($0.string("id")), name: $0.string("name"))
    }
    configuration.clients = (root["clients"]?.elements ?? []).map(client)
    configuration.trustedProxies = root.strings("trusted_proxies").compactMap(Self.address)
    configuration.messengers = (root["messengers"]?.elements ?? []).compactMap(messenger)
    return configuration
  }

  private func messenger(_ json: JSON) -> Configuration.Messenger? {
    let found = ConfigurationShape.messengers.first { $0.name == json.string("kind") }
    guard let kind = found else { return nil }
    var messenger = Configuration.Messenger(name: json.string("name"), kind: kind.name)
    messenger.countries = json.strings("countries")
    for member in kind.members where member.key != "name" {
      messenger.texts[member.key] = json[member.key]?.text
      messenger.numbers[member.key] = json[member.key]?.number
      messenger.flags[member.key] = json[member.key]?.flag
    }
    if let secret = kind.secret {
      messenger.secret =
        json["\(secret)_file"]?.text.map { .file($0) }
        ?? json["\(secret)_env"]?.text.map { .environment($0) }
    }
    return messenger
  }

  private func client(_ json: JSON) -> AppClient {
    var client = AppClient(
      id: ClientID(json.string("id")),
      name: json.string("name"),
      home: AppClient.Home(rawValue: json.string("home")) ?? .dashboard,
      signIn: AppClient.SignIn(rawValue: json.string("sign_in")) ?? .passwordAndCode,
      roles: json.strings("roles").compactMap(Account.Role.init(rawValue:)),
      scopes: json.strings("scopes")
    )
    client.disclosure = AccountDisclosure(rawValue: json.string("disclosure")) ?? client.disclosure
    client.requiresDPoP = json["dpop_required"]?.flag ?? client.requiresDPoP
    client.requiresProofNonce = json["require_dpop_nonce"]?.flag ?? client.requiresProofNonce
    client.allowsWeakCodes = json["allow_weak_codes"]?.flag ?? client.allowsWeakCodes
    client.unlock = AppClient.Unlock(rawValue: json.string("unlock")) ?? client.unlock
    client.defaultCountry = json.validText("default_country", .callingCode)
    client.allowsRegistration = json["allow_registration"]?.flag ?? client.allowsRegistration
    readTimes(json, into: &client)
    if let code = json["code"] { readCode(code, into: &client.code) }
    if let lockout = json["lockout"] { readLockout(lockout, into: &client.lockout) }
    readThrottles(json, into: &client)
    return client
  }

  private func readTimes(_ json: JSON, into client: inout AppClient) {
    typealias Limits = AppClient.Limits
    json.read("access_token_seconds", Limits.accessTokenSeconds, into: &client.accessTokenSeconds)
    json.read("session_seconds", Limits.sessionSeconds, into: &client.sessionSeconds)
    // The standard idle time gives way to a shorter session; one that was written must fit it.
    client.idleSeconds = min(client.idleSeconds, client.sessionSeconds)
    json.read("idle_seconds", Limits.idleSeconds, into: &client.idleSeconds)
    json.read("background_seconds", Limits.backgroundSeconds, into: &client.backgroundSeconds)
    json.read("offline_seconds", Limits.offlineSeconds, into: &client.offlineSeconds)
  }

  private static func address(_ text: String) -> NetworkAddress? {
    do throws(Malformed) { return try NetworkAddress(parsing: text) } catch { return nil }
  }

  private func readThrottles(_ json: JSON, into client: inout AppClient) {
    client.countries = json.strings("countries")
    let perHour = AppClient.Limits.originPerHour
    let throttle = json["throttle"] ?? .object([])
    throttle.read("sends_per_address_per_hour", perHour, into: &client.throttle.addressSendsPerHour)
    throttle.read(
      "failures_per_address_per_hour", perHour, into: &client.throttle.addressFailuresPerHour)
    throttle.read("sends_per_device_per_hour", perHour, into: &client.throttle.deviceSendsPerHour)
    let perNumber = AppClient.Limits.messagesPerNumber
    let budget = AppClient.Limits.messageBudget
    let messages = json["messages"] ?? .object([])
    messages.read("per_number_per_hour", perNumber, into: &client.messages.perNumberPerHour)
    messages.read("per_number_per_day", perNumber, into: &client.messages.perNumberPerDay)
    messages.read("per_prefix_per_day", budget, into: &client.messages.perPrefixPerDay)
    messages.read("per_organization_per_day", budget, into: &client.messages.perOrganizationPerDay)
    messages.read("per_day", budget, into: &client.messages.perDay)
  }

  private func readCode(_ json: JSON, into policy: inout CodeChallenge.Policy) {
    json.read("digits", AppClient.Limits.codeDigits, into: &policy.digits)
    json.read("life_seconds", AppClient.Limits.codeLifeSeconds, into: &policy.lifeSeconds)
    json.read("resend_seconds", AppClient.Limits.codeResendSeconds, into: &policy.resendSeconds)
  }

  private func readLockout(_ json: JSON, into policy: inout Lockout.Policy) {
    typealias Limits = AppClient.Limits
    json.read("failures", Limits.lockoutFailures, into: &policy.failureLimit)
    json.read("lock_seconds", Limits.lockSeconds, into: &policy.lockSeconds)
    json.read("longest_lock_seconds", Limits.longestLockSeconds, into: &policy.longestLockSeconds)
    json.read("stop_after", Limits.lockoutStopAfter, into: &policy.stopLimit)
  }
}

extension JSON {
  /// The text, or an empty one where the check has noted a mistake or the key may be absent.
  fileprivate func string(_ key: String) -> String { self[key]?.text ?? "" }

  fileprivate func strings(_ key: String) -> [String] {
    (self[key]?.elements ?? []).compactMap(\.text)
  }

  fileprivate func validText(_ key: String, _ form: TextForm) -> String? {
    guard let text = self[key]?.text, form.problem(text) == nil else { return nil }
    return text
  }

  fileprivate func read(_ key: String, _ range: ClosedRange<Int64>, into number: inout Int64) {
    if let found = self[key]?.number, range.contains(found) { number = found }
  }
}

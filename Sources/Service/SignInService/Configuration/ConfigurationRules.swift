import JSONText
import SignInModel

/// The rules between the keys of a configuration.
///
/// Each key alone is already valid.
struct ConfigurationRules {
  let root: JSON
  let configuration: Configuration
  let stores: [StoreKind]
  let isDevelopment: Bool

  func check(into checker: inout ConfigurationChecker) {
    checkIssuer(&checker)
    checkPlaces(&checker)
    checkDatabase(&checker)
    checkListeners(&checker)
    checkRepetition("organizations", "id", &checker)
    checkRepetition("clients", "id", &checker)
    checkRepetition("messengers", "name", &checker)
    for (index, client) in configuration.clients.enumerated() {
      PolicyRules(client: client, path: "clients[\(index)]").check(into: &checker)
      checkRegistration(client, "clients[\(index)]", &checker)
      checkAdministrators(client, "clients[\(index)]", &checker)
      checkTokens(client, "clients[\(index)]", &checker)
    }
    checkRepetition("prices", "country", &checker)
    checkServiceAccounts(&checker)
    checkChangeWebhooks(&checker)
    checkProviders(&checker)
  }

  private func checkIssuer(_ checker: inout ConfigurationChecker) {
    if !isDevelopment, root["issuer"] == nil {
      checker.note("issuer", "is missing", TextFormat.ownIssuer.remedy)
    }
    // Development routes show codes without authentication, so they must not be reachable from
    // other machines.
    guard isDevelopment, let issuer = configuration.issuer,
      let address = WebAddress(parsing: issuer), !address.isLoopback
    else { return }
    checker.note(
      "issuer",
      "is public, and --development shows every code",
      "leave --development out, or remove the issuer"
    )
  }

  private func checkPlaces(_ checker: inout ConfigurationChecker) {
    if !isDevelopment, root["store"] == nil {
      checker.note("store", "is missing", TextFormat.storeLocation(stores).remedy)
    }
    if configuration.isBehindTLSProxy, root["tls"] != nil {
      checker.note("behind_tls_proxy", "has no use with a certificate", "remove one of the two")
    }
    guard !isDevelopment, root["tls"] == nil, !configuration.listensSafely(at: configuration.listen)
    else { return }
    if configuration.isBehindTLSProxy {
      checker.note(
        "listen", "is not a private address, so others than the proxy may reach it without TLS",
        "write this machine's address in the private network, such as 10.0.0.7:8080")
    } else {
      checker.note(
        "tls",
        "is missing, and other machines can reach what \"listen\" names",
        "add a certificate and a key, or listen on 127.0.0.1 behind a proxy that speaks TLS; for a "
          + "proxy on another machine, add \"behind_tls_proxy\": true and listen on a private "
          + "address"
      )
    }
  }

  /// Development shows every code, so other machines must not reach any of its listeners (L-42).
  ///
  /// In production, metrics must not leave the machine unencrypted.
  private func checkListeners(_ checker: inout ConfigurationChecker) {
    let listeners = [
      ("listen", configuration.listen), ("metrics_listen", configuration.metricsListen),
    ]
    for (key, listener) in listeners where isDevelopment && !listener.isLoopback {
      checker.note(
        key,
        "can be reached by other machines, and --development shows every code",
        "listen on 127.0.0.1, or leave --development out"
      )
    }
    if !isDevelopment, !configuration.metricsListen.isLoopback, root["tls"] == nil {
      checker.note(
        "metrics_listen",
        "can be reached by other machines, and there is no certificate to encrypt with",
        "listen on 127.0.0.1, or add a certificate and a key under \"tls\""
      )
    }
  }

  func checkRepetition(
    _ list: String,
    _ key: String,
    _ checker: inout ConfigurationChecker
  ) {
    var first: [String: Int] = [:]
    for (index, entry) in (root[list]?.elements ?? []).enumerated() {
      guard let name = entry[key]?.text else { continue }
      if let earlier = first[name] {
        checker.note(
          "\(list)[\(index)].\(key)",
          "repeats \(list)[\(earlier)].\(key)",
          "give each entry its own \(key)"
        )
      } else {
        first[name] = index
      }
    }
  }

  /// A text message alone, or a copied token alone, must not give the access of an administrator.
  private func checkAdministrators(
    _ client: AppRegistration,
    _ path: String,
    _ checker: inout ConfigurationChecker
  ) {
    guard client.roles.contains(.administrator) else { return }
    if !client.requiresDPoP {
      checker.note(
        "\(path).dpop_required", "lets a copied token act for an administrator",
        "remove it, or remove administrator from roles"
      )
    }
    guard client.signIn == .phoneCode else { return }
    checker.note(
      "\(path).roles",
      "lets administrators sign in without a password",
      "remove administrator, or let them sign in with"
        + " \"\(AppRegistration.SignIn.passwordAndCode.rawValue)\""
    )
  }

  private func checkTokens(
    _ client: AppRegistration,
    _ path: String,
    _ checker: inout ConfigurationChecker
  ) {
    checkRepetition("\(path).claims", client.claims.map(\.name), &checker)
  }

  private func checkRepetition(
    _ path: String, _ names: [String], _ checker: inout ConfigurationChecker
  ) {
    for (index, name) in names.enumerated() where names.firstIndex(of: name) != index {
      checker.note("\(path)[\(index)].name", "repeats an earlier one", "name each claim once")
    }
  }

  private func checkRegistration(
    _ client: AppRegistration,
    _ path: String,
    _ checker: inout ConfigurationChecker
  ) {
    if client.registrationNumbersFile != nil, !client.allowsRegistration {
      checker.note(
        "\(path).registration_numbers_file", "has no use without registration",
        "remove it, or add \"allow_registration\": true")
    }
    guard client.allowsRegistration else { return }
    // The first role of a list says which one is the most frequent, not which one a person gets.
    if client.roles.count > 1 || client.roles.contains(.administrator) {
      checker.note(
        "\(path).roles", "must have one role, and not that of administrators, with registration",
        "leave the role that people who register themselves get")
    }
    guard client.signIn != .phoneCode else { return }
    checker.note(
      "\(path).allow_registration",
      "has no use where people sign in with a password",
      "remove it, or let them sign in with \"\(AppRegistration.SignIn.phoneCode.rawValue)\""
    )
  }
}

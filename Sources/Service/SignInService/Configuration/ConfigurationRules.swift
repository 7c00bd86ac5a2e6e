import JSONText
import SignInRules

/// What must hold between the keys of a configuration, each of which is right by itself.
struct ConfigurationRules {
  let root: JSON
  let configuration: Configuration
  let isDevelopment: Bool

  func check(into checker: inout ConfigurationChecker) {
    checkIssuer(&checker)
    checkPlaces(&checker)
    checkRepetition("organizations", "id", &checker)
    checkRepetition("clients", "id", &checker)
    checkRepetition("providers", "name", &checker)
    checkRepetition("messengers", "name", &checker)
    for (index, client) in configuration.clients.enumerated() {
      checkCode(client, "clients[\(index)]", &checker)
      checkLockout(client.lockout, "clients[\(index)].lockout", &checker)
      checkTimes(client, "clients[\(index)]", &checker)
      checkMessages(client, "clients[\(index)]", &checker)
      checkRegistration(client, "clients[\(index)]", &checker)
      checkTexts(
        client.texts, androidAppHash: client.androidAppHash, "clients[\(index)].texts", &checker
      )
    }
    for (index, organization) in configuration.organizations.enumerated() {
      checkTexts(
        organization.texts, androidAppHash: nil, "organizations[\(index)].texts", &checker
      )
    }
    checkRepetition("prices", "country", &checker)
  }

  /// A text is checked as the longest message it may become.
  private func checkTexts(
    _ texts: [String: String], androidAppHash: String?, _ path: String,
    _ checker: inout ConfigurationChecker
  ) {
    for (language, text) in texts.sorted(by: { $0.key < $1.key }) {
      let problem = MessageText.problem(
        text, androidAppHash: androidAppHash, issuer: configuration.issuer ?? ""
      )
      guard let problem else { continue }
      checker.note(
        "\(path).\(language)", problem,
        "write one line with {code} once, short enough for \(MessageText.segmentLimit) messages"
      )
    }
  }

  private func checkIssuer(_ checker: inout ConfigurationChecker) {
    if !isDevelopment, root["issuer"] == nil {
      checker.note("issuer", "is missing", TextForm.issuer.remedy)
    }
    // what development shows to anyone must never be reachable by anyone.
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
      checker.note("store", "is missing", TextForm.storeLocation.remedy)
    }
    if !configuration.listen.isLoopback, root["tls"] == nil {
      checker.note(
        "tls",
        "is missing, and other machines can reach what \"listen\" names",
        "add a certificate and a key, or listen on 127.0.0.1 behind a proxy that speaks TLS"
      )
    }
  }

  private func checkRepetition(
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

  private func checkCode(
    _ client: AppClient,
    _ path: String,
    _ checker: inout ConfigurationChecker
  ) {
    if client.code.digits < AppClient.strongCodeDigits, !client.allowsWeakCodes {
      checker.note(
        "\(path).code.digits",
        "is fewer than \(AppClient.strongCodeDigits), which is soon guessed",
        "write \(AppClient.strongCodeDigits) or more, or set \"allow_weak_codes\" of the client"
      )
    }
    if client.code.resendSeconds > client.code.lifeSeconds {
      checker.note(
        "\(path).code.resend_seconds",
        "is longer than life_seconds: people would have no live code",
        "write at most \(client.code.lifeSeconds)"
      )
    }
  }

  private func checkLockout(
    _ policy: Lockout.Policy,
    _ path: String,
    _ checker: inout ConfigurationChecker
  ) {
    if policy.lockSeconds > policy.longestLockSeconds {
      checker.note(
        "\(path).lock_seconds",
        "is longer than longest_lock_seconds",
        "write at most \(policy.longestLockSeconds)"
      )
    }
    if policy.stopLimit < policy.failureLimit {
      checker.note(
        "\(path).stop_after",
        "is fewer than failures: no lock would ever come first",
        "write at least \(policy.failureLimit)"
      )
    }
  }

  private func checkRegistration(
    _ client: AppClient,
    _ path: String,
    _ checker: inout ConfigurationChecker
  ) {
    guard client.allowsRegistration, client.signIn != .phoneCode else { return }
    checker.note(
      "\(path).allow_registration",
      "has no use where people sign in with a password",
      "remove it, or let them sign in with \"\(AppClient.SignIn.phoneCode.rawValue)\""
    )
  }

  private func checkMessages(
    _ client: AppClient,
    _ path: String,
    _ checker: inout ConfigurationChecker
  ) {
    if client.messages.perNumberPerDay < client.messages.perNumberPerHour {
      checker.note(
        "\(path).messages.per_number_per_day",
        "is fewer than per_number_per_hour",
        "write at least \(client.messages.perNumberPerHour)"
      )
    }
    if let country = client.defaultCountry, !client.countries.isEmpty,
      !client.countries.contains(country)
    {
      checker.note(
        "\(path).countries",
        "leaves out default_country: numbers people are led to type would be sent nothing",
        "add \"\(country)\", or change default_country"
      )
    }
  }

  private func checkTimes(
    _ client: AppClient,
    _ path: String,
    _ checker: inout ConfigurationChecker
  ) {
    if client.accessTokenSeconds > client.sessionSeconds {
      checker.note(
        "\(path).access_token_seconds",
        "is longer than session_seconds",
        "write at most \(client.sessionSeconds)"
      )
    }
    if client.idleSeconds > client.sessionSeconds {
      checker.note(
        "\(path).idle_seconds",
        "is longer than session_seconds",
        "write at most \(client.sessionSeconds)"
      )
    }
  }
}

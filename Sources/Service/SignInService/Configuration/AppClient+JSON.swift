import JSONText
import SignInModel
import SignInRules

extension AppClient {
  /// The app in the keys of the configuration, with all policy values.
  var json: JSON {
    .members([
      JSONMember("id", id.text),
      JSONMember("name", name),
      JSONMember("home", home.rawValue),
      JSONMember("sign_in", signIn.rawValue),
      JSONMember("roles", .array(roles.map { JSON.string($0.rawValue) })),
      JSONMember("scopes", .array(scopes.map { JSON.string($0) })),
      JSONMember("disclosure", disclosure.rawValue),
      JSONMember("dpop_required", requiresDPoP),
      JSONMember("require_dpop_nonce", requiresProofNonce),
      JSONMember("code", codeJSON),
      JSONMember("lockout", lockoutJSON),
      JSONMember("throttle", throttleJSON),
      JSONMember("messages", messagesJSON),
      countries.isEmpty
        ? nil : JSONMember("countries", .array(countries.map { JSON.string($0) })),
      texts.map { JSONMember("texts", $0) },
      JSONMember("access_token_seconds", accessTokenSeconds),
      JSONMember("session_seconds", sessionSeconds),
      JSONMember("idle_seconds", idleSeconds),
      JSONMember("background_seconds", backgroundSeconds),
      JSONMember("unlock", unlock.rawValue),
      JSONMember("offline_seconds", offlineSeconds),
      JSONMember("password_reset", resetMode.rawValue),
      JSONMember("password_reset_wait_seconds", passwordResetWaitSeconds),
      JSONMember("security_notices_by_sms", sendsNoticesBySMS),
      JSONMember("default_country", ifPresent: defaultCountry),
      JSONMember("allow_registration", allowsRegistration),
      audiences.isEmpty
        ? nil : JSONMember("audiences", .array(audiences.map { JSON.string($0) })),
      claims.isEmpty ? nil : JSONMember("claims", .array(claims.map(\.json))),
      origins.isEmpty ? nil : JSONMember("origins", .array(origins.map { JSON.string($0) })),
    ])
  }

  private var codeJSON: JSON {
    .members([
      JSONMember("digits", code.digits),
      JSONMember("life_seconds", code.lifeSeconds),
      JSONMember("resend_seconds", code.resendSeconds),
    ])
  }

  private var lockoutJSON: JSON {
    .members([
      JSONMember("failures", lockout.failureLimit),
      JSONMember("lock_seconds", lockout.lockSeconds),
      JSONMember("longest_lock_seconds", lockout.longestLockSeconds),
      JSONMember("stop_after", lockout.stopLimit),
    ])
  }

  private var throttleJSON: JSON {
    .members([
      JSONMember("sends_per_address_per_hour", throttle.addressSendsPerHour),
      JSONMember("failures_per_address_per_hour", throttle.addressFailuresPerHour),
      JSONMember("sends_per_device_per_hour", throttle.deviceSendsPerHour),
    ])
  }

  private var messagesJSON: JSON {
    .members([
      JSONMember("per_number_per_hour", messages.perNumberPerHour),
      JSONMember("per_number_per_day", messages.perNumberPerDay),
      JSONMember("per_prefix_per_day", messages.perPrefixPerDay),
      JSONMember("per_organization_per_day", messages.perOrganizationPerDay),
      JSONMember("per_day", messages.perDay),
      JSONMember("price_per_day", messages.pricePerDay),
      JSONMember("brake_after", messages.brake.afterSent),
      JSONMember("brake_percent", messages.brake.leastPercent),
    ])
  }

  private var texts: JSON? {
    let members =
      [
        JSONMember("sign_in", ifPresent: signInText?.text),
        JSONMember("password_reset", ifPresent: passwordResetText?.text),
      ]
      + MessageTemplate.languageKeys.map { key in
        JSONMember(key, ifPresent: textsByLanguage[key]?.text)
      }
    let written = members.compactMap { $0 }
    return written.isEmpty ? nil : .object(written)
  }
}

extension TokenClaim {
  fileprivate var json: JSON {
    .members([JSONMember("name", name), JSONMember("from", attribute.rawValue)])
  }
}

import JSONText
import SignInRules

extension AppClient {
  /// Applies the values of `json`, which has the keys of the configuration.
  ///
  /// Absent values do not change.
  ///
  /// A value of the wrong type is ignored. The check of the configuration reports it.
  mutating func apply(_ json: JSON) {
    disclosure = AccountDisclosure(rawValue: json.string("disclosure")) ?? disclosure
    unlock = Unlock(rawValue: json.string("unlock")) ?? unlock
    passwordReset =
      PasswordResetMode(rawValue: json.string("password_reset")) ?? passwordReset
    if json["countries"] != nil { countries = json.strings("countries") }
    if let texts = json["texts"] {
      signInText = texts.validText("sign_in", .message).map(MessageTemplate.init) ?? signInText
      passwordResetText =
        texts.validText("password_reset", .message).map(MessageTemplate.init) ?? passwordResetText
      for key in MessageTemplate.languageKeys {
        textsByLanguage[key] =
          texts.validText(key, .message).map(MessageTemplate.init) ?? textsByLanguage[key]
      }
    }
    applyTimes(json)
    if let code = json["code"] { applyCode(code) }
    if let lockout = json["lockout"] { applyLockout(lockout) }
    if let throttle = json["throttle"] { applyThrottle(throttle) }
    if let messages = json["messages"] { applyMessages(messages) }
  }

  private mutating func applyTimes(_ json: JSON) {
    json.read("access_token_seconds", Limits.accessTokenSeconds, into: &accessTokenSeconds)
    json.read("session_seconds", Limits.sessionSeconds, into: &sessionSeconds)
    // An idle time that is not set here is limited to the session. One that is set must already
    // fit.
    idleSeconds = min(idleSeconds, sessionSeconds)
    json.read("idle_seconds", Limits.idleSeconds, into: &idleSeconds)
    json.read("background_seconds", Limits.backgroundSeconds, into: &backgroundSeconds)
    json.read("offline_seconds", Limits.offlineSeconds, into: &offlineSeconds)
    json.read(
      "password_reset_wait_seconds", Limits.passwordResetWaitSeconds,
      into: &passwordResetWaitSeconds)
  }

  private mutating func applyCode(_ json: JSON) {
    json.read("digits", Limits.codeDigits, into: &code.digits)
    json.read("life_seconds", Limits.codeLifeSeconds, into: &code.lifeSeconds)
    json.read("resend_seconds", Limits.codeResendSeconds, into: &code.resendSeconds)
  }

  private mutating func applyLockout(_ json: JSON) {
    json.read("failures", Limits.lockoutFailures, into: &lockout.failureLimit)
    json.read("lock_seconds", Limits.lockSeconds, into: &lockout.lockSeconds)
    json.read(
      "longest_lock_seconds", Limits.longestLockSeconds, into: &lockout.longestLockSeconds)
    json.read("stop_after", Limits.lockoutStopAfter, into: &lockout.stopLimit)
  }

  private mutating func applyThrottle(_ json: JSON) {
    let perHour = Limits.originPerHour
    json.read("sends_per_address_per_hour", perHour, into: &throttle.addressSendsPerHour)
    json.read("failures_per_address_per_hour", perHour, into: &throttle.addressFailuresPerHour)
    json.read("sends_per_device_per_hour", perHour, into: &throttle.deviceSendsPerHour)
  }

  private mutating func applyMessages(_ json: JSON) {
    let perNumber = Limits.messagesPerNumber
    let budget = Limits.messageBudget
    json.read("per_number_per_hour", perNumber, into: &messages.perNumberPerHour)
    json.read("per_number_per_day", perNumber, into: &messages.perNumberPerDay)
    json.read("per_prefix_per_day", budget, into: &messages.perPrefixPerDay)
    json.read("per_organization_per_day", budget, into: &messages.perOrganizationPerDay)
    json.read("per_day", budget, into: &messages.perDay)
    json.read("price_per_day", Limits.price, into: &messages.pricePerDay)
    json.read("brake_after", budget, into: &messages.brake.afterSent)
    json.read("brake_percent", Limits.brakePercent, into: &messages.brake.leastPercent)
  }
}

extension AppClient {
  /// This app's policy for the members of an organization.
  ///
  /// For values that protect accounts or cost money, the stricter of the two applies, so an
  /// organization can only be stricter. Only the organization decides how long its sessions last,
  /// how long its app may stay in the background (S-07), what its messages say and how many of them
  /// it pays for.
  func restricted(by organization: PolicyChanges) -> AppClient {
    if organization.isEmpty { return self }
    var request = self
    request.apply(organization.json)
    var policy = request
    if disclosure == .concealed { policy.disclosure = .concealed }
    if unlock == .biometric { policy.unlock = .biometric }
    policy.passwordReset = passwordReset.restricted(by: request.passwordReset)
    policy.passwordResetWaitSeconds = max(
      passwordResetWaitSeconds, request.passwordResetWaitSeconds)
    policy.accessTokenSeconds = min(accessTokenSeconds, request.accessTokenSeconds)
    policy.offlineSeconds = min(offlineSeconds, request.offlineSeconds)
    policy.countries = countries
    if request.countries != countries { policy.organizationCountries = request.countries }
    policy.code.restrict(by: code)
    policy.lockout.restrict(by: lockout)
    policy.throttle.restrict(by: throttle)
    policy.messages.restrict(by: messages)
    return policy.settled
  }

  /// How the password of this account is replaced.
  ///
  /// For an administrator's account, by another administrator.
  ///
  /// An account without a password has no known device that could cancel a waiting password. Unless
  /// a code is enough, its person needs an invitation.
  func resetMode(for account: Account) -> PasswordResetMode {
    if account.role == .administrator { return .administrator }
    // An administrator set this number. Until the person proves it, it cannot replace a password.
    if account.phoneChangedAt != nil { return .administrator }
    return account.passwordHash == nil && resetMode == .knownDevice ? .administrator : resetMode
  }

  /// How passwords of this app are replaced.
  ///
  /// In an app for administrators only, people cannot reset their passwords themselves.
  var resetMode: PasswordResetMode {
    roles == [.administrator] ? .administrator : passwordReset
  }

  /// The policy without contradictions between values of two sources.
  ///
  /// The shorter session and the longer lock apply.
  var settled: AppClient {
    var policy = self
    policy.idleSeconds = min(idleSeconds, sessionSeconds)
    policy.accessTokenSeconds = min(accessTokenSeconds, sessionSeconds)
    policy.lockout.longestLockSeconds = max(lockout.longestLockSeconds, lockout.lockSeconds)
    policy.lockout.failureLimit = min(lockout.failureLimit, lockout.stopLimit)
    if !allowsWeakCodes { policy.code.digits = max(code.digits, Self.strongCodeDigits) }
    return policy
  }
}

extension AppClient {
  /// Whether all message texts are the operator's own and name the types of their variables.
  var hasTypedTexts: Bool {
    let own = [signInText, passwordResetText].compactMap { $0 } + Array(textsByLanguage.values)
    return !own.isEmpty && own.allSatisfy(\.isTyped)
  }
}

extension CodeChallenge.Policy {
  fileprivate mutating func restrict(by other: Self) {
    digits = max(digits, other.digits)
    lifeSeconds = min(lifeSeconds, other.lifeSeconds)
    resendSeconds = max(resendSeconds, other.resendSeconds)
  }
}

extension Lockout.Policy {
  fileprivate mutating func restrict(by other: Self) {
    failureLimit = min(failureLimit, other.failureLimit)
    lockSeconds = max(lockSeconds, other.lockSeconds)
    longestLockSeconds = max(longestLockSeconds, other.longestLockSeconds)
    stopLimit = min(stopLimit, other.stopLimit)
  }
}

extension ThrottlePolicy {
  fileprivate mutating func restrict(by other: Self) {
    addressSendsPerHour = min(addressSendsPerHour, other.addressSendsPerHour)
    addressFailuresPerHour = min(addressFailuresPerHour, other.addressFailuresPerHour)
    deviceSendsPerHour = min(deviceSendsPerHour, other.deviceSendsPerHour)
  }
}

extension MessageBudget {
  /// An organization has its own budget.
  ///
  /// The budget of the app limits it too.
  fileprivate mutating func restrict(by other: Self) {
    perNumberPerHour = min(perNumberPerHour, other.perNumberPerHour)
    perNumberPerDay = min(perNumberPerDay, other.perNumberPerDay)
    perPrefixPerDay = min(perPrefixPerDay, other.perPrefixPerDay)
    perDay = other.perDay
    pricePerDay = other.pricePerDay
    brake = other.brake
  }
}

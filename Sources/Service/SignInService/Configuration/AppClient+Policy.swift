import JSONText
import SignInRules

extension AppClient {
  /// Takes what `json` says in the keys of the configuration; what it leaves out stays.
  ///
  /// A value of the wrong form stays out too: whoever wrote it was told, or will be.
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
    // An idle time that nobody wrote here gives way to a shorter session; one that was must fit it.
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
  /// This app's policy for the people of an organization.
  ///
  /// What keeps strangers out, or costs money, an organization can only make stricter: there the
  /// stricter of the two holds, whoever wrote it. What is the organization's own affair is as it
  /// says: how long its sessions last, how long its app may be out of sight before it locks (S-07),
  /// what its messages say and how many of them it pays for.
  func restricted(by organization: PolicyChanges) -> AppClient {
    if organization.isEmpty { return self }
    var wish = self
    wish.apply(organization.json)
    var policy = wish
    if disclosure == .concealed { policy.disclosure = .concealed }
    if unlock == .biometric { policy.unlock = .biometric }
    policy.passwordReset = passwordReset.restricted(by: wish.passwordReset)
    policy.passwordResetWaitSeconds = max(passwordResetWaitSeconds, wish.passwordResetWaitSeconds)
    policy.accessTokenSeconds = min(accessTokenSeconds, wish.accessTokenSeconds)
    policy.offlineSeconds = min(offlineSeconds, wish.offlineSeconds)
    policy.countries = countries
    if wish.countries != countries { policy.organizationCountries = wish.countries }
    policy.code.restrict(by: code)
    policy.lockout.restrict(by: lockout)
    policy.throttle.restrict(by: throttle)
    policy.messages.restrict(by: messages)
    return policy.settled
  }

  /// How this account's password is replaced: an administrator's by another administrator.
  ///
  /// An account without a password has no device that could cancel one that waits: unless a code is
  /// enough, its person needs an invitation.
  func resetMode(for account: Account) -> PasswordResetMode {
    if account.role == .administrator { return .administrator }
    // An administrator wrote this number; until it is proved, it replaces no password.
    if account.phoneChangedAt != nil { return .administrator }
    return account.passwordHash == nil && resetMode == .knownDevice ? .administrator : resetMode
  }

  /// How passwords of this app are replaced: an app for administrators alone has no self-service.
  var resetMode: PasswordResetMode {
    roles == [.administrator] ? .administrator : passwordReset
  }

  /// The same where numbers written in two places contradict each other: the shorter session and
  /// the longer lock hold.
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
  /// Whether what its messages say is all its operator's own, with the types of its variables.
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
  /// The budget of an organization is its own; the app's whole budget bounds it in any case.
  fileprivate mutating func restrict(by other: Self) {
    perNumberPerHour = min(perNumberPerHour, other.perNumberPerHour)
    perNumberPerDay = min(perNumberPerDay, other.perNumberPerDay)
    perPrefixPerDay = min(perPrefixPerDay, other.perPrefixPerDay)
    perDay = other.perDay
    pricePerDay = other.pricePerDay
    brake = other.brake
  }
}

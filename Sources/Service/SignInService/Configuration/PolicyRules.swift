import JSONText
import SignInModel
import SignInRules
import SignInWire

/// The rules between the numbers of one app's policy.
///
/// Each number alone is already valid.
struct PolicyRules {
  let client: AppClient
  /// The place of the policy, such as `clients[0]`.
  ///
  /// Empty if it is the whole document.
  let path: String

  func check(into checker: inout ConfigurationChecker) {
    checkCode(&checker)
    checkLockout(&checker)
    checkTimes(&checker)
    checkMessages(&checker)
  }

  private func checkCode(_ checker: inout ConfigurationChecker) {
    if client.code.digits < AppClient.strongCodeDigits, !client.allowsWeakCodes {
      checker.note(
        path.appending(key: "code.digits"),
        "is less than \(AppClient.strongCodeDigits), so codes are easy to guess",
        "write \(AppClient.strongCodeDigits) or more, or set \"allow_weak_codes\" of the client"
      )
    }
    if client.code.resendSeconds > client.code.lifeSeconds {
      checker.note(
        path.appending(key: "code.resend_seconds"),
        "is longer than life_seconds, so a code would expire before the next one can be sent",
        "write at most \(client.code.lifeSeconds)"
      )
    }
  }

  private func checkLockout(_ checker: inout ConfigurationChecker) {
    let policy = client.lockout
    if policy.lockSeconds > policy.longestLockSeconds {
      checker.note(
        path.appending(key: "lockout.lock_seconds"),
        "is longer than longest_lock_seconds",
        "write at most \(policy.longestLockSeconds)"
      )
    }
    if policy.stopLimit < policy.failureLimit {
      checker.note(
        path.appending(key: "lockout.stop_after"),
        "is less than failures, so the stop would come before any lockout",
        "write at least \(policy.failureLimit)"
      )
    }
  }

  private func checkMessages(_ checker: inout ConfigurationChecker) {
    if client.messages.perNumberPerDay < client.messages.perNumberPerHour {
      checker.note(
        path.appending(key: "messages.per_number_per_day"),
        "is less than per_number_per_hour",
        "write at least \(client.messages.perNumberPerHour)"
      )
    }
    if let country = client.defaultCountry, !client.countries.isEmpty,
      !client.countries.contains(where: { isInside($0, country) })
    {
      checker.note(
        path.appending(key: "countries"),
        "does not include default_country, so numbers with the prefilled calling code would get no "
          + "message",
        "add \"\(country)\", or change default_country"
      )
    }
  }

  /// Whether messages may go to some numbers of this country.
  private func isInside(_ prefix: String, _ country: String) -> Bool {
    guard let prefix = NumberPrefix(prefix), let country = NumberPrefix(country) else {
      return false
    }
    return country.covers(prefix) || prefix.covers(country)
  }

  private func checkTimes(_ checker: inout ConfigurationChecker) {
    if client.accessTokenSeconds > client.sessionSeconds {
      checker.note(
        path.appending(key: "access_token_seconds"),
        "is longer than session_seconds",
        "write at most \(client.sessionSeconds)"
      )
    }
    if client.idleSeconds > client.sessionSeconds {
      checker.note(
        path.appending(key: "idle_seconds"),
        "is longer than session_seconds",
        "write at most \(client.sessionSeconds)"
      )
    }
  }
}

extension PolicyRules {
  /// The part of `range` that is valid together with the other policy values.
  ///
  /// If a person changes only this number, within this range, the policy has no mistake. `changes`
  /// are the values that administrators changed.
  func narrowed(
    _ range: ClosedRange<Int64>, of key: PolicyKey, changes: JSON
  ) -> ClosedRange<Int64> {
    func atLeast(_ least: Int64) -> ClosedRange<Int64> {
      min(max(least, range.lowerBound), range.upperBound)...range.upperBound
    }
    func atMost(_ most: Int64) -> ClosedRange<Int64> {
      range.lowerBound...max(min(most, range.upperBound), range.lowerBound)
    }
    switch key {
    case .codeDigits: return client.allowsWeakCodes ? range : atLeast(AppClient.strongCodeDigits)
    case .codeLife: return atLeast(client.code.resendSeconds)
    case .codeResend: return atMost(client.code.lifeSeconds)
    case .lockoutFailures: return atMost(client.lockout.stopLimit)
    case .lockoutStop: return atLeast(client.lockout.failureLimit)
    case .firstLock: return atMost(client.lockout.longestLockSeconds)
    case .longestLock: return atLeast(client.lockout.lockSeconds)
    case .numberHourly: return atMost(client.messages.perNumberPerDay)
    case .numberDaily: return atLeast(client.messages.perNumberPerHour)
    case .accessToken, .idle: return atMost(client.sessionSeconds)
    case .session:
      // A shorter session also shortens an idle time that administrators did not change.
      let idle = changes["idle_seconds"]?.seconds ?? 0
      return atLeast(max(client.accessTokenSeconds, idle))
    case .disclosure, .addressSends, .addressFailures, .deviceSends, .prefixDaily,
      .organizationDaily, .appDaily, .priceDaily, .brakeAfter, .brakePercent, .countries,
      .signInText, .signInEnglish, .signInHindi, .signInNorwegian, .resetText, .resetEnglish,
      .resetHindi, .resetNorwegian, .background, .unlock, .offline, .passwordReset,
      .passwordResetWait:
      return range
    }
  }
}

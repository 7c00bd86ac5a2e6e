import JSONText
import SignInModel
import SignInRules
import SignInWire

/// Two numbers of a policy, the first of which must not be greater than the second.
struct PolicyOrder {
  let lesser: PolicyKey
  let greater: PolicyKey
  /// The one of the two that a mistake names.
  let named: PolicyKey
  /// The one that changes if the two come from different sources; `nil` if neither does.
  var settled: PolicyKey?
  let problem: String

  static let all = [
    PolicyOrder(
      lesser: .codeResend, greater: .codeLife, named: .codeResend,
      problem: "is longer than life_seconds, so a code would expire before the next one can be sent"
    ),
    PolicyOrder(
      lesser: .firstLock, greater: .longestLock, named: .firstLock, settled: .longestLock,
      problem: "is longer than longest_lock_seconds"),
    PolicyOrder(
      lesser: .lockoutFailures, greater: .lockoutStop, named: .lockoutStop,
      settled: .lockoutFailures,
      problem: "is less than failures, so the stop would come before any lockout"),
    PolicyOrder(
      lesser: .accessToken, greater: .session, named: .accessToken, settled: .accessToken,
      problem: "is longer than session_seconds"),
    PolicyOrder(
      lesser: .idle, greater: .session, named: .idle, settled: .idle,
      problem: "is longer than session_seconds"),
    PolicyOrder(
      lesser: .numberHourly, greater: .numberDaily, named: .numberDaily,
      problem: "is less than per_number_per_hour"),
  ]
}

/// The rules between the numbers of one app's policy.
///
/// Each number alone is already valid.
struct PolicyRules {
  let client: AppRegistration
  /// The place of the policy, such as `clients[0]`.
  ///
  /// Empty if it is the whole document.
  let path: String

  func check(into checker: inout ConfigurationChecker) {
    checkDigits(&checker)
    for order in PolicyOrder.all {
      let (lesser, greater) = (number(order.lesser), number(order.greater))
      guard lesser > greater else { continue }
      checker.note(
        path.appending(key: order.named.rawValue), order.problem,
        order.named == order.lesser ? "write at most \(greater)" : "write at least \(lesser)")
    }
    checkCountries(&checker)
    checkRegistration(&checker)
  }

  private func number(_ key: PolicyKey) -> Int64 { client.policy[key] }

  private func checkDigits(_ checker: inout ConfigurationChecker) {
    guard client.policy[.codeDigits] < AppRegistration.strongCodeDigits, !client.allowsWeakCodes
    else {
      return
    }
    checker.note(
      path.appending(key: PolicyKey.codeDigits.rawValue),
      "is less than \(AppRegistration.strongCodeDigits), so codes are easy to guess",
      "write \(AppRegistration.strongCodeDigits) or more, or set \"allow_weak_codes\" of the client"
    )
  }

  private func checkCountries(_ checker: inout ConfigurationChecker) {
    let countries = client.policy.countries
    guard let country = client.defaultCountry, !countries.isEmpty,
      !countries.contains(where: { isInside($0, country) })
    else { return }
    checker.note(
      path.appending(key: PolicyKey.countries.rawValue),
      "does not include default_country, so numbers with the prefilled calling code would get no "
        + "message",
      "add \"\(country)\", or change default_country"
    )
  }

  /// A code for a registration goes to a number without an account, so the countries must be known.
  private func checkRegistration(_ checker: inout ConfigurationChecker) {
    let approval = client.policy.registrationApproval
    let key = path.appending(key: PolicyKey.registrationApproval.rawValue)
    if approval == .list, client.registrationNumbersFile == nil {
      checker.note(
        key, "names a list, and there is none",
        "add \"registration_numbers_file\" to the client, or let an administrator approve")
    }
    if client.allowsRegistration, approval.needsCode, client.defaultCountry == nil,
      client.policy.countries.isEmpty
    {
      checker.note(
        key, "sends codes to unknown numbers, and every country is allowed",
        "list the \"countries\", or set \"default_country\" of the client")
    }
  }

  /// Whether messages may go to some numbers of this country.
  private func isInside(_ prefix: String, _ country: String) -> Bool {
    guard let prefix = NumberPrefix(prefix), let country = NumberPrefix(country) else {
      return false
    }
    return country.covers(prefix) || prefix.covers(country)
  }
}

extension PolicyRules {
  /// The values that a person may write, with the other policy values as they are.
  ///
  /// If a person changes only this number, within its range, the policy has no mistake. `changes`
  /// are the values that administrators changed.
  func form(of key: PolicyKey, changes: JSON) -> PolicyValue.Form {
    let form = key.field.form
    guard case .number(let range) = form else { return form }
    var (least, most) = (range.lowerBound, range.upperBound)
    if key == .codeDigits, !client.allowsWeakCodes {
      least = max(least, AppRegistration.strongCodeDigits)
    }
    for order in PolicyOrder.all {
      if key == order.lesser { most = min(most, number(order.greater)) }
      guard key == order.greater else { continue }
      // A shorter session also shortens an idle time that administrators did not change.
      let bound =
        order.lesser == .idle
        ? PolicyKey.idle.value(in: changes).seconds ?? 0 : number(order.lesser)
      least = max(least, bound)
    }
    least = min(least, range.upperBound)
    return .number(least...max(most, least))
  }
}

import SignInModel
import SignInWire

extension AppRegistration {
  /// This app with the policy for the members of an organization.
  func restricted(by organization: PolicyChanges) -> AppRegistration {
    if organization.isEmpty { return self }
    var client = self
    client.policy = policy.restricted(by: organization)
    return client.settled
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
    roles == [.administrator] ? .administrator : policy.passwordReset
  }

  /// The policy as administrators read it.
  ///
  /// It has the effective method of password reset, and the countries that both the app and the
  /// organization name.
  var shownPolicy: Policy {
    var shown = policy
    shown.passwordReset = resetMode
    if let own = policy.organizationCountries {
      shown.countries = policy.countries.isEmpty ? own : Self.common(own, policy.countries)
    }
    return shown
  }

  /// For each pair of prefixes in which one contains the other, the narrower one.
  private static func common(_ own: [String], _ others: [String]) -> [String] {
    var common: [String] = []
    for text in own {
      for other in others {
        guard let prefix = NumberPrefix(text), let limit = NumberPrefix(other) else { continue }
        let narrower = limit.covers(prefix) ? text : prefix.covers(limit) ? other : nil
        if let narrower, !common.contains(narrower) { common.append(narrower) }
      }
    }
    return common
  }

  /// The app without contradictions between policy values of two sources.
  ///
  /// The shorter session and the longer lock apply.
  var settled: AppRegistration {
    var client = self
    for order in PolicyOrder.all where order.settled != nil {
      let (lesser, greater) = (policy[order.lesser], policy[order.greater])
      if order.settled == order.lesser { client.policy[order.lesser] = min(lesser, greater) }
      if order.settled == order.greater { client.policy[order.greater] = max(lesser, greater) }
    }
    if !allowsWeakCodes {
      client.policy[.codeDigits] = max(policy[.codeDigits], Self.strongCodeDigits)
    }
    return client
  }

  /// Whether all message texts are the operator's own and name the types of their variables.
  var hasTypedTexts: Bool {
    !policy.texts.isEmpty && policy.texts.allSatisfy(\.isTyped)
  }
}

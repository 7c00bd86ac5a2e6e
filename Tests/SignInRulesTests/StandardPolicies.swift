import SignInRules

// The rules get their numbers from the policy of an app. These are the numbers of the tests.
extension Lockout.Policy {
  init() {
    self.init(
      failureLimit: 5, lockSeconds: 15 * 60, longestLockSeconds: 24 * 60 * 60, stopLimit: 100)
  }
}

extension CodeChallenge.Policy {
  init() { self.init(digits: 6, lifeSeconds: 300, resendSeconds: 60) }
}

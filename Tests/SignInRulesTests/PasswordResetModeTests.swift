import SignInModel
import SignInRules
import Testing

struct PasswordResetModeTests {
  @Test(
    "A right code changes the password at once, later, or not at all",
    arguments: [
      (PasswordResetMode.code, false, PasswordResetMode.Effect.atOnce),
      (.code, true, .atOnce),
      (.knownDevice, true, .atOnce),
      (.knownDevice, false, .afterWaiting),
      (.administrator, true, .refused),
      (.administrator, false, .refused),
    ])
  func effect(_ mode: PasswordResetMode, _ isKnown: Bool, _ effect: PasswordResetMode.Effect) {
    #expect(mode.effect(onKnownDevice: isKnown) == effect)
  }
}

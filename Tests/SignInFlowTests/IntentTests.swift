import EngineTesting
import JSONText
import SignInModel
import SignInWire
import Testing

@testable import SignInEngine
@testable import SignInFlow

/// Intents in the apps with forms.
@Suite struct IntentTests {
  private static let phone = PhoneNumber(typed: "+919812345678")
  private static let address = EmailAddress(typed: "tech@example.com")
  private static let name = PersonName(typed: "Asha Rao")

  /// Each intent of a person who is not signed in.
  private static let signInIntents: [SignInIntent] = {
    guard let phone, let address, let name else { return [] }
    return [
      .enterPassword(address, Secret("demo-Technician-1")), .sendCode(to: phone),
      .openProvider("bankid"), .findProvider(of: address), .returnFromProvider(Secret("q")),
      .submitCode(Secret("123456")), .resendCode, .requestPasswordReset(of: address),
      .setPassword(Secret("mossy stones"), code: Secret("123456")), .register(name, phone), .cancel,
    ]
  }()

  @Test("P-06 an app with forms ignores the intents of a sign-in in every state")
  func forms() {
    for state in UnawaitedEventTests.states where state.place != nil {
      for intent in Self.signInIntents {
        let isIgnored = state.ignores(.intent(.signIn(intent, ticket: nil)))
        #expect(isIgnored, "\(state.name): \(intent)")
      }
    }
  }

  @Test("P-06 an intent has the same effect as its button in every state")
  func buttons() {
    let pairs: [(SessionIntent, String)] = [
      (.unlock, "unlock"), (.signInInstead, "use_another_way"), (.setLock, "set_lock"),
      (.removeLock, "remove_lock"), (.staySignedIn, "stay_signed_in"), (.signOut, "sign_out"),
      (.switchOrganization(OrganizationID("1")), "switch_organization 1"),
    ]
    for state in UnawaitedEventTests.states where state.place != nil && state.hasPages {
      for (intent, button) in pairs {
        let isIgnored = state.ignores(.intent(.session(intent)))
        #expect(isIgnored != state.awaited.contains(button), "\(state.name): \(button)")
      }
      let isRetried = state.place == .storageUnreadable || state.place == .confirming
      let ignoresRetry = state.ignores(.intent(.session(.tryAgain)))
      // Any intent counts as use, which ends a warning about an idle session.
      let isWarning = state.awaited.contains("stay_signed_in")
      #expect(ignoresRetry || isRetried || isWarning, "\(state.name)")
    }
  }
}

import EngineTesting
import JSONText
import SignInModel
import SignInWire

@testable import SignInEngine
@testable import SignInFlow

extension AppDriver {
  /// The server's public information about the mentors' app.
  static var mentorApp: AppEntry {
    AppEntry(
      id: "mentor-app", name: "Mentors", defaultCountry: nil,
      providers: [
        AppEntry.Provider(name: "bankid", label: "BankID", isAvailable: true),
        AppEntry.Provider(name: "vipps", label: "Vipps", isAvailable: true),
        AppEntry.Provider(name: "city", label: "City", isAvailable: false),
      ], findsProviderByEmail: true)
  }

  var providerSignIn: ProviderSignIn<Home.Code>? {
    if case .atProvider(let signIn) = flow.stage { signIn } else { nil }
  }

  /// The sign-in that is stored now, after the given earlier one.
  func storedSignIn(after earlier: Secret? = nil) -> Secret? {
    var stored = earlier
    for effect in effects {
      if case .savePendingSignIn(let text) = effect { stored = text }
      if effect == .erasePendingSignIn { stored = nil }
    }
    return stored
  }

  mutating func redirectToWeb() {
    refuse(.redirectToWeb) { $0.requestURI = "urn:ietf:params:oauth:request_uri:r1" }
  }

  mutating func comeBack(_ query: String) { handle(.signIn(.providerReturned(Secret(query)))) }
}

/// Steps of a mentor to a provider.
extension MentorDriver {
  static func mentorOpened() -> MentorDriver {
    var driver = MentorDriver()
    driver.handle(.started(utcOffsetSeconds: 3600, app: .mentor))
    return driver
  }

  /// At the form with the buttons of the providers.
  static func atProviders(_ entry: AppEntry = mentorApp) -> MentorDriver {
    var driver = mentorOpened()
    driver.handle(.storage(.read(.absent)))
    driver.answer(200, entry.json)
    return driver
  }

  static func preparingProvider(_ name: String = "bankid") -> MentorDriver {
    var driver = atProviders()
    driver.handle(.home(.itemPressed(.provider, item: name)))
    return driver
  }

  static func requestingProvider() -> MentorDriver {
    var driver = preparingProvider()
    driver.handle(.signIn(.verifierMade(verifier: Secret("verifier"), challenge: "challenge")))
    return driver
  }

  static func savingProvider() -> MentorDriver {
    var driver = requestingProvider()
    driver.redirectToWeb()
    return driver
  }

  static func atProvider() -> MentorDriver {
    var driver = savingProvider()
    driver.handle(.storage(.pendingSignInSaved(true)))
    return driver
  }

  static func redeemingProvider() -> MentorDriver {
    var driver = atProvider()
    driver.comeBack("code=c1&state=challenge&iss=https%3A%2F%2Flogin.example.com")
    return driver
  }

  static func waitingProvider() -> MentorDriver {
    var driver = redeemingProvider()
    driver.fail(.unreachable)
    return driver
  }
}

import Cryptography
import JSONText
import SignInModel
import SignInRules
import SignInService
import SignInTesting
import SignInWire
import Testing

@Suite("Sign-in at an identity provider")
struct ProviderJourneyTests {
  @Test("P-02 P-10 a person signs in at a provider, and the app redeems the code")
  func whole() async throws {
    let world = try await ProviderWorld()
    let journey = try await world.open()
    let callback = "https://login.example.com/providers/login/callback"
    #expect(journey.parameters["redirect_uri"] == callback)
    #expect(journey.parameters["code_challenge_method"] == "S256")
    #expect(journey.parameters["nonce"] != nil)
    let result = await world.finish(journey)
    #expect(result["state"] == "app-state")
    #expect(result["iss"] == "https://login.example.com")
    let answer = try await world.redeem(try #require(result["code"])).get()
    #expect(answer.idToken != nil)
    let session = try await world.sessions(of: "tara").first
    #expect(session?.authenticationMethods == ["fed", "otp"])
    // The provider got the verifier of the challenge that the browser brought.
    let exchange = world.provider.requests.last { $0.url.hasSuffix("/token") }
    let form = try Form(parsing: Array((exchange?.form?.revealed ?? "").utf8))
    #expect(
      form["code_verifier"].map { Base64URL.encode(SHA256Digest.of($0)) }
        == journey.parameters["code_challenge"])
  }

  @Test("L-18 an answer is used once")
  func once() async throws {
    let world = try await ProviderWorld()
    let journey = try await world.open()
    #expect(await world.finish(journey)["code"] != nil)
    let calls = world.provider.asked.count
    guard case .redirect = await world.answer(journey) else {
      Issue.record("the browser must go back to the app")
      return
    }
    #expect(world.provider.asked.count == calls)
  }

  @Test("L-19 a person who finishes the sign-in of an attacker in another browser is not signed in")
  func otherBrowser() async throws {
    let world = try await ProviderWorld()
    let journey = try await world.open()
    #expect(await world.answer(journey, cookie: world.randomCookie()) == .page(.otherBrowser))
    let another = try await world.open()
    #expect(await world.answer(another, cookie: nil) == .page(.otherBrowser))
  }

  @Test("L-18 the code is useless without the key and the verifier of the device that began")
  func stolenCode() async throws {
    let world = try await ProviderWorld()
    let code = try #require(await world.finish(try await world.open())["code"])
    let other = await world.redeem(code, key: "thief")
    #expect(other.refused == .invalidGrant)
    let guess = await world.redeem(code, verifier: String(repeating: "w", count: 43))
    #expect(guess.refused == .invalidGrant)
    #expect(await world.redeem(code).refused == nil)
  }

  @Test("L-18 an answer at the callback of another provider is refused")
  func otherProvider() async throws {
    let world = try await ProviderWorld()
    let journey = try await world.open()
    #expect(await world.answer(journey, provider: "second") == .page(.unknown))
    #expect(await world.finish(journey)["code"] != nil)
  }

  @Test("L-18 an answer with the issuer of another provider is refused and its code is not sent")
  func mixedUp() async throws {
    let world = try await ProviderWorld()
    let journey = try await world.open()
    let calls = world.provider.asked.count
    let result = await world.finish(journey, issuer: "https://evil.example")
    #expect(result["error"] == "server_error")
    #expect(result["reason"] == "untrusted_answer")
    #expect(world.provider.asked.count == calls)
  }

  @Test(
    "P-03 each refusal of the provider has its own reason for the app",
    arguments: [
      ("access_denied", "access_denied", "cancelled"),
      ("login_required", "access_denied", "cancelled"),
      ("temporarily_unavailable", "temporarily_unavailable", "provider_unavailable"),
      ("server_error", "temporarily_unavailable", "provider_unavailable"),
      ("invalid_scope", "server_error", "provider_misconfigured"),
    ])
  func refused(_ error: String, _ code: String, _ reason: String) async throws {
    let world = try await ProviderWorld()
    let result = await world.finish(try await world.open(), code: nil, error: error)
    #expect(result["error"] == code)
    #expect(result["reason"] == reason)
    #expect(result["code"] == nil)
    #expect(result["state"] == "app-state")
  }

  @Test("P-03 a refusal without state ends the only sign-in of this browser at this provider")
  func refusedWithoutState() async throws {
    let world = try await ProviderWorld()
    let journey = try await world.open()
    // The same browser at another provider, and another browser at this one.
    let second = try await world.open(provider: "second", cookie: journey.cookie)
    let other = try await world.open()

    guard case .redirect(let address) = await world.answerWithoutState(cookie: journey.cookie)
    else {
      Issue.record("the browser does not go back to the app")
      return
    }
    let result = ProviderWorld.Journey(address: address, cookie: Secret("")).parameters
    #expect(address.hasPrefix("https://app.example.com/done?"))
    #expect(result["reason"] == "cancelled")
    #expect(result["state"] == "app-state")
    #expect(await world.answerWithoutState(cookie: journey.cookie) == .page(.unknown))
    #expect(await world.answer(journey) == .redirect(address))
    #expect(await world.finish(second)["reason"] == "account_not_registered")
    #expect(await world.finish(other)["code"] != nil)
  }

  @Test("L-19 without state nothing but a refusal ends a sign-in, and only the one of this browser")
  func attackWithoutState() async throws {
    let world = try await ProviderWorld()
    let journey = try await world.open()
    let cookie = journey.cookie
    for (error, code) in [(nil, "code"), ("access_denied", "code"), (nil, nil)] {
      #expect(
        await world.answerWithoutState(cookie: cookie, error: error, code: code)
          == .page(.unknown))
    }
    #expect(await world.answerWithoutState(cookie: nil) == .page(.unknown))
    #expect(await world.answerWithoutState(cookie: world.randomCookie()) == .page(.unknown))
    #expect(await world.answerWithoutState(cookie: cookie, provider: "second") == .page(.unknown))
    // With two sign-ins it is not known which one the person refused.
    let another = try await world.open(cookie: cookie)
    #expect(await world.answerWithoutState(cookie: cookie) == .page(.unknown))
    #expect(await world.finish(another)["code"] != nil)
    #expect(await world.finish(journey)["code"] != nil)
  }

  private static let tokenAnswers: [(String, Int, String)] = [
    (#"{"error":"invalid_client"}"#, 401, "provider_misconfigured"),
    (#"{"error":"invalid_grant"}"#, 400, "untrusted_answer"),
    ("busy", 503, "provider_unavailable"), ("<html>", 200, "provider_misconfigured"),
    ("{}", 200, "untrusted_answer"), (#"{"id_token":"a.b.c"}"#, 200, "untrusted_answer"),
  ]

  @Test("P-03 each answer of the token endpoint has its reason", arguments: tokenAnswers)
  func tokenEndpoint(_ body: String, _ status: Int, _ reason: String) async throws {
    let world = try await ProviderWorld()
    let journey = try await world.open()
    let result = await world.finish(journey) {
      world.provider.answer("/token", body, status: status)
    }
    #expect(result["reason"] == reason)
  }

  private static let wrongClaims: [(String, JSON?)] = [
    ("iss", .string("https://evil.example")), ("aud", .string("client-2")),
    ("nonce", .string("another")), ("nonce", nil), ("exp", .int(1_800_000_000 - 61)),
    ("iat", .int(1_800_000_000 + 61)), ("sub", .string("")), ("azp", .string("client-2")),
    ("at_hash", .string("AAAA")),
  ]

  @Test("S-09 an ID token with a wrong claim is refused", arguments: wrongClaims)
  func wrongClaim(_ name: String, _ value: JSON?) async throws {
    let world = try await ProviderWorld()
    let result = await world.finish(try await world.open(), claims: [name: value])
    #expect(result["reason"] == "untrusted_answer")
  }

  @Test("S-09 a key that the provider changed during the sign-in is fetched once")
  func rotation() async throws {
    let world = try await ProviderWorld()
    #expect(await world.finish(try await world.open())["code"] != nil)
    world.clock.advance(seconds: 60)
    world.rotateProviderKey()
    #expect(await world.finish(try await world.open())["code"] != nil)
    #expect(world.provider.asked.count { $0 == "/keys" } == 2)
    // A token of an unknown key causes no further fetch within the minute.
    world.rotateProviderKey(publish: false)
    #expect(await world.finish(try await world.open())["reason"] == "untrusted_answer")
    #expect(world.provider.asked.count { $0 == "/keys" } == 2)
  }

  @Test("P-10 two people at one provider and one person at two providers are never merged")
  func separate() async throws {
    let world = try await ProviderWorld(createsAccounts: .technician)
    func subject(
      _ name: String, _ number: String, provider: String = "login"
    ) async throws -> String? {
      let journey = try await world.open(provider: provider)
      let result = await world.finish(
        journey,
        claims: [
          "sub": .string(name), "phone_number": .string(number),
          "phone_number_verified": .bool(true), "email": .string("same@example.com"),
          "email_verified": .bool(false),
        ])
      guard let code = result["code"] else { return result["reason"] }
      return world.account(of: try await world.redeem(code).get())
    }
    let ann = try await subject("ann", "+15550101111")
    let bob = try await subject("bob", "+15550102222")
    #expect(ann != bob)
    #expect(try await subject("ann", "+15550103333") == ann)
    // The same person at another provider, with the same number: not linked, and no account.
    #expect(try await subject("ann", "+15550101111", provider: "second") == "account_exists")
    let elsewhere = try await subject("ann", "+15550104444", provider: "second")
    #expect(elsewhere != ann)
  }

  @Test("P-10 an unknown identity gets no account unless the configuration says so")
  func unknownIdentity() async throws {
    let world = try await ProviderWorld()
    let result = await world.finish(try await world.open(), claims: ["sub": .string("unknown")])
    #expect(result["error"] == "access_denied")
    #expect(result["reason"] == "account_not_registered")
  }

  @Test("P-10 an address or number that the provider has not verified is not stored")
  func unverified() async throws {
    let world = try await ProviderWorld(createsAccounts: .technician)
    let result = await world.finish(
      try await world.open(),
      claims: [
        "sub": .string("new"), "phone_number": .string("+15550101111"),
        "phone_number_verified": .bool(false), "email": .string("new@example.com"),
        "email_verified": .bool(false),
      ])
    let tokens = try await world.redeem(try #require(result["code"])).get()
    let id = AccountID(try #require(world.account(of: tokens)))
    let account = try await world.store.read { (transaction) throws(StoreFault) in
      try transaction.account(id)
    }
    #expect(account != nil && account?.phone == nil && account?.email == nil)
  }

  @Test("P-10 people without a number or an address are never merged")
  func withoutAddresses() async throws {
    let world = try await ProviderWorld(createsAccounts: .technician)
    var accounts: Set<String> = []
    for name in ["one", "two", "one"] {
      let result = await world.finish(try await world.open(), claims: ["sub": .string(name)])
      let tokens = try await world.redeem(try #require(result["code"])).get()
      accounts.insert(try #require(world.account(of: tokens)))
    }
    #expect(accounts.count == 2)
  }

  @Test("R-11 a rider without a verified number gets no account")
  func riderWithoutNumber() async throws {
    let world = try await ProviderWorld(createsAccounts: .rider)
    for isVerified in [false, true] {
      let result = await world.finish(
        try await world.open(),
        claims: [
          "sub": .string("new"), "phone_number": .string("+15550101111"),
          "phone_number_verified": .bool(isVerified),
        ])
      // The app of these tests is not for riders.
      #expect(result["reason"] == (isVerified ? "wrong_role" : "account_not_registered"))
    }
  }

  @Test("L-17 a deactivated account is refused")
  func deactivated() async throws {
    let world = try await ProviderWorld()
    try await world.change("tara") { $0.status = .deactivated }
    let result = await world.finish(try await world.open())
    #expect(result["reason"] == "account_deactivated")
  }

  @Test("T-13 an account of another role is refused")
  func otherRole() async throws {
    let world = try await ProviderWorld()
    try await world.change("tara") { $0.role = .owner }
    #expect(await world.finish(try await world.open())["reason"] == "wrong_role")
  }

  @Test(
    "the browser must open a request within five minutes", arguments: [(299, true), (300, false)])
  func requestLimit(_ seconds: Int64, _ isOpened: Bool) async throws {
    let world = try await ProviderWorld()
    let request = try await world.push()
    world.clock.advance(seconds: seconds)
    let step = await world.start(request)
    if isOpened {
      guard case .toProvider = step else {
        Issue.record("not opened: \(step)")
        return
      }
    } else {
      #expect(step == .page(.unknown))
    }
  }

  @Test(
    "the whole sign-in may take thirty minutes", arguments: [(1799, true), (1800, false)])
  func journeyLimit(_ seconds: Int64, _ isComplete: Bool) async throws {
    let world = try await ProviderWorld()
    let journey = try await world.open()
    world.clock.advance(seconds: seconds)
    let step = await world.answer(journey)
    #expect((step == .page(.unknown)) != isComplete)
  }

  @Test("a device has at most five open journeys")
  func openLimit() async throws {
    let world = try await ProviderWorld()
    let first = try await world.push()
    world.clock.advance(milliseconds: 1)
    for _ in 0..<5 {
      _ = try await world.push()
      world.clock.advance(milliseconds: 1)
    }
    #expect(await world.start(first) == .page(.unknown))
  }

  @Test("L-09 only sign-ins at a provider that are not completed count against an address")
  func throttled() async throws {
    let world = try await ProviderWorld()
    let limit = ProviderJourney.Limits.openPerAddress
    for _ in 0...limit {
      let code = try #require(await world.finish(try await world.open())["code"])
      _ = try await world.redeem(code).get()
      world.clock.advance(seconds: 1)
    }
    // The account that signed in gives the address room once.
    for _ in 0..<limit + Throttle.roomPerSignIn {
      _ = try await world.push()
      world.clock.advance(seconds: 1)
    }
    #expect(await world.begin().refused == .rateLimited)
    #expect(await world.begin(peer: "192.0.2.99").refused == nil)
  }

  @Test("the same browser can open a request again, another one cannot")
  func openedAgain() async throws {
    let world = try await ProviderWorld()
    let request = try await world.push()
    guard case .toProvider(_, let cookie) = await world.start(request),
      case .toProvider(let address, let again) = await world.start(request, cookie: cookie)
    else {
      Issue.record("the same browser must be able to go back")
      return
    }
    #expect(cookie == again)
    #expect(await world.start(request) == .page(.unknown))
    #expect(await world.start(request, cookie: world.randomCookie()) == .page(.unknown))
    let journey = ProviderWorld.Journey(address: address, cookie: cookie)
    #expect(await world.finish(journey)["code"] != nil)
  }

  @Test("P-03 a provider that does not answer sends the browser back to the app")
  func unreachable() async throws {
    let world = try await ProviderWorld()
    world.provider.fail("/.well-known/openid-configuration")
    guard case .redirect(let address) = await world.start(try await world.push()) else {
      Issue.record("the browser must go back to the app")
      return
    }
    #expect(address.hasPrefix("https://app.example.com/done?error=temporarily_unavailable&"))
    #expect(address.contains("reason=provider_unavailable"))
  }

  @Test("L-18 a redirect URI that is not registered is refused before a browser opens")
  func foreignRedirect() async throws {
    let world = try await ProviderWorld()
    let outcome = await world.begin(redirectURI: "https://evil.example/done")
    #expect(outcome.refused == .invalidRequest)
    let unknown = await world.begin(provider: "none")
    #expect(unknown.refused == .invalidRequest)
  }

  @Test("a request of another app is not opened")
  func otherApp() async throws {
    let world = try await ProviderWorld()
    let request = try await world.push()
    let step = await startProviderJourney(
      requestURI: request, client: ClientID("other-app"), cookie: nil, in: world.world)
    #expect(step == .page(.unknown))
  }

  @Test("P-02 each kind of client authentication is sent as its standard says")
  func clientAuthentication() async throws {
    let key = SigningKey.generate()
    let credentials: [(IdentityProvider.Credential, String, String?)] = [
      (.none, "client_id=client-1", nil),
      (.secret(Secret("s:e c"), .basic), "grant_type", "Basic Y2xpZW50LTE6cyUzQWUlMjBj"),
      (.secret(Secret("s&c"), .post), "client_secret=s%26c", nil),
      (.key(key, id: "k1"), "client_assertion=", nil),
    ]
    for (credential, part, field) in credentials {
      let world = try await ProviderWorld(credential: credential)
      #expect(await world.finish(try await world.open())["code"] != nil)
      let request = try #require(world.provider.requests.last { $0.url.hasSuffix("/token") })
      #expect(request.form?.revealed.contains(part) == true)
      #expect(request.authorization?.revealed == field)
      let printed = "\(request)" + String(reflecting: request)
      #expect(!printed.contains("grant_type"), "a printed request shows no secret")
      #expect(field.map { !printed.contains($0) } ?? true)
    }
  }
}

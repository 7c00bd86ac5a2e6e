import JSONText
import SignInModel
import SignInTesting
import SignInWire
import Testing

@testable import SignInService

@Suite("Sessions that began at a provider")
struct FederatedSessionTests {
  private static func claims(_ token: Secret?) -> JSON? {
    token.flatMap { CompactJWS(parsing: $0.revealed)?.claims }
  }

  private static func signIn(
    _ world: ProviderWorld, _ claims: [String: JSON?] = [:]
  ) async throws -> TokenAnswer {
    let code = try #require(await world.finish(try await world.open(), claims: claims)["code"])
    return try await world.redeem(code).get()
  }

  @Test("P-10 acr, amr and auth_time of the provider are in all tokens, also after a refresh")
  func facts() async throws {
    let world = try await ProviderWorld()
    try await world.change("tara") {
      $0.organizations = [OrganizationID("north"), OrganizationID("south")]
    }
    let early = world.clock.now().seconds - 500
    let first = try await Self.signIn(
      world, ["acr": .string("urn:high"), "auth_time": .int(early)])
    world.clock.advance(seconds: 60)
    let second = try await world.refresh(first).get()
    world.clock.advance(seconds: 60)
    let switched = try await world.refresh(second, organization: "south").get()
    for tokens in [first, second, switched] {
      for token in [tokens.idToken, tokens.accessToken] {
        let claims = try #require(Self.claims(token))
        #expect(claims["acr"] == .string("urn:high"))
        #expect(claims["auth_time"] == .int(early))
        #expect(claims["amr"] == .array([.string("fed"), .string("otp")]))
      }
    }
    #expect(Self.claims(switched.accessToken)?["org"] == .string("south"))
  }

  @Test("P-10 without acr and auth_time of the provider there is no acr, and the sign-in counts")
  func noFacts() async throws {
    let world = try await ProviderWorld()
    let claims = Self.claims(try await Self.signIn(world).idToken)
    #expect(claims?["acr"] == nil)
    #expect(claims?["auth_time"] == .int(world.clock.now().seconds))
  }

  @Test("S-09 auth_time is never later than the sign-in here")
  func clockAhead() async throws {
    let world = try await ProviderWorld()
    let now = world.clock.now().seconds
    let claims = Self.claims(try await Self.signIn(world, ["auth_time": .int(now + 30)]).idToken)
    #expect(claims?["auth_time"] == .int(now))
  }

  // MARK: Sign-out

  private static let signOutPage = "https://login.example.net/logout"

  private static func world(_ endpoint: JSON?, ends: Bool = true) async throws -> ProviderWorld {
    let world = try await ProviderWorld { $0.endsSession = ends }
    world.provider.answer(
      "/.well-known/openid-configuration",
      ScriptedProvider.metadata([
        "id_token_signing_alg_values_supported": .array([.string("ES256")]),
        "end_session_endpoint": endpoint,
      ]))
    return world
  }

  @Test("P-10 a sign-out names the provider's sign-out, and calls no provider")
  func signOut() async throws {
    let world = try await Self.world(.string(Self.signOutPage + "?x=1"))
    let tokens = try await Self.signIn(world)
    world.clock.advance(seconds: 7200)
    let calls = world.provider.asked.count
    let fresh = try await world.refresh(tokens).get()
    // A repeated sign-out gets the same address.
    for _ in 0..<2 {
      let answer = try await world.signOut(fresh).get()
      #expect(answer.isKnown)
      #expect(
        answer.providerAddress == Self.signOutPage + "?x=1&client_id=client-1"
          + "&post_logout_redirect_uri=https%3A%2F%2Flogin.example.com%2Foauth%2Fsigned-out"
          + "&state=technician-app")
    }
    #expect(world.provider.asked.count == calls)
    #expect(try await world.sessions(of: "tara").map(\.end) == [.signedOut])
  }

  private static let withoutAddress: [(JSON?, Bool)] = [
    (.string(signOutPage), false), (nil, true),
  ]

  @Test("P-10 no address without the setting or without an endpoint", arguments: withoutAddress)
  func noAddress(_ endpoint: JSON?, _ ends: Bool) async throws {
    let world = try await Self.world(endpoint, ends: ends)
    let tokens = try await Self.signIn(world)
    #expect(try await world.signOut(tokens).get().providerAddress == nil)
  }
}

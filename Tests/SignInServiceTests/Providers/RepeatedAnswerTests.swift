import SignInModel
import SignInTesting
import SignInWire
import Testing

@testable import SignInService

@Suite("Repeated answers of a provider")
struct RepeatedAnswerTests {
  /// The address to which the browser goes back; nil if it sees a page.
  private func address(_ step: BrowserStep) -> String? {
    guard case .redirect(let address) = step else { return nil }
    return address
  }

  private func parameters(_ address: String?) -> Form {
    ProviderWorld.Journey(address: address ?? "", cookie: Secret("")).parameters
  }

  @Test("L-55 a callback that the same browser requests twice has the same result")
  func sameResult() async throws {
    let world = try await ProviderWorld()
    let journey = try await world.open()
    let first = await world.finish(journey)

    let again = address(await world.answer(journey))

    #expect(again?.hasPrefix("https://app.example.com/done?") == true)
    #expect(parameters(again) == first)
    let code = try #require(parameters(again)["code"])
    #expect(await world.redeem(code).refusal == nil)
  }

  @Test("L-55 a callback without the cookie, or with another one, uses up nothing")
  func foreignCookie() async throws {
    let world = try await ProviderWorld()
    let journey = try await world.open()
    for cookie in [nil, world.randomCookie()] {
      #expect(await world.answer(journey, cookie: cookie) == .page(.otherBrowser))
    }
    #expect(await world.finish(journey)["code"] != nil)
    for cookie in [nil, world.randomCookie()] {
      #expect(await world.answer(journey, cookie: cookie) == .page(.otherBrowser))
    }
  }

  @Test("L-55 a repeated refusal has the same reason")
  func sameRefusal() async throws {
    let world = try await ProviderWorld()
    let journey = try await world.open()
    let first = await world.finish(journey, code: nil, error: "access_denied")

    #expect(first["reason"] == "cancelled")
    #expect(parameters(address(await world.answer(journey))) == first)
  }

  @Test("L-55 after the code was used, a repeated callback opens the app and ends no session")
  func usedCode() async throws {
    let world = try await ProviderWorld()
    let journey = try await world.open()
    let code = try #require(await world.finish(journey)["code"])
    let tokens = try await world.redeem(code).get()

    #expect(address(await world.answer(journey)) == "https://app.example.com/done")
    #expect(await world.refresh(tokens).refusal == nil)
  }

  @Test("L-55 after the code has expired, the app gets an error with its state")
  func expiredCode() async throws {
    let world = try await ProviderWorld()
    let journey = try await world.open()
    _ = await world.finish(journey)
    world.clock.advance(seconds: SignInLimits.authorizationCodeSeconds - 1)
    #expect(parameters(address(await world.answer(journey)))["code"] != nil)

    world.clock.advance(seconds: 1)
    let late = parameters(address(await world.answer(journey)))

    #expect(late["code"] == nil && late["state"] == "app-state")
    #expect(late["error"] == "temporarily_unavailable")
    world.clock.advance(seconds: ProviderJourney.Limits.seconds)
    #expect(await world.answer(journey) == .page(.unknown))
  }

  @Test("L-55 a request that is opened again after its end has the result of its end")
  func openedAgain() async throws {
    let world = try await ProviderWorld()
    let request = try await world.push()
    guard case .toProvider(let address, let cookie) = await world.start(request) else {
      Issue.record("the first opening must lead to the provider")
      return
    }
    let first = await world.finish(ProviderWorld.Journey(address: address, cookie: cookie))

    #expect(parameters(self.address(await world.start(request, cookie: cookie))) == first)
    #expect(await world.start(request) == .page(.otherBrowser))
  }

  @Test("L-55 the state at the provider is the same each time that a browser opens the request")
  func sameState() async throws {
    let world = try await ProviderWorld()
    let request = try await world.push()
    var states: [String] = []
    var cookie: Secret?
    for _ in 0..<2 {
      guard case .toProvider(let address, let given) = await world.start(request, cookie: cookie)
      else { break }
      cookie = given
      states.append(ProviderWorld.Journey(address: address, cookie: given).state.revealed)
    }
    let other = try await world.open()
    #expect(states.count == 2 && states[0] == states[1])
    #expect(other.state.revealed != states[0])
  }
}

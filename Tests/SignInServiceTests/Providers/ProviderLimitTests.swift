import Cryptography
import JSONText
import SignInModel
import SignInRules
import SignInTesting
import SignInWire
import Testing

@testable import SignInService

/// What an attacker can repeat, delay or leave open at the start of a sign-in at a provider.
@Suite("Limits of sign-ins at a provider")
struct ProviderLimitTests {
  private static let limit = ProviderJourney.Limits.openPerAddress

  private func open(_ world: ProviderWorld, _ requests: [String]) async throws -> Int {
    var count = 0
    for request in requests {
      guard case .toProvider = await world.start(request) else { continue }
      count += 1
    }
    return count
  }

  @Test("L-09 a network address has at most two hundred open sign-ins at providers, with any keys")
  func openPerAddress() async throws {
    let world = try await ProviderWorld()
    #expect(Self.limit == 200)
    // No journey is open longer than the count of its beginning.
    #expect(ProviderJourney.Limits.seconds <= Throttle.Limit.hourSeconds)
    var requests: [String] = []
    for number in 0..<Self.limit { requests.append(try await world.push(key: "key \(number)")) }

    let refused = await world.begin(key: "another")
    #expect(refused.refused == .rateLimited)
    #expect(refused.refusal?.retryIn == 3600)
    #expect(try await open(world, requests) == requests.count)

    world.clock.advance(seconds: 3600)
    #expect(await world.begin(key: "another").refused == nil)
  }

  @Test("L-09 sign-ins at a provider and wrong passwords do not use up each other's limits")
  func separate() async throws {
    let test = try await TestWorld()
    let now = test.clock.now()
    let caller = Caller(
      client: test.client.id, peer: "192.0.2.1", proofKeyThumbprint: "key")
    let throttling = test.world.throttling(for: test.client, by: caller)
    for isAdmitted in Array(repeating: true, count: Int(Self.limit)) + [false] {
      let refusal = try await test.store.transact { (transaction) throws(StoreFault) in
        try throttling.admitProviderSignIn(at: now, transaction)
      }
      #expect((refusal == nil) == isAdmitted)
    }
    let failures = test.client.policy[.addressFailures]
    for number in 0..<failures {
      let answer = await test.begin(
        "wrong", username: "n\(number)@example.com", from: "192.0.2.1")
      #expect(answer.code == .invalidCredentials)
    }
    #expect(
      await test.begin("wrong", username: "x@y.example", from: "192.0.2.1").code == .rateLimited)

    let world = try await ProviderWorld()
    let guesses = world.world.throttling(
      for: TestWorld.technicians,
      by: Caller(client: nil, peer: TestWorld.peer, proofKeyThumbprint: nil))
    let start = world.clock.now()
    for isAdmitted in Array(repeating: true, count: Int(failures)) + [false] {
      let refusal = try await world.store.transact { (transaction) throws(StoreFault) in
        try guesses.admitAnswer(about: nil, at: start, transaction)
      }
      #expect((refusal == nil) == isAdmitted)
    }
    #expect(await world.begin().refused == nil)
  }

  @Test("L-18 a browser opens a request again five times, and then sees that it has ended")
  func reopenings() async throws {
    let world = try await ProviderWorld()
    let request = try await world.push()
    guard case .toProvider(var address, let cookie) = await world.start(request) else {
      Issue.record("the first opening must lead to the provider")
      return
    }
    #expect(ProviderJourney.Limits.reopenings == 5)
    for _ in 0..<ProviderJourney.Limits.reopenings {
      guard case .toProvider(let next, _) = await world.start(request, cookie: cookie) else {
        Issue.record("the browser must be able to go back")
        return
      }
      address = next
    }
    #expect(await world.start(request, cookie: cookie) == .page(.unknown))
    // The page of the last opening is still at the provider.
    let journey = ProviderWorld.Journey(address: address, cookie: cookie)
    #expect(await world.finish(journey)["code"] != nil)
  }

  @Test("L-19 a start that fails ends the journey, so that no browser without a cookie is bound")
  func failedStart() async throws {
    let world = try await ProviderWorld()
    world.provider.fail("/.well-known/openid-configuration")
    let request = try await world.push()
    guard case .redirect = await world.start(request) else {
      Issue.record("the browser must go back to the app")
      return
    }
    guard case .ended? = try await journey(world, request)?.progress else {
      Issue.record("the journey must have ended")
      return
    }
    // The same error again, if its answer was lost.
    guard case .redirect(let address) = await world.start(request) else {
      Issue.record("the browser must go back to the app again")
      return
    }
    #expect(address.contains("reason=provider_unavailable"))
  }

  @Test("L-55 another browser that opens a started request does not use it up for the first one")
  func otherBrowser() async throws {
    let world = try await ProviderWorld()
    let request = try await world.push()
    guard case .toProvider(let address, let cookie) = await world.start(request) else {
      Issue.record("the first opening must lead to the provider")
      return
    }
    for _ in 0...ProviderJourney.Limits.reopenings {
      #expect(await world.start(request) == .page(.unknown))
    }
    let first = ProviderWorld.Journey(address: address, cookie: cookie)
    #expect(await world.answer(first, cookie: world.randomCookie()) == .page(.otherBrowser))
    #expect(await world.finish(first)["code"] != nil)
  }

  @Test("L-55 the code of a person is not given to another browser that opened the request")
  func attackerOpensFirst() async throws {
    let world = try await ProviderWorld()
    let request = try await world.push()
    guard case .toProvider(let address, let cookie) = await world.start(request) else {
      Issue.record("the first opening must lead to the provider")
      return
    }
    // The person opens the attacker's request, which would otherwise give the attacker the code.
    let other = world.randomCookie()
    #expect(await world.start(request, cookie: other) == .page(.unknown))
    let journey = ProviderWorld.Journey(address: address, cookie: cookie)
    #expect(await world.answer(journey, cookie: other) == .page(.otherBrowser))
    #expect(await world.finish(journey)["code"] != nil)
    #expect(await world.start(request, cookie: other) == .page(.otherBrowser))
    #expect(await world.answer(journey, cookie: other) == .page(.otherBrowser))
  }

  @Test("L-55 the first browser opens a request again after the time of its first opening")
  func lateBrowser() async throws {
    let world = try await ProviderWorld()
    let request = try await world.push()
    guard case .toProvider(_, let cookie) = await world.start(request) else {
      Issue.record("the first opening must lead to the provider")
      return
    }
    world.clock.advance(seconds: ProviderJourney.Limits.requestSeconds)
    #expect(await world.start(request) == .page(.unknown))
    guard case .toProvider = await world.start(request, cookie: cookie) else {
      Issue.record("the first browser must reach the provider again")
      return
    }
  }

  private func journey(_ world: ProviderWorld, _ request: String) async throws -> ProviderJourney? {
    let digest = TimeOrderedHandle.digest(
      of: String(request.dropFirst(PushedRequestAnswer.prefix.count)))
    return try await world.store.read { (transaction) throws(StoreFault) in
      try transaction.providerJourney(digest: digest)
    }
  }

  // MARK: One deadline

  @Test("S-09 all calls of a completion have the remaining time of one deadline")
  func deadlines() async throws {
    let world = try await ProviderWorld(createsAccounts: .technician)
    let journey = try await world.open()
    for path in ["/token", "/keys"] {
      world.provider.before(path) { world.clock.advance(milliseconds: 1000) }
    }
    let result = await world.finish(journey, claims: ["sub": .string("new")])
    #expect(result["code"] != nil)
    func time(of path: String) -> Int64? {
      world.provider.requests.last { $0.url.hasSuffix(path) }?.deadlineMilliseconds
    }
    let whole = ProviderDirectory.Limits.waitMilliseconds
    #expect(time(of: "/token") == whole)
    // The keys are fetched for all sign-ins.
    #expect(time(of: "/keys") == whole)
    #expect(time(of: "/userinfo") == whole - 2000)
  }

  @Test("S-09 keys that do not come end a sign-in at its deadline, and are fetched on for others")
  func hangingKeys() async throws {
    let world = try await ProviderWorld()
    let journey = try await world.open()
    let start = world.clock.now()
    world.provider.before("/token") { world.clock.advance(milliseconds: 4000) }
    world.provider.hang("/keys")
    let finished = Task { await world.finish(journey) }
    // The call for the keys and the sign-in that waits for it.
    while world.clock.sleeperCount < 2 { await Task.yield() }
    #expect(world.clock.now() == start.adding(milliseconds: 4000))
    world.clock.advance(milliseconds: 500)
    #expect(await finished.value["reason"] == "provider_unavailable")
    #expect(
      world.clock.now().milliseconds - start.milliseconds
        == ProviderDirectory.Limits.waitMilliseconds)
    // The fetch has its own time.
    #expect(world.clock.sleeperCount == 1)
    world.clock.advance(milliseconds: 4000)
    while world.clock.sleeperCount > 0 { await Task.yield() }
  }

  @Test("S-09 metadata that does not come ends a start at its deadline")
  func hangingMetadata() async throws {
    let world = try await ProviderWorld()
    world.provider.hang("/.well-known/openid-configuration")
    let request = try await world.push()
    let start = world.clock.now()
    let opened = Task { await world.start(request) }
    while world.clock.sleeperCount < 2 { await Task.yield() }
    world.clock.advance(milliseconds: ProviderDirectory.Limits.waitMilliseconds)
    guard case .redirect(let address) = await opened.value else {
      Issue.record("the browser must go back to the app")
      return
    }
    #expect(address.contains("reason=provider_unavailable"))
    #expect(
      world.clock.now().milliseconds - start.milliseconds
        == ProviderDirectory.Limits.waitMilliseconds)
  }

  // MARK: Methods

  private static let methods: [([String], [String])] = [
    (["pwd", "otp", "mfa"], ["otp", "mfa"]),
    (["fed", "own", "MFA", "otp", "otp"], ["otp"]),
    (["a", "b", "c", "d", "e", "f", "otp", "sms", "mfa"], ["otp", "sms"]),
    ([String(repeating: "o", count: 65), "hwk"], ["hwk"]), ([], []),
  ]

  @Test(
    "P-10 tokens repeat registered methods of a provider only, and never `pwd`", arguments: methods)
  func amr(_ sent: [String], _ expected: [String]) async throws {
    let world = try await ProviderWorld()
    #expect(ProviderClaims.Limits.methods == 8)
    let result = await world.finish(
      try await world.open(), claims: ["amr": .array(sent.map { .string($0) })])
    let tokens = try await world.redeem(try #require(result["code"])).get()
    let claims = CompactJWS(parsing: tokens.accessToken.revealed)?.claims
    #expect(claims?["amr"] == .array((["fed"] + expected).map { .string($0) }))
    let session = try await world.sessions(of: "tara").first
    #expect(session?.hasProvedPassword == false)
  }
}

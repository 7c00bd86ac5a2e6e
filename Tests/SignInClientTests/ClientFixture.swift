import Cryptography
import Foundation
import HTTPServer
import SignInHTTP
import SignInLinux
import SignInModel
import SignInService
import SignInTesting
import SignInWire
import Synchronization
import Testing

@testable import SignInClient
@testable import SignInEngine

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The real server in memory, with the clock, the storage and the transport of a client.
final class ClientFixture: Sendable {
  let clock = SimulatedClock(Instant(seconds: 1_800_000_000))
  let messenger = RecordingMessenger()
  let storage = TestStorage()
  let world: World
  let wire: LoopbackTransport

  init(clients: [AppRegistration] = Configuration.demo.clients) async throws {
    let passwords = FastPasswordHashing()
    world = World(
      issuer: LoopbackTransport.issuer, clients: clients,
      organizations: Configuration.demo.organizations,
      keyring: Keyring(
        signing: SigningKey.generate(), master: SecureRandom.bytes(32),
        decoyPasswordHash: try await passwords.hash(Secret("decoy"))
      ),
      store: MemoryStore(), clock: clock, randomness: SeededRandomness(seed: 3),
      passwords: passwords, proofs: MemoryProofLedger(), throttlesOrigins: false,
      messageRecorded: {},
      reportFault: { _ in }
    )
    wire = LoopbackTransport(
      handler: FieldpassHandler(
        world: world, assets: WebAssets(files: [:]), development: nil, log: { _ in }),
      clock: clock
    )
    _ = try await prepareDemo(in: world)
  }

  /// A new process of the app.
  ///
  /// Another client over the same storage is the app opened again.
  func makeClient(
    _ app: DemoApp = .technician, behindSeconds: Int64 = 0, lock: any DeviceLock = NoDeviceLock(),
    log: (@Sendable (String) -> Void)? = nil
  ) throws -> SignInClient {
    try SignInClient(
      app.configuration,
      platform: SignInClient.Platform(
        storage: storage, cryptography: OpenSSLCryptography(), transport: wire,
        clock: TestClock(server: clock, behindSeconds: behindSeconds), lock: lock),
      log: log)
  }

  /// The code in the newest message.
  func code() async -> String {
    await deliverMessages(through: [messenger], in: world)
    return String(messenger.messages.last?.text.revealed.prefix(6) ?? "")
  }

  @discardableResult func signIn(
    _ client: SignInClient
  ) async throws(SignInError) -> SignInClient.State {
    try await client.signIn(email: Self.email, password: Self.password)
    let state = try await client.submitCode(await code())
    await settle(client)
    return state
  }

  /// Waits until only the request for account updates is in progress.
  ///
  /// An earlier answer would set the clock back after the test has moved it.
  private func settle(_ client: SignInClient) async {
    for _ in 0..<100_000 {
      let isKnown = await client.isAccountKnown
      // The second of these requests waits for account updates.
      let calls = wire.paths.reversed().prefix { $0 != Endpoint.token.path }
      if isKnown, calls.filter({ $0 == Endpoint.sessionEvents.path }).count == 2 { return }
      await Task.yield()
    }
  }

  /// Returns after this client has renewed the technician's only session `times` times and has
  /// stored the result.
  func expectRenewed(_ times: Int64, by client: SignInClient) async throws {
    for _ in 0..<10_000 {
      let sessions = try await world.store.read { transaction throws(StoreFault) in
        try transaction.sessions(of: AccountID("technician"))
      }
      let isRenewed = sessions.map(\.refreshGeneration) == [times]
      if isRenewed, await client.isAtRest { return }
      try await Task.sleep(for: .milliseconds(1))
    }
    Issue.record("not renewed")
  }

  static let email = "tech@example.com"
  static let password = "demo-Technician-1"
}

/// Storage in memory that can fail in the ways of the platforms.
final class TestStorage: SecureStorage {
  private struct State {
    var texts: [StorageSlot: String] = [:]
    var isLocked = false
    var isMissing = false
    var isClaimed = false
    var refusedClaims = 0
  }

  private let state = Mutex(State())

  /// Simulates a phone that was not unlocked yet.
  func setLocked(_ isLocked: Bool) { state.withLock { $0.isLocked = isLocked } }
  /// Simulates another process that does not end its renewal and its change.
  func setClaimed(_ isClaimed: Bool) { state.withLock { $0.isClaimed = isClaimed } }
  /// Returns when a renewal was refused, because another process has the claim.
  func waitForRefusedClaim() async {
    while state.withLock({ $0.refusedClaims == 0 }) { await Task.yield() }
  }
  func setMissing() { state.withLock { $0.isMissing = true } }
  var session: String? { state.withLock { $0.texts[.session] } }
  var lockouts: String? { state.withLock { $0.texts[.lockouts] } }
  var pendingSignIn: String? { state.withLock { $0.texts[.pendingSignIn] } }

  /// Simulates a process that was killed before its write.
  func restore(_ session: String?) { state.withLock { $0.texts[.session] = session } }

  /// Simulates a disk fault.
  func damage(_ slot: StorageSlot) { state.withLock { $0.texts[slot]?.removeFirst(3) } }

  func read(_ slot: StorageSlot) async -> StorageReading {
    state.withLock { state in
      if state.isLocked { return .temporarilyUnreadable }
      return state.texts[slot].map { .value(Secret($0)) } ?? .absent
    }
  }

  func write(_ text: Secret, to slot: StorageSlot) async throws(StorageFault) {
    let isMissing = state.withLock { state in
      if !state.isMissing { state.texts[slot] = text.revealed }
      return state.isMissing
    }
    if isMissing { throw .noSafePlace }
  }

  func erase(_ slot: StorageSlot) async throws(StorageFault) {
    state.withLock { $0.texts[slot] = nil }
  }

  func claimRenewal() async -> Bool {
    state.withLock { state in
      if state.isClaimed { state.refusedClaims += 1 }
      return !state.isClaimed
    }
  }
  func releaseRenewal() async {}
  func claimChange() async -> Bool { state.withLock { !$0.isClaimed } }
  func releaseChange() async {}
}

/// A device clock that equals the server's clock or is behind it.
struct TestClock: DeviceClock {
  let server: SimulatedClock
  let behindSeconds: Int64

  func now() -> Instant { server.now().adding(seconds: -behindSeconds) }
  func steadyMilliseconds() -> Int64 { server.now().milliseconds }
  func pause(seconds: Int64) async { await server.pause(milliseconds: seconds * 1000) }
}

/// Sends requests to the server without a network, with optional faults.
final class LoopbackTransport: SignInClient.Transport {
  static let issuer = "http://127.0.0.1:8080"

  enum Condition {
    case normal, noNetwork, requestsLost, answersLost, broken
    /// Requests wait until another condition is set with `turn`.
    case silent
  }

  private let handler: FieldpassHandler
  private let clock: SimulatedClock
  private let condition = Mutex(Condition.normal)
  private let asked = Mutex<[String]>([])
  private let waiting = Mutex<[CheckedContinuation<Void, Never>]>([])

  init(handler: FieldpassHandler, clock: SimulatedClock) {
    self.handler = handler
    self.clock = clock
  }

  /// The paths of all requests, in order.
  var paths: [String] { asked.withLock { $0 } }

  /// Sets the condition of later requests, and releases those that wait.
  func turn(_ condition: Condition) {
    setLaterCondition(condition)
    let ended = waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
    for continuation in ended { continuation.resume() }
  }

  /// Sets the condition of later requests only.
  func setLaterCondition(_ condition: Condition) { self.condition.withLock { $0 = condition } }

  /// Returns when a request waits.
  func waitForRequest() async {
    while waiting.withLock({ $0.isEmpty }) { await Task.yield() }
  }

  func send(_ request: URLRequest) async throws -> (Data, HTTPURLResponse) {
    let condition = condition.withLock { $0 }
    if condition == .noNetwork { throw URLError(.notConnectedToInternet) }
    guard let url = request.url else { throw URLError(.badURL) }
    asked.withLock { $0.append(url.path) }
    if condition == .silent {
      await withCheckedContinuation { continuation in
        waiting.withLock { $0.append(continuation) }
      }
    }
    if condition == .broken { return try reply(500, [], Array("<html>".utf8), at: url) }
    if condition == .requestsLost { throw URLError(.cannotConnectToHost) }
    guard let method = HTTPMethod(rawValue: request.httpMethod ?? "") else {
      throw URLError(.badURL)
    }
    let target = url.absoluteString.dropFirst(Self.issuer.count)
      .split(separator: "?", maxSplits: 1).map { String($0) }
    let response = await handler.answer(
      HTTPRequest(
        method: method, path: target[0], query: target.count > 1 ? target[1] : nil,
        fields: (request.allHTTPHeaderFields ?? [:]).map { HTTPField($0.key, $0.value) },
        body: [UInt8](request.httpBody ?? Data())
      )
    )
    if condition == .answersLost { throw URLError(.timedOut) }
    return try reply(response.status, response.fields, response.body, at: url)
  }

  private func reply(
    _ status: Int, _ fields: [HTTPField], _ body: [UInt8], at url: URL
  ) throws -> (Data, HTTPURLResponse) {
    var headers = ["Date": date]
    for field in fields { headers[field.name] = field.value }
    guard
      let answer = HTTPURLResponse(
        url: url, statusCode: status, httpVersion: nil, headerFields: headers)
    else { throw URLError(.badServerResponse) }
    return (Data(body), answer)
  }

  private var date: String {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(secondsFromGMT: 0)
    formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    return formatter.string(
      from: Date(timeIntervalSince1970: TimeInterval(clock.now().milliseconds) / 1000))
  }
}

/// The apps of the demo as configuration values.
struct DemoApp {
  let configuration: SignInClient.Configuration

  private init(
    _ clientID: String, _ scope: String,
    _ method: SignInClient.Configuration.Method = .emailAndPassword
  ) {
    let server = URL(string: LoopbackTransport.issuer) ?? URL(fileURLWithPath: "/")
    configuration = SignInClient.Configuration(
      clientID: clientID, server: server, scopes: [scope], method: method)
  }

  static let technician = DemoApp("technician-app", "jobs")
  static let rider = DemoApp("rider-app", "dashboard", .phoneNumber)
  static let product = DemoApp("product-app", "products")
  static let mentor = DemoApp("mentor-app", "activities")
  static let console = DemoApp("console", "admin")
  /// An adopter's own app.
  static let orders = DemoApp("orders-app", "orders")
}

extension SignInClient {
  fileprivate var isAccountKnown: Bool {
    if case .signedIn(let signedIn) = flow.stage {
      signedIn.account.value != nil && signedIn.renewingSession.record.person?.name != nil
    } else {
      false
    }
  }

  /// Whether no event waits and no renewal runs, so nothing will be written to the storage.
  fileprivate var isAtRest: Bool {
    guard case .signedIn(let signedIn) = flow.stage else { return false }
    return !isWorking && queue.isEmpty && !signedIn.renewingSession.isRenewing
  }

  /// The server's terms of the session.
  var terms: TokenAnswer.SessionTerms? {
    if case .signedIn(let signedIn) = flow.stage {
      signedIn.renewingSession.record.terms
    } else {
      nil
    }
  }
}

func isSignedIn(_ state: SignInClient.State) -> Bool {
  switch state {
  case .signedIn, .endingSoon: true
  case .loading, .storageUnavailable, .signedOut, .codeRequired, .browserRequired, .lockedOut,
    .appLocked, .confirming:
    false
  }
}

extension Date {
  init(seconds: Int64) { self.init(timeIntervalSince1970: TimeInterval(seconds)) }
}

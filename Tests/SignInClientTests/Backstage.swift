import Cryptography
import HTTPServer
import SignInClient
import SignInFlow
import SignInHTTP
import SignInLinux
import SignInModel
import SignInService
import SignInTesting
import SignInWire
import Synchronization

/// The real server in memory, and what stands between it and a client.
final class Backstage: Sendable {
  let clock = SimulatedClock(Instant(seconds: 1_800_000_000))
  let messenger = RecordingMessenger()
  let storage = TestStorage()
  let world: World
  let wire: LoopbackTransport

  init(clients: [AppClient] = Configuration.demo.clients) async throws {
    let passwords = FastPasswordHashing()
    world = World(
      issuer: LoopbackTransport.issuer, clients: clients,
      organizations: Configuration.demo.organizations,
      keyring: Keyring(
        signing: SigningKey.generate(), master: SecureRandom.bytes(32),
        decoyPasswordHash: try await passwords.hash(Secret("decoy"))
      ),
      store: MemoryStore(), clock: clock, randomness: SeededRandomness(seed: 3),
      passwords: passwords, proofs: MemoryProofLedger(), throttlesOrigins: false, outboxRung: {},
      faultSeen: { _ in }
    )
    wire = LoopbackTransport(
      handler: FieldpassHandler(
        world: world, assets: WebAssets(files: [:]), development: nil, log: { _ in }),
      clock: clock
    )
    _ = await prepareDemo(in: world)
  }

  /// One process of the app: another one over the same storage is the app opened again.
  func makeClient(
    _ app: AppName = .technician, behindSeconds: Int64 = 0, lock: any DeviceLock = NoDeviceLock()
  ) throws -> SignInClient {
    try SignInClient(
      for: app, at: LoopbackTransport.issuer, storage: storage,
      cryptography: OpenSSLCryptography(), transport: wire,
      clock: TestClock(server: clock, behindSeconds: behindSeconds), lock: lock
    )
  }

  /// The newest code that was sent.
  func code() async -> String {
    await deliverMessages(through: [messenger], in: world)
    return String(messenger.messages.last?.text.revealed.prefix(6) ?? "")
  }

  func signIn(_ client: SignInClient) async throws(SignInError) -> Progress {
    _ = try await client.signIn(with: Self.technician)
    return try await client.answer(await code())
  }

  static let technician = Credentials.password(
    email: "tech@example.com", Secret("demo-Technician-1"))
}

/// Secrets in memory that can be made to fail in the ways platforms do.
final class TestStorage: SecureStorage {
  private struct State {
    var texts: [StorageSlot: String] = [:]
    var isLocked = false
    var isMissing = false
  }

  private let state = Mutex(State())

  /// As on a phone that was not unlocked yet.
  func setLocked(_ isLocked: Bool) { state.withLock { $0.isLocked = isLocked } }
  func setMissing() { state.withLock { $0.isMissing = true } }
  var session: String? { state.withLock { $0.texts[.session] } }

  /// As a process finds it that was killed before it wrote.
  func restore(_ session: String?) { state.withLock { $0.texts[.session] = session } }

  /// As after a fault of the disk.
  func damage(_ slot: StorageSlot) { state.withLock { $0.texts[slot]?.removeFirst(3) } }

  func read(_ slot: StorageSlot) async -> StorageReading {
    state.withLock { state in
      if state.isLocked { return .cannotTell }
      return state.texts[slot].map { .value($0) } ?? .absent
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

  func claimRenewal() async {}
  func releaseRenewal() async {}
}

/// A clock that stands where the server's does, or behind it.
struct TestClock: DeviceClock {
  let server: SimulatedClock
  let behindSeconds: Int64

  func now() -> Instant { server.now().adding(seconds: -behindSeconds) }
  func steadyMilliseconds() -> Int64 { server.now().milliseconds }
  func pause(seconds: Int64) async { await server.pause(milliseconds: seconds * 1000) }
}

/// Requests that reach the server without a network, unless one is to be lost.
final class LoopbackTransport: Transport {
  static let issuer = "http://127.0.0.1:8080"

  enum Weather { case fair, noNetwork, requestsLost, answersLost, broken }

  private let handler: FieldpassHandler
  private let clock: SimulatedClock
  private let weather = Mutex(Weather.fair)

  init(handler: FieldpassHandler, clock: SimulatedClock) {
    self.handler = handler
    self.clock = clock
  }

  func turn(_ weather: Weather) { self.weather.withLock { $0 = weather } }

  func send(_ request: TransportRequest) async throws(TransportFault) -> TransportReply {
    let weather = weather.withLock { $0 }
    if weather == .noNetwork { throw .noNetwork }
    if weather == .broken {
      return TransportReply(
        status: 500, body: Array("<html>".utf8), serverSeconds: nil, nonce: nil)
    }
    if weather == .requestsLost { throw .unreachable }
    guard let method = HTTPMethod(rawValue: request.method) else { throw .unreachable }
    let target = request.address.dropFirst(Self.issuer.count)
      .split(separator: "?", maxSplits: 1).map { String($0) }
    let response = await handler.answer(
      HTTPRequest(
        method: method, path: target[0], query: target.count > 1 ? target[1] : nil,
        fields: request.fields.map { HTTPField($0.name, $0.value) }, body: request.body
      )
    )
    if weather == .answersLost { throw .timedOut }
    return TransportReply(
      status: Int64(response.status), body: response.body, serverSeconds: clock.now().seconds,
      nonce: response.fields.first { $0.isNamed("dpop-nonce") }?.value
    )
  }
}

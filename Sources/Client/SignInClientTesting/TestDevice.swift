import SignInClient
import SignInEngine
import SignInModel

/// The clock of a device, which shows the time of the server.
struct TestClock: DeviceClock {
  /// The time between two readings of the clock during a pause.
  private static let pollNanoseconds: UInt64 = 20_000_000

  let server: TestServer

  func now() async -> Instant { await server.now }

  func steadyMilliseconds() async -> Int64 { await server.steadyMilliseconds }

  func read() async -> (now: Instant, steadyMilliseconds: Int64) { await server.clocks }

  func pause(seconds: Int64) async {
    let end = await steadyMilliseconds().plusClamping(seconds.timesClamping(1000))
    while await steadyMilliseconds() < end {
      do { try await Task.sleep(nanoseconds: Self.pollNanoseconds) } catch {
        // A cancelled task continues early, as the protocol requires.
        return
      }
    }
  }
}

/// An app lock whose prompt has the result that the test sets at the server.
actor TestDeviceLock: DeviceLock {
  private let server: TestServer
  private var secret: Secret?

  init(server: TestServer) { self.server = server }

  func isPossible() async -> Bool { true }

  func close(over secret: Secret) async throws(LockFault) { self.secret = secret }

  func open() async throws(LockFault) -> Secret {
    switch await server.unlockResult {
    case .succeeds: break
    case .cancelled: throw LockFault(.cancelled)
    case .busy: throw LockFault(.busy)
    case .enrolmentChanged: throw LockFault(.changed)
    }
    guard let secret else { throw LockFault(.changed) }
    return secret
  }

  func remove() async { secret = nil }
}

/// Stores secrets in memory.
actor TestStorage: SecureStorage {
  private let server: TestServer
  private var texts: [StorageSlot: String] = [:]
  private let renewals = TestGate()
  private let changes = TestGate()

  init(server: TestServer) { self.server = server }

  func read(_ slot: StorageSlot) async -> StorageReading {
    guard await server.isStorageReadable else { return .temporarilyUnreadable }
    return texts[slot].map { .value(Secret($0)) } ?? .absent
  }

  func write(_ text: Secret, to slot: StorageSlot) async throws(StorageFault) {
    texts[slot] = text.revealed
  }

  func erase(_ slot: StorageSlot) async throws(StorageFault) { texts[slot] = nil }

  func claimRenewal() async -> Bool {
    await renewals.claim()
    return true
  }
  func releaseRenewal() async { await renewals.release() }
  func claimChange() async -> Bool {
    await changes.claim()
    return true
  }
  func releaseChange() async { await changes.release() }
}

/// Allows one client at a time to do something.
private actor TestGate {
  private var isTaken = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  func claim() async {
    guard isTaken else { return isTaken = true }
    await withCheckedContinuation { waiting.append($0) }
  }

  func release() {
    if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() }
  }
}

/// Imitations of keys and encryption that protect nothing.
///
/// For tests only.
struct TestCryptography: DeviceCryptography {
  func randomBytes(_ count: Int) -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
  }

  func sha256(_ bytes: [UInt8]) -> [UInt8] { SHA256.digest(of: bytes) }

  func makeKey() -> any DeviceKey { TestKey(seed: randomBytes(32)) }

  func key(from text: Secret) -> (any DeviceKey)? {
    do throws(Malformed) { return TestKey(seed: try Base64URL.decode(text.revealed)) } catch {
      return nil
    }
  }

  func seal(_ bytes: [UInt8], under key: [UInt8], for purpose: String) -> [UInt8] {
    SHA256.digest(of: key + Array(purpose.utf8)) + bytes
  }

  func unseal(_ sealed: [UInt8], under key: [UInt8], for purpose: String) -> [UInt8]? {
    let seal = SHA256.digest(of: key + Array(purpose.utf8))
    return sealed.starts(with: seal) ? Array(sealed.dropFirst(seal.count)) : nil
  }
}

/// Its signatures have the right length, but no real server accepts them.
private struct TestKey: DeviceKey {
  let seed: [UInt8]

  var x: [UInt8] { SHA256.digest(of: seed + [1]) }
  var y: [UInt8] { SHA256.digest(of: seed + [2]) }
  var text: Secret { Secret(Base64URL.encode(seed)) }

  func sign(_ bytes: [UInt8]) -> [UInt8]? {
    SHA256.digest(of: seed + bytes) + SHA256.digest(of: seed + bytes + [0])
  }
}

import Foundation
import SignInClient
import SignInClientTesting
import SignInEngine
import SignInLinux
import SignInModel
import Threads

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The time from a stored session to the first request of a Swift app.
///
/// The client, its keys and its encryption are those of a Linux desktop. The session was stored by
/// the same client after a sign-in. Each part of it is in an encrypted file, because the time of a
/// keyring is not that of the client.
struct ColdStart: Sendable {
  private static let rounds = 200
  private static let email = "ada@example.com"
  private static let password = "a long password"

  let times: Sample
  /// The time of the first start in this process, which also initializes the libraries.
  let firstSeconds: Double

  static func measure(in folder: String) throws(BenchFault) -> ColdStart {
    let result = Monitor<Result<ColdStart, BenchFault>?>(nil)
    Task {
      let measured = await measured(FileStorage(folder: folder))
      result.withLock { $0 = measured }
      result.wakeAll()
    }
    return try result.wait { $0 }.get()
  }

  private static func measured(_ storage: FileStorage) async -> Result<ColdStart, BenchFault> {
    let server = TestServer()
    do {
      try await signIn(server, storage)
      var times = Sample()
      for _ in 0..<rounds { times.add(try await start(server.configuration, storage)) }
      return .success(ColdStart(times: times, firstSeconds: times.seconds[0]))
    } catch {
      return .failure(BenchFault("the Swift client did not start: \(error)"))
    }
  }

  private static func signIn(_ server: TestServer, _ storage: FileStorage) async throws {
    await server.addPerson(email: email, password: password)
    let client = try client(server.configuration, storage, server)
    await client.open()
    try await client.signIn(email: email, password: password)
    try await client.submitCode(await server.code ?? "")
  }

  private static func start(
    _ configuration: SignInClient.Configuration, _ storage: FileStorage
  ) async throws -> Double {
    let network = FirstRequest()
    let began = Stopwatch.seconds
    let client = try client(configuration, storage, network)
    let state = await client.open()
    let sent = await network.sent()
    guard case .signedIn = state, let sent, sent.isProved else {
      throw BenchFault("the stored session was not opened: \(state)")
    }
    return sent.at - began
  }

  private static func client(
    _ configuration: SignInClient.Configuration, _ storage: FileStorage,
    _ network: any SignInClient.Transport
  ) throws(SignInError) -> SignInClient {
    let platform = SignInClient.Platform(
      storage: storage, cryptography: OpenSSLCryptography(), transport: network)
    return try SignInClient(configuration, platform: platform)
  }

  func print() {
    var table = Table(
      "A Swift app, from its stored session to its first request", "", "milliseconds")
    table.add("first start in the process", Figure.milliseconds(firstSeconds))
    table.add("median of \(times.count)", Figure.milliseconds(times.median))
    table.add("P95", Figure.milliseconds(times.quantile(0.95)))
    table.add("longest", Figure.milliseconds(times.quantile(1)))
    table.print()
  }

  var bar: Bar {
    Bar(
      "S-02 stored session to the first request of a Swift app, P95: under"
        + " \(Figure.milliseconds(Bar.coldStartSeconds)) ms",
      Figure.milliseconds(times.quantile(0.95)),
      isMet: times.quantile(0.95) < Bar.coldStartSeconds)
  }
}

/// A device without a network, which records when the first request is sent.
private struct FirstRequest: SignInClient.Transport {
  struct Sent: Sendable {
    let at: Double
    /// Whether it has an access token and a proof.
    let isProved: Bool
  }

  private let requests: AsyncStream<Sent>
  private let continuation: AsyncStream<Sent>.Continuation

  init() { (requests, continuation) = AsyncStream.makeStream(of: Sent.self) }

  func sent() async -> Sent? {
    for await request in requests { return request }
    return nil
  }

  func send(_ request: URLRequest) async throws -> (Data, HTTPURLResponse) {
    let at = Stopwatch.seconds
    let isProved = ["Authorization", "DPoP"].allSatisfy {
      request.value(forHTTPHeaderField: $0) != nil
    }
    continuation.yield(Sent(at: at, isProved: isProved))
    throw URLError(.notConnectedToInternet)
  }
}

/// Stores each secret in an encrypted file.
private struct FileStorage: SecureStorage {
  private let folder: String
  private let cryptography = OpenSSLCryptography()
  private let key: [UInt8]

  init(folder: String) {
    self.folder = folder
    key = cryptography.randomBytes(32)
  }

  private func path(_ slot: StorageSlot) -> String { "\(folder)/client-\(slot.rawValue)" }

  func read(_ slot: StorageSlot) async -> StorageReading {
    guard let sealed = FileManager.default.contents(atPath: path(slot)) else { return .absent }
    let text = cryptography.unseal([UInt8](sealed), under: key, for: slot.rawValue)
    return text.map { .value(Secret(String(decoding: $0, as: UTF8.self))) } ?? .damaged
  }

  func write(_ text: Secret, to slot: StorageSlot) async throws(StorageFault) {
    let sealed = cryptography.seal(Array(text.revealed.utf8), under: key, for: slot.rawValue)
    guard FileManager.default.createFile(atPath: path(slot), contents: Data(sealed)) else {
      throw .failed("\(path(slot)) cannot be written")
    }
  }

  func erase(_ slot: StorageSlot) async throws(StorageFault) {
    do { try FileManager.default.removeItem(atPath: path(slot)) } catch {
      if FileManager.default.fileExists(atPath: path(slot)) { throw .failed("\(error)") }
    }
  }

  // No other process uses the folder.
  func claimRenewal() async -> Bool { true }
  func releaseRenewal() async {}
  func claimChange() async -> Bool { true }
  func releaseChange() async {}
}

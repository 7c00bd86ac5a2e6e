import Foundation
import ShellContract
import SignInEngine
import SignInLinux
import SignInModel
import Synchronization
import Testing

@testable import SignInClient

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Two processes of an app with the real client, whose core is a script.
final class ClientContractShell: ContractShell {
  private struct Process {
    let client: SignInClient
    let storage: FileStorage
  }

  /// Longer than a shell that does not wait needs for its next step.
  private static let busyMilliseconds = 40
  private static let waitMilliseconds = 5000

  private let folder: URL
  private let disk = BusyDisk()
  private let lock = OwnersLock()
  private let lines = LogLines()
  private let script = Script()
  private let isExclusive: Bool
  private var processes: [String: Process] = [:]
  private var copy: Secret?

  init(isExclusive: Bool = true) async throws {
    self.isExclusive = isExclusive
    folder = FileManager.default.temporaryDirectory.appending(path: "contract-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for tab in ["a", "b"] { try await open(tab) }
  }

  func close() throws {
    processes = [:]
    try FileManager.default.removeItem(at: folder)
  }

  private func open(_ tab: String) async throws {
    let storage = FileStorage(folder: folder, disk: disk, isExclusive: isExclusive)
    let configuration = SignInClient.Configuration(
      clientID: "contract", server: try #require(URL(string: "http://127.0.0.1:1")), scopes: [])
    let client = try SignInClient(
      configuration,
      platform: SignInClient.Platform(
        storage: storage, cryptography: OpenSSLCryptography(),
        transport: LoggedTransport(tab: tab, lines: lines), lock: lock),
      log: { [lines] line in
        guard let screen = Script.screens[line] else { return }
        lines.append("\(tab) drawn \(screen)")
      })
    await client.follow { [lines, script] flow, event in
      if let line = ScenarioDocument.shared.names.line(event) { lines.append("\(tab) \(line)") }
      guard event == .device(.networkReturned), let answer = script.next(in: tab) else { return [] }
      if let screen = answer.screen { flow = Script.flow(of: screen) }
      return answer.effects
    }
    processes[tab] = Process(client: client, storage: storage)
  }

  // MARK: The scenario

  var log: [String] { lines.all }

  func perform(_ effects: [Effect], screen: String?, in tab: String) async {
    script.add(Script.Answer(effects: effects, screen: screen), in: tab)
    await processes[tab]?.client.post(.device(.networkReturned))
  }

  func wait(until isLogged: @Sendable ([String]) -> Bool) async {
    for _ in 0..<Self.waitMilliseconds where !isLogged(lines.all) { await pause(1) }
  }

  private func pause(_ milliseconds: Int) async {
    do { try await Task.sleep(for: .milliseconds(milliseconds)) } catch {
      Issue.record("cancelled")
    }
  }

  func hold() async {
    if let storage = processes["a"]?.storage { await disk.hold(storage) }
  }

  func free(_ name: String) async {
    await pause(Self.busyMilliseconds)
    lines.append("freed \(name)")
    await disk.free()
  }

  func refuse(_ tab: String) async { processes[tab]?.storage.refuse() }

  func tell(_ tab: String) async { Issue.record("no process tells another one") }

  /// The process ends with all that it has in memory, and starts again.
  func kill(_ tab: String) async {
    lines.append("\(tab) killed")
    processes[tab] = nil
    do { try await open(tab) } catch { Issue.record(error) }
  }

  func diskHas(_ text: String) async -> Bool {
    await processes["a"]?.storage.all().contains { $0.revealed.contains(text) } ?? false
  }

  func copySession() async {
    if case .value(let text)? = await processes["a"]?.storage.read(.session) { copy = text }
  }

  /// Without the encryption of the platform, a session that is not sealed opens.
  func copyOpens() async -> Bool {
    guard let copy, SealedSession(text: copy) != nil else { return true }
    guard let key = lock.secret else { return false }
    return await diskHas(key.revealed)
  }
}

extension FileStorage {
  fileprivate func all() async -> [Secret] {
    var found: [Secret] = []
    for slot in StorageSlot.allCases {
      if case .value(let text) = await read(slot) { found.append(text) }
    }
    return found
  }
}

extension SignInClient {
  fileprivate func follow(
    _ script: @escaping @Sendable (inout AppFlow<NoHome>, AppEvent<NoPage>) -> [Effect]
  ) {
    decide = { flow, event, _, _ in script(&flow, event) }
  }
}

private final class LogLines: Sendable {
  private let lines = Mutex<[String]>([])

  var all: [String] { lines.withLock { $0 } }
  func append(_ line: String) { lines.withLock { $0.append(line) } }
}

/// The answers of the core to the next events.
private final class Script: Sendable {
  struct Answer {
    let effects: [Effect]
    let screen: String?
  }

  /// The screens of the scenarios, by the line that the client logs for the state.
  static let screens = ["state: signed out": "home", "state: storage unavailable": "login"]

  private let answers = Mutex<[String: [Answer]]>([:])

  func add(_ answer: Answer, in tab: String) {
    answers.withLock { $0[tab, default: []].append(answer) }
  }

  func next(in tab: String) -> Answer? {
    answers.withLock { $0[tab, default: []].isEmpty ? nil : $0[tab]?.removeFirst() }
  }

  static func flow(of screen: String) -> AppFlow<NoHome> {
    var flow = AppFlow<NoHome>()
    let now = Instant(seconds: 1_900_000_000)
    let reading: StorageReading = screen == "home" ? .absent : .temporarilyUnreadable
    for event in [AppEvent<NoPage>.started(utcOffsetSeconds: 0), .storage(.read(reading))] {
      _ = flow.handle(event, at: now, steady: now.milliseconds)
    }
    return flow
  }
}

private struct LoggedTransport: SignInClient.Transport {
  let tab: String
  let lines: LogLines

  func send(_ request: URLRequest) async throws -> (Data, HTTPURLResponse) {
    let path = request.url?.path ?? ""
    lines.append("\(tab) \(ScenarioDocument.shared.names.line(sentTo: path))")
    throw URLError(.timedOut)
  }
}

/// A device lock whose owner always unlocks it.
private final class OwnersLock: DeviceLock {
  private let state = Mutex<Secret?>(nil)

  var secret: Secret? { state.withLock { $0 } }

  func isPossible() async -> Bool { true }

  func close(over secret: Secret) async throws(LockFault) { state.withLock { $0 = secret } }

  func open() async throws(LockFault) -> Secret {
    guard let secret else { throw LockFault(.changed) }
    return secret
  }

  func remove() async { state.withLock { $0 = nil } }
}

@Suite("Shell contract of the Swift client") struct ClientShellTests {
  @Test(
    "L-22 L-23 L-32 S-04 P-07 the Swift client obeys the shell contract",
    arguments: ScenarioDocument.scenarios(for: "client"))
  func laws(scenario: ShellScenario) async throws {
    let shell = try await ClientContractShell()

    try await scenario.run(shell)

    try shell.close()
  }

  @Test("Without a lock between processes the Swift client breaks the shell contract")
  func defect() async throws {
    let name = "replaced only if unchanged since it was read"
    let scenario = try #require(ScenarioDocument.shared.scenarios.first { $0.name == name })

    // The two processes write at the same time, so that a run can also be without a conflict.
    for _ in 0..<Self.runLimit {
      let shell = try await ClientContractShell(isExclusive: false)
      defer { try? shell.close() }
      do { try await scenario.run(shell) } catch is BrokenLaw { return }
    }
    Issue.record("no run broke the contract")
  }

  private static let runLimit = 20
}

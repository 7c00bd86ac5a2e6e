import JSONText
import SignInModel
import SignInTesting
import SignInWire
import Synchronization
import Testing

@testable import SignInService

@Suite("Sending changes")
struct SendChangesTests {
  /// Accepts documents, after it has refused a number of them.
  private final class Receiver: ChangeReceiver {
    let name: String
    private let state: Mutex<(failures: Int, documents: [JSON])>

    init(_ name: String = "planning", failures: Int = 0) {
      self.name = name
      state = Mutex((failures, []))
    }

    func take(_ changes: JSON) async throws(ChangeReceiverFault) {
      let isRefused = state.withLock { state in
        state.documents.append(changes)
        state.failures -= 1
        return state.failures >= 0
      }
      if isRefused { throw ChangeReceiverFault("answered 500") }
    }

    /// The sequence numbers of each document.
    var sent: [[Int64]] {
      state.withLock { state in
        state.documents.map { document in
          (document["changes"]?.elements ?? []).compactMap {
            $0["sequence"]?.number(in: 0...1_000_000)
          }
        }
      }
    }

    var last: JSON { state.withLock { $0.documents.last ?? .null } }
  }

  private func world(changes count: Int) async throws -> TestWorld {
    let world = try await TestWorld()
    try await world.world.store.transact { transaction throws(StoreFault) in
      for number in 0..<count {
        try transaction.append(
          DataChange(
            at: world.clock.now(), kind: .job, key: RecordKey(nil, "job-\(number)"),
            act: .statusChanged,
            account: AccountID("technician"), status: "done", version: 7))
      }
    }
    return world
  }

  private func send(_ receiver: Receiver, _ world: TestWorld) async -> ChangeSending {
    await sendChanges(to: receiver, in: world.world) { _ in }
  }

  @Test("Changes are sent oldest first, once each, until there are none")
  func order() async throws {
    let count = ChangeSendingLimits.page + 1
    let world = try await world(changes: count)
    let receiver = Receiver()

    #expect(await send(receiver, world) == .taken(isComplete: false))
    #expect(await send(receiver, world) == .taken(isComplete: true))
    #expect(await send(receiver, world) == .nothing)

    #expect(receiver.sent.map(\.count) == [ChangeSendingLimits.page, 1])
    #expect(receiver.sent.flatMap { $0 } == Array(1...Int64(count)))
    let change = receiver.last["changes"]?.elements?.first
    #expect(change?["id"]?.text == "job-\(count - 1)" && change?["status"]?.text == "done")
    #expect(receiver.last["after"] == .int(Int64(ChangeSendingLimits.page)))
    #expect(receiver.last["complete"]?.flag == true)
  }

  @Test("Changes that a receiver did not accept are sent again, unchanged and in the same order")
  func repeated() async throws {
    let world = try await world(changes: 2)
    let receiver = Receiver(failures: 2)

    #expect(await send(receiver, world) == .failed("answered 500"))
    #expect(await send(receiver, world) == .failed("answered 500"))
    #expect(await send(receiver, world) == .taken(isComplete: true))
    #expect(await send(receiver, world) == .nothing)

    #expect(receiver.sent == [[1, 2], [1, 2], [1, 2]])
  }

  @Test("A receiver that fails does not delay the changes of others")
  func independent() async throws {
    let world = try await world(changes: 1)
    let (failing, other) = (Receiver("failing", failures: 9), Receiver("other"))

    #expect(await send(failing, world) == .failed("answered 500"))
    #expect(await send(other, world) == .taken(isComplete: true))
    #expect(await send(other, world) == .nothing)
    #expect(await send(failing, world) == .failed("answered 500"))
  }

  @Test("A receiver that was away longer than changes are stored is informed of the gap")
  func gap() async throws {
    let world = try await world(changes: 2)
    let receiver = Receiver()
    #expect(await send(receiver, world) == .taken(isComplete: true))
    let now = world.clock.now()
    try await world.world.store.transact { transaction throws(StoreFault) in
      for _ in 0..<2 {
        try transaction.append(
          DataChange(
            at: now, kind: .job, key: RecordKey(nil, "lost"), act: .statusChanged,
            account: AccountID("a")))
      }
      _ = try transaction.removeChanges(madeBefore: now.adding(seconds: 1), limit: 100)
      try transaction.append(
        DataChange(
          at: now.adding(seconds: 2), kind: .job, key: RecordKey(nil, "kept"), act: .statusChanged,
          account: AccountID("a")))
    }

    #expect(await send(receiver, world) == .taken(isComplete: true))

    #expect(receiver.sent == [[1, 2], [5]])
    #expect(receiver.last["after"] == .int(4))
  }

  @Test("A document says that it is complete when only removed changes follow", arguments: [0, 1])
  func complete(_ more: Int) async throws {
    let world = try await world(changes: ChangeSendingLimits.page - 1 + more)
    let receiver = Receiver()
    let now = world.clock.now()
    try await world.world.store.transact { transaction throws(StoreFault) in
      try transaction.append(
        DataChange(
          at: now, kind: .job, key: RecordKey(nil, "job"), act: .statusChanged,
          account: AccountID("tara")))
      _ = try transaction.removeAccount(AccountID("tara"))
    }

    #expect(await send(receiver, world) == .taken(isComplete: more == 0))
  }

  @Test("The backlog has the number of waiting changes and the time of the oldest")
  func backlog() async throws {
    let world = try await world(changes: 3)
    let noted = Mutex<[ChangeBacklog]>([])
    let receiver = Receiver()

    for _ in 0..<2 {
      _ = await sendChanges(to: receiver, in: world.world) { backlog in
        noted.withLock { $0.append(backlog) }
      }
    }

    #expect(noted.withLock { $0.map(\.count) } == [3, 0])
    #expect(noted.withLock { $0.map { $0.oldest == nil } } == [false, true])
  }

  @Test("The loop waits longer after each failure, sends the same again, and ends when cancelled")
  func loop() async throws {
    let world = try await world(changes: 1)
    let receiver = Receiver(failures: 3)
    let reports = Mutex<[(ChangeSending, Int64)]>([])
    let task = Task {
      await keepSendingChanges(to: receiver, in: world.world) { _ in
      } report: { sending, wait in
        reports.withLock { $0.append((sending, wait)) }
      }
    }

    for tries in 1...5 {
      while world.clock.sleeperCount == 0 { await Task.yield() }
      #expect(receiver.sent.count == min(tries, 4), "nothing is sent before the wait ends")
      world.clock.advance(milliseconds: reports.withLock { $0.last?.1 ?? 0 })
    }
    while world.clock.sleeperCount == 0 { await Task.yield() }
    task.cancel()
    await task.value

    let failed = ChangeSending.failed("answered 500")
    let seen = reports.withLock { $0 }
    #expect(
      seen.map(\.0) == [
        failed, failed, failed, .taken(isComplete: true), .nothing, .nothing,
      ])
    let pause = ChangeSendingLimits.pauseMilliseconds
    #expect(seen.map(\.1) == [1000, 2000, 4000, pause, pause, pause])
  }

  @Test(
    "The wait doubles from the shortest to the longest",
    arguments: [
      (0, 1), (1, 1), (2, 2), (3, 4), (9, 256), (10, 300), (11, 300), (Int.max, 300),
    ] as [(Int, Int64)])
  func waits(_ failures: Int, _ seconds: Int64) {
    #expect(ChangeSendingLimits.waitMilliseconds(afterFailures: failures) == seconds * 1000)
  }

  @Test("The configuration accepts receivers with one secret each, on https or this machine")
  func configuration() {
    func paths(_ entries: String) -> [String] {
      let text = """
        {"clients": [{"id": "app", "name": "App", "sign_in": "password_and_code",
          "roles": ["technician"], "scopes": ["openid"]}], "change_webhooks": \(entries)}
        """
      return Configuration.read(
        Array(text.utf8), development: true, stores: [], messengers: [], folder: "/etc"
      ).mistakes.map(\.path)
    }
    func entry(
      _ name: String = "a", url: String = "https://a.example.com/changes",
      secret: String = "\"secret_file\": \"s\""
    ) -> String {
      "{\"name\": \"\(name)\", \"url\": \"\(url)\", \(secret)}"
    }
    func list(_ count: Int) -> String {
      "[" + (0..<count).map { entry("a-\($0)") }.joined(separator: ", ") + "]"
    }

    #expect(paths("[\(entry())]") == [])
    #expect(paths("[\(entry(url: "http://127.0.0.1:9/changes"))]") == [])
    #expect(paths("[\(entry(url: "http://a.example.com/"))]") == ["change_webhooks[0].url"])
    #expect(paths("[\(entry()), \(entry())]") == ["change_webhooks[1].name"])
    #expect(
      paths("[\(entry(secret: "\"secret_file\": \"s\", \"secret_env\": \"S\""))]")
        == ["change_webhooks[0]"])
    #expect(
      paths("[{\"name\": \"a\", \"url\": \"https://a.example.com\"}]") == ["change_webhooks[0]"])
    #expect(paths(list(ChangeSendingLimits.receivers)) == [])
    #expect(paths(list(ChangeSendingLimits.receivers + 1)) == ["change_webhooks"])
  }
}

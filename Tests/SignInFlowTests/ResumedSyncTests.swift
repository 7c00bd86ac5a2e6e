import EngineTesting
import JSONText
import SignInModel
import SignInWire
import Testing

@testable import SignInEngine
@testable import SignInFlow

/// A sync continues after any interruption.
@Suite struct ResumedSyncTests {
  /// A product owner whose first sync has stored two of three pages.
  private func half() -> Owner {
    var owner = Owner()
    owner.open()
    owner.sync([SyncedListTests.product("1", "Oven")], cursor: "p1", isComplete: false)
    owner.sync([SyncedListTests.product("2", "Kettle")], cursor: "p2", isComplete: false)
    return owner
  }

  private var wanted: (Owner) -> String? { { $0.call(to: Endpoint.products.path)?.path } }

  @Test("O-08 a first sync continues after a restart, and incomplete data is not shown")
  func restarted() {
    var owner = half()
    #expect(owner.stored.count == 3 && owner.stored["head"] == nil)

    owner.open()
    #expect(owner.kept.asOf == nil && owner.kept.list.count == 0)
    #expect(wanted(owner) == "/api/products?cursor=p2")
    owner.sync([SyncedListTests.product("3", "Lamp")], cursor: "c")

    #expect(owner.kept.list.count == 3 && owner.stored["next"] == nil)
    owner.open()
    #expect(owner.kept.list.count == 3 && wanted(owner) == "/api/products?cursor=c")
  }

  @Test("O-08 interrupted changes continue after a restart; the last good copy stays visible")
  func changes() {
    var owner = Owner()
    owner.open()
    owner.sync([SyncedListTests.product("1", "Oven"), SyncedListTests.product("2", "Kettle")])
    owner.handle(.device(.shown))
    owner.sync([SyncedListTests.product("3", "Lamp")], cursor: "p1", isComplete: false)
    owner.loseServer()

    owner.driver.time = owner.driver.time.adding(seconds: 5)
    owner.open()
    #expect(owner.kept.list.count == 2 && owner.kept.asOf == FlowDriver.startTime)
    #expect(wanted(owner) == "/api/products?cursor=p1" && owner.stored["next"] != nil)
    owner.sync(removed: ["1"], cursor: "c2")

    #expect(owner.kept.list.count == 2 && owner.kept.list.item("1") == nil)
    owner.open()
    #expect(owner.kept.list.item("3") != nil && owner.kept.list.item("1") == nil)
  }

  @Test(
    "O-08 pages are fetched again if one is missing or has another format", arguments: [0, 1, 2])
  func damaged(_ what: Int) {
    var owner = half()
    switch what {
    case 0: for key in owner.stored.keys where key != "next" { owner.stored[key] = nil }
    case 1: owner.stored["next"] = Array("{}".utf8)
    default: for key in owner.stored.keys where key != "next" { owner.stored[key] = [1] }
    }

    owner.open()

    #expect(wanted(owner) == Endpoint.products.path && owner.stored.isEmpty)
  }

  @Test("O-08 pages that belong to another copy are ignored, and the copy stays")
  func ofAnother() {
    var owner = Owner()
    owner.open()
    owner.sync([SyncedListTests.product("1", "Oven")])
    owner.handle(.device(.shown))
    owner.sync([SyncedListTests.product("2", "Lamp")], cursor: "p1", isComplete: false)
    let aside = owner.stored.filter { $0.key != "head" }
    owner.sync(removed: ["1"], cursor: "c2")
    owner.stored.merge(aside) { known, _ in known }

    owner.open()

    #expect(owner.kept.list.count == 1 && owner.kept.list.item("2") != nil)
    #expect(wanted(owner) == "/api/products?cursor=c2")
  }

  @Test("O-08 a cursor that has become unknown means a complete fetch")
  func outdated() {
    var owner = half()
    owner.open()

    owner.answer(
      Endpoint.products.path,
      .received(
        status: 410, body: .members([JSONMember("code", "unknown_cursor")]), serverSeconds: nil))
    #expect(wanted(owner) == Endpoint.products.path)
    owner.sync([SyncedListTests.product("9", "Only")], cursor: "c")

    #expect(owner.kept.list.count == 1)
    owner.open()
    #expect(owner.kept.list.count == 1)
  }

  @Test(
    "O-09 pages that cannot be stored stay in memory, and the failure is reported at the end",
    arguments: [OfflineCopyWriting.full, .refused, .conflict, .closed])
  func memoryOnly(_ outcome: OfflineCopyWriting) {
    var owner = Owner()
    owner.open()
    owner.isStorageDeaf = true
    owner.sync([SyncedListTests.product("1", "Oven")], cursor: "p1", isComplete: false)
    owner.handle(.home(.offlineCopy(.written(outcome))))
    #expect(owner.announcements.isEmpty && !owner.kept.isMemoryOnly)
    #expect(wanted(owner) == "/api/products?cursor=p1")

    owner.isStorageDeaf = false
    owner.sync([SyncedListTests.product("2", "Lamp")], cursor: "p2", isComplete: false)
    #expect(owner.stored.isEmpty)
    owner.sync(cursor: "c")
    owner.handle(.home(.offlineCopy(.written(.done))))

    owner.open()
    #expect(owner.kept.list.count == 2)
  }

  @Test("O-06 pages of an incomplete sync are no copy, and their lease opens nothing")
  func sealed() {
    var owner = half()
    owner.driver.time = owner.driver.time.adding(seconds: 5000)

    owner.open()
    owner.loseServer()

    #expect(owner.kept.asOf == nil && owner.kept.list.count == 0)
  }

  @Test("O-05 a server that answers with a fault is tried again automatically")
  func retried() {
    var owner = Owner()
    owner.open()
    owner.answer(
      Endpoint.products.path, .received(status: 500, body: .members([]), serverSeconds: nil))
    #expect(owner.call(to: Endpoint.products.path) == nil)

    owner.pass(seconds: 6)

    #expect(owner.call(to: Endpoint.products.path) != nil)
  }
}

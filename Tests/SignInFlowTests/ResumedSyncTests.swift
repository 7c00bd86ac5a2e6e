import JSONText
import SignInModel
import SignInWire
import Testing

@testable import SignInFlow

/// A sync that was cut off goes on where it was, whatever cut it off.
@Suite struct ResumedSyncTests {
  /// Somebody whose first sync has brought two of three pages.
  private func half() -> Owner {
    var owner = Owner()
    owner.open()
    owner.sync([ShelfTests.product("1", "Oven")], cursor: "p1", isComplete: false)
    owner.sync([ShelfTests.product("2", "Kettle")], cursor: "p2", isComplete: false)
    return owner
  }

  private var wanted: (Owner) -> String? { { $0.call(to: Endpoint.products)?.path } }

  @Test("O-08 a first sync goes on after a restart, and nothing half is shown")
  func restarted() {
    var owner = half()
    #expect(owner.stored.count == 3 && owner.stored["head"] == nil)

    owner.open()
    #expect(owner.kept.asOf == nil && owner.kept.shelf.count == 0)
    #expect(wanted(owner) == "/api/products?cursor=p2")
    owner.sync([ShelfTests.product("3", "Lamp")], cursor: "c")

    #expect(owner.kept.shelf.count == 3 && owner.stored["next"] == nil)
    owner.open()
    #expect(owner.kept.shelf.count == 3 && wanted(owner) == "/api/products?cursor=c")
  }

  @Test("O-08 changes that are cut off go on after a restart; the last good copy stays in sight")
  func changes() {
    var owner = Owner()
    owner.open()
    owner.sync([ShelfTests.product("1", "Oven"), ShelfTests.product("2", "Kettle")])
    owner.happen(.device(.shown))
    owner.sync([ShelfTests.product("3", "Lamp")], cursor: "p1", isComplete: false)
    owner.loseServer()

    owner.walk.time = owner.walk.time.adding(seconds: 5)
    owner.open()
    #expect(owner.kept.shelf.count == 2 && owner.kept.asOf == Walk.noon)
    #expect(wanted(owner) == "/api/products?cursor=p1" && owner.stored["next"] != nil)
    owner.sync(removed: ["1"], cursor: "c2")

    #expect(owner.kept.shelf.count == 2 && owner.kept.shelf.item("1") == nil)
    owner.open()
    #expect(owner.kept.shelf.item("3") != nil && owner.kept.shelf.item("1") == nil)
  }

  @Test(
    "O-08 pages of which one is missing, or none of ours, are fetched anew", arguments: [0, 1, 2])
  func damaged(_ what: Int) {
    var owner = half()
    switch what {
    case 0: for key in owner.stored.keys where key != "next" { owner.stored[key] = nil }
    case 1: owner.stored["next"] = Array("{}".utf8)
    default: for key in owner.stored.keys where key != "next" { owner.stored[key] = [1] }
    }

    owner.open()

    #expect(wanted(owner) == Endpoint.products && owner.stored.isEmpty)
  }

  @Test("O-08 pages that belong to another copy are of no use, and the copy stays")
  func ofAnother() {
    var owner = Owner()
    owner.open()
    owner.sync([ShelfTests.product("1", "Oven")])
    owner.happen(.device(.shown))
    owner.sync([ShelfTests.product("2", "Lamp")], cursor: "p1", isComplete: false)
    let aside = owner.stored.filter { $0.key != "head" }
    owner.sync(removed: ["1"], cursor: "c2")
    owner.stored.merge(aside) { known, _ in known }

    owner.open()

    #expect(owner.kept.shelf.count == 1 && owner.kept.shelf.item("2") != nil)
    #expect(wanted(owner) == "/api/products?cursor=c2")
  }

  @Test("O-08 a cursor that is unknown by then means a whole fetch")
  func outdated() {
    var owner = half()
    owner.open()

    owner.answer(
      Endpoint.products,
      .received(
        status: 410, body: .members([JSONMember("code", "unknown_cursor")]), serverSeconds: nil))
    #expect(wanted(owner) == Endpoint.products)
    owner.sync([ShelfTests.product("9", "Only")], cursor: "c")

    #expect(owner.kept.shelf.count == 1)
    owner.open()
    #expect(owner.kept.shelf.count == 1)
  }

  @Test(
    "O-09 pages that cannot be kept are remembered, and the person is told at the end",
    arguments: [ShelfWriting.full, .refused, .conflict, .closed])
  func unkept(_ outcome: ShelfWriting) {
    var owner = Owner()
    owner.open()
    owner.isStorageDeaf = true
    owner.sync([ShelfTests.product("1", "Oven")], cursor: "p1", isComplete: false)
    owner.happen(.home(.shelf(.written(outcome))))
    #expect(owner.announcements.isEmpty && !owner.kept.isUnkept)
    #expect(wanted(owner) == "/api/products?cursor=p1")

    owner.isStorageDeaf = false
    owner.sync([ShelfTests.product("2", "Lamp")], cursor: "p2", isComplete: false)
    #expect(owner.stored.isEmpty)
    owner.sync(cursor: "c")
    owner.happen(.home(.shelf(.written(.done))))

    owner.open()
    #expect(owner.kept.shelf.count == 2)
  }

  @Test("O-06 pages aside are no copy: their lease opens nothing")
  func sealed() {
    var owner = half()
    owner.walk.time = owner.walk.time.adding(seconds: 5000)

    owner.open()
    owner.loseServer()

    #expect(owner.kept.asOf == nil && owner.kept.shelf.count == 0)
  }

  @Test("O-05 a server that answers with a fault is asked again by itself")
  func retried() {
    var owner = Owner()
    owner.open()
    owner.answer(
      Endpoint.products, .received(status: 500, body: .members([]), serverSeconds: nil))
    #expect(owner.call(to: Endpoint.products) == nil)

    owner.pass(seconds: 6)

    #expect(owner.call(to: Endpoint.products) != nil)
  }
}

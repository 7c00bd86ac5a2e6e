import EngineTesting
import JSONText
import SignInModel
import SignInWire
import Testing

@testable import SignInEngine
@testable import SignInFlow

@Suite("Photos of the offline copy")
struct ProductPhotosTests {
  private static func digest(_ number: Int) -> String {
    let text = String(number)
    return String(repeating: "a", count: 43 - text.utf8.count) + text
  }

  private static func product(_ number: Int, bytes: Int64?) -> ProductEntry {
    ProductEntry(
      id: ProductID("p\(number)"), name: "Product \(number)", model: "M", serialNumber: "1",
      category: "C", warrantyProvider: nil, purchasedOn: nil, warrantyExpiresOn: nil,
      photo: bytes.map { ProductPhoto(digest: digest(number), bytes: $0) })
  }

  private static func path(_ number: Int) -> String { "/api/products/p\(number)/photo" }

  private func synced(_ products: [ProductEntry]) -> Owner {
    var owner = Owner()
    owner.open()
    owner.sync(products)
    return owner
  }

  private let taken = Answer.received(
    status: 200, body: .null, serverSeconds: FlowDriver.startTime.seconds)
  private static func refusal(_ status: Int64) -> Answer {
    .received(status: status, body: .null, serverSeconds: FlowDriver.startTime.seconds)
  }

  /// The paths of the requests for photos that have no answer yet.
  private func photoPaths(_ owner: Owner) -> [String] {
    owner.calls.filter { $0.call.bodyTarget != nil }.map(\.call.path)
  }

  private func kept(_ owner: Owner) -> [String]? {
    owner.effects.compactMap {
      if case .offlineCopy(.keepPhotos(let digests)) = $0 { digests } else { nil }
    }.last
  }

  @Test("O-02 photos are fetched after a sync, one at a time, the smallest first")
  func order() {
    var owner = synced([
      Self.product(1, bytes: 30), Self.product(2, bytes: nil), Self.product(3, bytes: 10),
    ])

    #expect(kept(owner) == [Self.digest(3), Self.digest(1)])
    #expect(photoPaths(owner) == [Self.path(3)])
    #expect(owner.calls.last?.call.bodyTarget == BodyTarget(.storedPhoto, Self.digest(3)))
    owner.answer(Self.path(3), taken)
    #expect(photoPaths(owner) == [Self.path(1)])
    owner.answer(Self.path(1), taken)
    #expect(photoPaths(owner).isEmpty)
  }

  @Test(
    "The stored photos have at most 4,000,000 bytes, and the largest are left out",
    arguments: [([199_999], 20), ([200_000], 20), ([200_000, 1], 20)] as [([Int64], Int)])
  func byteLimit(_ last: [Int64], _ stored: Int) {
    let sizes = [Int64](repeating: 200_000, count: 19) + last
    let owner = synced(sizes.enumerated().map { Self.product($0, bytes: $1) })

    #expect(ProductPhotos.storedByteLimit == 4_000_000)
    #expect(kept(owner)?.count == stored)
    #expect(last.count == 1 || kept(owner)?.first == Self.digest(20))
  }

  @Test("At most 400 photos are stored", arguments: [(399, 399), (400, 400), (401, 400)])
  func countLimit(_ count: Int, _ stored: Int) {
    let owner = synced((0..<count).map { Self.product($0, bytes: 1) })

    #expect(kept(owner)?.count == stored)
  }

  @Test("Products with the same photo store it once")
  func samePhoto() {
    var second = Self.product(2, bytes: 5)
    second.photo = ProductPhoto(digest: Self.digest(1), bytes: 5)
    var owner = synced([Self.product(1, bytes: 5), second, Self.product(3, bytes: 5)])

    #expect(kept(owner) == [Self.digest(1), Self.digest(3)])
    #expect(photoPaths(owner) == [Self.path(1)])
    owner.answer(Self.path(1), taken)
    #expect(photoPaths(owner) == [Self.path(3)])
  }

  @Test("The photo of the opened product is fetched next, and not stored if there is no space")
  func opened() {
    let many = (0..<20).map { Self.product($0, bytes: 200_000 - 1) }
    var owner = synced(many + [Self.product(20, bytes: 200_000)])
    owner.handle(.home(.itemPressed(.openProduct, item: "p20")))

    owner.answer("/api/products/", taken)

    #expect(photoPaths(owner) == [Self.path(20)])
    #expect(owner.calls.last?.call.bodyTarget == BodyTarget(.photo, Self.digest(20)))
  }

  @Test("Without an answer, no photo is requested until the next complete sync")
  func paused() {
    var owner = synced([Self.product(1, bytes: 1), Self.product(2, bytes: 2)])

    owner.answer(Self.path(1), .unreachable)
    #expect(owner.calls.allSatisfy { $0.call.bodyTarget == nil })
    owner.handle(.home(.itemPressed(.openProduct, item: "p1")))
    #expect(owner.calls.allSatisfy { $0.call.bodyTarget == nil })
    owner.handle(.device(.shown))
    owner.sync(cursor: "c2")

    #expect(photoPaths(owner) == [Self.path(1)])
  }

  @Test("A refused photo is left out until the next sync", arguments: [403, 404, 500] as [Int64])
  func refused(_ status: Int64) {
    var owner = synced([Self.product(1, bytes: 1), Self.product(2, bytes: 2)])

    owner.answer(Self.path(1), Self.refusal(status))
    #expect(photoPaths(owner) == [Self.path(2)])
    owner.answer(Self.path(2), taken)
    #expect(photoPaths(owner).isEmpty)
    owner.handle(.device(.shown))
    owner.sync(cursor: "c2")

    #expect(photoPaths(owner) == [Self.path(1)])
  }

  @Test(
    "A busy server gets no request for a photo until the next sync",
    arguments: [429, 503] as [Int64])
  func busy(_ status: Int64) {
    var owner = synced([Self.product(1, bytes: 1), Self.product(2, bytes: 2)])

    owner.answer(Self.path(1), Self.refusal(status))
    #expect(photoPaths(owner).isEmpty)
    owner.handle(.device(.shown))
    owner.sync(cursor: "c2")

    #expect(photoPaths(owner) == [Self.path(1)])
  }

  @Test("A photo that one product lost is requested for another product that has it")
  func sharedPhoto() {
    var owner = synced([Self.product(1, bytes: 1)])
    owner.answer(Self.path(1), Self.refusal(404))
    var other = Self.product(2, bytes: 1)
    other.photo = ProductPhoto(digest: Self.digest(1), bytes: 1)
    owner.handle(.device(.shown))

    owner.sync([other], removed: ["p1"], cursor: "c2")

    #expect(photoPaths(owner) == [Self.path(2)])
  }

  @Test("O-06 a lease of zero seconds stores no photo, and an opened product shows its photo")
  func noLease() {
    var owner = Owner()
    owner.leaseSeconds = 0
    owner.open()
    owner.sync([Self.product(1, bytes: 1)])
    #expect(kept(owner) == [])
    #expect(photoPaths(owner).isEmpty)

    owner.handle(.home(.itemPressed(.openProduct, item: "p1")))
    owner.handle(.ticked)

    #expect(owner.calls.last?.call.bodyTarget == BodyTarget(.photo, Self.digest(1)))
  }

  @Test("A product that is opened again asks for its photo again, because memory is limited")
  func openedAgain() {
    let many = (0..<20).map { Self.product($0, bytes: 200_000 - 1) }
    var owner = synced(many + [Self.product(20, bytes: 200_000)])
    for _ in many { owner.answer("/api/products/", taken) }
    #expect(photoPaths(owner).isEmpty)

    for _ in 1...2 {
      owner.handle(.home(.itemPressed(.openProduct, item: "p20")))
      owner.handle(.ticked)
      #expect(photoPaths(owner) == [Self.path(20)])
      owner.answer(Self.path(20), taken)
      owner.handle(.ticked)
      #expect(photoPaths(owner).isEmpty)
      owner.handle(.page(.buttonPressed(.back)))
      owner.handle(.ticked)
    }
  }

  @Test("L-25 a photo that is on the device is not fetched, and is no answer of the server")
  func onDevice() {
    var owner = synced([Self.product(1, bytes: 1), Self.product(2, bytes: 2)])
    owner.answer(Self.path(1), .onDevice)
    #expect(photoPaths(owner) == [Self.path(2)])
    owner.handle(.device(.shown))
    owner.loseServer()
    let offline = owner.driver.flow.phase
    #expect(offline != .active(offlineSince: nil))

    owner.answer(Self.path(2), .onDevice)

    #expect(photoPaths(owner).isEmpty && owner.driver.flow.phase == offline)
    #expect(owner.home.reachability.isOffline)
  }

  @Test("A photo that is opened many times is remembered once")
  func openedOften() {
    var (photos, context) = (ProductPhotos(), AppDriver<ProductsHome>().flow.context)
    let product = Self.product(1, bytes: 1)
    _ = photos.choose(from: [])
    var afterFirst: ProductPhotos?

    for _ in 1...3 {
      photos.fetch(opened: product, &context)
      photos.take(taken)
      photos.fetch(opened: nil, &context)
      afterFirst = afterFirst ?? photos
    }

    #expect(context.takeQueuedRequests().count == 3)
    #expect(photos == afterFirst)
  }

  @Test("The photos are fetched again after a lock is set, because their key has changed")
  func lockSet() {
    var owner = synced([Self.product(1, bytes: 1)])
    owner.answer(Self.path(1), taken)
    var (home, context) = (owner.home, owner.driver.flow.context)

    _ = home.handle(.ticked, &context)
    #expect(context.takeQueuedRequests().isEmpty)
    _ = home.storeAgain()
    _ = home.handle(.ticked, &context)

    #expect(context.takeQueuedRequests().map(\.apiRequest.path) == [Self.path(1)])
  }

  @Test("L-33 the photo of a product that left the list is deleted with it")
  func removed() {
    var owner = synced([Self.product(1, bytes: 1), Self.product(2, bytes: 2)])
    owner.answer(Self.path(1), taken)
    owner.answer(Self.path(2), taken)

    owner.handle(.device(.shown))
    owner.sync(removed: ["p1"], cursor: "c2")

    #expect(kept(owner) == [Self.digest(2)])
  }

  @Test("O-10 a product of the offline copy names its photo after a restart without a network")
  func restarted() {
    var owner = synced([Self.product(1, bytes: 7), Self.product(2, bytes: nil)])
    owner.answer(Self.path(1), taken)
    owner.open()

    #expect(owner.kept.list.item("p1")?.photo == ProductPhoto(digest: Self.digest(1), bytes: 7))
    #expect(owner.kept.list.item("p2")?.photo == nil)
  }

  @Test("A line that an earlier version stored has no photo, and a damaged field has none")
  func earlier() {
    let fields = ["Name", "M", "1", "C", "", "", ""]

    #expect(ProductEntry(itemID: "p", fields: fields)?.photo == nil)
    for damaged in ["", "x", "\(Self.digest(1))", "\(Self.digest(1)) 0", "\(Self.digest(1)) 1 2"] {
      #expect(ProductEntry(itemID: "p", fields: fields + [damaged])?.photo == nil, "\(damaged)")
      #expect(ProductEntry(itemID: "p", fields: fields + [damaged]) != nil)
    }
  }
}

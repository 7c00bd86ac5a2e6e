import HTTPServer
import JSONText
import SignInHTTP
import SignInModel
import SignInService
import SignInTesting
import SignInWire
import Testing

@Suite("Photos of products over HTTP")
struct ProductPhotoTests {
  private static let png = SamplePicture.content(.png)
  private static let ownPath = "/api/products/product-003/photo"
  private static let path = "/admin/products/product-003/photo"

  /// The same picture with bytes after its end, which are not stored.
  private static func png(of count: Int) -> [UInt8] {
    png + [UInt8](repeating: 0, count: count - png.count)
  }

  @Test("O-02 an owner reads the photo that an administrator saved, byte for byte")
  func saved() async throws {
    let server = try await TestServer()
    let admin = try await Person.administrator(at: server)
    let owner = try await Person.owner(at: server)
    let before = try await owner.sync()

    let written = await admin.call(.put, Self.path, bytes: Self.png)
    let read = await owner.call(.get, Self.ownPath)
    let changes = try await owner.sync(since: before.cursor)

    let photo = try #require(ProductPhoto(json: written.json))
    #expect(written.status == 200 && photo.bytes == Int64(Self.png.count))
    #expect(read.status == 200 && read.body == Self.png)
    #expect(read.field("content-type") == "image/png")
    #expect(changes.products.map(\.photo) == [photo])
    #expect(await admin.call(.get, Self.path).body == Self.png)
  }

  @Test("A photo is answered as a file that a browser runs nothing of and asks for again")
  func headers() async throws {
    let server = try await TestServer()
    let owner = try await Person.owner(at: server)
    let path = "/api/products/product-001/photo"

    let answer = await owner.call(.get, path)
    let tag = try #require(answer.field("etag"))
    let again = await owner.call(.get, path, more: [HTTPField("If-None-Match", tag)])
    let other = await owner.call(.get, path, more: [HTTPField("If-None-Match", "\"x\"")])

    #expect(answer.field("x-content-type-options") == "nosniff")
    #expect(answer.field("content-security-policy") == "default-src 'none'; sandbox")
    #expect(answer.field("cache-control") == "private, no-cache")
    #expect(answer.fields.filter { $0.isNamed("cache-control") }.count == 1)
    #expect(again.status == 304 && again.body.isEmpty && again.field("etag") == tag)
    #expect(other.status == 200)
  }

  @Test(
    "A photo has at most 200,000 bytes",
    arguments: [(-1, 200), (0, 200), (1, 413)])
  func size(_ excess: Int, _ status: Int) async throws {
    let server = try await TestServer()
    let admin = try await Person.administrator(at: server)

    let answer = await admin.call(
      .put, Self.path, bytes: Self.png(of: ProductPhoto.byteLimit + excess))

    #expect(ProductPhoto.byteLimit == 200_000)
    #expect(answer.status == status)
    #expect(status == 200 || answer.code == "photo_too_large")
  }

  @Test("The first bytes decide the format, not the field Content-Type")
  func format() async throws {
    let server = try await TestServer()
    let admin = try await Person.administrator(at: server)
    let svg = Array("<svg xmlns=\"http://www.w3.org/2000/svg\"><script/></svg>".utf8)

    let refused = await admin.call(.put, Self.path, bytes: svg, type: "image/png")
    let empty = await admin.call(.put, Self.path, bytes: [], type: "image/png")
    let saved = await admin.call(.put, Self.path, bytes: Self.png, type: "image/svg+xml")

    #expect(refused.status == 415 && refused.code == "photo_format_unknown")
    #expect(empty.code == "photo_format_unknown")
    #expect(saved.status == 200)
    #expect(await admin.call(.get, Self.path).field("content-type") == "image/png")
  }

  @Test("L-52 a photo is stored without what follows its end, and a damaged one is refused")
  func cleaned() async throws {
    let server = try await TestServer()
    let admin = try await Person.administrator(at: server)

    for format in PhotoFormat.allCases {
      let sample = SamplePicture.content(format)
      let saved = await admin.call(.put, Self.path, bytes: sample + Array("GPS 59.91".utf8))
      #expect(saved.status == 200 && saved.json["bytes"]?.number == Int64(sample.count))
      #expect(await admin.call(.get, Self.path).body == sample)
      let cut = await admin.call(.put, Self.path, bytes: Array(sample.dropLast(20)))
      #expect(cut.status == 422 && cut.code == "photo_damaged")
    }
    var huge = Self.png
    huge.replaceSubrange(16..<24, with: [0x7F, 0xFF, 0xFF, 0xFF, 0x7F, 0xFF, 0xFF, 0xFF])
    let refused = await admin.call(.put, Self.path, bytes: huge)
    #expect(refused.status == 413 && refused.code == "photo_too_large")
    let unknown = await admin.call(.put, "/admin/products/none/photo", bytes: huge)
    #expect(unknown.status == 404)
  }

  @Test("The same photo again changes nothing, and another one replaces it")
  func replaced() async throws {
    let server = try await TestServer()
    let admin = try await Person.administrator(at: server)
    let owner = try await Person.owner(at: server)

    await admin.call(.put, Self.path, bytes: Self.png)
    let first = try await owner.sync()
    await admin.call(.put, Self.path, bytes: Self.png)
    let unchanged = try await owner.sync(since: first.cursor)
    await admin.call(.put, Self.path, bytes: SamplePicture.content(.webp))
    let changed = try await owner.sync(since: first.cursor)

    #expect(unchanged.products.isEmpty)
    #expect(changed.products.map(\.photo?.bytes) == [100])
    #expect(await owner.call(.get, Self.ownPath).body == SamplePicture.content(.webp))
  }

  @Test("A removed photo is gone from the list, and removing it again is refused")
  func removed() async throws {
    let server = try await TestServer()
    let admin = try await Person.administrator(at: server)
    let owner = try await Person.owner(at: server)
    await admin.call(.put, Self.path, bytes: Self.png)
    let first = try await owner.sync()

    let removed = await admin.call(.delete, Self.path)
    let again = await admin.call(.delete, Self.path)
    let changes = try await owner.sync(since: first.cursor)

    #expect(removed.status == 204)
    #expect(again.status == 404 && again.code == "photo_not_found")
    #expect(changes.products.map(\.id.text) == ["product-003"])
    #expect(changes.products.allSatisfy { $0.photo == nil })
    #expect(await owner.call(.get, Self.ownPath).code == "photo_not_found")
  }

  @Test("L-33 another owner gets the same answer as for a product that does not exist")
  func others() async throws {
    let server = try await TestServer()
    let other = try await Person.newOwner(at: server)

    let foreign = await other.call(.get, "/api/products/product-001/photo")
    let missing = await other.call(.get, "/api/products/none/photo")

    #expect(foreign.status == 404 && foreign.code == "product_not_found")
    #expect(foreign.body == missing.body)
  }

  @Test("A record that is written again keeps its photo, and a removed record has none")
  func written() async throws {
    let server = try await TestServer()
    let admin = try await Person.administrator(at: server)
    let record = "/admin/products/shop-1"
    let body = """
      {"account":"owner@example.com","name":"A","model":"M","serial_number":"1","category":"C"}
      """
    _ = await admin.call(.put, record, body)
    await admin.call(.put, record + "/photo", bytes: Self.png)

    _ = await admin.call(.put, record, body.replacing("\"A\"", with: "\"B\""))
    let kept = await admin.call(.get, record + "/photo")
    let read = await admin.call(.get, record)
    _ = await admin.call(.delete, record)
    _ = await admin.call(.put, record, body)
    let gone = await admin.call(.get, record + "/photo")

    #expect(kept.status == 200)
    // What is read can be written, and a photo is written in its own request.
    #expect(read.json["photo"] == nil)
    #expect(gone.code == "photo_not_found")
  }

  @Test("T-16 a sender of one organization does not change the photo of an account in two")
  func organizations() async throws {
    let server = try await TestServer()
    let now = server.clock.now()
    let account = Account(
      id: AccountID("both"), email: try EmailAddress(parsing: "both@example.com"), phone: nil,
      name: "Both", role: .owner, status: .active, passwordHash: nil,
      organizations: ["north", "south"].map { OrganizationID($0) }, createdAt: now)
    let entry = ProductEntry(
      id: ProductID("both-1"), name: "A", model: "M", serialNumber: "1", category: "C",
      warrantyProvider: nil, purchasedOn: nil, warrantyExpiresOn: nil)
    try await server.world.store.transact { (transaction) throws(StoreFault) in
      try transaction.insert(account)
      try transaction.save(
        Product(entry: entry, createdAt: now, holder: .owner(account.id), position: 1))
    }
    let north = try await server.administrator(.administrator, of: "north")
    let path = "/admin/products/both-1/photo"

    #expect(await north.call(.put, path, bytes: Self.png).code == "permission_denied")
    #expect(await north.call(.delete, path).code == "permission_denied")
    #expect(await north.call(.get, path).code == "photo_not_found")
  }
}

extension Person {
  @discardableResult
  func call(
    _ method: HTTPMethod, _ path: String, bytes: [UInt8], type: String = "image/png"
  ) async -> HTTPResponse {
    await device.server.answer(
      HTTPRequest(
        method: method, path: path, query: nil,
        fields: [
          HTTPField("Authorization", "DPoP \(token)"),
          device.proof(method.rawValue, path, token: token), HTTPField("Content-Type", type),
        ], body: bytes))
  }
}

import Foundation
import ShelfFiles
import SignInFlow
import SignInModel
import Testing

@Suite("Sealed shelf files")
struct SealedShelfTests {
  private let folder: URL
  private let shelf: SealedShelf
  private let key = [UInt8](repeating: 7, count: SealedShelf.keyByteCount)
  private let place = Self.place()
  private let head = ShelfPiece(key: "head", bytes: Array("Dishwasher".utf8))
  private let part = ShelfPiece(key: "p1", bytes: [0, 9, 10, 255])

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    shelf = SealedShelf(directory: folder.path(), key: key, server: "https://a.example")
  }

  private static func place(
    account: String = "owner", organization: String? = nil, name: String = "products"
  ) -> ShelfPlace {
    ShelfPlace(
      name: name,
      owner: ShelfOwner(
        account: AccountID(account), client: ClientID("product-app"),
        organization: organization.map { OrganizationID($0) }
      )
    )
  }

  private var file: URL { folder.appending(path: "products.shelf") }

  private func finish() throws { try FileManager.default.removeItem(at: folder) }

  @Test("O-01 what was written is read again, and what is kept stays")
  func roundTrip() throws {
    #expect(shelf.read(place) == .absent)

    #expect(shelf.write(place, pieces: [head, part], kept: []) == .done)
    #expect(shelf.read(place) == .value([head, part]))
    let next = ShelfPiece(key: "head", bytes: [1])
    #expect(shelf.write(place, pieces: [next], kept: ["p1"]) == .done)
    #expect(shelf.read(place) == .value([next, part]))
    #expect(shelf.write(place, pieces: [next], kept: ["p2"]) == .conflict)
    #expect(shelf.erase("products") && shelf.erase("products"))
    #expect(shelf.read(place) == .absent)
    try finish()
  }

  @Test("O-06 the file holds no clear text, and other users cannot read it")
  func sealed() throws {
    _ = shelf.write(place, pieces: [head, part], kept: [])
    let bytes = try Data(contentsOf: file)
    let rights = try FileManager.default.attributesOfItem(atPath: file.path())[.posixPermissions]

    #expect(bytes.range(of: Data("Dishwasher".utf8)) == nil)
    #expect(bytes.range(of: Data("owner".utf8)) == nil)
    #expect(rights as? Int == 0o600)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path()).count == 1)
    try finish()
  }

  @Test("L-33 a copy of another account, organization, shelf, server or key does not open")
  func foreign() throws {
    _ = shelf.write(place, pieces: [head], kept: [])

    for other in [Self.place(account: "somebody"), Self.place(organization: "north")] {
      #expect(shelf.read(other) == .damaged)
    }
    let elsewhere = SealedShelf(directory: folder.path(), key: key, server: "https://b.example")
    #expect(elsewhere.read(place) == .damaged)
    let otherKey = [UInt8](repeating: 8, count: SealedShelf.keyByteCount)
    let stranger = SealedShelf(
      directory: folder.path(), key: otherKey, server: "https://a.example")
    #expect(stranger.read(place) == .damaged)
    try FileManager.default.copyItem(at: file, to: folder.appending(path: "jobs.shelf"))
    #expect(shelf.read(Self.place(name: "jobs")) == .damaged)
    try finish()
  }

  @Test("S-08 a file that is torn, changed or of another version does not open")
  func damaged() throws {
    _ = shelf.write(place, pieces: [head, part], kept: [])
    let whole = try Data(contentsOf: file)

    for length in 0..<whole.count {
      try whole.prefix(length).write(to: file)
      #expect(shelf.read(place) == .damaged, "\(length) bytes")
    }
    for index in whole.indices {
      var changed = whole
      changed[index] ^= 1
      try changed.write(to: file)
      #expect(shelf.read(place) == .damaged, "byte \(index)")
    }
    try whole.write(to: file)
    #expect(shelf.read(place) == .value([head, part]))
    try finish()
  }

  @Test("O-08 a draft left by a power cut is no copy, and the last good one stays")
  func powerCut() throws {
    _ = shelf.write(place, pieces: [head], kept: [])
    try Data("half".utf8).write(to: folder.appending(path: "products.shelf.new"))

    #expect(shelf.read(place) == .value([head]))
    #expect(shelf.write(place, pieces: [part], kept: []) == .done)
    #expect(shelf.read(place) == .value([part]))
    try finish()
  }

  @Test("O-09 where nothing can be written it is told, and nothing is lost")
  func refused() throws {
    let nowhere = SealedShelf(directory: "/proc/1/nowhere", key: key, server: "x")

    #expect(nowhere.write(place, pieces: [head], kept: []) == .refused)
    #expect(nowhere.read(place) == .absent)
    let full = SealedShelf(directory: "/dev/full", key: key, server: "x")
    #expect(full.write(place, pieces: [head], kept: []) == .refused)
    #expect(full.read(place) == .cannotTell)
    try finish()
  }
}

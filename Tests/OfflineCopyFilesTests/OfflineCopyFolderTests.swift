import Foundation
import OfflineCopyFiles
import SignInFlow
import SignInModel
import Testing

@Suite("Sealed files of offline copies")
struct OfflineCopyFolderTests {
  private let folder: URL
  private let list: OfflineCopyFolder
  private let key = [UInt8](repeating: 7, count: OfflineCopyFolder.keyByteCount)
  private let place = Self.place()
  private let head = SealedRecord(key: "head", bytes: Array("Dishwasher".utf8))
  private let part = SealedRecord(key: "p1", bytes: [0, 9, 10, 255])

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    list = OfflineCopyFolder(directory: folder.path(), key: key, server: "https://a.example")
  }

  private static func place(
    account: String = "owner", organization: String? = nil, name: String = "products"
  ) -> OfflineCopyName {
    OfflineCopyName(
      name: name,
      owner: OfflineCopyOwner(
        account: AccountID(account), client: ClientID("product-app"),
        organization: organization.map { OrganizationID($0) }
      )
    )
  }

  private var file: URL { folder.appending(path: "products.shelf") }

  private func finish() throws { try FileManager.default.removeItem(at: folder) }

  @Test("O-01 written pieces are read again, and unchanged pieces stay")
  func roundTrip() throws {
    #expect(list.read(place) == .absent)

    #expect(list.write(place, pieces: [head, part], kept: []) == .done)
    #expect(list.read(place) == .value([head, part]))
    let next = SealedRecord(key: "head", bytes: [1])
    #expect(list.write(place, pieces: [next], kept: ["p1"]) == .done)
    #expect(list.read(place) == .value([next, part]))
    #expect(list.write(place, pieces: [next], kept: ["p2"]) == .conflict)
    #expect(list.erase("products") && list.erase("products"))
    #expect(list.read(place) == .absent)
    try finish()
  }

  @Test("O-06 a file of an earlier version opens")
  func earlierVersion() throws {
    let bytes = try #require(
      Data(
        base64Encoded: """
          RlBTSEVMRjEAAQIDBAUGBwgJCgsMDQ4PEBESExQVFheoF6uBknk6wSXHgU2ii9zEKLdLf3GF\
          N3HzH8ewmsyUkwM3hZPF3fQFqfsDjXnoWE8yzOhS
          """))
    try bytes.write(to: file)

    #expect(list.read(place) == .value([head, part]))
    try finish()
  }

  @Test("O-06 the file has no clear text, and other users cannot read it")
  func sealed() throws {
    _ = list.write(place, pieces: [head, part], kept: [])
    let bytes = try Data(contentsOf: file)
    let rights = try FileManager.default.attributesOfItem(atPath: file.path())[.posixPermissions]

    #expect(bytes.range(of: Data("Dishwasher".utf8)) == nil)
    #expect(bytes.range(of: Data("owner".utf8)) == nil)
    #expect(rights as? Int == 0o600)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path()).count == 1)
    try finish()
  }

  @Test("L-33 a copy of another account, organization, list, server or key does not open")
  func foreign() throws {
    _ = list.write(place, pieces: [head], kept: [])

    for other in [Self.place(account: "other-account"), Self.place(organization: "north")] {
      #expect(list.read(other) == .damaged)
    }
    let elsewhere = OfflineCopyFolder(
      directory: folder.path(), key: key, server: "https://b.example")
    #expect(elsewhere.read(place) == .damaged)
    let otherKey = [UInt8](repeating: 8, count: OfflineCopyFolder.keyByteCount)
    let withOtherKey = OfflineCopyFolder(
      directory: folder.path(), key: otherKey, server: "https://a.example")
    #expect(withOtherKey.read(place) == .damaged)
    try FileManager.default.copyItem(at: file, to: folder.appending(path: "jobs.shelf"))
    #expect(list.read(Self.place(name: "jobs")) == .damaged)
    try finish()
  }

  @Test("S-08 a file that is cut short, changed or of another version does not open")
  func damaged() throws {
    _ = list.write(place, pieces: [head, part], kept: [])
    let whole = try Data(contentsOf: file)

    for length in 0..<whole.count {
      try whole.prefix(length).write(to: file)
      #expect(list.read(place) == .damaged, "\(length) bytes")
    }
    for index in whole.indices {
      var changed = whole
      changed[index] ^= 1
      try changed.write(to: file)
      #expect(list.read(place) == .damaged, "byte \(index)")
    }
    try whole.write(to: file)
    #expect(list.read(place) == .value([head, part]))
    try finish()
  }

  @Test("O-08 a draft after a power cut is not a copy, and the last good copy stays")
  func powerCut() throws {
    _ = list.write(place, pieces: [head], kept: [])
    try Data("half".utf8).write(to: folder.appending(path: "products.shelf.new"))

    #expect(list.read(place) == .value([head]))
    #expect(list.write(place, pieces: [part], kept: []) == .done)
    #expect(list.read(place) == .value([part]))
    try finish()
  }

  @Test("O-09 a failed write is reported, and nothing is lost")
  func refused() throws {
    let nowhere = OfflineCopyFolder(directory: "/proc/1/nowhere", key: key, server: "x")

    #expect(nowhere.write(place, pieces: [head], kept: []) == .refused)
    #expect(nowhere.read(place) == .absent)
    let full = OfflineCopyFolder(directory: "/dev/full", key: key, server: "x")
    #expect(full.write(place, pieces: [head], kept: []) == .refused)
    #expect(full.read(place) == .temporarilyUnreadable)
    try finish()
  }
}

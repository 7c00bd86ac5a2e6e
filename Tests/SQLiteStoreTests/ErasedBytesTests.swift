import Foundation
import SignInModel
import SignInService
import SignInTesting
import SignInWire
import Testing

@testable import SQLStore

@Suite("Bytes of removed accounts in files")
struct ErasedBytesTests {
  private let folder = TemporaryFolder()
  private static let marks = ["Wilhelmina", "wilhelmina@example.com", "+4790012345", "+4790054321"]

  private func account(_ number: Int, _ name: String, _ email: String, _ phone: String) throws
    -> Account
  {
    Account(
      id: AccountID("account-\(number)"), email: try EmailAddress(parsing: email),
      phone: try PhoneNumber(parsing: phone), name: name, role: .technician, status: .active,
      passwordHash: nil, organizations: [], createdAt: Instant(seconds: Int64(number))
    )
  }

  /// The marks that are still in a file of the folder.
  private func found() throws -> Set<String> {
    var found: Set<String> = []
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      let bytes = try Data(contentsOf: URL(filePath: folder.path + "/" + name))
      for mark in Self.marks where bytes.range(of: Data(mark.utf8)) != nil { found.insert(mark) }
    }
    return found
  }

  @Test("No byte of a removed account is in any file, even after earlier changes")
  func bytes() async throws {
    let store = try SQLiteStore(directory: folder.path)
    let others = try (0..<400).map {
      try account($0, "Person \($0)", "person\($0)@example.com", "+49300\(10_000 + $0)")
    }
    var person = try account(1_000, "Wilhelmina", "wilhelmina@example.com", "+4790012345")
    let inserted = person
    try await store.transact { (transaction) throws(StoreFault) in
      for other in others[..<200] { try transaction.insert(other) }
      try transaction.insert(inserted)
      for other in others[200...] { try transaction.insert(other) }
    }
    person.phone = try PhoneNumber(parsing: "+4790054321")
    let changed = person
    for status in [AccountStatus.deactivated, .active, .deactivated, .active] {
      try await store.transact { (transaction) throws(StoreFault) in
        var account = changed
        account.status = status
        try transaction.update(account)
      }
    }
    #expect(try found().contains("Wilhelmina"))

    try await store.transact { (transaction) throws(StoreFault) in
      _ = try transaction.removeAccount(changed.id)
    }
    #expect(await store.clearRemovedRecords())

    #expect(try found() == [])
    store.close()
    #expect(try found() == [])
  }

  @Test("No byte of the photos of a removed account is in any file, also after a replacement")
  func photos() async throws {
    let store = try SQLiteStore(directory: folder.path)
    let person = try account(1, "Wilhelmina", "wilhelmina@example.com", "+4790012345")
    let photos = Self.marks.map { mark in
      ProductPhotoContent(
        product: ProductID("owned"), format: .png,
        content: Array(String(repeating: mark, count: ProductPhoto.byteLimit / 32).utf8))
    }
    try await store.transact { (transaction) throws(StoreFault) in
      try transaction.insert(person)
      let entry = ProductEntry(
        id: ProductID("owned"), name: "Name", model: "M", serialNumber: "1", category: "C",
        warrantyProvider: nil, purchasedOn: nil, warrantyExpiresOn: nil)
      try transaction.save(
        Product(entry: entry, createdAt: person.createdAt, holder: .owner(person.id), position: 1))
    }
    for photo in photos {
      try await store.transact { (transaction) throws(StoreFault) in
        try transaction.save(photo)
      }
    }
    #expect(try found().count == Self.marks.count)

    try await store.transact { (transaction) throws(StoreFault) in
      _ = try transaction.removeAccount(person.id)
    }
    #expect(await store.clearRemovedRecords())

    #expect(try found() == [])
    store.close()
  }

  @Test("A log of changes that is in use is emptied at a later attempt")
  func pending() async throws {
    var limits = SQLiteLimits()
    limits.busyMilliseconds = 1
    let store = try SQLiteStore(directory: folder.path, readers: 1, limits: limits)
    let person = try account(1, "Wilhelmina", "wilhelmina@example.com", "+4790012345")
    try await store.transact { (transaction) throws(StoreFault) in
      try transaction.insert(person)
    }
    let reader = try RawDatabase(folder.database)
    try reader.run("BEGIN; SELECT * FROM accounts")
    try await store.transact { (transaction) throws(StoreFault) in
      _ = try transaction.removeAccount(person.id)
    }

    #expect(await store.clearRemovedRecords() == false)
    try reader.run("COMMIT")
    await store.clearRemovedRecordsIfPending()

    #expect(try found() == [])
    store.close()
  }
}

import Foundation
import SignInClient
import SignInModel
import Testing

@testable import SignInApple

/// The stored form of a device key and of the name of an installation.
@Suite struct StoredKeyTests {
  @Test("T-14 L-26 a key is stored with its kind and read again")
  func texts() {
    for (key, text) in [
      (StoredKey.enclave([1, 2, 3]), "enclave.AQID"), (.software([255]), "software._w"),
    ] {
      #expect(key.text == Secret(text))
      #expect(StoredKey(text: Secret(text)) == key)
    }
    for text in ["", "enclave", "enclave.!", "quantum.AQID", "a.b.c"] {
      #expect(StoredKey(text: Secret(text)) == nil, "\(text)")
    }
  }

  @Test("T-14 a public point is the byte 4 and two coordinates")
  func point() {
    let bytes = [4] + (1...64).map { UInt8($0) }

    let point = PublicPoint(uncompressed: bytes)

    #expect(point.x == (1...32).map { UInt8($0) })
    #expect(point.y == (33...64).map { UInt8($0) })
  }

  @Test("L-21 the name of an installation is in a file; an unreadable file is not absent")
  func markerFile() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("marker-\(UUID().uuidString)/inner")
    defer { removeFolder(folder.deletingLastPathComponent()) }
    let marker = MarkerFile(folder: folder)
    #expect(marker.read() == .absent)

    #expect(marker.write("install-1"))
    #expect(marker.read() == .value("install-1"))
    #expect(marker.write("install-2"))
    #expect(marker.read() == .value("install-2"))

    try Data().write(to: folder.appendingPathComponent("install"))
    #expect(marker.read() == .temporarilyUnreadable)
    for (count, isName) in [(63, true), (64, true), (65, false)] {
      try Data(repeating: 97, count: count).write(to: folder.appendingPathComponent("install"))
      #expect((marker.read() != .temporarilyUnreadable) == isName, "\(count)")
    }
    // A folder in the file's place cannot be read. That does not prove that the file is absent.
    try FileManager.default.removeItem(at: folder.appendingPathComponent("install"))
    try FileManager.default.createDirectory(
      at: folder.appendingPathComponent("install"), withIntermediateDirectories: false)
    #expect(marker.read() == .temporarilyUnreadable)
  }

  @Test("L-21 two processes that start together both use the name that the first one wrote")
  func twoProcesses() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("marker-\(UUID().uuidString)")
    defer { removeFolder(folder) }
    let marker = MarkerFile(folder: folder)

    #expect(marker.writeFirst("install-1"))
    #expect(marker.writeFirst("install-2"))

    #expect(marker.read() == .value("install-1"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["install"])
  }

  private func removeFolder(_ folder: URL) {
    do { try FileManager.default.removeItem(at: folder) } catch { return }
  }
}

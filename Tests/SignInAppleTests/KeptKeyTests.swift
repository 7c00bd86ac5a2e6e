import Foundation
import SignInClient
import SignInModel
import Testing

@testable import SignInApple

/// What is kept of a key, and of an install.
@Suite struct KeptKeyTests {
  @Test("T-14 L-26 a key is kept with what kind it is, and read again")
  func texts() {
    for (key, text) in [
      (KeptKey.enclave([1, 2, 3]), "enclave.AQID"), (.software([255]), "software._w"),
    ] {
      #expect(key.text == Secret(text))
      #expect(KeptKey(text: Secret(text)) == key)
    }
    for text in ["", "enclave", "enclave.!", "quantum.AQID", "a.b.c"] {
      #expect(KeptKey(text: Secret(text)) == nil, "\(text)")
    }
  }

  @Test("T-14 a public point is a four and two coordinates")
  func point() {
    let bytes = [4] + (1...64).map { UInt8($0) }

    let point = PublicPoint(uncompressed: bytes)

    #expect(point.x == (1...32).map { UInt8($0) })
    #expect(point.y == (33...64).map { UInt8($0) })
  }

  @Test("L-21 an install's name is a file, which is absent only where it was looked for")
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
    #expect(marker.read() == .cannotTell)
    for (count, isName) in [(63, true), (64, true), (65, false)] {
      try Data(repeating: 97, count: count).write(to: folder.appendingPathComponent("install"))
      #expect((marker.read() != .cannotTell) == isName, "\(count)")
    }
    // A folder in its place cannot be read, which is not the same as nothing.
    try FileManager.default.removeItem(at: folder.appendingPathComponent("install"))
    try FileManager.default.createDirectory(
      at: folder.appendingPathComponent("install"), withIntermediateDirectories: false)
    #expect(marker.read() == .cannotTell)
  }

  @Test("L-21 of two processes that begin at once, both take the name of the first")
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

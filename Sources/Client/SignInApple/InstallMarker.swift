import Foundation

/// Names this install of the app, in the app's own container, which goes when the app is deleted.
///
/// The keychain survives a deletion. What it holds carries the name of the install that wrote it,
/// so that what an earlier one has left is known for certain (L-21). A name is no secret.
protocol InstallMarker: Sendable {
  func read() -> MarkerReading
  /// Whether it is durable.
  func write(_ name: String) -> Bool
}

enum MarkerReading: Equatable, Sendable {
  case value(String)
  /// The container was read, and has none: this install has never run.
  case absent
  case cannotTell
}

/// A file that is readable before the first unlock, and in no backup: what is restored to another
/// device is another install.
struct MarkerFile: InstallMarker {
  static let byteLimit = 64

  let folder: URL

  private var file: URL { folder.appendingPathComponent("install") }

  /// A failing file system is not an empty one.
  func read() -> MarkerReading {
    do {
      let bytes = try Data(contentsOf: file)
      guard (1...Self.byteLimit).contains(bytes.count) else { return .cannotTell }
      return .value(String(decoding: bytes, as: UTF8.self))
    } catch {
      return (error as? CocoaError)?.code == .fileReadNoSuchFile ? .absent : .cannotTell
    }
  }

  func write(_ name: String) -> Bool {
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Data(name.utf8).write(to: file, options: .atomic)
      #if canImport(Security)
        try FileManager.default.setAttributes(
          [.protectionKey: FileProtectionType.none], ofItemAtPath: file.path
        )
        var place = folder
        var values = URLResourceValues()
        values.isExcludedFromBackup = true
        try place.setResourceValues(values)
      #endif
      return true
    } catch {
      return false
    }
  }
}

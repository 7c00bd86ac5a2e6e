package import Foundation

/// The name of this installation of the app, stored in a folder that is deleted with the app.
///
/// A keychain or keyring is not deleted with the app. Each stored item contains the name of the
/// installation that wrote it. So the client knows with certainty which items an earlier
/// installation wrote (L-21). The name is not a secret.
package protocol InstallMarker: Sendable {
  func read() -> MarkerReading
  /// Writes a name and replaces an existing one.
  ///
  /// Returns whether the name is stored durably.
  func write(_ name: String) -> Bool
  /// Writes a name if there is none.
  ///
  /// Returns whether there is a name now, which can be another one.
  func writeFirst(_ name: String) -> Bool
}

extension InstallMarker {
  /// The name of this installation.
  ///
  /// The first call creates it.
  ///
  /// It is `nil` if the folder cannot be read.
  package func install() -> String? {
    switch read() {
    case .value(let name): return name
    case .temporarilyUnreadable: return nil
    case .absent:
      guard writeFirst(Self.newName()), case .value(let name) = read() else { return nil }
      return name
    }
  }

  package static func newName() -> String { UUID().uuidString }
}

package enum MarkerReading: Equatable, Sendable {
  case value(String)
  /// The folder was read and has no name, so this installation has never run.
  case absent
  case temporarilyUnreadable
}

/// A file that contains the name of the installation.
package struct MarkerFile: InstallMarker {
  package static let byteLimit = 64

  private let folder: URL
  /// Platform-specific protection of the file and its folder.
  ///
  /// It is called after each write.
  private let protect: @Sendable (_ file: URL, _ folder: URL) throws -> Void

  private var file: URL { folder.appendingPathComponent("install") }

  package init(
    folder: URL,
    protect: @escaping @Sendable (_ file: URL, _ folder: URL) throws -> Void = { _, _ in }
  ) {
    self.folder = folder
    self.protect = protect
  }

  /// An error of the file system does not mean that there is no name.
  package func read() -> MarkerReading {
    do {
      let bytes = try Data(contentsOf: file)
      guard (1...Self.byteLimit).contains(bytes.count) else { return .temporarilyUnreadable }
      return .value(String(decoding: bytes, as: UTF8.self))
    } catch {
      return (error as? CocoaError)?.code == .fileReadNoSuchFile ? .absent : .temporarilyUnreadable
    }
  }

  package func write(_ name: String) -> Bool {
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Data(name.utf8).write(to: file, options: .atomic)
      try protect(file, folder)
      return true
    } catch {
      return false
    }
  }

  /// If two processes start at the same time, both use the name of the first one.
  ///
  /// A hard link can be created only if the file does not exist.
  package func writeFirst(_ name: String) -> Bool {
    // The temporary folder is removed below, so only the final folder needs protection.
    let (protect, folder) = (protect, folder)
    let own = MarkerFile(folder: folder.appendingPathComponent(name)) { file, _ in
      try protect(file, folder)
    }
    guard own.write(name) else { return false }
    // The last operand is for file systems without hard links.
    let isThere = own.link(to: file) || read() != .absent || write(name)
    own.remove()
    return isThere
  }

  private func link(to other: URL) -> Bool {
    do {
      try FileManager.default.linkItem(at: file, to: other)
      return true
    } catch {
      return false
    }
  }

  private func remove() {
    do {
      try FileManager.default.removeItem(at: folder)
    } catch {
      // The file that remains contains a name that no item uses.
      return
    }
  }
}

package import Foundation

/// Names this install of the app, in a folder that goes when the app is removed.
///
/// A keychain or keyring survives the removal. What it holds carries the name of the install that
/// wrote it, so that what an earlier install has left is known for certain (L-21). A name is no
/// secret.
package protocol InstallMarker: Sendable {
  func read() -> MarkerReading
  /// Writes a name in place of any other. Whether it is durable.
  func write(_ name: String) -> Bool
  /// Writes a name where there is none yet. Whether there is one now, which may be another.
  func writeFirst(_ name: String) -> Bool
}

extension InstallMarker {
  /// The name of this install, which is made by the first call.
  ///
  /// Nil while the folder cannot tell.
  package func install() -> String? {
    switch read() {
    case .value(let name): return name
    case .cannotTell: return nil
    case .absent:
      guard writeFirst(Self.newName()), case .value(let name) = read() else { return nil }
      return name
    }
  }

  package static func newName() -> String { UUID().uuidString }
}

package enum MarkerReading: Equatable, Sendable {
  case value(String)
  /// The folder was read, and has no name: this install has never run.
  case absent
  case cannotTell
}

/// A file with the name of the install.
package struct MarkerFile: InstallMarker {
  package static let byteLimit = 64

  private let folder: URL
  /// What the platform needs for a file that was written, with the file and its folder.
  private let protect: @Sendable (_ file: URL, _ folder: URL) throws -> Void

  private var file: URL { folder.appendingPathComponent("install") }

  package init(
    folder: URL,
    protect: @escaping @Sendable (_ file: URL, _ folder: URL) throws -> Void = { _, _ in }
  ) {
    self.folder = folder
    self.protect = protect
  }

  /// A failing file system is not an empty one.
  package func read() -> MarkerReading {
    do {
      let bytes = try Data(contentsOf: file)
      guard (1...Self.byteLimit).contains(bytes.count) else { return .cannotTell }
      return .value(String(decoding: bytes, as: UTF8.self))
    } catch {
      return (error as? CocoaError)?.code == .fileReadNoSuchFile ? .absent : .cannotTell
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

  /// Of two processes that begin at once, the second takes the name of the first: a link is made
  /// only where there is no file.
  package func writeFirst(_ name: String) -> Bool {
    // What protects a folder belongs to the one that stays.
    let (protect, folder) = (protect, folder)
    let own = MarkerFile(folder: folder.appendingPathComponent(name)) { file, _ in
      try protect(file, folder)
    }
    guard own.write(name) else { return false }
    // The last is for file systems without links.
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
      // What is left is a name that no item carries.
      return
    }
  }
}

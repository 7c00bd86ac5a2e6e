import Foundation

/// A folder for one test.
///
/// It is removed at the end.
final class TemporaryFolder: Sendable {
  let path: String

  init() {
    path = FileManager.default.temporaryDirectory.path + "/fieldpass-\(UUID().uuidString)"
  }

  deinit {
    do { try FileManager.default.removeItem(atPath: path) } catch {
      // A test that never opened a store leaves nothing to remove.
      _ = error
    }
  }

  var database: String { path + "/fieldpass.db" }

  func permissions(of name: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path + name)
    return (attributes[.posixPermissions] as? NSNumber)?.intValue ?? -1
  }
}

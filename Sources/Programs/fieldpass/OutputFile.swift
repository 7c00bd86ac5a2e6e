import Glibc
import SystemPorts

/// A new file that a command writes outside of the data folder.
///
/// In a folder of root, it belongs to root. In another folder, it belongs to the user whose rights
/// the command has, so that user must be able to write there. Create this value before the command
/// takes the rights of the owner of the data folder.
struct OutputFile {
  let path: String
  private let created: RootOutput?

  /// `nil` while this process still has the rights of root.
  private var root: RootOutput? { ProcessRights.takenUser == nil ? nil : created }

  /// - Throws: If there is a file with this name.
  init(_ path: String) throws(FileFault) {
    var status = stat()
    guard lstat(path, &status) != 0 else {
      throw FileFault("`\(path)` exists", hint: "name a new file: a backup does not replace files")
    }
    self.path = path
    do throws(PathOwnerFault) { created = try RootOutput.draft(for: path) } catch {
      throw FileFault(error)
    }
  }

  /// The path for a draft, with which the file is made and checked.
  ///
  /// It is in the data folder if only root can write beside the file.
  func draft(in data: String) -> String {
    guard root != nil else { return "\(path).\(getpid()).part" }
    let name = path.lastIndex(of: "/").map { path[path.index(after: $0)...] } ?? path[...]
    return "\(data)/\(name).\(getpid()).part"
  }

  /// Gives the complete draft its final name.
  ///
  /// The draft may remain.
  func publish(_ draft: String) throws(FileFault) {
    guard let root else { return try Files.publish(draft, as: path) }
    try Files.copy(try OpenedFile(draft), into: root.descriptor, at: path)
    if let reason = root.publish() {
      throw FileFault("cannot create `\(path)`: \(reason)", hint: "name a new file")
    }
  }
}

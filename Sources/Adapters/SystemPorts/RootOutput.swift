internal import CLinux
internal import Glibc

/// A new file in a folder of root, for a command that takes the rights of another user.
///
/// The file is opened with the rights of root, before the command takes others. A second process
/// keeps these rights only to give the complete file its name, or to remove it.
public final class RootOutput {
  public let descriptor: Int32
  private let publisher: Int32

  /// Creates the file under the name of a draft.
  ///
  /// - Returns: `nil` if this process is not root, or if the folder does not belong to root alone:
  ///   then the command creates the file with its own rights.
  /// - Throws: The reason of the system if the file cannot be created.
  public static func draft(for path: String) throws(PathOwnerFault) -> RootOutput? {
    guard geteuid() == 0 else { return nil }
    let absolute = ProcessRights.absolute(path)
    guard let slash = absolute.lastIndex(of: "/") else { return nil }
    let folder = String(absolute[..<slash]) + "/"
    let name = String(absolute[absolute.index(after: slash)...])
    guard try PathOwner.find(folder, look: ProcessRights.look) == .root else { return nil }
    let opened = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard opened >= 0 else { throw .unusable(path, reason: String(cString: strerror(errno))) }
    defer { close(opened) }
    var status = stat()
    guard fstat(opened, &status) == 0, status.st_uid == 0,
      !PathEntry(status, target: nil).isSharedFolder
    else { return nil }
    return try RootOutput(name, in: opened, path: path)
  }

  private init(_ name: String, in folder: Int32, path: String) throws(PathOwnerFault) {
    let draft = "\(name).\(getpid()).new"
    let file = openat(
      folder, draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw .unusable(path, reason: String(cString: strerror(errno))) }
    let publisher = fp_publisher(folder, draft, name)
    guard publisher >= 0 else {
      let reason = String(cString: strerror(errno))
      close(file)
      unlinkat(folder, draft, 0)
      throw .unusable(path, reason: reason)
    }
    descriptor = file
    self.publisher = publisher
  }

  deinit {
    close(descriptor)
    close(publisher)
  }

  /// Gives the complete file its name.
  ///
  /// - Returns: The reason of the system if it is not possible, such as a file with that name.
  public func publish() -> String? {
    let reason = fp_publish(publisher)
    return reason == 0 ? nil : String(cString: strerror(reason))
  }
}

import Glibc

/// A lock that prevents other commands from changing the files of a folder at the same time.
///
/// The system releases it when the process ends, also after a crash.
final class FolderLock {
  private let folder: Int32

  /// Throws if another process has the lock.
  init(_ path: String) throws(FileFault) {
    let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { throw .system("cannot open", path) }
    guard flock(folder, LOCK_EX | LOCK_NB) == 0 else {
      close(folder)
      throw FileFault(
        "another command is changing `\(path)`", hint: "try again when it has finished")
    }
    self.folder = folder
  }

  deinit { close(folder) }
}

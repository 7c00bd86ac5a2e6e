internal import Glibc
internal import SignInModel

/// A lock that allows one server at a time for a data folder (L-45).
///
/// Each server remembers used proofs in its own memory, so a second server on the same folder would
/// accept a proof again. The folder itself is locked, because a file in it can be removed while a
/// server runs. The lock file contains the process identifier. It is locked too, for servers of
/// versions before 0.9. The system releases both locks when the process ends, also after a crash.
/// Commands that only change the store do not take the locks.
public final class ServerLock: Sendable {
  public static let fileName = "server.lock"
  /// More bytes than a process identifier and its line end need.
  private static let textLimit = 32

  private let file: Int32
  private let folder: Int32

  /// Takes the lock and writes the process identifier into the file.
  public init(directory: String) throws(ServerLockFault) {
    let path = directory + "/" + Self.fileName
    let folder = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { throw Self.unusable(directory) }
    let file: Int32
    do throws(ServerLockFault) { file = try Self.locked(path, in: folder) } catch {
      close(folder)
      throw error
    }
    self.file = file
    self.folder = folder
  }

  deinit {
    close(file)
    close(folder)
  }

  /// The open file with this process's identifier.
  ///
  /// The file and the folder are then locked.
  private static func locked(_ path: String, in folder: Int32) throws(ServerLockFault) -> Int32 {
    let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { throw Self.unusable(path) }
    guard flock(folder, LOCK_EX | LOCK_NB) == 0, flock(file, LOCK_EX | LOCK_NB) == 0 else {
      let reason = errno
      let holder = Self.holder(file)
      close(file)
      if reason == EWOULDBLOCK { throw .held(processID: holder) }
      errno = reason
      throw Self.unusable(path)
    }
    let text = Array("\(getpid())\n".utf8)
    guard ftruncate(file, 0) == 0, pwrite(file, text, text.count, 0) == text.count else {
      let fault = Self.unusable(path)
      close(file)
      throw fault
    }
    return file
  }

  /// The process that wrote its identifier; `nil` if there is none, or if that process has ended:
  /// then the current holder has the lock and has not written its identifier yet.
  private static func holder(_ file: Int32) -> Int32? {
    var text = [UInt8](repeating: 0, count: textLimit)
    let count = pread(file, &text, text.count, 0)
    guard count > 0 else { return nil }
    let digits = text[..<count].prefix { $0 != UInt8(ascii: "\n") }
    guard let number = WholeNumber.read(digits, in: 1...Int64(Int32.max)) else { return nil }
    let process = Int32(number)
    return kill(process, 0) == 0 || errno != ESRCH ? process : nil
  }

  private static func unusable(_ path: String) -> ServerLockFault {
    .unusable("\(path) cannot be used (\(String(cString: strerror(errno))))")
  }
}

/// The reason why a folder could not be locked.
public enum ServerLockFault: Error, Equatable, Sendable {
  /// Another server has the lock.
  ///
  /// The value is its process identifier, if it could be read.
  case held(processID: Int32?)
  case unusable(String)
}

import Glibc
import SignInHTTP
import Synchronization

/// Notes proofs in two files of the data folder, without waiting for the disk: what was written
/// outlives this process, however it ends, in the system's memory.
final class ProofFile: ProofJournal {
  let remembered: [ProofMark]
  private let newer: String
  private let older: String
  private let file: Mutex<Int32>
  private let faultSeen: @Sendable (String) -> Void

  /// Reads what an earlier process left.
  init(in folder: String, faultSeen: @escaping @Sendable (String) -> Void) throws(FileFault) {
    try Files.makePrivateDirectory(folder)
    newer = folder + "/newer"
    older = folder + "/older"
    var bytes: [UInt8] = []
    for path in [older, newer] where Files.exists(path) {
      bytes += Self.whole(try Files.read(path))
    }
    remembered = Self.marks(bytes)
    self.faultSeen = faultSeen
    // Both become the older page, which this process keeps until the one after the next.
    let draft = folder + "/draft"
    let page = open(draft, Self.fresh, 0o600)
    guard page >= 0 else { throw .system("cannot write", draft) }
    let isWritten = bytes.isEmpty || write(page, bytes, bytes.count) == bytes.count
    guard close(page) == 0, isWritten, rename(draft, older) == 0 else {
      throw .system("cannot write", older)
    }
    let opened = open(newer, Self.fresh, 0o600)
    guard opened >= 0 else { throw .system("cannot write", newer) }
    file = Mutex(opened)
  }

  deinit { _ = file.withLock { close($0) } }

  func note(_ mark: ProofMark) {
    let isNoted = file.withLock { file in
      var words = (mark.high.bigEndian, mark.low.bigEndian)
      return write(file, &words, ProofMark.byteCount) == ProofMark.byteCount
    }
    if !isNoted { faultSeen("a proof could not be noted; a restart might accept it once more") }
  }

  func turnPage() {
    let isTurned = file.withLock { file in
      guard rename(newer, older) == 0 else { return false }
      let page = open(newer, Self.fresh, 0o600)
      guard page >= 0 else { return false }
      close(file)
      file = page
      return true
    }
    if !isTurned { faultSeen("the page of proofs could not be turned; it grows on") }
  }

  private static let fresh = O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC

  /// Without the part of a mark that a process was ended in the midst of.
  private static func whole(_ bytes: [UInt8]) -> [UInt8] {
    Array(bytes.prefix(bytes.count / ProofMark.byteCount * ProofMark.byteCount))
  }

  private static func marks(_ bytes: [UInt8]) -> [ProofMark] {
    stride(from: 0, to: bytes.count, by: ProofMark.byteCount).map { start in
      var words: (UInt64, UInt64) = (0, 0)
      for index in start..<start + 8 {
        words.0 = words.0 << 8 | UInt64(bytes[index])
        words.1 = words.1 << 8 | UInt64(bytes[index + 8])
      }
      return ProofMark(high: words.0, low: words.1)
    }
  }
}

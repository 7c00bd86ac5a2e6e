internal import Glibc
public import SignInHTTP
internal import Synchronization

/// The reason why the proof files cannot be used, as text for the operator.
public struct ProofFileFault: Error, Equatable, Sendable {
  public let what: String

  static func system(_ what: String, _ path: String) -> ProofFileFault {
    ProofFileFault(what: "\(what) `\(path)`: \(String(cString: strerror(errno)))")
  }
}

/// Writes accepted proofs to two files, without waiting for the disk.
///
/// The operating system has the written bytes in its memory, so they survive the end of this
/// process, also after a crash.
///
/// If a new generation cannot be started, the current generation grows and the next call tries
/// again. No proof is lost in that time.
public final class ProofFile: ProofJournal {
  /// At most this many proofs belong to the last two generations of the ledger.
  static let rememberedLimit = 2 * MemoryProofLedger.generationLimit

  public let remembered: [ProofMark]
  private let folder: String
  private let file: Mutex<OpenGeneration>
  private let reportFault: @Sendable (String) -> Void

  /// Reads the proofs that an earlier process wrote to `folder`.
  ///
  /// The folder must exist.
  public convenience init(
    in folder: String, reportFault: @escaping @Sendable (String) -> Void
  ) throws(ProofFileFault) {
    try self.init(in: folder, rememberedLimit: Self.rememberedLimit, reportFault: reportFault)
  }

  /// Remembers the newest `rememberedLimit` proofs and ignores older ones.
  init(
    in folder: String, rememberedLimit: Int, reportFault: @escaping @Sendable (String) -> Void
  ) throws(ProofFileFault) {
    self.folder = folder
    self.reportFault = reportFault
    let newer = try Self.end(of: folder + "/newer", marks: rememberedLimit)
    let left = rememberedLimit - newer.count / ProofMark.byteCount
    let bytes = try Self.end(of: folder + "/older", marks: left) + newer
    remembered = Self.marks(bytes)
    // The proofs of both files become the older generation. The next generation replaces it.
    let draft = folder + "/draft"
    let generation = open(draft, Self.fresh, 0o600)
    guard generation >= 0 else { throw .system("cannot write", draft) }
    let isWritten = Self.write(bytes, to: generation)
    guard close(generation) == 0, isWritten, rename(draft, folder + "/older") == 0 else {
      throw .system("cannot write", folder + "/older")
    }
    let opened = open(folder + "/newer", Self.fresh, 0o600)
    guard opened >= 0 else { throw .system("cannot write", folder + "/newer") }
    file = Mutex(OpenGeneration(descriptor: opened))
  }

  deinit { _ = file.withLock { close($0.descriptor) } }

  /// The file of the newer generation.
  private struct OpenGeneration {
    var descriptor: Int32
    /// Whether the last mark could not be written.
    var isFailing = false
  }

  /// Writes one proof; the first of several failures is reported.
  public func note(_ mark: ProofMark) -> Bool {
    let (isNoted, isFirst) = file.withLock { file in
      var words = (mark.high.bigEndian, mark.low.bigEndian)
      let count = Glibc.write(file.descriptor, &words, ProofMark.byteCount)
      // A partly written mark would shift all marks after it, so it is cut off.
      if count > 0, count < ProofMark.byteCount { Self.cutToWholeMarks(file.descriptor) }
      let isNoted = count == ProofMark.byteCount
      defer { file.isFailing = !isNoted }
      return (isNoted, !file.isFailing)
    }
    if !isNoted, isFirst {
      reportFault("proofs cannot be stored, so requests with a proof are refused: check the disk")
    }
    return isNoted
  }

  public func startGeneration() {
    let (draft, newer) = (folder + "/draft", folder + "/newer")
    let isStarted = file.withLock { file in
      let generation = open(draft, Self.fresh, 0o600)
      guard generation >= 0 else { return false }
      // `newer` does not exist if an earlier call stopped after its first rename: the current
      // generation is then already named `older`.
      let isMoved = rename(newer, folder + "/older") == 0 || errno == ENOENT
      guard isMoved, rename(draft, newer) == 0 else {
        close(generation)
        return false
      }
      close(file.descriptor)
      file.descriptor = generation
      return true
    }
    if !isStarted {
      reportFault("a new proof file could not be started; the current one continues to grow")
    }
  }
}

extension ProofFile {
  private static let fresh = O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC | O_NOFOLLOW

  private static func cutToWholeMarks(_ file: Int32) {
    let end = lseek(file, 0, SEEK_END)
    guard end >= 0 else { return }
    _ = ftruncate(file, end - end % off_t(ProofMark.byteCount))
  }

  /// The last whole marks of a generation, at most `marks` of them.
  ///
  /// An incomplete mark at the end is ignored: a process ended while it wrote that mark. Empty if
  /// the generation does not exist.
  private static func end(of path: String, marks: Int) throws(ProofFileFault) -> [UInt8] {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else {
      if errno == ENOENT { return [] }
      throw .system("cannot read", path)
    }
    defer { close(file) }
    let size = Int(lseek(file, 0, SEEK_END))
    guard size >= 0 else { throw .system("cannot read", path) }
    let whole = size - size % ProofMark.byteCount
    var bytes = [UInt8](repeating: 0, count: min(whole, marks * ProofMark.byteCount))
    let start = whole - bytes.count
    var count = 0
    while count < bytes.count {
      let read = bytes.withUnsafeMutableBytes { buffer in
        pread(file, buffer.baseAddress?.advanced(by: count), buffer.count - count, start + count)
      }
      if read < 0, errno == EINTR { continue }
      guard read > 0 else { throw .system("cannot read", path) }
      count += read
    }
    return bytes
  }

  private static func write(_ bytes: [UInt8], to file: Int32) -> Bool {
    var count = 0
    while count < bytes.count {
      let written = bytes.withUnsafeBytes { buffer in
        Glibc.write(file, buffer.baseAddress?.advanced(by: count), buffer.count - count)
      }
      if written < 0, errno == EINTR { continue }
      guard written > 0 else { return false }
      count += written
    }
    return true
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

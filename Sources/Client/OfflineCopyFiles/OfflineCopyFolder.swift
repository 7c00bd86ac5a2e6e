internal import Cryptography
internal import Glibc
public import SignInFlow

/// One offline copy on this device: all its records in one encrypted file (O-06).
///
/// The file is always replaced as a whole, so after a power cut it is the last complete copy. The
/// associated data of the encryption names account, server and list. So a file of another account,
/// server or list does not open in its place.
public struct OfflineCopyFolder: Sendable {
  public static let keyByteCount = SealingKey.byteCount
  /// The first bytes of each file of this format version.
  ///
  /// A later version with another format must use other bytes, and must still read this format.
  static let mark: [UInt8] = Array("FPSHELF1".utf8)

  private let directory: String
  private let key: SealingKey
  private let server: String

  /// `key` comes from the secure storage of the device.
  ///
  /// `server` is the address of the data's server.
  public init(directory: String, key: [UInt8], server: String) {
    self.directory = directory
    self.key = SealingKey(key)
    self.server = server
  }

  /// The result of `OfflineCopyEffect.read`.
  public func read(_ place: OfflineCopyName) -> OfflineCopyReading {
    switch contents(path(place.name)) {
    case .absent: return .absent
    case .unreadable: return .temporarilyUnreadable
    case .bytes(let bytes):
      guard bytes.starts(with: Self.mark),
        let opened = key.open(Array(bytes.dropFirst(Self.mark.count)), context: context(place)),
        let pieces = PieceList.decode(opened)
      else { return .damaged }
      return .value(pieces)
    }
  }

  /// The result of `OfflineCopyEffect.write`.
  public func write(
    _ place: OfflineCopyName, pieces: [SealedRecord], kept: [String]
  ) -> OfflineCopyWriting {
    var whole = pieces
    if !kept.isEmpty {
      guard case .value(let known) = read(place) else { return .conflict }
      for key in kept {
        guard let piece = known.first(where: { $0.key == key }) else { return .conflict }
        whole.append(piece)
      }
    }
    let sealed = key.seal(PieceList.encode(whole), context: context(place))
    return replace(path(place.name), with: Self.mark + sealed)
  }

  /// Runs `OfflineCopyEffect.erase`.
  ///
  /// Returns `false` if the file cannot be removed.
  public func erase(_ name: String) -> Bool {
    unlink(path(name)) == 0 || errno == ENOENT
  }

  private func path(_ name: String) -> String { directory + "/" + name + ".shelf" }

  private func context(_ place: OfflineCopyName) -> String { server + "|" + place.binding }
}

// MARK: - Files

extension OfflineCopyFolder {
  private enum Contents {
    case bytes([UInt8])
    case absent
    case unreadable
  }

  private func contents(_ path: String) -> Contents {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return errno == ENOENT ? .absent : .unreadable }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { return .unreadable }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    var filled = 0
    while filled < bytes.count {
      let start = filled
      let count = bytes.withUnsafeMutableBytes { room in
        Glibc.read(file, room.baseAddress?.advanced(by: start), room.count - start)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return .unreadable }
      filled += count
    }
    return .bytes(bytes)
  }

  /// Writes a temporary file, waits until it is on the disk, and renames it to the final name.
  private func replace(_ path: String, with bytes: [UInt8]) -> OfflineCopyWriting {
    let draft = path + ".new"
    let file = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard file >= 0 else { return Self.outcome(errno) }
    let fault = Self.fill(file, bytes)
    close(file)
    guard fault == 0 else {
      unlink(draft)
      return Self.outcome(fault)
    }
    guard rename(draft, path) == 0 else { return Self.outcome(errno) }
    let folder = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { return Self.outcome(errno) }
    defer { close(folder) }
    // The new name of the file must survive a power cut, as its content does.
    return fsync(folder) == 0 ? .done : Self.outcome(errno)
  }

  /// Returns zero if all bytes are on the disk, otherwise the error number.
  private static func fill(_ file: Int32, _ bytes: [UInt8]) -> Int32 {
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes { source in
        Glibc.write(file, source.baseAddress?.advanced(by: written), source.count - written)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return errno }
      written += count
    }
    return fsync(file) == 0 ? 0 : errno
  }

  private static func outcome(_ fault: Int32) -> OfflineCopyWriting {
    fault == ENOSPC || fault == EDQUOT ? .full : .refused
  }
}

/// The records in sequence.
///
/// The length of each key and of each content comes first.
private enum PieceList {
  private static let lengthBytes = 4

  static func encode(_ pieces: [SealedRecord]) -> [UInt8] {
    var bytes: [UInt8] = []
    for piece in pieces {
      append(Array(piece.key.utf8), to: &bytes)
      append(piece.bytes, to: &bytes)
    }
    return bytes
  }

  /// Returns `nil` if a length is greater than the rest of the bytes.
  static func decode(_ bytes: [UInt8]) -> [SealedRecord]? {
    var rest = bytes[...]
    var pieces: [SealedRecord] = []
    while !rest.isEmpty {
      guard let key = take(&rest), let content = take(&rest) else { return nil }
      pieces.append(SealedRecord(key: String(decoding: key, as: UTF8.self), bytes: Array(content)))
    }
    return pieces
  }

  private static func append(_ field: [UInt8], to bytes: inout [UInt8]) {
    for shift in stride(from: 24, through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: field.count >> shift))
    }
    bytes += field
  }

  private static func take(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard rest.count >= lengthBytes else { return nil }
    let count = rest.prefix(lengthBytes).reduce(0) { $0 << 8 | Int($1) }
    rest.removeFirst(lengthBytes)
    guard rest.count >= count else { return nil }
    let field = rest.prefix(count)
    rest.removeFirst(count)
    return field
  }
}

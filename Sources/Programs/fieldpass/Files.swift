import Glibc

/// Why a file could not be used, in words for the operator.
struct FileFault: Error {
  let what: String
  let hint: String

  init(_ what: String, hint: String) {
    self.what = what
    self.hint = hint
  }

  /// The reason the system gave.
  static func system(_ what: String, _ path: String) -> FileFault {
    FileFault(
      "\(what) `\(path)`: \(String(cString: strerror(errno)))",
      hint: "check that the path exists and that this user may use it"
    )
  }
}

/// The few things the server does with files.
enum Files {
  static let sizeLimit = 64 << 20

  static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// Whether there is a file that is not empty.
  ///
  /// A link counts, also to a place that is not there now.
  static func hasContent(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_size > 0
  }

  static func isReadable(_ path: String) -> Bool { access(path, R_OK) == 0 }

  /// The folder that a path leads to; empty for a name alone.
  static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
  }

  /// Whether a folder may be written, or made where it does not exist yet.
  static func checkFolder(_ path: String) throws(FileFault) {
    var place = path
    while !exists(place) {
      var above = place[...]
      while above.last == "/" { above.removeLast() }
      guard let end = above.lastIndex(of: "/") else {
        place = "."
        break
      }
      place = end == above.startIndex ? "/" : String(above[..<end])
    }
    var status = stat()
    guard stat(place, &status) == 0 else { throw .system("cannot look at", place) }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      throw FileFault("`\(place)` is no folder", hint: "name a folder that this user may write")
    }
    guard access(place, W_OK | X_OK) == 0 else { throw .system("cannot write into", place) }
  }

  static func read(_ path: String) throws(FileFault) -> [UInt8] {
    try read(path) { _ throws(FileFault) in }
  }

  /// Reads a secret, unless other users of the machine could read it, too.
  static func readPrivate(_ path: String) throws(FileFault) -> [UInt8] {
    try read(path) { file throws(FileFault) in try checkPrivate(file, path) }
  }

  private static func read(
    _ path: String, check: (Int32) throws(FileFault) -> Void
  ) throws(FileFault) -> [UInt8] {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw .system("cannot read", path) }
    defer { close(file) }
    try check(file)
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = Glibc.read(file, &chunk, chunk.count)
      if count == 0 { return bytes }
      guard count > 0, bytes.count + count <= sizeLimit else {
        throw .system("cannot read", path)
      }
      bytes.append(contentsOf: chunk[..<count])
    }
  }

  /// Writes a new file that only this user may read, whole or not at all; an existing one is never
  /// touched.
  static func createPrivate(_ path: String, _ bytes: [UInt8]) throws(FileFault) {
    let draft = try draft(for: path, bytes)
    defer { unlink(draft) }
    try publish(draft, as: path)
  }

  /// Gives a complete file its name, unless another file has it; the draft's name stays.
  static func publish(_ draft: String, as path: String) throws(FileFault) {
    // Unlike a rename, a link never takes the place of a file that came between.
    if link(draft, path) != 0 {
      // Shares and memory cards have no links: take the name first, then fill it.
      guard [EPERM, EOPNOTSUPP, ENOSYS].contains(errno) else {
        throw .system("cannot create", path)
      }
      let taken = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      guard taken >= 0 else { throw .system("cannot create", path) }
      close(taken)
      guard rename(draft, path) == 0 else { throw .system("cannot create", path) }
    }
    try makeDurable(folderOf: path)
  }

  /// Writes a file that only this user may read, in place of the one with that name: at any moment
  /// either the old or the new one is there, whole.
  static func replacePrivate(_ path: String, _ bytes: [UInt8]) throws(FileFault) {
    let draft = try draft(for: path, bytes)
    guard rename(draft, path) == 0 else {
      let fault = FileFault.system("cannot replace", path)
      unlink(draft)
      throw fault
    }
    try makeDurable(folderOf: path)
  }

  /// Writes a new file that only this user may read, under the name of a draft.
  static func createNew(_ path: String, _ bytes: [UInt8] = []) throws(FileFault) {
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw .system("cannot create", path) }
    let isWritten = write(file, bytes, bytes.count) == bytes.count && fsync(file) == 0
    guard close(file) == 0, isWritten else {
      let fault = FileFault.system("cannot write", path)
      unlink(path)
      throw fault
    }
  }

  /// Copies a file of any size into a new one that only the owner of its folder may read.
  static func copyPrivate(_ source: String, to path: String) throws(FileFault) {
    let input = open(source, O_RDONLY | O_CLOEXEC)
    guard input >= 0 else { throw .system("cannot read", source) }
    defer { close(input) }
    let output = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard output >= 0 else { throw .system("cannot create", path) }
    var isWhole = false
    defer {
      close(output)
      if !isWhole { unlink(path) }
    }
    var chunk = [UInt8](repeating: 0, count: 1 << 20)
    while true {
      let count = Glibc.read(input, &chunk, chunk.count)
      if count == 0 { break }
      guard count > 0 else { throw .system("cannot read", source) }
      guard write(output, chunk, count) == count else { throw .system("cannot write", path) }
    }
    guard fsync(output) == 0 else { throw .system("cannot write", path) }
    try giveToOwner(ofFolderOf: path, path)
    isWhole = true
  }

  /// The names in a folder; nil when it cannot be read.
  static func names(in folder: String) -> [String]? {
    guard let handle = opendir(folder) else { return nil }
    defer { closedir(handle) }
    var names: [String] = []
    while let entry = readdir(handle) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  private static func draft(for path: String, _ bytes: [UInt8]) throws(FileFault) -> String {
    let draft = path + ".new"
    unlink(draft)
    let file = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw .system("cannot create", draft) }
    let isWritten = write(file, bytes, bytes.count) == bytes.count && fsync(file) == 0
    guard close(file) == 0, isWritten else {
      let fault = FileFault.system("cannot write", draft)
      unlink(draft)
      throw fault
    }
    try giveToOwner(ofFolderOf: path, draft)
    return draft
  }

  /// Lets a file of root belong to the owner of its folder, so that the server's user can read what
  /// an administrator made there; for other users it does nothing.
  static func giveToOwner(ofFolderOf path: String, _ file: String) throws(FileFault) {
    guard geteuid() == 0 else { return }
    var status = stat()
    let folder = folder(of: path)
    guard stat(folder.isEmpty ? "." : folder, &status) == 0,
      chown(file, status.st_uid, status.st_gid) == 0
    else { throw .system("cannot give away", file) }
  }

  /// Writes what the system still holds of a file to the disk.
  static func makeDurable(_ path: String) throws(FileFault) {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw .system("cannot open", path) }
    defer { close(file) }
    guard fsync(file) == 0 else { throw .system("cannot write", path) }
  }

  /// A new name outlives a power cut only once its folder is on disk.
  private static func makeDurable(folderOf path: String) throws(FileFault) {
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    let file = open(
      folder.isEmpty ? "/" : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard file >= 0 else { throw .system("cannot open", folder) }
    defer { close(file) }
    guard fsync(file) == 0 else { throw .system("cannot write", folder) }
  }

  /// Removes a file, if there is one.
  static func remove(_ path: String) throws(FileFault) {
    guard unlink(path) == 0 || errno == ENOENT else { throw .system("cannot remove", path) }
  }

  static func makePrivateDirectory(_ path: String) throws(FileFault) {
    var made = ""
    for part in path.split(separator: "/", omittingEmptySubsequences: false) {
      made += made.isEmpty && !path.hasPrefix("/") ? String(part) : "/\(part)"
      if made == "/" || part.isEmpty || exists(made) { continue }
      guard mkdir(made, 0o700) == 0 else {
        if errno == EEXIST { continue }
        throw .system("cannot make the folder", made)
      }
      try giveToOwner(ofFolderOf: made, made)
    }
  }

  /// Refuses a secret that other users of the machine could read.
  static func checkPrivate(_ path: String) throws(FileFault) {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw .system("cannot read", path) }
    defer { close(file) }
    try checkPrivate(file, path)
  }

  private static func checkPrivate(_ file: Int32, _ path: String) throws(FileFault) {
    var status = stat()
    guard fstat(file, &status) == 0 else { throw .system("cannot look at", path) }
    guard status.st_mode & 0o077 == 0 else {
      throw FileFault("others may read `\(path)`", hint: "run `chmod 600 \(path)`")
    }
  }

  /// Every regular file below `root`, as paths relative to it.
  static func list(_ root: String) -> [String] {
    var found: [String] = []
    var folders = [""]
    while let folder = folders.popLast() {
      guard let handle = opendir(folder.isEmpty ? root : root + "/" + folder) else { continue }
      defer { closedir(handle) }
      while let entry = readdir(handle) {
        let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
          String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        if name.hasPrefix(".") { continue }
        let path = folder.isEmpty ? name : folder + "/" + name
        if entry.pointee.d_type == UInt8(DT_DIR) {
          folders.append(path)
        } else {
          found.append(path)
        }
      }
    }
    return found.sorted()
  }
}

extension LineWriter {
  /// A file that only grows, readable by this user alone.
  init(appendingTo path: String) throws(FileFault) {
    let file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw .system("cannot append to", path) }
    self.init(file: file)
  }
}

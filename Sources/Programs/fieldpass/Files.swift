import Glibc
import SystemPorts

/// The reason why a file could not be used, as text for the operator.
struct FileFault: Error {
  let what: String
  let hint: String

  init(_ what: String, hint: String) {
    self.what = what
    self.hint = hint
  }

  /// A fault with the reason that the system gave.
  static func system(_ what: String, _ path: String) -> FileFault {
    FileFault(
      "\(what) `\(path)`: \(String(cString: strerror(errno)))",
      hint: "check that the path exists and that \(userWords) may use it"
    )
  }

  /// A command of root acts as the owner of the data folder, which its user may not expect.
  private static var userWords: String {
    ProcessRights.takenUser.map { "the user `\($0)`, who owns the data folder," } ?? "this user"
  }

  init(_ fault: PathOwnerFault) {
    switch fault {
    case .tooManyLinks(let path):
      self.init("`\(path)` leads through too many links", hint: "name the path without links")
    case .openToOthers(let folder):
      self.init(
        "other users may replace what is in `\(folder)`, so root does not use it",
        hint: "run `chmod go-w \(folder)`, or use another folder")
    case .replaced(let path):
      self.init(
        "another user replaced `\(path)` while root opened it",
        hint: "find out who may write into the folders above it, then run the command again")
    case .shared(let folder):
      self.init(
        "other users may write into `\(folder)`, which belongs to root",
        hint: "give it to the server's user with `chown`, or run `chmod 700 \(folder)`")
    case .ofAnotherUser(let path):
      self.init(
        "`\(path)` does not belong to root, but its folder does",
        hint: "give the folder and everything in it to the server's user with `chown -R`")
    case .unusable(let path, let reason):
      self.init(
        "cannot use `\(path)`: \(reason)", hint: "check that the path exists and can be written")
    case .refused(let user, let reason):
      self.init(
        "root cannot take the rights of `\(user)`: \(reason)",
        hint: "run the command as that user, who owns the folder or the file")
    }
  }
}

/// The file operations of the server and the commands.
enum Files {
  static let sizeLimit = 64 << 20

  static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// Whether the path exists and is not empty.
  ///
  /// A symbolic link counts too, even if its target is missing.
  static func hasContent(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_size > 0
  }

  /// The folder of a path, with its final slash.
  ///
  /// Empty for a name without a folder.
  static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
  }

  /// Checks that a folder can be written, or created if it does not exist yet.
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
    guard stat(place, &status) == 0 else { throw .system("cannot read the attributes of", place) }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      throw FileFault("`\(place)` is not a folder", hint: "name a folder that this user may write")
    }
    guard access(place, W_OK | X_OK) == 0 else { throw .system("cannot write into", place) }
  }

  static func read(_ path: String) throws(FileFault) -> [UInt8] {
    try read(path) { _ throws(FileFault) in }
  }

  /// Reads a secret.
  ///
  /// Throws if other users of the machine could read it.
  static func readPrivate(_ path: String) throws(FileFault) -> [UInt8] {
    try read(path) { file throws(FileFault) in try checkPrivate(file, path) }
  }

  private static func read(
    _ path: String, check: (OpenedFile) throws(FileFault) -> Void
  ) throws(FileFault) -> [UInt8] {
    let file = try OpenedFile(path)
    try check(file)
    return try read(file)
  }

  /// If this process runs as root, takes the rights of the owner of a data folder, for good.
  ///
  /// Read what only root may read before this call.
  static func takeOwner(of folder: String) throws(FileFault) {
    do throws(PathOwnerFault) { try ProcessRights.takeOwner(of: folder) } catch {
      throw FileFault(error)
    }
  }

  private static func read(_ file: OpenedFile) throws(FileFault) -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = withExtendedLifetime(file) { Glibc.read($0.descriptor, &chunk, chunk.count) }
      if count == 0 { return bytes }
      guard count > 0, bytes.count + count <= sizeLimit else {
        throw .system("cannot read", file.path)
      }
      bytes.append(contentsOf: chunk[..<count])
    }
  }

  /// Writes a new file that only this user can read.
  ///
  /// The file gets its name only when it is complete. An existing file is never changed.
  static func createPrivate(_ path: String, _ bytes: [UInt8]) throws(FileFault) {
    let draft = try draft(for: path, bytes)
    defer { unlink(draft) }
    try publish(draft, as: path)
  }

  /// Gives a complete file its final name.
  ///
  /// Throws if a file with that name exists. The draft's name may remain.
  static func publish(_ draft: String, as path: String) throws(FileFault) {
    // Unlike `rename`, `link` never replaces a file that another process created in the meantime.
    if link(draft, path) != 0 {
      // Network shares and memory cards have no links. So create an empty file first, to reserve
      // the name, and then replace it.
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

  /// Gives a file another name in the same folder, in one step.
  ///
  /// Throws if a file with that name exists.
  static func move(_ path: String, to name: String) throws(FileFault) {
    guard !exists(name) else {
      throw FileFault("`\(name)` exists already", hint: "move it away")
    }
    guard rename(path, name) == 0 else { throw .system("cannot rename", path) }
    try makeDurable(folderOf: name)
  }

  /// Writes a file that only this user can read and replaces the file with that name.
  ///
  /// At any moment either the complete old file or the complete new file exists.
  static func replacePrivate(_ path: String, _ bytes: [UInt8]) throws(FileFault) {
    let draft = try draft(for: path, bytes)
    guard rename(draft, path) == 0 else {
      let fault = FileFault.system("cannot replace", path)
      unlink(draft)
      throw fault
    }
    try makeDurable(folderOf: path)
  }

  /// Writes a new file that only this user can read.
  ///
  /// Until it is complete, it is visible under its name.
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

  /// Copies an opened file of any size into a new file that only this user can read.
  static func copyPrivate(_ source: OpenedFile, to path: String) throws(FileFault) {
    let output = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard output >= 0 else { throw .system("cannot create", path) }
    var isWhole = false
    defer {
      close(output)
      if !isWhole { unlink(path) }
    }
    try copy(source, into: output, at: path)
    isWhole = true
  }

  /// Copies an opened file of any size into another one, and waits until it is on disk.
  static func copy(
    _ source: OpenedFile, into output: Int32, at path: String
  ) throws(FileFault) {
    var chunk = [UInt8](repeating: 0, count: 1 << 20)
    while true {
      let count = withExtendedLifetime(source) { Glibc.read($0.descriptor, &chunk, chunk.count) }
      if count == 0 { break }
      guard count > 0 else { throw .system("cannot read", source.path) }
      guard write(output, chunk, count) == count else { throw .system("cannot write", path) }
    }
    guard fsync(output) == 0 else { throw .system("cannot write", path) }
  }

  /// The names in a folder; `nil` if it cannot be read.
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
    try createNew(draft, bytes)
    return draft
  }

  /// Waits until the content of a file is on disk.
  static func makeDurable(_ path: String) throws(FileFault) {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw .system("cannot open", path) }
    defer { close(file) }
    guard fsync(file) == 0 else { throw .system("cannot write", path) }
  }

  /// A new name survives a power cut only after its folder is on disk.
  private static func makeDurable(folderOf path: String) throws(FileFault) {
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    let file = open(
      folder.isEmpty ? "/" : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard file >= 0 else { throw .system("cannot open", folder) }
    defer { close(file) }
    guard fsync(file) == 0 else { throw .system("cannot write", folder) }
  }

  /// Removes a file if it exists.
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
    }
  }

  /// Throws if other users of the machine could read a secret.
  static func checkPrivate(_ path: String) throws(FileFault) {
    try checkPrivate(try OpenedFile(path), path)
  }

  private static func checkPrivate(_ file: OpenedFile, _ path: String) throws(FileFault) {
    var status = stat()
    // The descriptor is closed as soon as nothing uses the object any more.
    let result = withExtendedLifetime(file) { fstat($0.descriptor, &status) }
    guard result == 0 else { throw .system("cannot read the attributes of", path) }
    // Operators of containers and packages let root own a secret and give its group to the server.
    // A server of root needs no group, but may get the same files.
    let mode = status.st_mode & 0o777
    let isOfServersGroup =
      status.st_uid == 0 && isOwnGroup(status.st_gid)
      && (mode == 0o440 || mode & 0o037 == 0 && geteuid() != 0)
    guard status.st_mode & 0o077 == 0 || isOfServersGroup else {
      throw FileFault("other users can read `\(path)`", hint: "run `chmod 600 \(path)`")
    }
  }

  private static func isOwnGroup(_ group: gid_t) -> Bool {
    if group == getegid() { return true }
    var groups = [gid_t](repeating: 0, count: Int(max(0, getgroups(0, nil))))
    let count = getgroups(Int32(groups.count), &groups)
    return groups.prefix(max(0, Int(count))).contains(group)
  }

  /// Every file below `root`, as paths relative to it.
  ///
  /// Names that begin with a dot are left out.
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

/// A file that a command opened to read it later, with other rights.
final class OpenedFile {
  let descriptor: Int32
  let path: String

  init(_ path: String) throws(FileFault) {
    do throws(PathOwnerFault) { descriptor = try ProcessRights.openToRead(path) } catch {
      throw FileFault(error)
    }
    guard descriptor >= 0 else { throw .system("cannot read", path) }
    self.path = path
  }

  deinit { close(descriptor) }
}

extension LineWriter {
  /// Appends to a file that only this user can read.
  ///
  /// Creates it if it does not exist.
  init(appendingTo path: String) throws(FileFault) {
    let file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { throw .system("cannot append to", path) }
    self.init(file: file)
  }
}

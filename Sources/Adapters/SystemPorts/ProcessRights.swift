internal import CLinux
internal import Glibc
internal import Synchronization

/// The user whose rights this process has.
public enum ProcessRights {
  /// The names in a data folder that a command opens by their path.
  private static let dataNames = ["keys", "proofs", "fieldpass.db"]
  private static let userBytes = 16 << 10
  private static let groupLimit = 1024

  private static let taken = Mutex<String?>(nil)

  /// The user whose rights this process took; `nil` if it has the rights that it was started with.
  public static var takenUser: String? { taken.withLock { $0 } }

  /// Prevents core dumps, because the memory of this process has keys.
  ///
  /// Other processes of the same user cannot read the memory either.
  public static func protectMemory() {
    // Without these rights the process is as it was; the operator cannot change the reason.
    _ = fp_protect_memory()
  }

  /// If this process runs as root, takes the rights of the owner of a data folder, for good.
  ///
  /// The owner can replace each name in the folder by a link at any moment. With the owner's
  /// rights, such a link leads to nothing that the owner could not use without this process.
  ///
  /// A folder that does not exist yet belongs to root. Call this again after you have created it,
  /// because another user may have been faster.
  public static func takeOwner(of folder: String) throws(PathOwnerFault) {
    guard geteuid() == 0 else { return }
    let path = absolute(folder)
    let (owner, place) = try PathOwner.resolve(path, look: look)
    switch owner {
    case .missing: return
    case .root:
      try checkFolder(place, path: folder)
      for name in dataNames {
        let inside = path + "/" + name
        if case .user = try PathOwner.find(inside, look: look) {
          throw .ofAnotherUser(folder + "/" + name)
        }
      }
    case .user(let user, let group): try take(user, group)
    }
  }

  /// Opens a file to read it.
  ///
  /// If this process runs as root, it opens the file with the rights of the user who decides what
  /// the path leads to.
  ///
  /// - Returns: The descriptor, or -1 with the reason in `errno`.
  public static func openToRead(_ path: String) throws(PathOwnerFault) -> Int32 {
    guard geteuid() == 0 else { return open(path, O_RDONLY | O_CLOEXEC) }
    let (owner, place) = try PathOwner.resolve(absolute(path), look: look)
    switch owner {
    case .root: return try openOfRoot(place, path: path)
    case .missing:
      errno = ENOENT
      return -1
    case .user(let user, let group): return try openToRead(path, as: user, group)
    }
  }
}

extension ProcessRights {
  private struct Rights {
    let name: String
    let group: gid_t
    let groups: [gid_t]
  }

  static func absolute(_ path: String) -> String {
    if path.hasPrefix("/") { return path }
    var folder = [CChar](repeating: 0, count: Int(PATH_MAX))
    guard getcwd(&folder, folder.count) != nil else { return "/" + path }
    let bytes = folder.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    return String(decoding: bytes, as: UTF8.self) + "/" + path
  }

  static func look(_ path: String) -> PathEntry? {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    return PathEntry(
      status, target: status.st_mode & S_IFMT == S_IFLNK ? target(of: path) : nil)
  }

  private static func target(of path: String) -> String {
    var text = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(path, &text, text.count)
    return String(decoding: text[..<max(0, count)].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Checks a data folder of root by its descriptor, so that no user can replace it in between.
  ///
  /// Root alone may replace the entries of all folders above it.
  static func checkFolder(_ place: String, path: String) throws(PathOwnerFault) {
    let folder = open(place, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard folder >= 0 else {
      let reason = errno
      // A caller that needs a folder refuses a file.
      if reason == ENOTDIR, let entry = look(place), entry.target == nil { return }
      throw .unusable(path, reason: String(cString: strerror(reason)))
    }
    defer { close(folder) }
    let entry = try opened(folder, path: path)
    guard entry.user == 0 else { throw .replaced(path) }
    guard !entry.isSharedFolder else { throw .shared(path) }
  }

  /// Opens a file about which root decides, and checks that it is still root's.
  ///
  /// `place` is the path without links, or a descriptor of this process, and `path` is what the
  /// command names.
  private static func openOfRoot(_ place: String, path: String) throws(PathOwnerFault) -> Int32 {
    if let target = look(place)?.target, PathOwner.isDescriptor(place, target) {
      return open(place, O_RDONLY | O_CLOEXEC)
    }
    let file = open(place, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
    guard file >= 0 else { return file }
    do throws(PathOwnerFault) {
      guard try opened(file, path: path).user == 0 else { throw PathOwnerFault.replaced(path) }
    } catch {
      close(file)
      throw error
    }
    return file
  }

  private static func opened(
    _ descriptor: Int32, path: String
  ) throws(PathOwnerFault) -> PathEntry {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      throw .unusable(path, reason: String(cString: strerror(errno)))
    }
    return PathEntry(status, target: nil)
  }

  private static func take(_ user: uid_t, _ group: gid_t) throws(PathOwnerFault) {
    let rights = rights(of: user, group)
    guard setgroups(rights.groups.count, rights.groups) == 0, setgid(rights.group) == 0,
      setuid(user) == 0
    else { throw .refused(user: rights.name, reason: String(cString: strerror(errno))) }
    precondition(
      getuid() == user && geteuid() == user && setuid(0) != 0,
      "the process still has the rights of root")
    protectMemory()
    taken.withLock { $0 = rights.name }
  }

  private static func openToRead(
    _ path: String, as user: uid_t, _ group: gid_t
  ) throws(PathOwnerFault) -> Int32 {
    let rights = rights(of: user, group)
    let own = (group: getegid(), groups: ownGroups())
    guard setgroups(rights.groups.count, rights.groups) == 0 else {
      throw .refused(user: rights.name, reason: String(cString: strerror(errno)))
    }
    let isTaken = setegid(rights.group) == 0 && seteuid(user) == 0
    let reason = errno
    let file = isTaken ? open(path, O_RDONLY | O_CLOEXEC) : -1
    let outcome = errno
    precondition(
      seteuid(0) == 0 && setegid(own.group) == 0 && setgroups(own.groups.count, own.groups) == 0,
      "the process cannot take its own rights back")
    protectMemory()
    guard isTaken else {
      throw .refused(user: rights.name, reason: String(cString: strerror(reason)))
    }
    errno = outcome
    return file
  }

  private static func ownGroups() -> [gid_t] {
    var groups = [gid_t](repeating: 0, count: groupLimit)
    let count = getgroups(Int32(groups.count), &groups)
    return Array(groups.prefix(max(0, Int(count))))
  }

  /// The groups of a user, or only the group of the path for a user without a name.
  private static func rights(of user: uid_t, _ group: gid_t) -> Rights {
    var bytes = [CChar](repeating: 0, count: userBytes)
    var entry = passwd()
    var found: UnsafeMutablePointer<passwd>?
    guard getpwuid_r(user, &entry, &bytes, bytes.count, &found) == 0, found != nil else {
      return Rights(name: String(user), group: group, groups: [group])
    }
    var groups = [gid_t](repeating: 0, count: groupLimit)
    var count = Int32(groups.count)
    guard getgrouplist(entry.pw_name, entry.pw_gid, &groups, &count) >= 0 else {
      return Rights(
        name: String(cString: entry.pw_name), group: entry.pw_gid, groups: [entry.pw_gid])
    }
    return Rights(
      name: String(cString: entry.pw_name), group: entry.pw_gid,
      groups: Array(groups.prefix(Int(count))))
  }
}

extension PathEntry {
  init(_ status: stat, target: String?) {
    self.init(
      user: status.st_uid, group: status.st_gid, mode: status.st_mode & ~S_IFMT,
      isFolder: status.st_mode & S_IFMT == S_IFDIR, target: target)
  }
}

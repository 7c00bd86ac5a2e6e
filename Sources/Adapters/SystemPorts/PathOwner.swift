/// The attributes of one entry of a folder.
public struct PathEntry: Equatable, Sendable {
  let user: UInt32
  let group: UInt32
  /// The permissions, without the kind of the entry.
  let mode: UInt32
  let isFolder: Bool
  /// Where a symbolic link leads; `nil` for other entries.
  let target: String?

  static let groupMayWrite: UInt32 = 0o020
  static let othersMayWrite: UInt32 = 0o002
  /// In such a folder, only the owner of an entry may replace it.
  static let sticky: UInt32 = 0o1000

  /// Whether a user other than the owner may create entries.
  ///
  /// The group with the number 0 is root's own.
  var isSharedFolder: Bool {
    isFolder
      && (mode & Self.othersMayWrite != 0 || mode & Self.groupMayWrite != 0 && group != 0)
  }

  /// Whether a user other than the owner may replace the entries of others.
  var isOpenToOthers: Bool { isSharedFolder && mode & Self.sticky == 0 }
}

/// Whose rights a process of root may use for a path.
///
/// The owner of a folder can replace everything below it at any moment, also by a symbolic link. So
/// the first entry of the path that does not belong to root decides. Root itself decides what is
/// before that entry.
public enum PathOwner: Equatable, Sendable {
  /// Root decides about the whole path.
  case root
  case user(UInt32, group: UInt32)
  /// Root decides about all that exists of the path.
  case missing

  /// The system follows at most this many links too (`path_resolution(7)`).
  static let linkLimit = 40

  /// Finds the owner of an absolute path.
  ///
  /// `look` returns the attributes of an entry without following a link.
  static func find(
    _ path: String, look: (String) -> PathEntry?
  ) throws(PathOwnerFault) -> PathOwner {
    try resolve(path, look: look).owner
  }

  /// Finds the owner of an absolute path, and the place that it leads to.
  ///
  /// - Returns: The place has no links if root decides about the whole path, except that a
  ///   descriptor of this process is one. For other owners, it is the entry that decides.
  static func resolve(
    _ path: String, look: (String) -> PathEntry?
  ) throws(PathOwnerFault) -> (owner: PathOwner, place: String) {
    var rest = path.split(separator: "/").map(String.init)
    rest.reverse()
    var place: [String] = []
    var linkCount = 0
    while let name = rest.popLast() {
      if name == "." { continue }
      if name == ".." {
        _ = place.popLast()
        continue
      }
      let here = "/" + (place + [name]).joined(separator: "/")
      guard let entry = look(here) else { return (.missing, here) }
      guard entry.user == 0 else { return (.user(entry.user, group: entry.group), here) }
      if let target = entry.target {
        // A descriptor of this process, such as `/dev/stdin`, is already open.
        if isDescriptor(here, target) { return (.root, here) }
        linkCount += 1
        guard linkCount <= linkLimit else { throw .tooManyLinks(path) }
        if target.hasPrefix("/") { place = [] }
        rest += target.split(separator: "/").map(String.init).reversed()
        continue
      }
      guard rest.isEmpty || !entry.isOpenToOthers else { throw .openToOthers(here) }
      place.append(name)
    }
    return (.root, "/" + place.joined(separator: "/"))
  }

  /// Whether a link is a descriptor of this process that has no path.
  static func isDescriptor(_ place: String, _ target: String) -> Bool {
    place.hasPrefix("/proc/") && target.contains(":[")
  }
}

/// The reason why a process of root does not use a path.
public enum PathOwnerFault: Error, Equatable, Sendable {
  case tooManyLinks(String)
  /// Users other than root may replace the entries of this folder of root.
  case openToOthers(String)
  /// The path led to something else when it was opened than when it was checked.
  case replaced(String)
  /// Other users may write into this data folder of root.
  case shared(String)
  /// This entry in a data folder of root belongs to another user.
  case ofAnotherUser(String)
  /// The system does not let this process take the rights of the user.
  case refused(user: String, reason: String)
  /// The system does not let root use this path.
  case unusable(String, reason: String)
}

import Testing

@testable import SystemPorts

@Suite("Whose rights root uses for a path")
struct PathOwnerTests {
  private static let server: UInt32 = 990

  private func folder(_ user: UInt32 = 0, group: UInt32 = 0, mode: UInt32 = 0o755) -> PathEntry {
    PathEntry(user: user, group: group, mode: mode, isFolder: true, target: nil)
  }

  private func link(to target: String, _ user: UInt32 = 0) -> PathEntry {
    PathEntry(user: user, group: user, mode: 0o777, isFolder: false, target: target)
  }

  private func file(_ user: UInt32 = 0) -> PathEntry {
    PathEntry(user: user, group: user, mode: 0o600, isFolder: false, target: nil)
  }

  private func find(
    _ path: String, _ entries: [String: PathEntry]
  ) throws(PathOwnerFault) -> PathOwner {
    try PathOwner.find(path) { entries[$0] }
  }

  @Test("L-53 The first entry of a path that is not root's decides, also if root owns the last one")
  func firstOwner() throws {
    let entries = [
      "/srv": folder(), "/srv/app": folder(Self.server, group: 991), "/srv/app/data": folder(),
      "/etc": folder(), "/etc/key": file(),
    ]

    #expect(try find("/srv/app/data", entries) == .user(Self.server, group: 991))
    #expect(try find("/srv/./x/../app", entries) == .missing)
    #expect(try find("/srv/../srv//app", entries) == .user(Self.server, group: 991))
    #expect(try find("/etc/key", entries) == .root)
    #expect(try find("/etc/none/key", entries) == .missing)
  }

  @Test("L-53 A link of root is followed; a link of another user is used with that user's rights")
  func links() throws {
    let entries = [
      "/var": folder(), "/var/data": link(to: "../srv/data"), "/srv": folder(),
      "/srv/data": folder(Self.server), "/tmp": folder(mode: 0o1777),
      "/tmp/etc": link(to: "/etc", Self.server), "/etc": folder(), "/var/run": link(to: "/etc"),
    ]

    #expect(try find("/var/data", entries) == .user(Self.server, group: 0))
    #expect(try find("/tmp/etc", entries) == .user(Self.server, group: Self.server))
    #expect(try find("/var/run", entries) == .root)
  }

  @Test("L-53 At most forty links are followed")
  func linkLimit() throws {
    func chain(_ count: Int) -> [String: PathEntry] {
      var entries = ["/0": folder()]
      for number in 1...count { entries["/\(number)"] = link(to: "\(number - 1)") }
      return entries
    }

    #expect(try find("/39", chain(39)) == .root)
    #expect(try find("/40", chain(40)) == .root)
    #expect(throws: PathOwnerFault.tooManyLinks("/41")) { try find("/41", chain(41)) }
  }

  @Test(
    "L-53 Nothing below a folder of root in which other users may replace entries is used",
    arguments: [(UInt32(0), UInt32(0o777)), (990, 0o777), (990, 0o775), (990, 0o2770)])
  func openFolder(group: UInt32, mode: UInt32) throws {
    let open = [
      "/srv": folder(group: group, mode: mode), "/srv/data": folder(),
      "/srv/link": link(to: "/etc"), "/etc": folder(),
    ]

    for path in ["/srv/data", "/srv/link", "/srv/none", "/srv/data/keys"] {
      #expect(throws: PathOwnerFault.openToOthers("/srv")) { try find(path, open) }
    }
  }

  @Test(
    "L-53 A folder of root in which no one else may replace entries is used",
    arguments: [(UInt32(0), UInt32(0o1777)), (990, 0o1770), (0, 0o775), (990, 0o755)])
  func closedFolder(group: UInt32, mode: UInt32) throws {
    let entries = ["/srv": folder(group: group, mode: mode), "/srv/data": folder()]

    #expect(try find("/srv/data", entries) == .root)
  }

  @Test("L-53 The place of a path of root has no links")
  func place() throws {
    let entries = [
      "/var": folder(), "/var/data": link(to: "../srv/data"), "/srv": folder(),
      "/srv/data": folder(),
    ]

    #expect(try PathOwner.resolve("/var/./data", look: { entries[$0] }).place == "/srv/data")
    #expect(try PathOwner.resolve("/", look: { entries[$0] }).place == "/")
  }

  @Test("L-53 A data folder of root is refused if its group or other users may write into it")
  func sharedFolder() {
    #expect(folder(mode: 0o1777).isSharedFolder)
    #expect(folder(group: 990, mode: 0o770).isSharedFolder)
    #expect(!folder(group: 0, mode: 0o770).isSharedFolder)
    #expect(!folder(group: 990, mode: 0o750).isSharedFolder)
  }

  @Test("L-53 An open descriptor, such as standard input, is no path")
  func descriptor() throws {
    let entries = [
      "/dev": folder(), "/dev/stdin": link(to: "/proc/self/fd/0"), "/proc": folder(),
      "/proc/self": link(to: "17"), "/proc/17": folder(), "/proc/17/fd": folder(),
      "/proc/17/fd/0": link(to: "pipe:[4711]"),
    ]

    #expect(try find("/dev/stdin", entries) == .root)
  }
}

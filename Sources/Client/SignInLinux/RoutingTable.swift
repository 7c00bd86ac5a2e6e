import Foundation

/// The kernel's routes, as `proc(5)` writes them: without one that leaves this device there is no
/// network.
struct RoutingTable {
  /// The text of `/proc/net/route`; nil where it cannot be read.
  let ipv4: String?
  /// The text of `/proc/net/ipv6_route`; nil where it cannot be read, as without IPv6.
  let ipv6: String?

  static var system: RoutingTable {
    RoutingTable(ipv4: text(of: "/proc/net/route"), ipv6: text(of: "/proc/net/ipv6_route"))
  }

  private static func text(of path: String) -> String? {
    FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Whether some route leaves this device; true where that cannot be told.
  var leadsAnywhere: Bool {
    guard let ipv4 else { return true }
    // The first line names the columns, of which the first is the interface.
    for line in ipv4.split(separator: "\n").dropFirst() {
      guard let interface = Self.words(line).first else { continue }
      if interface != "lo" { return true }
    }
    for line in (ipv6 ?? "").split(separator: "\n") {
      let words = Self.words(line)
      guard let destination = words.first, let interface = words.last else { continue }
      // Every interface has link-local and multicast routes, connected or not (RFC 4291).
      let isOwn = destination.hasPrefix("fe8") || destination.hasPrefix("ff")
      // Routes to an interface's own addresses are local too; those have the whole prefix.
      let isHost = words.count > 1 && words[1] == "80"
      if interface != "lo", !isOwn, !isHost { return true }
    }
    return false
  }

  private static func words(_ line: Substring) -> [Substring] {
    line.split { $0 == " " || $0 == "\t" }
  }
}

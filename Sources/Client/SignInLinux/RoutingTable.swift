import Foundation

/// The routes of the kernel, in the format of `proc(5)`.
///
/// Without a route that leaves this device there is no network.
struct RoutingTable {
  /// The text of `/proc/net/route`, or `nil` if it cannot be read.
  let ipv4: String?
  /// The text of `/proc/net/ipv6_route`.
  ///
  /// It is `nil` if it cannot be read, for example without IPv6.
  let ipv6: String?

  static var system: RoutingTable {
    RoutingTable(ipv4: text(of: "/proc/net/route"), ipv6: text(of: "/proc/net/ipv6_route"))
  }

  private static func text(of path: String) -> String? {
    FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Whether a route leaves this device.
  ///
  /// It is `true` if that is unknown.
  var hasOutboundRoute: Bool {
    guard let ipv4 else { return true }
    // The first line contains the column names. The first column is the interface.
    for line in ipv4.split(separator: "\n").dropFirst() {
      guard let interface = Self.words(line).first else { continue }
      if interface != "lo" { return true }
    }
    for line in (ipv6 ?? "").split(separator: "\n") {
      let words = Self.words(line)
      guard let destination = words.first, let interface = words.last else { continue }
      // Every interface has link-local and multicast routes, also without a connection (RFC 4291).
      let isOwn = destination.hasPrefix("fe8") || destination.hasPrefix("ff")
      // A route with a full prefix leads to an address of the interface itself, so it is local too.
      let isHost = words.count > 1 && words[1] == "80"
      if interface != "lo", !isOwn, !isHost { return true }
    }
    return false
  }

  private static func words(_ line: Substring) -> [Substring] {
    line.split { $0 == " " || $0 == "\t" }
  }
}

import Testing

@testable import HTTPClient

@Suite("Addresses that calls may connect to")
struct PeerAddressesTests {
  private static let ends: [(address: [UInt8], isPublic: Bool)] = [
    ([0, 255, 255, 255], false), ([1, 0, 0, 0], true),
    ([9, 255, 255, 255], true), ([10, 0, 0, 0], false), ([10, 255, 255, 255], false),
    ([11, 0, 0, 0], true),
    ([100, 63, 255, 255], true), ([100, 64, 0, 0], false), ([100, 127, 255, 255], false),
    ([100, 128, 0, 0], true),
    ([126, 255, 255, 255], true), ([127, 0, 0, 1], false), ([128, 0, 0, 0], true),
    ([169, 253, 255, 255], true), ([169, 254, 169, 254], false), ([169, 255, 0, 0], true),
    ([172, 15, 255, 255], true), ([172, 16, 0, 0], false), ([172, 31, 255, 255], false),
    ([172, 32, 0, 0], true),
    ([192, 0, 0, 255], false), ([192, 0, 1, 0], true), ([192, 0, 2, 1], false),
    ([192, 88, 99, 1], false), ([192, 167, 255, 255], true), ([192, 168, 0, 0], false),
    ([192, 169, 0, 0], true),
    ([198, 17, 255, 255], true), ([198, 18, 0, 0], false), ([198, 19, 255, 255], false),
    ([198, 20, 0, 0], true), ([198, 51, 100, 1], false), ([203, 0, 113, 1], false),
    ([223, 255, 255, 255], true), ([224, 0, 0, 0], false), ([240, 0, 0, 1], false),
    ([255, 255, 255, 255], false),
  ]

  @Test("P-09 only globally reachable IPv4 addresses are public", arguments: Self.ends)
  func ipv4(_ end: (address: [UInt8], isPublic: Bool)) {
    #expect(PeerAddresses.public.permits(ipv4: end.address) == end.isPublic)
    let mapped = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF] + end.address
    #expect(PeerAddresses.public.permits(ipv6: mapped) == end.isPublic)
    let translated: [UInt8] = [0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0] + end.address
    #expect(PeerAddresses.public.permits(ipv6: translated) == end.isPublic)
    #expect(PeerAddresses.all.permits(ipv4: end.address))
    let isLoopback = end.address[0] == 127
    #expect(
      PeerAddresses.publicAndLoopback.permits(ipv4: end.address) == (end.isPublic || isLoopback))
  }

  @Test(
    "P-09 only globally reachable IPv6 addresses are public",
    arguments: [
      ("2001:0200", true), ("2001:01ff", false), ("2001:0000", false), ("2001:0db8", false),
      ("2001:0db9", true), ("2002:0a00", false), ("2003:0000", true), ("2606:4700", true),
      ("3fff:0000", false), ("3fff:1000", true), ("1fff:ffff", false), ("4000:0000", false),
      ("fc00:0000", false), ("fe80:0000", false), ("ff02:0000", false), ("0000:0000", false),
    ])
  func ipv6(_ start: String, _ isPublic: Bool) {
    let digits = start.filter { $0 != ":" }
    var bytes: [UInt8] = []
    for offset in stride(from: 0, to: 8, by: 2) {
      bytes.append(UInt8(digits.dropFirst(offset).prefix(2), radix: 16) ?? 0)
    }
    bytes += [UInt8](repeating: 0, count: 11) + [2]
    #expect(PeerAddresses.public.permits(ipv6: bytes) == isPublic)
  }

  @Test("the IPv6 address of this machine is permitted only where loopback is")
  func loopback() {
    let bytes = [UInt8](repeating: 0, count: 15) + [1]
    #expect(!PeerAddresses.public.permits(ipv6: bytes))
    #expect(PeerAddresses.publicAndLoopback.permits(ipv6: bytes))
  }

  private static let privateEnds: [(address: [UInt8], isPermitted: Bool)] = [
    ([9, 255, 255, 255], true), ([10, 0, 0, 0], true), ([10, 255, 255, 255], true),
    ([100, 64, 0, 1], false), ([100, 100, 100, 200], false), ([127, 0, 0, 1], false),
    ([169, 254, 0, 0], false), ([169, 254, 169, 254], false), ([169, 254, 255, 255], false),
    ([172, 15, 255, 255], true), ([172, 16, 0, 0], true), ([172, 31, 255, 255], true),
    ([172, 32, 0, 0], true), ([192, 168, 0, 0], true), ([192, 168, 255, 255], true),
    ([0, 0, 0, 0], false), ([198, 18, 0, 0], false), ([224, 0, 0, 1], false),
  ]

  @Test(
    "P-09 private networks are no link-local addresses and not this machine", arguments: privateEnds
  )
  func privateIPv4(_ end: (address: [UInt8], isPermitted: Bool)) {
    let mapped = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF] + end.address
    let isLoopback = end.address[0] == 127
    for (addresses, isPermitted) in [
      (PeerAddresses.private, end.isPermitted),
      (.privateAndLoopback, end.isPermitted || isLoopback),
    ] {
      #expect(addresses.permits(ipv4: end.address) == isPermitted)
      #expect(addresses.permits(ipv6: mapped) == isPermitted)
    }
  }

  @Test(
    "P-09 private IPv6 networks are fc00::/7 without the servers for credentials of machines",
    arguments: [
      ("fbff", 2, false), ("fc00", 2, true), ("fdff", 2, true), ("fe00", 2, false),
      ("fe80", 2, false), ("febf", 2, false), ("fec0", 2, false), ("0000", 1, false),
      ("2606", 2, true), ("ff02", 1, false),
    ] as [(String, UInt8, Bool)])
  func privateIPv6(_ start: String, _ last: UInt8, _ isPermitted: Bool) throws {
    let first = try #require(UInt16(start, radix: 16))
    let bytes =
      [UInt8(first >> 8), UInt8(first & 0xFF)] + [UInt8](repeating: 0, count: 13) + [last]
    #expect(PeerAddresses.private.permits(ipv6: bytes) == isPermitted)
  }

  @Test(
    "P-09 the servers for credentials of machines are never permitted",
    arguments: [[0xFD, 0x00, 0x0E, 0xC2], [0xFD, 0x20, 0x00, 0xCE]] as [[UInt8]])
  func metadata(_ prefix: [UInt8]) {
    for (last, isPermitted) in [(0x53, true), (0x54, false), (0x55, true)] as [(UInt8, Bool)] {
      let bytes = prefix + [UInt8](repeating: 0, count: 10) + [0x02, last]
      #expect(PeerAddresses.private.permits(ipv6: bytes) == isPermitted)
      #expect(PeerAddresses.privateAndLoopback.permits(ipv6: bytes) == isPermitted)
    }
  }

  @Test(
    "the port of a proxy on this machine is known",
    arguments: [
      ("http://127.0.0.1:3128", 3128), ("http://localhost:8080/", 8080), ("127.0.0.9:81", 81),
      ("http://user:word@[::1]:3128", 3128), ("http://localhost", 1080),
      ("https://localhost", 443), ("http://proxy.example:3128", nil), ("http://10.0.0.1:1", nil),
      ("http://127.0.0.1.example:3128", nil), ("http://localhost.example:1", nil), ("", nil),
      ("http://127.0.0.1:0x", nil),
    ] as [(String, UInt16?)])
  func proxy(_ address: String, _ port: UInt16?) {
    #expect(EnvironmentProxy.loopbackPort(of: address) == port)
  }
}

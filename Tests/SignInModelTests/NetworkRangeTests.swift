import SignInModel
import Testing

@Suite("Network range")
struct NetworkRangeTests {
  @Test(
    "L-59 a range contains the addresses with the same first bits",
    arguments: [
      ("10.0.0.0/8", "10.255.255.255", "11.0.0.0"), ("10.0.0.0/9", "10.127.0.1", "10.128.0.0"),
      ("192.0.2.7/32", "192.0.2.7", "192.0.2.6"), ("192.0.2.7", "192.0.2.7", "192.0.2.8"),
      ("128.0.0.0/1", "255.1.2.3", "127.1.2.3"),
      ("2001:db8::/33", "2001:db8:7fff::", "2001:db8:8000::"),
      ("::ffff:10.0.0.0/104", "10.1.2.3", "11.1.2.3"),
      ("10.0.0.0/8", "::ffff:10.1.2.3", "2001:db8::"),
      ("::/1", "7fff::1", "8000::"), ("2001:db8::1/128", "2001:db8::1", "2001:db8::2"),
    ])
  func contains(_ range: String, _ inside: String, _ outside: String) throws {
    let range = try NetworkRange(parsing: range)

    #expect(range.contains(try NetworkAddress(parsing: inside)))
    #expect(!range.contains(try NetworkAddress(parsing: outside)))
  }

  @Test(
    "All addresses, an address inside a network, and other text are no range",
    arguments: [
      "0.0.0.0/0", "::/0", "::ffff:0.0.0.0/96", "10.0.0.1/8", "10.0.0.0/33", "10.0.0.0/08",
      "10.0.0.0/", "/8", "10.0.0.0/8/8", "10.0.0.0/-1", "2001:db8::/129", "10.0.0/8", "a/8", "",
    ])
  func refused(_ text: String) {
    #expect(throws: Malformed.self) { try NetworkRange(parsing: text) }
  }

  @Test("Private addresses are those of RFC 1918, RFC 4193 and RFC 6598")
  func privateAddresses() throws {
    let inside = [
      "10.0.0.0", "10.255.255.255", "172.16.0.0", "172.31.255.255", "192.168.0.1", "100.64.0.0",
      "100.127.255.255", "fc00::1", "fdff::1",
    ]
    let outside = [
      "9.255.255.255", "11.0.0.0", "172.15.255.255", "172.32.0.0", "192.167.1.1", "192.169.1.1",
      "100.63.1.1", "100.128.0.0", "0.0.0.0", "127.0.0.1", "::", "fbff::1", "fe00::1", "8.8.8.8",
    ]

    #expect(try inside.filter { try !NetworkAddress(parsing: $0).isPrivate } == [])
    #expect(try outside.filter { try NetworkAddress(parsing: $0).isPrivate } == [])
  }
}

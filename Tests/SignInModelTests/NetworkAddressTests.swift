import SignInModel
import Testing

@Suite("Network address")
struct NetworkAddressTests {
  @Test(
    "L-09 one network has one name in every notation",
    arguments: [
      ("192.0.2.7", [192, 0, 2, 7]), ("::ffff:192.0.2.7", [192, 0, 2, 7]),
      ("::FFFF:c000:207", [192, 0, 2, 7]),
      ("2001:db8:1:2:3:4:5:6", [0x20, 0x01, 0x0D, 0xB8, 0, 1, 0, 2]),
      ("2001:DB8:1:2::9", [0x20, 0x01, 0x0D, 0xB8, 0, 1, 0, 2]),
      ("2001:0db8:0001:0002:ffff::", [0x20, 0x01, 0x0D, 0xB8, 0, 1, 0, 2]),
      ("::", [0, 0, 0, 0, 0, 0, 0, 0]), ("::1", [0, 0, 0, 0, 0, 0, 0, 0]),
    ] as [(String, [UInt8])]
  )
  func networks(_ text: String, _ bytes: [UInt8]) throws {
    let address = try NetworkAddress(parsing: text)
    #expect(address.networkBytes == bytes)
    #expect(address.siteBytes == Array(bytes.prefix(6)))
    #expect(address.isIPv6 == (bytes.count == 8))
  }

  @Test(
    "Text that is not an address is refused",
    arguments: [
      "", "1.2.3", "1.2.3.4.5", "1.2.3.256", "01.2.3.4", "1.2.3.", "1.2.3.a", ":", ":::", "1:2",
      "1:2:3:4:5:6:7:8:9", "1::2::3", "12345::", "g::", "1:2:3:4:5:6:7::8", "::1.2.3.4:1", "[::1]",
      "localhost", "1.2.3.4:80", " 1.2.3.4",
    ]
  )
  func malformed(_ text: String) {
    #expect(throws: Malformed(.networkAddress)) { try NetworkAddress(parsing: text) }
  }
}

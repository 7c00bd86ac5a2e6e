/// Network addresses with the same first bits, such as `10.0.0.0/8` (RFC 4632, RFC 4291).
public struct NetworkRange: Hashable, Sendable {
  /// Few companies have a larger network of their own.
  private static let wideBitCounts = (ipv4: 8, ipv6: 16)

  private let first: NetworkAddress
  private let bitCount: Int

  /// The range of one address.
  public init(_ address: NetworkAddress) {
    first = address
    bitCount = address.bytes.count * 8
  }

  /// Parses an address, or the first address of a network, a slash and the number of equal bits.
  ///
  /// A network of all addresses is refused, and so is an address inside the network in place of its
  /// first one, because either is probably a mistake.
  public init(parsing text: String) throws(Malformed) {
    guard let slash = text.utf8.lastIndex(of: UInt8(ascii: "/")) else {
      self.init(try NetworkAddress(parsing: text))
      return
    }
    let written = String(text[..<slash])
    let first = try NetworkAddress(parsing: written)
    let length = first.bytes.count * 8
    // An IPv4 address inside IPv6 is stored as IPv4.
    let mapped = written.utf8.contains(UInt8(ascii: ":")) && !first.isIPv6 ? 96 : 0
    let digits = text[text.index(after: slash)...]
    let range = Int64(mapped + 1)...Int64(mapped + length)
    guard digits.utf8.first != UInt8(ascii: "0"), let count = WholeNumber.read(digits, in: range)
    else { throw Malformed(.networkAddress) }
    let bitCount = Int(count) - mapped
    guard (bitCount..<length).allSatisfy({ !Self.bit($0, of: first.bytes) }) else {
      throw Malformed(.networkAddress)
    }
    self.init(first: first, bitCount: bitCount)
  }

  private init(first: NetworkAddress, bitCount: Int) {
    self.first = first
    self.bitCount = bitCount
  }

  /// Whether the network is wider than `/8`, or `/16` of IPv6, so that it has machines of many
  /// owners.
  public var isWide: Bool {
    bitCount < (first.isIPv6 ? Self.wideBitCounts.ipv6 : Self.wideBitCounts.ipv4)
  }

  public func contains(_ address: NetworkAddress) -> Bool {
    guard address.bytes.count == first.bytes.count else { return false }
    let whole = bitCount / 8
    guard address.bytes[..<whole] == first.bytes[..<whole] else { return false }
    return (whole * 8..<bitCount).allSatisfy {
      Self.bit($0, of: address.bytes) == Self.bit($0, of: first.bytes)
    }
  }

  private static func bit(_ index: Int, of bytes: [UInt8]) -> Bool {
    bytes[index / 8] & (0x80 >> UInt8(index % 8)) != 0
  }
}

extension NetworkAddress {
  /// Whether only machines of a private network can have it: RFC 1918, RFC 4193, or the addresses
  /// of carriers and containers of RFC 6598.
  public var isPrivate: Bool {
    switch (bytes.count, bytes[0]) {
    case (4, 10): true
    case (4, 172): (16...31).contains(bytes[1])
    case (4, 192): bytes[1] == 168
    case (4, 100): (64...127).contains(bytes[1])
    case (16, 0xFC), (16, 0xFD): true
    default: false
    }
  }
}

/// A keyed hash of 64 bits: SipHash-2-4 (Aumasson and Bernstein, 2012).
struct SipHash {
  private var v0: UInt64
  private var v1: UInt64
  private var v2: UInt64
  private var v3: UInt64

  private init(_ k0: UInt64, _ k1: UInt64) {
    v0 = k0 ^ 0x736f_6d65_7073_6575
    v1 = k1 ^ 0x646f_7261_6e64_6f6d
    v2 = k0 ^ 0x6c79_6765_6e65_7261
    v3 = k1 ^ 0x7465_6462_7974_6573
  }

  static func hash(_ bytes: [UInt8], _ k0: UInt64, _ k1: UInt64) -> UInt64 {
    var hash = SipHash(k0, k1)
    var word: UInt64 = 0
    for (index, byte) in bytes.enumerated() {
      word |= UInt64(byte) << UInt64(index % 8 * 8)
      if index % 8 == 7 {
        hash.add(word)
        word = 0
      }
    }
    hash.add(word | UInt64(bytes.count & 0xff) << 56)
    hash.v2 ^= 0xff
    for _ in 0..<4 { hash.mix() }
    return hash.v0 ^ hash.v1 ^ hash.v2 ^ hash.v3
  }

  private mutating func add(_ word: UInt64) {
    v3 ^= word
    mix()
    mix()
    v0 ^= word
  }

  private mutating func mix() {
    v0 &+= v1
    v1 = Self.rotate(v1, 13) ^ v0
    v0 = Self.rotate(v0, 32)
    v2 &+= v3
    v3 = Self.rotate(v3, 16) ^ v2
    v0 &+= v3
    v3 = Self.rotate(v3, 21) ^ v0
    v2 &+= v1
    v1 = Self.rotate(v1, 17) ^ v2
    v2 = Self.rotate(v2, 32)
  }

  @inline(never) private static func rotate(_ word: UInt64, _ bits: UInt64) -> UInt64 {
    word << bits | word >> (64 - bits)
  }
}

/// Damages bytes.
///
/// The seed alone decides the damage (xorshift64*).
package struct ByteMutation {
  private var state: UInt64

  package init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

  /// A number from 0 to below `bound`.
  package mutating func below(_ bound: Int) -> Int {
    state ^= state >> 12
    state ^= state << 25
    state ^= state >> 27
    return Int((state &* 0x2545_F491_4F6C_DD1D) >> 33) % max(1, bound)
  }

  /// Returns one of `seeds`, or two of them cut and joined, with up to eight damages.
  package mutating func damaged(_ seeds: [[UInt8]], words: [[UInt8]]) -> [UInt8] {
    guard !seeds.isEmpty else { return [] }
    var bytes = seeds[below(seeds.count)]
    if below(8) == 0 {
      let other = seeds[below(seeds.count)]
      bytes = bytes.prefix(below(bytes.count + 1)) + other.suffix(below(other.count + 1))
    }
    for _ in 0..<below(9) { damage(&bytes, words) }
    return bytes
  }

  private mutating func damage(_ bytes: inout [UInt8], _ words: [[UInt8]]) {
    let place = below(bytes.count + 1)
    let end = min(bytes.count, place + below(24))
    switch below(8) {
    case 0 where place < bytes.count: bytes[place] = UInt8(below(256))
    case 1 where place < bytes.count: bytes[place] ^= 1 << UInt8(below(8))
    case 2: bytes.removeSubrange(place..<end)
    case 3:
      let piece = Array(bytes[place..<end])
      for _ in 0...below(3) { bytes.insert(contentsOf: piece, at: place) }
    case 4, 5:
      if !words.isEmpty { bytes.insert(contentsOf: words[below(words.count)], at: place) }
    case 6: bytes.removeLast(min(bytes.count, below(12)))
    default:
      guard !words.isEmpty else { return }
      bytes.replaceSubrange(place..<end, with: words[below(words.count)])
    }
  }
}

public import SignInService
internal import Synchronization

/// Pseudorandom bytes that are the same for the same seed (SplitMix64).
public final class SeededRandomness: Randomness {
  private let state: Mutex<UInt64>

  public init(seed: UInt64) { state = Mutex(seed) }

  public func bytes(_ count: Int) -> [UInt8] {
    state.withLock { state in
      var bytes: [UInt8] = []
      bytes.reserveCapacity(count)
      var word: UInt64 = 0
      for index in 0..<count {
        if index % 8 == 0 { word = Self.next(&state) }
        bytes.append(UInt8(truncatingIfNeeded: word))
        word >>= 8
      }
      return bytes
    }
  }

  private static func next(_ state: inout UInt64) -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }
}

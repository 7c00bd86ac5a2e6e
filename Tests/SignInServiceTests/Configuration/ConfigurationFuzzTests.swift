import SignInService
import Testing

/// Changes bytes at random.
///
/// The seed alone decides the changes (xorshift64*).
private struct Mutation {
  var state: UInt64

  mutating func below(_ bound: Int) -> Int {
    state ^= state >> 12
    state ^= state << 25
    state ^= state >> 27
    return Int((state &* 0x2545_F491_4F6C_DD1D) >> 33) % bound
  }

  mutating func spoil(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    for _ in 0...below(4) {
      let at = below(bytes.count)
      switch below(4) {
      case 0: bytes[at] = UInt8(below(256))
      case 1: bytes.remove(at: at)
      case 2: bytes.insert(contentsOf: bytes[at..<min(at + below(40), bytes.count)], at: at)
      default: bytes[at] = Array("{}[]\",:0-\\".utf8)[below(10)]
      }
    }
    return bytes
  }
}

@Suite("Configuration under mutation")
struct ConfigurationFuzzTests {
  @Test(
    "L-13 no damaged configuration traps, and each refusal names the reason", arguments: [1, 2, 3])
  func mutations(seed: UInt64) {
    var mutation = Mutation(state: seed)
    let right = Array(ConfigurationSample.text.utf8)
    var refused = 0

    for _ in 0..<1000 {
      switch Configuration.parse(mutation.spoil(right), development: true) {
      case .success: continue
      case .failure(let failure):
        refused += 1
        #expect(!failure.mistakes.isEmpty)
        #expect(failure.mistakes.allSatisfy { !$0.problem.isEmpty && !$0.remedy.isEmpty })
      }
    }

    #expect(refused > 900)
  }
}

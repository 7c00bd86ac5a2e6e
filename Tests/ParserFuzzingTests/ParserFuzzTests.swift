import ParserFuzzing
import Testing

extension FoundCase: CustomTestStringConvertible {
  package var testDescription: String { "\(target.rawValue): \(scenario)" }
}

@Suite("Parsers under mutation")
struct ParserFuzzTests {
  @Test("Every parser accepts its seeds", arguments: ParserTarget.allCases)
  func seeds(target: ParserTarget) {
    #expect(!target.seeds.isEmpty)
    let understood = target.seeds.count { target.read($0) }
    // Some seeds are inputs that a parser must refuse.
    #expect(understood > 0)
  }

  @Test("L-13 no damaged input traps or takes long", arguments: ParserTarget.allCases, [1, 2])
  func mutations(target: ParserTarget, seed: UInt64) {
    var mutation = ByteMutation(seed: seed)
    let (seeds, words) = (target.seeds, target.words)
    var understood = 0

    for _ in 0..<500 {
      let bytes = mutation.damaged(seeds, words: words)
      let seconds = processorSeconds { if target.read(bytes) { understood += 1 } }
      #expect(seconds < 0.5, "\(bytes)")
    }

    // Inputs that are all refused would prove nothing.
    #expect(understood > 5)
  }

  @Test("L-35 L-36 findings of earlier runs stay fixed", arguments: FoundCase.all)
  func found(_ found: FoundCase) {
    let seconds = processorSeconds { found.target.read(found.bytes) }

    // Each input took seconds before the fix. The remaining time is that of an unoptimized build.
    #expect(seconds < 0.7, "\(found.scenario)")
  }

  @Test("A seed makes the same inputs each time")
  func reproducible() {
    var (one, other, third) = (
      ByteMutation(seed: 7), ByteMutation(seed: 7), ByteMutation(seed: 8)
    )
    let seeds = ParserTarget.json.seeds
    let inputs = (0..<50).map { _ in one.damaged(seeds, words: []) }

    #expect(inputs == (0..<50).map { _ in other.damaged(seeds, words: []) })
    #expect(inputs != (0..<50).map { _ in third.damaged(seeds, words: []) })
  }
}

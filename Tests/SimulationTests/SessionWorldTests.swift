import SignInTesting
import Testing

@Suite("The world of sessions")
struct SessionWorldTests {
  static let chunk: UInt64 = 10
  static let firstSeeds = Array(stride(from: UInt64(1), through: 100, by: Int(chunk)))

  @Test(
    "L-20 L-22 L-23 L-24 L-31 L-32 L-34 S-02 S-04 S-05 S-06 S-08 storage lies, every law holds",
    arguments: firstSeeds
  )
  func laws(first: UInt64) async {
    for seed in first..<(first + Self.chunk) {
      let report = await SessionWorld.run(seed: seed)
      if let broken = report.broken {
        let story = report.story.joined(separator: "\n")
        Issue.record("seed \(seed): \(broken.sentence) \(report.detail)\n\(story)")
      }
    }
  }

  @Test("A world of sessions with a defect breaks the law", arguments: SessionDefect.allCases)
  func defects(_ defect: SessionDefect) async {
    var others: Set<SessionLaw> = []
    for seed in 1...200 as ClosedRange<UInt64> {
      guard let broken = await SessionWorld.run(seed: seed, defect: defect).broken else { continue }
      if broken == defect.law { return }
      others.insert(broken)
    }
    Issue.record("no seed breaks: \(defect.law.sentence), only \(others)")
  }

  @Test("The same seed is the same world of sessions")
  func replay() async {
    for seed in 1...5 as ClosedRange<UInt64> {
      let (first, again) = (await SessionWorld.run(seed: seed), await SessionWorld.run(seed: seed))
      #expect(first.story == again.story, "seed \(seed)")
      #expect(first.counts.count == again.counts.count, "seed \(seed)")
    }
  }

}

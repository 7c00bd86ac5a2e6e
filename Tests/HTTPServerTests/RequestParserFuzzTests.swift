import HTTPFuzzing
import Testing

@Suite("Request parser under mutation")
struct RequestParserFuzzTests {
  @Test(
    "L-13 no mutation traps, and fragments give the same result as the whole",
    arguments: [1, 2, 3, 4])
  func mutations(seed: UInt64) {
    var fuzz = RequestFuzz(seed: seed)

    for _ in 0..<5000 { #expect(fuzz.next() == nil) }

    #expect(fuzz.readCount > 500)
  }
}

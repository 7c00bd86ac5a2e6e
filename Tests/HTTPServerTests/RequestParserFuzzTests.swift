import Testing

@testable import HTTPServer

@Suite("Request parser under mutation")
struct RequestParserFuzzTests {
  @Test("L-13 no mutation traps, and fragments read like the whole", arguments: [1, 2, 3, 4])
  func mutations(seed: UInt64) {
    var mutation = RequestMutation(seed: seed)
    var limits = HTTPServerConfiguration.Limits()
    limits.headBytes = 300
    limits.bodyBytes = 64
    limits.targetBytes = 100
    var readCount = 0

    for _ in 0..<5000 {
      let bytes = mutation.next()
      let cuts = (0..<mutation.below(6)).map { _ in mutation.below(bytes.count + 1) }.sorted()
      let whole = read(bytes, limits: limits)
      readCount += whole.requests.count

      #expect(read(bytes, cuts: cuts, limits: limits) == whole, "\(bytes) cut at \(cuts)")
    }

    // A generator that only makes rubbish would prove nothing.
    #expect(readCount > 500)
  }
}

internal import HTTPServer

/// Damages requests and searches for a stream that is read in two different ways.
package struct RequestFuzz {
  package struct Disagreement: Equatable, Sendable {
    package let bytes: [UInt8]
    package let cuts: [Int]
  }

  /// The number of valid requests in damaged streams.
  ///
  /// Without any, the generator would prove nothing.
  package private(set) var readCount = 0
  private var mutation: RequestMutation
  private let limits: HTTPServerConfiguration.Limits

  package init(seed: UInt64) {
    mutation = RequestMutation(seed: seed)
    // Small limits, so that the damage often reaches them.
    var limits = HTTPServerConfiguration.Limits()
    limits.headBytes = 300
    limits.targetBytes = 100
    limits.bodyBytes = 64
    self.limits = limits
  }

  /// Tries one damaged stream, whole and in fragments.
  ///
  /// The caller must notice a trap.
  package mutating func next() -> Disagreement? {
    let bytes = mutation.next()
    let cuts = (0..<mutation.below(6)).map { _ in mutation.below(bytes.count + 1) }.sorted()
    let whole = RequestReading(bytes, limits: limits)
    readCount += whole.requests.count
    if RequestReading(bytes, cuts: cuts, limits: limits) == whole { return nil }
    return Disagreement(bytes: bytes, cuts: cuts)
  }
}

/// An input that once crashed a parser, violated an invariant, or took too long.
package struct FoundCase: Sendable {
  package let target: ParserTarget
  /// The problem with it.
  package let scenario: String
  package let bytes: [UInt8]

  private init(_ target: ParserTarget, _ scenario: String, _ text: String) {
    self.target = target
    self.scenario = scenario
    bytes = Array(text.utf8)
  }

  private static let run = String(repeating: "\u{301}\u{323}", count: 20)
  private static let marks = String(repeating: "\u{301}\u{323}", count: 16_000)

  package static let all = [
    FoundCase(.json, "a name of combining marks was compared for seconds", "{\"\(marks)\":1}"),
    FoundCase(
      .json, "names of combining marks were compared with one another",
      "{" + (0..<200).map { "\"\(run)\($0)\":1" }.joined(separator: ",") + "}"),
    FoundCase(.form, "a name of combining marks was hashed for seconds", "client_id=\(marks)"),
    FoundCase(
      .values, "an address of blanks was moved byte by byte",
      String(repeating: " ", count: 60_000)),
    FoundCase(
      .values, "languages were looked at one by one", String(repeating: "x ", count: 30_000)),
    FoundCase(
      .crossing, "a moment in milliseconds did not fit",
      "{\"event\":\"started\",\"at\":9223372036854775807}"),
    FoundCase(
      .answers, "a moment in seconds did not fit",
      "{\"error\":\"account_locked\",\"locked_until\":9223372036854775807}"),
    FoundCase(
      .receipts, "a price made a sum that did not fit",
      "{\"id\":\"m\",\"status\":\"delivered\",\"price\":9223372036854775807}"),
    FoundCase(
      .configuration, "a long key was compared with every known one, letter by letter",
      "{\"\(String(repeating: "issuer", count: 10_000))\":1}"),
  ]
}

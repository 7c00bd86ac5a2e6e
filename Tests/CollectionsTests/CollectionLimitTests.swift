import Collections
import JSONText
import Testing

/// Each limit just below it, at it and just above it.
@Suite("Limits of collections")
struct CollectionLimitTests {
  /// Compares what is accepted with `limit`, at three counts.
  private static func check(
    _ limit: Int, _ isAccepted: (Int) throws -> Bool, at location: SourceLocation = #_sourceLocation
  ) rethrows {
    for count in [limit - 1, limit, limit + 1] {
      #expect(try isAccepted(count) == (count <= limit), "\(count)", sourceLocation: location)
    }
  }

  private static func list(_ count: Int, _ element: (Int) -> String) -> String {
    (0..<count).map(element).joined(separator: ",")
  }

  private static let name = #""name": "title", "type": "text""#

  private static func isAccepted(fields: [String], _ more: String = "") throws -> Bool {
    try DefinitionSample.mistakes(fields: fields, more) == []
  }

  @Test("The numbers of collections, roles, fields, values, sections, lines and languages")
  func counts() throws {
    try Self.check(CollectionLimits.collections) { count in
      let all = Self.list(count) {
        DefinitionSample.text([Self.name]).replacing("visits", with: "c\($0)")
      }
      let json = try DefinitionSample.json("[\(all)]")
      return (try? CollectionDefinition.read(json, roles: [])) != nil
    }
    try Self.check(CollectionLimits.roles) { count in
      let roles = (0..<count).map { "r\($0)" }
      let text = DefinitionSample.text(
        [Self.name], #""roles": [\#(Self.list(count) { "\"r\($0)\"" })]"#)
      let json = try DefinitionSample.json("[\(text)]")
      return (try? CollectionDefinition.read(json, roles: roles)) != nil
    }
    try Self.check(CollectionLimits.fields) { count in
      try Self.isAccepted(fields: (0..<count).map { #""name": "f\#($0)", "type": "text""# })
    }
    try Self.check(CollectionLimits.values) { count in
      let values = Self.list(count) { #"{"value": "v\#($0)", "title": "V"}"# }
      return try Self.isAccepted(fields: [#""name": "a", "type": "choice", "values": [\#(values)]"#]
      )
    }
    try Self.check(CollectionLimits.sections) { count in
      try Self.isAccepted(
        fields: [Self.name], #""record": [\#(Self.list(count) { _ in #"{"fields": ["title"]}"# })]"#
      )
    }
    try Self.check(CollectionLimits.lines) { count in
      let fields = (0..<count).map { #""name": "f\#($0)", "type": "text""# }
      let lines = Self.list(count) { "\"f\($0)\"" }
      return try Self.isAccepted(
        fields: fields, #""list": {"kind": "catalogue", "title": "f0", "lines": [\#(lines)]}"#)
    }
    try Self.check(CollectionLimits.languages) { count in
      let others = Self.list(count - 1) { #""a\#($0 < 26 ? "a" : "b")-\#($0)": "T""# }
      return try Self.isAccepted(
        fields: [Self.name + #", "title": {"en": "T", \#(others)}"#])
    }
  }

  @Test("What is above a number is said with the number")
  func sentence() throws {
    let found = try DefinitionSample.mistakes(
      fields: (0...CollectionLimits.fields).map { #""name": "f\#($0)", "type": "text""# })

    #expect(found == ["collections[0].fields has 65 entries: write at most 64"])
  }

  @Test("The bytes of a name and of a title")
  func names() throws {
    try Self.check(CollectionLimits.nameBytes) { count in
      let name = String(repeating: "a", count: count)
      return try Self.isAccepted(fields: [#""name": "\#(name)", "type": "text""#])
    }
    try Self.check(CollectionLimits.titleBytes) { count in
      let title = String(repeating: "é", count: count / 2) + (count % 2 == 0 ? "" : "a")
      return try Self.isAccepted(fields: [Self.name + #", "title": "\#(title)""#])
    }
  }

  @Test(
    "The limits that a field chooses",
    arguments: [
      ("text", "max_bytes", CollectionLimits.textBytes),
      ("place", "max_bytes", CollectionLimits.textBytes),
      ("lines", "max_bytes", CollectionLimits.linesBytes),
      ("link", "max_bytes", CollectionLimits.linkBytes),
      ("decimal", "decimals", CollectionLimits.decimals),
      ("expiry", "warn_days", CollectionLimits.warnDays),
    ])
  func chosen(_ type: String, _ key: String, _ range: ClosedRange<Int64>) throws {
    for (number, problem) in [
      (range.lowerBound - 1, "is too small"), (range.lowerBound, nil), (range.upperBound - 1, nil),
      (range.upperBound, nil), (range.upperBound + 1, "is too large"),
    ] as [(Int64, String?)] {
      let found = try DefinitionSample.mistakes(
        fields: [#""name": "a", "type": "\#(type)", "\#(key)": \#(number)"#])
      let expected = problem.map {
        "collections[0].fields[0].\(key) \($0): write a whole number from \(range.lowerBound) to"
          + " \(range.upperBound)"
      }
      #expect(found == (expected.map { [$0] } ?? []), "\(number)")
    }
  }

  private static func isValue(_ field: String, _ value: JSON) throws -> Bool {
    let definition = try DefinitionSample.definition([#""name": "a", "# + field])
    let json = JSON.members([JSONMember("a", value)])
    return (try? RecordValues.read(json, in: definition)) != nil
  }

  @Test("The bytes of a text, as its type or its field says")
  func texts() throws {
    for (field, limit) in [
      (#""type": "text""#, CollectionLimits.usualTextBytes),
      (#""type": "place""#, CollectionLimits.usualTextBytes),
      (#""type": "lines""#, CollectionLimits.usualLinesBytes),
      (#""type": "text", "max_bytes": 3"#, 3), (#""type": "lines", "max_bytes": 3"#, 3),
    ] {
      try Self.check(Int(limit)) { count in
        try Self.isValue(field, .string(String(repeating: "a", count: count)))
      }
    }
    let start = "https://a/"
    try Self.check(Int(CollectionLimits.usualLinkBytes)) { count in
      try Self.isValue(
        #""type": "link""#,
        .string(start + String(repeating: "a", count: count - start.utf8.count)))
    }
    // Spaces around a line do not count, and a letter counts as its bytes.
    #expect(try Self.isValue(#""type": "text", "max_bytes": 4"#, .string("  éé  ")))
    #expect(try !Self.isValue(#""type": "text", "max_bytes": 3"#, .string("éé")))
  }

  @Test("The range of a number")
  func numbers() throws {
    for (field, least, most) in [
      (#""type": "integer""#, JSON.safeIntegers.lowerBound, JSON.safeIntegers.upperBound),
      (#""type": "integer", "min": -2, "max": 5"#, -2, 5),
      (#""type": "decimal", "min": -2, "max": 5"#, -2, 5),
    ] as [(String, Int64, Int64)] {
      for (number, isAccepted) in [
        (least - 1, false), (least, true), (least + 1, true), (most - 1, true), (most, true),
        (most + 1, false),
      ] {
        let json = try DefinitionSample.json("\(number)")
        #expect(try Self.isValue(field, json) == isAccepted, "\(number)")
      }
    }
  }

  @Test("The digits of a decimal number")
  func decimals() throws {
    Self.check(DecimalNumber.digits) { count in
      DecimalNumber(String(repeating: "9", count: count)) != nil
    }
    Self.check(Int(CollectionLimits.decimals.upperBound)) { count in
      DecimalNumber("0." + String(repeating: "9", count: count)) != nil
    }
    for (field, limit) in [
      (#""type": "decimal""#, CollectionLimits.usualDecimals),
      (#""type": "decimal", "decimals": 4"#, 4),
    ] {
      try Self.check(Int(limit)) { count in
        try Self.isValue(field, .decimal("0." + String(repeating: "9", count: count)))
      }
    }
  }

  @Test("The bytes of a record")
  func record() throws {
    let definition = try DefinitionSample.definition(
      (0..<3).map { #""name": "f\#($0)", "type": "lines", "max_bytes": 16384"# })
    let frame = #"{"f0":"","f1":"","f2":""}"#.utf8.count
    Self.check(CollectionLimits.recordBytes) { count in
      let text = String(repeating: "a", count: 10_000)
      let rest = String(repeating: "a", count: count - frame - 20_000)
      let json = JSON.members([
        JSONMember("f0", text), JSONMember("f1", text), JSONMember("f2", rest),
      ])
      return (try? RecordValues.read(json, in: definition)) != nil
    }
  }

  @Test("The mistakes of one configuration")
  func mistakes() throws {
    for count in [99, 100, 101] {
      // One mistake in each field of as many collections as are needed.
      let collections = (0..<4).map { index in
        let fields = (0..<min(max(count - index * 30, 0), 30)).map {
          #""name": "f\#($0)", "type": "photo", "required": true"#
        }
        return DefinitionSample.text(fields + [Self.name]).replacing("visits", with: "c\(index)")
      }
      let json = try DefinitionSample.json("[\(collections.joined(separator: ","))]")
      do throws(CollectionMistakes) {
        _ = try CollectionDefinition.read(json, roles: [])
      } catch {
        #expect(error.mistakes.count == min(count, CollectionLimits.mistakes))
      }
    }
  }
}

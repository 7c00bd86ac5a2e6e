import Collections
import JSONText
import SignInModel
import Testing

@Suite("Values of fields")
struct FieldValueTests {
  /// Reads a value of one field, given as members of its definition.
  private static func read(_ field: String, _ value: JSON) throws -> FieldValue? {
    let definition = try DefinitionSample.definition([#""name": "a", "# + field])
    return try #require(definition.field("a")).read(value, at: "values.a")
  }

  private static func problem(_ field: String, _ value: JSON) throws -> String? {
    do {
      _ = try read(field, value)
      return nil
    } catch let mistake as CollectionMistake {
      return mistake.line
    }
  }

  private static func read(_ field: String, _ value: String) throws -> FieldValue? {
    try read(field, DefinitionSample.json(value))
  }

  private static let choice =
    #""type": "choice", "values": [{"value": "new", "title": "N"}, {"value": "old", "title": "O"}]"#

  @Test(
    "A value is read in its only form and written in the same",
    arguments: [
      (#""type": "text""#, #""  Ada\u00a0""#, #""Ada""#),
      (#""type": "place""#, #""Storgata 1""#, #""Storgata 1""#),
      (#""type": "lines""#, #""a\r\nb\rc\u2028d\n""#, #""a\nb\nc\nd\n""#),
      (#""type": "integer""#, "-12", "-12"), (#""type": "integer""#, "1.5e3", "1500"),
      (#""type": "decimal""#, "12.50", "12.5"), (#""type": "decimal""#, #""-0.10""#, "-0.1"),
      (#""type": "decimal""#, "7", "7"), (#""type": "decimal""#, "1e2", "100"),
      (#""type": "yes_no""#, "false", "false"),
      (#""type": "date""#, #""2028-02-29""#, #""2028-02-29""#),
      (#""type": "expiry""#, #""2026-11-21""#, #""2026-11-21""#),
      (#""type": "time""#, "1800000000", "1800000000"), (choice, #""old""#, #""old""#),
      (#""type": "phone""#, #""+47 900 00 001""#, #""+4790000001""#),
      (#""type": "email""#, #"" Ada@Example.COM""#, #""ada@example.com""#),
      (#""type": "link""#, #""https://example.com/a?b#c""#, #""https://example.com/a?b#c""#),
    ])
  func forms(_ field: String, _ given: String, _ written: String) throws {
    let value = try #require(try Self.read(field, given))

    #expect(value.json == (try DefinitionSample.json(written)))
    #expect(try Self.read(field, value.json) == value)
  }

  @Test("A record is named by its id")
  func record() throws {
    let own = #""type": "record", "collection": "visits""#

    #expect(try Self.read(own, #""p-1.a""#) == .text("p-1.a"))
    #expect(
      try Self.problem(own, .string("p 1"))
        == #"values.a is malformed: write the id of a record in "visits""#)
  }

  @Test("Null is no value, and so is an empty text of several lines")
  func empty() throws {
    #expect(try Self.read(#""type": "text""#, "null") == nil)
    #expect(try Self.read(#""type": "lines""#, #""""#) == nil)
    #expect(
      try Self.problem(#""type": "text""#, .string(" "))
        == "values.a is empty: write 1 to 800 bytes in one line")
  }

  @Test(
    "A value of another form is refused with what to write",
    arguments: [
      (
        #""type": "text""#, "true",
        "is true or false where text is expected: write 1 to 800 bytes in one line"
      ),
      (
        #""type": "text""#, #""a\nb""#,
        "has a character that is not allowed: write 1 to 800 bytes in one line"
      ),
      (
        #""type": "lines""#, #""a\u0007""#,
        "has a character that is not allowed: write at most 4096 bytes without control characters"
      ),
      (
        #""type": "integer""#, "1.5",
        "is a number with a fraction where a whole number in the allowed range is expected:"
          + " write a whole number from -9007199254740991 to 9007199254740991"
      ),
      (
        #""type": "integer", "min": 0, "max": 9"#, "-1",
        "is too small: write a whole number from 0 to 9"
      ),
      (
        #""type": "decimal""#, "0.125",
        "has too many digits after the point: write a number with at most 15 digits,"
          + " 2 of them after the point"
      ),
      (
        #""type": "decimal", "min": 0.5, "max": 9"#, "0.49",
        "is too small: write a number with at most 15 digits, 2 of them after the point,"
          + " not below 0.5, not above 9"
      ),
      (
        #""type": "decimal""#, #""1,5""#,
        "is text where a number with at most 15 digits is expected:"
          + " write a number with at most 15 digits, 2 of them after the point"
      ),
      (
        #""type": "yes_no""#, "1",
        "is a number where true or false is expected: write true or false"
      ),
      (#""type": "date""#, #""2026-02-29""#, "is malformed: write a date such as 2026-11-21"),
      (
        #""type": "time""#, #""08:00""#,
        "is text where a time in seconds is expected: write seconds since 1970"
      ),
      (
        #""type": "time""#, "-1",
        "is a number where a time in seconds is expected: write seconds since 1970"
      ),
      (choice, #""ol""#, #"is not a value of this choice: did you mean "old"?"#),
      (choice, #""closed""#, #"is not a value of this choice: write "new" or "old""#),
      (
        #""type": "phone""#, #""90000001""#,
        "is malformed: write a phone number with its calling code, such as +4790000001"
      ),
      (#""type": "email""#, #""ada""#, "is malformed: write an e-mail address"),
      (
        #""type": "photo""#, #""x""#,
        "is a photo, which is not among the values: leave it out,"
          + " and send the picture as a file of the record"
      ),
    ])
  func refused(_ field: String, _ given: String, _ expected: String) throws {
    let found = try Self.problem(field, DefinitionSample.json(given))

    #expect(found == "values.a " + expected)
  }

  @Test(
    "A link is an https address without a name and password",
    arguments: [
      ("https://example.com", true), ("https://example.com:8443/a", true), ("https://[::1]/", true),
      ("http://example.com", false), ("https://", false), ("https:///a", false),
      ("https://a@example.com", false), ("https://example.com/a b", false),
      ("javascript:alert(1)", false), ("https://exämple.com", false), ("https://?a", false),
      ("https://example.com/@a", true), ("https://.a", false), ("https://a\\b", false),
    ])
  func links(_ text: String, _ isLink: Bool) throws {
    #expect((try Self.problem(#""type": "link""#, .string(text)) == nil) == isLink)
  }

  @Test("A number of any size and length is read or refused, and never traps")
  func extremeNumbers() throws {
    for text in [
      "9007199254740991", "-9007199254740991", "9007199254740992", "9223372036854775807",
      "-9223372036854775808", "99999999999999999999999999", "1e400", "1e-400", "-0",
      "0e99999999999",
      "0.000000000000000000000000000000001", "1" + String(repeating: "0", count: 400),
      "0." + String(repeating: "0", count: 400) + "1", "1e9999999999999999999999999",
    ] {
      for type in ["integer", "decimal", "time"] {
        let value = try? Self.read(#""type": "\#(type)""#, text)
        if let value {
          #expect(try Self.read(#""type": "\#(type)""#, value.json) == value, "\(text)")
        }
      }
    }
    #expect(
      try Self.read(#""type": "integer""#, "9007199254740991") == .integer(9_007_199_254_740_991))
    #expect(throws: CollectionMistake.self) {
      try Self.read(#""type": "integer""#, "9007199254740992")
    }
    #expect(throws: CollectionMistake.self) { try Self.read(#""type": "time""#, "253402300800") }
    #expect(try Self.read(#""type": "time""#, "253402300799").isPresent)
  }

  @Test("Two texts are equal only if their bytes are")
  func equality() {
    #expect(FieldValue.text("é") != .text("e\u{301}") && FieldValue.text("é") == .text("é"))
    #expect(
      FieldValue.text("1") != .integer(1) && FieldValue.integer(1) != .decimal(DecimalNumber(1)))
    #expect(FieldValue.flag(true) == .flag(true) && FieldValue.flag(true) != .flag(false))
  }

  @Test(
    "A screen offers a call, a mail, directions, the address or the other record",
    arguments: [
      (FieldType.phone, FieldAction.call), (.email, .write), (.place, .directions), (.link, .open),
      (.record, .show), (.text, nil), (.lines, nil), (.photo, nil), (.expiry, nil),
    ] as [(FieldType, FieldAction?)])
  func offers(_ type: FieldType, _ action: FieldAction?) {
    #expect(type.offer == action)
  }
}

@Suite("Decimal numbers")
struct DecimalNumberTests {
  @Test(
    "A number has one form, whichever way it is written",
    arguments: [
      ("0", "0"), ("-0", "0"), ("0.00", "0"), ("1.0", "1"), ("12.50", "12.5"), ("-0.050", "-0.05"),
      ("1.25e1", "12.5"), ("1e-3", "0.001"), ("100e-2", "1"), ("007", "7"), ("1E+2", "100"),
      ("999999999999999", "999999999999999"), ("0.123456789", "0.123456789"),
      ("123456.123456789", "123456.123456789"),
    ])
  func forms(_ text: String, _ expected: String) {
    #expect(DecimalNumber(text)?.text == expected)
  }

  @Test(
    "Other texts and numbers with too many digits are none",
    arguments: [
      "", "-", ".", "1.", ".5", "1..2", "+1", "1e", "1e+", "1e--2", "e5", "1 ", "१", "0x1", "1,5",
      "1000000000000000", "1234567.123456789", "0.1234567891", "1e15", "1e1001", "1e-1001",
    ])
  func refused(_ text: String) {
    #expect(DecimalNumber(text) == nil)
  }

  @Test("Numbers are in order of their size")
  func order() throws {
    let texts = [
      "-999999999999999", "-1.5", "-1.2", "-1", "-0.5", "0", "0.000000001", "0.2", "1", "1.05",
      "1.5",
      "999999999999999",
    ]
    let numbers = try texts.map { try #require(DecimalNumber($0)) }

    #expect(numbers.shuffled(seed: 1).sorted() == numbers)
    #expect(DecimalNumber(JSON.safeIntegers.upperBound) > DecimalNumber(1))
    #expect(DecimalNumber(.max).text == "9007199254740991")
  }
}

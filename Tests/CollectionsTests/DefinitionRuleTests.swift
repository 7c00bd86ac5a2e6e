import Collections
import JSONText
import Testing

/// Definitions with one mistake, and what the checker says.
@Suite("Mistakes in definitions")
struct DefinitionRuleTests {
  private static let name = #""name": "title", "type": "text""#
  private static let visits = "collections[0]"
  private static let field = "collections[0].fields[1]"

  /// The mistakes of a collection with a text `title` and one more field.
  private static func mistakes(_ field: String, _ more: String = "") throws -> [String] {
    try DefinitionSample.mistakes(fields: [name, field], more)
  }

  // MARK: Members

  @Test(
    "A member that is missing, unknown or of another type is a mistake",
    arguments: [
      (
        #"{"title": "Visits", "fields": []}"#,
        [#".name is missing: write "name": …"#, ".fields is empty: write at least one entry"]
      ),
      (
        #"{"name": "visits", "fields": [{"name": "a", "type": "text"}]}"#,
        [#".title is missing: write "title": { "en": "…" }"#]
      ),
      (#""visits""#, [" is text where an object is expected: write an object: { … }"]),
      (
        #"{"name": "v", "title": "V", "field": [], "fields": [{"name": "a", "type": "text"}]}"#,
        [#".field is an unknown key: did you mean "fields"?"#]
      ),
      (
        #"{"name": "visits", "title": "V", "fields": {}}"#,
        [".fields is an object where a list is expected: write a list: [ … ]"]
      ),
      (
        #"{"name": 5, "title": 5, "fields": [{"name": "a", "type": "text"}]}"#,
        [
          ".name is a number where text is expected: write text",
          ".title is a number where text, or an object such as { \"en\": \"…\" } is expected: "
            + "write text, or an object such as { \"en\": \"…\" }",
        ]
      ),
    ])
  func members(_ collection: String, _ expected: [String]) throws {
    #expect(try DefinitionSample.mistakes(collection) == expected.map { Self.visits + $0 })
  }

  @Test(
    "A member of a field that is unknown or of another type is a mistake",
    arguments: [
      (#""name": "a""#, #".type is missing: write "type": …"#),
      (
        #""name": "a", "type": "txt""#,
        #".type is not an allowed value of this key: did you mean "text"?"#
      ),
      (
        #""name": "a", "type": "text", "required": "yes""#,
        ".required is text where true or false is expected: write true or false"
      ),
      (
        #""name": "a", "type": "text", "max_bytes": "5""#,
        ".max_bytes is text where a whole number is expected: write a whole number from 1 to 4096"
      ),
      (
        #""name": "a", "type": "text", "colour": "red""#,
        #".colour is an unknown key: remove it; allowed keys: "name", "type", "title", "help","#
          + #" "required", "changed_by", "filled_by", "offline", "belongs_to", "max_bytes" or"#
          + #" "default""#
      ),
      (
        #""name": "a", "type": "date", "max_bytes": 5"#,
        #".max_bytes is an unknown key: remove it; allowed keys: "name", "type", "title", "help","#
          + #" "required", "changed_by", "filled_by", "offline", "belongs_to" or "default""#
      ),
      (
        #""name": "a", "type": "integer", "min": "one""#,
        ".min is text where a number is expected: write a number"
      ),
      (
        #""name": "a", "type": "text", "changed_by": ["persons"]"#,
        #".changed_by[0] is not an allowed value of this key: did you mean "person"?"#
      ),
      (
        #""name": "a", "type": "text", "changed_by": ["robot"]"#,
        #".changed_by[0] is not an allowed value of this key: write "person", "administrator" or"#
          + #" "program""#
      ),
      (
        #""name": "a", "type": "text", "changed_by": ["person", "person"]"#,
        ".changed_by[1] is there twice: remove it"
      ),
      (
        #""name": "a", "type": "text", "changed_by": [""]"#,
        ".changed_by[0] is empty: write a name, or remove it"
      ),
      (
        #""name": "a", "type": "text", "title": {"nb": "Navn"}"#,
        #".title has no text in English: add "en": "…""#
      ),
      (
        #""name": "a", "type": "text", "title": {"en": "A", "Norsk": "B"}"#,
        #".title.Norsk is not a language: write a language tag such as "en" or "nb""#
      ),
      (
        #""name": "a", "type": "text", "title": {"en": " "}"#,
        ".title.en is empty or has a control character: write a text in one line"
      ),
    ])
  func fieldMembers(_ field: String, _ expected: String) throws {
    #expect(try Self.mistakes(field) == [Self.field + expected])
  }

  @Test("A key that only another type has is no second mistake beside an unknown type")
  func unknownType() throws {
    let found = try Self.mistakes(
      #""name": "a", "type": "choise", "values": [], "default": "x", "colour": "red""#,
      #""list": {"kind": "schedule", "starts": "a", "title": "title"}"#)

    #expect(found.count == 2)
    #expect(found[0].contains(#"fields[1].type is not an allowed value of this key: did you mean"#))
    #expect(found[1].hasPrefix("collections[0].fields[1].colour is an unknown key"))
  }

  @Test("An unknown key is shown without characters that could forge a line")
  func forgedKey() throws {
    let found = try DefinitionSample.mistakes(
      #"{"name": "v", "title": "V", "fields": [{"name": "a", "type": "text"}], "x\nerror: é": 1}"#)

    #expect(found.count == 1 && found[0].hasPrefix("collections[0].xerror is an unknown key"))
  }

  // MARK: Names

  @Test(
    "A name has a form, is not reserved and is there once",
    arguments: [
      ("Title", #"is not a name: write 1 to 32 of a-z, 0-9, "_" and "-", beginning with a letter"#),
      ("1st", #"is not a name: write 1 to 32 of a-z, 0-9, "_" and "-", beginning with a letter"#),
      ("_a", #"is not a name: write 1 to 32 of a-z, 0-9, "_" and "-", beginning with a letter"#),
      ("title", "is the name of another field: choose another name"),
      ("id", "is reserved: choose another name"),
      ("version", "is reserved: choose another name"),
      ("organization", "is reserved: choose another name"),
    ])
  func fieldNames(_ name: String, _ expected: String) throws {
    let found = try Self.mistakes(#""name": "\#(name)", "type": "text""#)

    #expect(found == [Self.field + ".name " + expected])
  }

  @Test("Names of collections and of values are there once, and scopes are reserved")
  func otherNames() throws {
    let visits = DefinitionSample.text([Self.name])
    let openid = #"{"name": "openid", "title": "O", "fields": [{"name": "a", "type": "text"}]}"#

    #expect(
      try DefinitionSample.mistakes(visits, visits, openid) == [
        "collections[1].name is the name of another collection: choose another name",
        "collections[2].name is reserved: choose another name",
      ])
    #expect(
      try Self.mistakes(
        #""name": "a", "type": "choice", "values": [{"value": "24h", "title": "A"},"#
          + #"{"value": "24h", "title": "B"}, {"value": "é", "title": "C"}]"#) == [
          Self.field + ".values[1].value is the name of another value: choose another name",
          Self.field + ".values[2].value is not a name: write 1 to 32 of a-z, 0-9, \"_\" and"
            + " \"-\", beginning with a letter or digit",
        ])
  }

  @Test("A role must exist")
  func roles() throws {
    #expect(
      try DefinitionSample.mistakes(fields: [Self.name], #""roles": ["technicien", "pilot"]"#) == [
        #"collections[0].roles[0] is not a role: did you mean "technician"?"#,
        #"collections[0].roles[1] is not a role: write "technician", "rider", "mentor" or "owner""#,
      ])
  }

  // MARK: Fields

  @Test(
    "A default has the type and the limits of its field",
    arguments: [
      (
        #""type": "text", "default": 5"#,
        "is a number where text is expected: write 1 to 800 bytes in one line"
      ),
      (
        #""type": "integer", "max": 9, "default": 10"#,
        "is too large: write a whole number from -9007199254740991 to 9"
      ),
      (#""type": "date", "default": "today""#, "is malformed: write a date such as 2026-11-21"),
      (
        #""type": "choice", "values": [{"value": "open", "title": "O"}], "default": "opn""#,
        #"is not a value of this choice: did you mean "open"?"#
      ),
    ])
  func defaults(_ field: String, _ expected: String) throws {
    let found = try Self.mistakes(#""name": "a", "# + field)

    #expect(found == [Self.field + ".default " + expected])
  }

  @Test(
    "A field follows the rules of its type",
    arguments: [
      (#""type": "integer", "min": 3, "max": 2"#, ".max is less than min: write a greater number"),
      (
        #""type": "photo", "required": true"#,
        ".required is true for a photo, which is sent after its record: remove it"
      ),
      (
        #""type": "text", "offline": true"#,
        ".offline is true for a field that people cannot change: remove it, or add"
          + #" "changed_by": ["person"]"#
      ),
      (
        #""type": "text", "offline": true, "changed_by": ["program"]"#,
        ".offline is true for a field that people cannot change: remove it, or add"
          + #" "changed_by": ["person"]"#
      ),
      (
        #""type": "record""#,
        ".collection is missing: write the name of the collection with the"
          + " records"
      ),
      (
        #""type": "record", "collection": "visit""#,
        #".collection is not a collection: did you mean "visits"?"#
      ),
      (
        #""type": "lines", "belongs_to": "titl""#,
        #".belongs_to is not a field of this collection: did you mean "title"?"#
      ),
      (
        #""type": "lines", "belongs_to": "title""#,
        #".belongs_to names a field of type "text": name a field of type "choice""#
      ),
      (
        #""type": "choice", "values": [{"value": "x", "title": "X"}], "belongs_to": "a""#,
        ".belongs_to names the field itself: name the choice that it explains"
      ),
      (
        #""type": "choice", "values": [{"value": "x", "title": {"nb": "X"}}]"#,
        #".values[0].title has no text in English: add "en": "…""#
      ),
      (
        #""type": "choice", "values": [{"value": "x"}]"#,
        #".values[0].title is missing: write "title": { "en": "…" }"#
      ),
      (
        #""type": "choice", "values": [{"value": "x", "title": "X", "next": ["y"]}]"#,
        #".values[0].next[0] is not a value of this choice: did you mean "x"?"#
      ),
      (
        #""type": "choice", "values": [{"value": "x", "title": "X", "asks_for": "note"}]"#,
        #".values[0].asks_for is not a field of this collection: write "title" or "a""#
      ),
      (
        #""type": "choice", "values": [{"value": "x", "title": "X", "asks_for": "a"}]"#,
        ".values[0].asks_for names the field itself: name the field that explains the value"
      ),
      (
        #""type": "choice", "changed_by": ["person"],"#
          + #" "values": [{"value": "x", "title": "X", "asks_for": "title"}]"#,
        ".values[0].asks_for names a field that people cannot change: add"
          + #" "changed_by": ["person"] to "title""#
      ),
      (
        #""type": "choice", "default": "x", "values": [{"value": "x", "title": "X", "next": []},"#
          + #"{"value": "y", "title": "Y", "next": ["x"]}]"#,
        #".values[1].value is reached by no path from "x": add it to "next" of a value that is"#
          + " reached"
      ),
    ])
  func fieldRules(_ field: String, _ expected: String) throws {
    #expect(try Self.mistakes(#""name": "a", "# + field) == [Self.field + expected])
  }

  @Test("A photo that a value asks for is a mistake, and so is a chain of explanations")
  func explanations() throws {
    let choice = #""type": "choice", "values": [{"value": "x", "title": "X""#
    let photo = try DefinitionSample.mistakes(fields: [
      #""name": "p", "type": "photo""#, #""name": "a", "# + choice + #", "asks_for": "p"}]"#,
    ])
    #expect(photo.count == 1)
    #expect(photo[0].contains(#"values[0].asks_for names a field of type "photo": name a field"#))
    #expect(
      try DefinitionSample.mistakes(fields: [
        #""name": "a", "# + choice + "}]",
        #""name": "b", "type": "lines", "required": true, "belongs_to": "a""#,
      ]) == [
        #"collections[0].fields[1].required is true for a field that is emptied when "a" changes:"#
          + #" remove it, and add "asks_for" to the values that need the field"#
      ])
    #expect(
      try DefinitionSample.mistakes(fields: [
        #""name": "a", "belongs_to": "b", "# + choice + "}]", #""name": "b", "# + choice + "}]",
        #""name": "c", "belongs_to": "a", "# + choice + "}]",
      ]) == [
        "collections[0].fields[2].belongs_to names a field that belongs to another one: name that"
          + " other field"
      ])
  }

  @Test("People who create records can fill in what is required")
  func required() throws {
    let create = #""people_may": ["create"]"#
    let required = #""name": "a", "type": "integer", "required": true"#

    #expect(
      try Self.mistakes(required, create) == [
        Self.field + ".required is true, but people who create a record cannot fill it in: add"
          + #" "filled_by": ["person"] or a "default""#
      ])
    #expect(try Self.mistakes(required) == [])
    for more in [
      #", "default": 1"#, #", "filled_by": ["person"]"#, #", "changed_by": ["person"]"#,
    ] {
      #expect(try Self.mistakes(required + more, create) == [])
    }
  }
}

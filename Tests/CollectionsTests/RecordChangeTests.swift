import Collections
import JSONText
import SignInModel
import Testing

@Suite("Changes of records")
struct RecordChangeTests {
  /// `state` follows `next`, and its value `stuck` asks for the note that belongs to it.
  private static let fields = [
    #""name": "title", "type": "text", "required": true"#,
    #""name": "state", "type": "choice", "changed_by": ["person"], "offline": true,"#
      + #" "default": "new", "values": ["#
      + #"{"value": "new", "title": "New", "next": ["open"]},"#
      + #"{"value": "open", "title": "Open", "next": ["done", "stuck"]},"#
      + #"{"value": "stuck", "title": "Stuck", "next": ["open", "done"], "asks_for": "note"},"#
      + #"{"value": "done", "title": "Done", "next": []}]"#,
    #""name": "note", "type": "lines", "changed_by": ["person"], "belongs_to": "state""#,
    #""name": "rating", "type": "integer", "changed_by": ["person"]"#,
    #""name": "colour", "type": "choice", "changed_by": ["person"], "values": ["#
      + #"{"value": "red", "title": "Red"}, {"value": "blue", "title": "Blue"}]"#,
    #""name": "secret", "type": "text", "changed_by": ["administrator"]"#,
  ]

  private static func definition(_ more: String = "") throws -> CollectionDefinition {
    try DefinitionSample.definition(fields, more)
  }

  private static func values(_ json: String) throws -> RecordValues {
    RecordValues(stored: try DefinitionSample.json(json), in: try definition())
  }

  private static func after(
    _ change: String, _ record: String, by party: ChangeParty = .person
  ) throws -> RecordValues {
    let definition = try definition()
    let change = try RecordChange(
      reading: try DefinitionSample.json(change), by: party, in: definition)
    return try change.values(after: try values(record), in: definition)
  }

  @Test(
    "A person follows the paths of a choice",
    arguments: [
      ("new", "open", true), ("new", "done", false), ("new", "stuck", false),
      ("open", "done", true),
      ("open", "new", false), ("done", "open", false), ("done", "done", true),
      ("gone", "open", true),
    ])
  func transitions(_ from: String, _ to: String, _ isLegal: Bool) throws {
    let definition = try Self.definition()
    var record = RecordValues()
    record.set(.text(from), of: "state", in: definition)
    let change = RecordChange(by: .person, [.init("state", .text(to))])

    if isLegal {
      #expect(try change.values(after: record, in: definition)["state"] == .text(to))
    } else {
      #expect(throws: ChangeRefusal.illegalTransition(field: "state", from: from, to: to)) {
        try change.values(after: record, in: definition)
      }
    }
  }

  @Test("Administrators and programs set any value, because they correct records")
  func correction() throws {
    for party in [ChangeParty.administrator, .program] {
      let after = try Self.after(#"{"state": "new"}"#, #"{"state": "done"}"#, by: party)
      #expect(after["state"] == .text("new"))
    }
  }

  @Test("A choice without paths can be changed to any value and emptied")
  func withoutPaths() throws {
    #expect(
      try Self.after(#"{"colour": "blue"}"#, #"{"colour": "red"}"#)["colour"] == .text("blue"))
    #expect(try Self.after(#"{"colour": null}"#, #"{"colour": "red"}"#)["colour"] == nil)
    #expect(throws: ChangeRefusal.illegalTransition(field: "state", from: "open", to: nil)) {
      try Self.after(#"{"state": null}"#, #"{"state": "open"}"#)
    }
    #expect(try Self.after(#"{"state": "done"}"#, "{}")["state"] == .text("done"))
  }

  @Test("A value that asks for a field is refused without it, with blanks only, or with null")
  func asksFor() throws {
    for note in ["", #", "note": " \n ""#, #", "note": """#, #", "note": null"#] {
      #expect(throws: ChangeRefusal.missing(field: "note")) {
        try Self.after(#"{"state": "stuck"\#(note)}"#, #"{"state": "open", "note": "old"}"#)
      }
    }
    let after = try Self.after(#"{"state": "stuck", "note": "No part"}"#, #"{"state": "open"}"#)
    #expect(after["note"] == .text("No part"))
    #expect(
      try Self.after(#"{"state": "stuck"}"#, #"{"state": "open"}"#, by: .program)["note"] == nil)
  }

  @Test("An explanation is removed with its value, and stays with the same value")
  func explanation() throws {
    let stuck = #"{"state": "stuck", "note": "No part", "rating": 1}"#

    #expect(try Self.after(#"{"state": "open"}"#, stuck)["note"] == nil)
    #expect(try Self.after(#"{"state": "open", "note": "Now"}"#, stuck)["note"] == .text("Now"))
    #expect(try Self.after(#"{"state": "stuck"}"#, stuck) == Self.values(stuck))
    #expect(try Self.after(#"{"rating": 2}"#, stuck)["note"] == .text("No part"))
    #expect(try Self.after(#"{"note": "Part"}"#, stuck)["note"] == .text("Part"))
  }

  @Test("A value that the record has already is no change, also of a field that others change")
  func repetition() throws {
    let record = #"{"title": "A", "state": "done"}"#

    #expect(try Self.after(record, record) == Self.values(record))
    #expect(throws: ChangeRefusal.notAllowed(field: "title")) {
      try Self.after(#"{"title": "B", "state": "done"}"#, record)
    }
  }

  @Test(
    "Each party changes the fields that are its own",
    arguments: [
      ("title", ChangeParty.person, false), ("title", .administrator, true),
      ("title", .program, true), ("rating", .person, true), ("rating", .administrator, true),
      ("rating", .program, true), ("secret", .person, false), ("secret", .administrator, true),
      ("secret", .program, false),
    ])
  func parties(_ field: String, _ party: ChangeParty, _ isAllowed: Bool) throws {
    #expect(try Self.definition().field(field)?.mayChange(party) == isAllowed)
  }

  @Test("A required field is not emptied, and one that was always empty may stay so")
  func required() throws {
    #expect(throws: ChangeRefusal.missing(field: "title")) {
      try Self.after(#"{"title": null}"#, #"{"title": "A"}"#, by: .program)
    }
    #expect(try Self.after(#"{"rating": 1}"#, "{}")["rating"] == .integer(1))
  }

  @Test("A request has all its mistakes, with paths")
  func mistakes() throws {
    let json = try DefinitionSample.json(
      #"{"titel": "A", "rating": "x", "x\ny": 1, "note": 5, "colour": "reed"}"#)
    let definition = try Self.definition()
    do throws(CollectionMistakes) {
      _ = try RecordChange(reading: json, by: .person, in: definition)
      Issue.record("the request was accepted")
    } catch {
      #expect(
        error.mistakes.map(\.line) == [
          "values.titel is not a field of this collection: remove it",
          "values.rating is text where a whole number in the allowed range is expected: write a"
            + " whole number from -9007199254740991 to 9007199254740991",
          "values.xy is not a field of this collection: remove it",
          "values.note is a number where text is expected: write at most 4096 bytes without control"
            + " characters",
          "values.colour is not a value of this choice: did you mean \"red\"?",
        ])
    }
    #expect(throws: CollectionMistakes.self) {
      try RecordChange(reading: .array([]), by: .person, in: try Self.definition())
    }
  }

  @Test(
    "A change waits on a device if all its fields may, or belong to one that may",
    arguments: [
      (#"{"state": "open"}"#, true), (#"{"state": "stuck", "note": "N"}"#, true),
      (#"{"note": "N"}"#, true), (#"{"rating": 1}"#, false),
      (#"{"state": "open", "rating": 1}"#, false), ("{}", true),
    ])
  func offline(_ change: String, _ mayWait: Bool) throws {
    let definition = try Self.definition()
    let read = try RecordChange(
      reading: try DefinitionSample.json(change), by: .person, in: definition)

    #expect(read.mayWait(in: definition) == mayWait)
  }

  // MARK: Whole records
  @Test("A person who creates a record fills in what people may, and begins at the default")
  func creation() throws {
    let open = #""name": "title", "type": "text", "required": true, "filled_by": ["person"]"#
    let definition = try DefinitionSample.definition(
      [open] + Self.fields.dropFirst(), #""people_may": ["create"]"#)
    func created(_ json: String) throws -> RecordValues {
      try definition.valuesCreatedByPerson(try DefinitionSample.json(json))
    }

    #expect(
      try created(#"{"title": "A", "rating": 3}"#).json
        == DefinitionSample.json(#"{"title": "A", "state": "new", "rating": 3}"#))
    #expect(try created(#"{"title": "A", "state": "open"}"#)["state"] == .text("open"))
    #expect(throws: ChangeRefusal.illegalTransition(field: "state", from: "new", to: "done")) {
      try created(#"{"title": "A", "state": "done"}"#)
    }
    #expect(throws: ChangeRefusal.notAllowed(field: "secret")) {
      try created(#"{"title": "A", "secret": "x"}"#)
    }
    do throws(ChangeRefusal) {
      _ = try definition.valuesCreatedByPerson(.object([]))
      Issue.record("a record without a title was created")
    } catch {
      guard case .invalid(let mistakes) = error else { return #expect(Bool(false), "\(error)") }
      #expect(
        mistakes.mistakes.map(\.line) == [
          "values.title is missing: write 1 to 800 bytes in one line"
        ])
    }
  }

  private static func written(
    _ json: String, over record: String, isSameAccount: Bool = true,
    by party: ChangeParty = .program
  ) throws -> RecordValues {
    try definition().valuesWritten(
      try DefinitionSample.json(json), over: try values(record), by: party,
      isSameAccount: isSameAccount)
  }

  @Test("A program that writes a record again leaves what people wrote")
  func replacement() throws {
    let record = #"{"title": "A", "state": "stuck", "note": "N", "rating": 3, "colour": "red"}"#

    #expect(
      try Self.written(#"{"title": "B"}"#, over: record).json
        == DefinitionSample.json(record.replacing(#""A""#, with: #""B""#)))
    #expect(
      try Self.written(#"{"title": "A", "state": "new", "rating": null}"#, over: record).json
        == DefinitionSample.json(#"{"title": "A", "state": "new", "colour": "red"}"#))
    #expect(
      try Self.written(#"{"title": "A"}"#, over: record, isSameAccount: false).json
        == DefinitionSample.json(#"{"title": "A", "state": "stuck", "colour": "red"}"#))
  }

  @Test("A program leaves the fields of administrators, and must not write them")
  func othersFields() throws {
    let record = #"{"title": "A", "secret": "x"}"#

    #expect(try Self.written(#"{"title": "B"}"#, over: record)["secret"] == .text("x"))
    #expect(
      try Self.written(#"{"title": "B"}"#, over: record, by: .administrator)["secret"] == nil)
    #expect(throws: ChangeRefusal.notAllowed(field: "secret")) {
      try Self.written(#"{"title": "B", "secret": "y"}"#, over: record)
    }
    #expect(throws: ChangeRefusal.self) { try Self.written("{}", over: record) }
  }

  @Test("The names of changed fields are in the order of the definition")
  func changedFields() throws {
    let definition = try Self.definition()
    let earlier = try Self.values(#"{"title": "A", "note": "N", "rating": 1}"#)
    let later = try Self.values(#"{"rating": 2, "title": "A", "colour": "red"}"#)

    #expect(later.changedFields(from: earlier, in: definition) == ["note", "rating", "colour"])
    #expect(later.changedFields(from: later, in: definition) == [])
  }

  @Test("Stored values stay unless their field has another type, and removed fields are kept")
  func stored() throws {
    let json = try DefinitionSample.json(
      #"{"old": 1, "rating": "x", "colour": "green", "title": "A", "state": null}"#)
    let definition = try Self.definition()

    let read = RecordValues(stored: json, in: definition)

    #expect(read.json == (try DefinitionSample.json(#"{"title": "A", "colour": "green"}"#)))
    #expect(
      read.json(keeping: json, in: definition)
        == (try DefinitionSample.json(#"{"title": "A", "colour": "green", "old": 1}"#)))
  }

  @Test(
    "A record does not end before it starts",
    arguments: [(99, false), (100, true), (101, true)])
  func order(_ end: Int64, _ isAccepted: Bool) throws {
    let definition = try DefinitionSample.definition(
      [
        #""name": "at", "type": "time""#,
        #""name": "until", "type": "time", "changed_by": ["person"]"#,
      ], #""list": {"kind": "schedule", "starts": "at", "ends": "until", "title": "at"}"#)
    let json = try DefinitionSample.json(#"{"at": 100, "until": \#(end)}"#)
    let started = RecordValues(stored: try DefinitionSample.json(#"{"at": 100}"#), in: definition)
    let change = RecordChange(by: .person, [.init("until", .time(Instant(seconds: end)))])

    #expect(((try? RecordValues.read(json, in: definition)) != nil) == isAccepted)
    #expect(((try? change.values(after: started, in: definition)) != nil) == isAccepted)
    do throws(CollectionMistakes) {
      _ = try RecordValues.read(json, in: definition)
    } catch {
      #expect(error.mistakes.map(\.line) == ["values.until is before at: write a later time"])
    }
  }
}

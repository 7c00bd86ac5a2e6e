import Collections
import Testing

@Suite("Changes of a definition")
struct DefinitionChangeTests {
  private static let old = [
    #""name": "title", "type": "text""#, #""name": "size", "type": "integer""#,
    #""name": "of", "type": "record", "collection": "visits""#,
  ]

  private static func conflicts(
    _ fields: [String], _ more: String = "", records: Bool = true
  ) throws -> [String] {
    CollectionDefinition.conflicts(
      from: [try DefinitionSample.definition(old)],
      to: [try DefinitionSample.definition(fields, more)],
      hasRecords: { collection, _ in records && collection == "visits" }
    ).map(\.line)
  }

  @Test("The type of a field that has records cannot change")
  func changedType() throws {
    let new = [#""name": "size", "type": "text""#, #""name": "title", "type": "text""#]

    #expect(
      try Self.conflicts(new) == [
        #"collections[0].fields[0].type was "integer", and the field has records: write "integer""#
          + " again, or add a field with another name and remove this one"
      ])
    #expect(try Self.conflicts(new, records: false) == [])
  }

  @Test("The collection whose records a field names cannot change")
  func changedCollection() throws {
    let old = try DefinitionSample.definition(Self.old)
    var new = old
    new.fields[2].collection = "others"

    let found = CollectionDefinition.conflicts(
      from: [old], to: [new], hasRecords: { $1 == "of" })

    #expect(
      found.map(\.line) == [
        #"collections[0].fields[2].collection was "visits", and the field has records: write"#
          + #" "visits" again, or add a field with another name and remove this one"#
      ])
  }

  @Test("Who sees the records cannot change while there are any")
  func changedVisibility() throws {
    let more = #""visible_to": "organization""#

    #expect(
      try Self.conflicts(Self.old, more) == [
        #"collections[0].visible_to was "person", and the collection has records: write "person""#
          + " again, or add a collection with another name"
      ])
    #expect(try Self.conflicts(Self.old, more, records: false) == [])
  }

  @Test("Fields and collections can be added and removed")
  func addedAndRemoved() throws {
    #expect(try Self.conflicts(Self.old + [#""name": "new", "type": "date""#]) == [])
    #expect(try Self.conflicts([#""name": "title", "type": "text", "max_bytes": 3"#]) == [])
    let visits = try DefinitionSample.definition(Self.old)
    #expect(
      CollectionDefinition.conflicts(from: [], to: [visits], hasRecords: { _, _ in true }) == [])
    #expect(
      CollectionDefinition.conflicts(from: [visits], to: [], hasRecords: { _, _ in true }) == [])
  }
}

@Suite("What a definition shows if it does not say")
struct UsualDefinitionTests {
  @Test("A list follows from the fields")
  func list() throws {
    let definition = try DefinitionSample.definition([
      #""name": "serial_number", "type": "text""#, #""name": "where", "type": "place""#,
      #""name": "owner", "type": "text""#, #""name": "third", "type": "text""#,
      #""name": "until", "type": "expiry""#, #""name": "picture", "type": "photo""#,
    ])

    let list = definition.shownList

    #expect(list.kind == .catalogue && list.title == "serial_number")
    #expect(list.lines == ["where", "owner"] && list.badge == "until" && list.photo == "picture")
    #expect(list.search == ["serial_number", "where", "owner", "third"])
    #expect(definition.sections.map(\.fields) == [definition.fields.map(\.name)])
    #expect(definition.field("serial_number")?.title(in: "nb") == "Serial number")
  }

  @Test("A collection without roles is for everyone, and one with roles for people who have one")
  func roles() throws {
    #expect(try DefinitionSample.definition([#""name": "a", "type": "text""#]).isFor(["x"]))
    let jobs = try DefinitionSample.demo("jobs")
    #expect(jobs.isFor(["rider", "technician"]) && !jobs.isFor(["rider"]) && !jobs.isFor([]))
  }
}

import Collections
import JSONText
import Testing

/// Collections with one mistake between their parts, and what the checker says.
@Suite("Mistakes between the parts of a collection")
struct CollectionRuleTests {
  private static let name = #""name": "title", "type": "text""#

  // MARK: What people may do

  @Test("People cannot transfer a record of an organization")
  func transfer() throws {
    #expect(
      try DefinitionSample.mistakes(
        fields: [Self.name],
        #""visible_to": "organization", "people_may": ["create", "transfer"]"#) == [
          "collections[0].people_may[1] is impossible for records of an organization: remove it, or"
            + #" write "visible_to": "person""#
        ])
    #expect(
      try DefinitionSample.mistakes(
        fields: [Self.name], #""visible_to": "everyone", "people_may": ["fly"]"#) == [
          "collections[0].visible_to is not an allowed value of this key: write \"person\" or"
            + " \"organization\"",
          "collections[0].people_may[0] is not an allowed value of this key: write \"create\","
            + " \"transfer\" or \"remove\"",
        ])
  }

  private static func related(_ name: String, to other: String, _ more: String = "") -> String {
    #"{"name": "\#(name)", "title": "T", "people_may": ["create"], "fields": [{"name": "of","#
      + #""type": "record", "collection": "\#(other)"}\#(more)],"#
      + #""create_from": {"collection": "\#(other)", "field": "of"}}"#
  }

  @Test("A collection is created from another one by a field with its record")
  func createFrom() throws {
    let visits = DefinitionSample.text([Self.name])
    func mistakes(_ source: String, _ more: String) throws -> [String] {
      let own = DefinitionSample.text(
        [
          #""name": "visit", "type": "record", "collection": "visits""#,
          #""name": "text", "type": "text""#,
        ], more + #""create_from": \#(source)"#
      ).replacing("\"visits\", \"title\"", with: "\"notes\", \"title\"")
      return try DefinitionSample.mistakes(visits, own)
    }
    let create = #""people_may": ["create"], "#
    let path = "collections[1].create_from"

    #expect(try mistakes(#"{"collection": "visits", "field": "visit"}"#, create) == [])
    #expect(
      try mistakes(#"{"collection": "visits", "field": "visit"}"#, "") == [
        path + #" needs people who may create records: add "people_may": ["create"]"#
      ])
    #expect(
      try mistakes(#"{"collection": "visit", "field": "visits"}"#, create) == [
        path + #".collection is not a collection: did you mean "visits"?"#,
        path + #".field is not a field of this collection: did you mean "visit"?"#,
      ])
    #expect(
      try mistakes(#"{"collection": "visits", "field": "text"}"#, create) == [
        path + #".field names a field of type "text": name a field of type "record""#
      ])
    #expect(
      try mistakes(#"{"collection": "notes", "field": "visit"}"#, create) == [
        path + #".field names a record of "visits": name a field with a record of "notes""#,
        path + ".collection leads back to this collection: remove create_from of one of them",
      ])
  }

  @Test("A circle of collections that are created from each other is a mistake in each of them")
  func circle() throws {
    let found = try DefinitionSample.mistakes(
      Self.related("a", to: "b"), Self.related("b", to: "c"), Self.related("c", to: "a"),
      Self.related("d", to: "a"))

    #expect(
      found
        == (0..<3).map {
          "collections[\($0)].create_from.collection leads back to this collection: remove"
            + " create_from of one of them"
        })
  }

  // MARK: Lists and pages

  private static let listed = [
    name, #""name": "at", "type": "time""#, #""name": "photo", "type": "photo""#,
    #""name": "state", "type": "choice", "values": [{"value": "new", "title": "New"}]"#,
    #""name": "until", "type": "expiry""#,
  ]

  @Test(
    "A list names fields with the right type",
    arguments: [
      (
        #"{"kind": "schedule", "title": "title"}"#,
        #".starts is missing: name a field of type "time""#
      ),
      (
        #"{"kind": "schedule", "starts": "title", "title": "title"}"#,
        #".starts names a field of type "text": name a field of type "time""#
      ),
      (
        #"{"kind": "schedule", "starts": "at", "ends": "until", "title": "title"}"#,
        #".ends names a field of type "expiry": name a field of type "time""#
      ),
      (#"{"kind": "catalogue"}"#, #".title is missing: write "title": …"#),
      (
        #"{"kind": "catalogue", "title": "titl"}"#,
        #".title is not a field of this collection: did you mean "title"?"#
      ),
      (
        #"{"kind": "catalogue", "title": "title", "lines": ["until", "place"]}"#,
        #".lines[1] is not a field of this collection: write "title", "at", "photo", "state" or"#
          + #" "until""#
      ),
      (
        #"{"kind": "catalogue", "title": "title", "badge": "at"}"#,
        #".badge names a field of type "time": name a field of type "choice" or "expiry""#
      ),
      (
        #"{"kind": "catalogue", "title": "title", "photo": "title"}"#,
        #".photo names a field of type "text": name a field of type "photo""#
      ),
      (
        #"{"kind": "catalogue", "title": "title", "search": ["title", "photo"]}"#,
        #".search[1] names a field of type "photo": name a field of type "text", "lines","#
          + #" "integer", "choice", "phone", "email", "place" or "link""#
      ),
      (
        #"{"kind": "schedule", "starts": "at", "title": "title", "finished": ["new"]}"#,
        #".finished needs a badge that is a choice: add "badge""#
      ),
      (
        #"{"kind": "schedule", "starts": "at", "title": "title", "badge": "until","#
          + #" "in_progress": ["new"]}"#,
        #".in_progress needs a badge that is a choice: add "badge""#
      ),
      (
        #"{"kind": "schedule", "starts": "at", "title": "title", "badge": "state","#
          + #" "finished": ["neu"]}"#,
        #".finished[0] is not a value of "state": did you mean "new"?"#
      ),
      (
        #"{"kind": "schedule", "starts": "at", "title": "title", "badge": "state","#
          + #" "in_progress": ["new"], "finished": ["new"]}"#,
        ".finished[0] is also in progress: remove it from one of them"
      ),
      (
        #"{"kind": "table", "title": "title", "search": ["title"]}"#,
        #".kind is not an allowed value of this key: write "schedule" or "catalogue""#
      ),
      (
        #"{"kind": "schedule", "starts": "at", "title": "title", "count": true}"#,
        #".count is an unknown key: did you mean "counts"?"#
      ),
    ])
  func lists(_ list: String, _ expected: String) throws {
    #expect(
      try DefinitionSample.mistakes(fields: Self.listed, #""list": \#(list)"#)
        == ["collections[0].list" + expected])
  }

  @Test("A section names fields that exist")
  func sections() throws {
    #expect(
      try DefinitionSample.mistakes(
        fields: Self.listed, #""record": [{"fields": ["title", "photos"]}]"#) == [
          #"collections[0].record[0].fields[1] is not a field of this collection: did you mean"#
            + #" "photo"?"#
        ])
  }

  @Test("All mistakes are found at once")
  func everything() throws {
    let found = try DefinitionSample.mistakes(
      #"{"name": "A", "titel": "A", "fields": [{"name": "id", "type": "text", "default": 1}]}"#,
      #"{"name": "b", "title": {"nb": "B"}, "roles": ["x"], "fields": [7], "list": 1}"#)

    #expect(
      found.map { String($0.prefix { $0 != " " }) } == [
        "collections[0].title", "collections[0].fields[0].default", "collections[0].titel",
        "collections[1].title", "collections[1].fields[0]", "collections[1].list",
        "collections[0].name", "collections[0].fields[0].name", "collections[1].roles[0]",
      ])
  }
}

import JSONText
import SignInModel
import Testing

@testable import Collections

@Suite("The definitions of the demo")
struct DemoDefinitionTests {
  @Test("All collections of the demo can be described")
  func everything() throws {
    let all = try CollectionDefinition.read(
      try DefinitionSample.demoJSON(), roles: DefinitionSample.roles)

    #expect(
      all.map(\.name) == ["jobs", "deliveries", "activities", "products", "service-requests"])
  }

  @Test("A definition that is written is equal to the one that was read")
  func roundTrip() throws {
    let json = try DefinitionSample.demoJSON()
    let all = try CollectionDefinition.read(json, roles: DefinitionSample.roles)

    let written = JSON.array(all.map(\.json))

    #expect(try JSONReader.read(written.utf8) == written)
    #expect(try CollectionDefinition.read(written, roles: DefinitionSample.roles) == all)
  }

  @Test("A session gets texts in its language, and nothing that only others use")
  func session() throws {
    let jobs = try DefinitionSample.demo("jobs")

    let json = jobs.json(in: "nb")

    #expect(json.text("title") == "Tildelte jobber")
    #expect(json["roles"] == nil && json["visible_to"] == nil)
    let status = try #require(json.elements("fields")?.first { $0.text("name") == "status" })
    #expect(status["changed_by"] == .array([.string("person")]))
    #expect(status.elements("values")?.first?.text("title") == "Planlagt")
    #expect(jobs.json(in: "hi").text("title") == "सौंपे गए काम")
    #expect(jobs.json(in: "fr").text("title") == "Assigned jobs")
  }

  @Test("An app reads the definition of its session", arguments: ["en", "hi", "nb"])
  func sessionRoundTrip(_ language: String) throws {
    let json = try DefinitionSample.demoJSON()
    for definition in try CollectionDefinition.read(json, roles: DefinitionSample.roles) {
      let written = definition.json(in: language)

      let read = try #require(CollectionDefinition(session: written))

      #expect(read.json == written)
      #expect(read.fields.map(\.name) == definition.fields.map(\.name))
      #expect(read.list == definition.list)
    }
  }

  @Test("An app ignores what only a newer server knows")
  func newerServer() throws {
    let read = CollectionDefinition(
      session: try DefinitionSample.json(
        #"""
        {"name": "visits", "title": "Visits", "size": 1, "people_may": ["create", "fly"],
         "fields": [{"name": "a", "type": "text", "glow": true}, {"name": "b", "type": "map"}]}
        """#))

    #expect(read?.fields.map(\.name) == ["a"] && read?.peopleMay == [.create])
    #expect(CollectionDefinition(session: .string("visits")) == nil)
    #expect(CollectionDefinition(session: try DefinitionSample.json(#"{"name": "a"}"#)) == nil)
  }

  @Test("A person starts, reports a problem with a note, and finishes")
  func statusOfVisit() throws {
    let jobs = try DefinitionSample.demo("jobs")
    var values = try RecordValues.read(
      try DefinitionSample.json(
        #"""
        {"title": "Heat pump", "customer": "Ada", "place": "Storgata 1", "starts_at": 1800000000,
         "ends_at": 1800003600, "phone": "+47 900 00 001"}
        """#), in: jobs)
    #expect(values["status"] == .text("scheduled") && values["phone"] == .text("+4790000001"))

    for (change, names) in [
      ([RecordChange.Member("status", .text("in_progress"))], ["status"]),
      (
        [.init("status", .text("problem")), .init("status_note", .text("No part"))],
        ["status", "status_note"]
      ),
      ([.init("status", .text("done"))], ["status", "status_note"]),
    ] {
      let before = values
      let wanted = RecordChange(by: .person, change)
      #expect(wanted.mayWait(in: jobs))
      values = try wanted.values(after: before, in: jobs)
      #expect(values.changedFields(from: before, in: jobs) == names)
    }
    #expect(values["status"] == .text("done") && values["status_note"] == nil)
  }

  @Test("A mentor creates an activity and later changes only the notes")
  func activity() throws {
    let activities = try DefinitionSample.demo("activities")
    let created = try activities.valuesCreatedByPerson(
      try DefinitionSample.json(
        #"""
        {"title": "Walk", "place": "Park", "with": "Kari", "starts_at": 1800000000,
         "ends_at": 1800003600, "status": "held", "notes": "Sunny"}
        """#))
    #expect(created["status"] == .text("held"))

    let notes = RecordChange(by: .person, [.init("notes", .text("Rainy"))])
    let title = RecordChange(by: .person, [.init("title", .text("Run"))])

    #expect(try notes.values(after: created, in: activities)["notes"] == .text("Rainy"))
    #expect(notes.mayWait(in: activities) && !title.mayWait(in: activities))
    #expect(throws: ChangeRefusal.notAllowed(field: "title")) {
      try title.values(after: created, in: activities)
    }
  }

  @Test("A request is created on the page of a product, with its id")
  func request() throws {
    let requests = try DefinitionSample.demo("service-requests")
    let products = try DefinitionSample.demo("products")

    let initial = try #require(requests.valuesCreated(from: "products", id: "p-1"))
    var json = initial
    json.set(.text("It leaks"), of: "description", in: requests)
    let created = try requests.valuesCreatedByPerson(json.json)

    #expect(initial.json.utf8 == Array(#"{"product":"p-1"}"#.utf8))
    #expect(created["product"] == .text("p-1") && created["description"] == .text("It leaks"))
    #expect(requests.valuesCreated(from: "jobs", id: "p-1") == nil)
    #expect(requests.formFields.map(\.name) == ["description"])
    #expect(products.peopleMay == [.transfer])
    #expect(throws: ChangeRefusal.notOffered(.create)) {
      try products.valuesCreatedByPerson(.object([]))
    }
  }

  @Test("A product is found by its serial number without separators")
  func search() throws {
    let products = try DefinitionSample.demo("products")
    let values = RecordValues(
      stored: try DefinitionSample.json(
        #"{"name": "Kühlschrank", "model": "K 7", "serial_number": "SN 12-34"}"#), in: products)

    let text = values.searchedText(in: products)

    for words in ["kuhl", "sn 12-34", "sn1234", "SN 12-34 kühl", "k7"] {
      #expect(SearchWords(words).match(text), "\(words)")
    }
    #expect(!SearchWords("1235").match(text))
  }
}

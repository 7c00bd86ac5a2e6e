import Collections
import JSONText
import SignInModel
import Testing

/// Laws that hold for every definition and every record, tried with random ones.
@Suite("Random definitions and records")
struct RandomDefinitionTests {
  private static let seeds: [UInt64] = Array(1...100)

  @Test("A definition that is written and read is the same", arguments: seeds)
  func definitions(_ seed: UInt64) throws {
    var random = RandomSample(seed: seed)
    let definition = random.definition()

    let json = JSON.array([definition.json])
    let read = try CollectionDefinition.read(try JSONReader.read(json.utf8), roles: ["owner"])

    #expect(read == [definition])
    let session = definition.json(in: "nb")
    #expect(CollectionDefinition(session: session)?.json == session)
  }

  @Test(
    "A record that is written and read is the same, in storage and on the wire", arguments: seeds)
  func records(_ seed: UInt64) throws {
    var random = RandomSample(seed: seed)
    let definition = random.definition()
    var values = RecordValues()
    for field in definition.fields.shuffled(using: &random) where field.type != .photo {
      values.set(random.value(of: field), of: field.name, in: definition)
    }

    let json = try JSONReader.read(values.json.utf8)

    #expect(
      values.members.map(\.name) == definition.fields.filter { $0.type != .photo }.map(\.name))
    #expect(try RecordValues.read(json, in: definition) == values)
    #expect(RecordValues(stored: json, in: definition) == values)
    #expect(values.changedFields(from: values, in: definition) == [])
  }

  @Test(
    "Any request is accepted or refused with paths, and what is accepted is stable",
    arguments: seeds)
  func requests(_ seed: UInt64) throws {
    var random = RandomSample(seed: seed)
    let definition = random.definition()
    for _ in 0..<10 {
      let json = random.json(for: definition)
      do throws(CollectionMistakes) {
        let values = try RecordValues.read(json, in: definition)
        #expect(try RecordValues.read(values.json, in: definition) == values)
        #expect(RecordValues(stored: values.json, in: definition) == values)
      } catch {
        #expect(!error.mistakes.isEmpty)
        for mistake in error.mistakes { #expect(mistake.path.hasPrefix("values")) }
      }
      let stored = RecordValues(stored: json, in: definition)
      #expect(RecordValues(stored: stored.json, in: definition) == stored)
    }
  }

  @Test("A change that is accepted can be repeated, and changes what it names", arguments: seeds)
  func changes(_ seed: UInt64) throws {
    var random = RandomSample(seed: seed)
    let definition = random.definition()
    var record = RecordValues()
    for field in definition.fields where field.type != .photo {
      record.set(random.value(of: field), of: field.name, in: definition)
    }
    for party in ChangeParty.allCases {
      for _ in 0..<10 {
        let field = random.pick(definition.fields)
        let value = random.isOne(in: 5) ? nil : random.value(of: field)
        let change = RecordChange(by: party, [.init(field.name, value)])
        do throws(ChangeRefusal) {
          let after = try change.values(after: record, in: definition)
          #expect(try change.values(after: after, in: definition) == after)
          #expect(after[field.name] == value)
          #expect(after == record || field.mayChange(party))
          record = after
        } catch {
          #expect(value == nil || record[field.name] != value)
        }
      }
    }
  }
}

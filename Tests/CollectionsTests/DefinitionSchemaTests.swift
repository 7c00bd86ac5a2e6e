import Collections
import JSONText
import Testing

@Suite("The schema of a configuration")
struct DefinitionSchemaTests {
  private static let schema = CollectionDefinition.schema

  private static func matches(_ json: JSON) -> Bool { matches(json, schema) }

  /// Whether a value has the form that a schema describes; enough of JSON Schema for these tests.
  private static func matches(_ json: JSON, _ schema: JSON) -> Bool {
    if let forms = schema.elements("anyOf") { return forms.contains { matches(json, $0) } }
    if let words = schema.elements("enum") { return words.contains(json) }
    switch schema.text("type") {
    case "object":
      guard let members = json.objectMembers else { return false }
      let required = schema.elements("required") ?? []
      return required.allSatisfy { key in members.contains { .string($0.key) == key } }
        && members.allSatisfy { member in
          let known = schema["properties"]?[member.key] ?? schema["additionalProperties"]
          return known.map { $0.flag == nil && matches(member.value, $0) } ?? false
        }
    case "array":
      guard let elements = json.elements, let item = schema["items"] else { return false }
      let counts = (schema.count("minItems") ?? 0)...(schema.count("maxItems") ?? 0)
      return counts.contains(Int64(elements.count)) && elements.allSatisfy { matches($0, item) }
    case "integer":
      return json.number(in: (schema.count("minimum") ?? 0)...(schema.count("maximum") ?? 0)) != nil
    case "string": return json.text != nil
    case "boolean": return json.flag != nil
    case "number": return json.number != nil
    default: return true
    }
  }

  @Test("The collections of the demo match the schema, and one with a wrong key does not")
  func demo() throws {
    let json = try DefinitionSample.demoJSON()

    let isMatch = Self.matches(json)
    #expect(isMatch)
    for wrong in [
      DefinitionSample.text([#""name": "a", "typ": "text""#]),
      DefinitionSample.text([#""name": "a", "type": "txt""#]), DefinitionSample.text([]),
      DefinitionSample.text([#""name": "a", "type": "text", "max_bytes": 16385"#]),
      DefinitionSample.text([#""name": "a", "type": "text", "title": {"nb": "A"}"#]),
    ] {
      let isMatch = Self.matches(try DefinitionSample.json("[\(wrong)]"))
      #expect(!isMatch, "\(wrong)")
    }
  }

  @Test("Random definitions match the schema", arguments: Array<UInt64>(1...100))
  func random(_ seed: UInt64) {
    var random = RandomSample(seed: seed)

    let isMatch = Self.matches(.array([random.definition().json]))
    #expect(isMatch)
  }
}

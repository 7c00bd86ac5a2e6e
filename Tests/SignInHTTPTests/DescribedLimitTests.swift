import Foundation
import HTTPServer
import JSONText
import SignInModel
import SignInRules
import SignInService
import SignInTesting
import SignInWire
import Testing

@testable import SignInHTTP

@Suite("Limits of the OpenAPI document")
struct DescribedLimitTests {
  private static func operations() -> [(place: String, operation: JSON)] {
    (OpenAPI.document["paths"]?.objectMembers ?? []).flatMap { path in
      (path.value.objectMembers ?? []).map { ("\($0.key.uppercased()) \(path.key)", $0.value) }
    }
  }

  /// The positions of texts, numbers and lists without a limit, in the schema of a request.
  private static func unlimited(_ schema: JSON, at place: String) -> [String] {
    if let target = schema["$ref"]?.text {
      let resolved = target.split(separator: "/").dropFirst().reduce(OpenAPI.document) {
        $0[String($1)] ?? .null
      }
      return unlimited(resolved, at: place)
    }
    if let parts = schema["anyOf"]?.elements ?? schema["allOf"]?.elements {
      return parts.flatMap { unlimited($0, at: place) }
    }
    if schema["enum"] != nil { return [] }
    switch schema["type"]?.text {
    case "string": return schema["maxLength"] == nil ? [place] : []
    case "integer": return schema["minimum"] == nil || schema["maximum"] == nil ? [place] : []
    case "array":
      let own = schema["maxItems"] == nil ? [place] : []
      return own + unlimited(schema["items"] ?? .null, at: place + "[]")
    case "object":
      return (schema["properties"]?.objectMembers ?? []).flatMap {
        unlimited($0.value, at: "\(place).\($0.key)")
      }
    case "boolean", "null": return []
    default: return [place]
    }
  }

  @Test("Every parameter and every member of a request has a limit")
  func limited() {
    // The provider decides the form of its report.
    let free: Set = ["POST /messages/receipts/{messenger}"]
    var missing: [String] = []
    for (place, operation) in Self.operations() {
      for parameter in operation["parameters"]?.elements ?? [] {
        let name = parameter["name"]?.text ?? "?"
        missing += Self.unlimited(parameter["schema"] ?? .null, at: "\(place) \(name)")
      }
      guard !free.contains(place) else { continue }
      for content in operation["requestBody"]?["content"]?.objectMembers ?? [] {
        missing += Self.unlimited(content.value["schema"] ?? .null, at: "\(place) body")
      }
    }

    #expect(missing == [])
    #expect(Self.unlimited(Schema.object([.required(.to, .text)]).json, at: "body") == ["body.to"])
    #expect(Self.unlimited(Schema.list(.flag).json, at: "body") == ["body"])
    #expect(Self.unlimited(Schema.number.json, at: "body") == ["body"])
  }

  @Test("Every request has one media type, and every refusal a closed list of codes")
  func mediaTypesAndCodes() {
    for (place, operation) in Self.operations() {
      if let body = operation["requestBody"] {
        #expect(body["content"]?.objectMembers?.count == 1, "\(place)")
      }
      for response in operation["responses"]?.objectMembers ?? [] {
        let contents = response.value["content"]?.objectMembers ?? []
        #expect(contents.count <= 1, "\(place) \(response.key)")
        let isPlain =
          contents.first?.key.hasPrefix("text/") == true || place.contains("/messages/receipts/")
        guard response.key >= "400", !isPlain else { continue }
        let refinement = contents.first?.value["schema"]?["allOf"]?.elements?.last
        let codes = refinement?["properties"]?.objectMembers?.first?.value["enum"]?.elements
        #expect(codes?.isEmpty == false, "\(place) \(response.key)")
      }
    }
  }

  @Test("Patterns accept what the server's own parsers accept, for every character")
  func patterns() throws {
    func fits(_ schema: Schema, _ text: String) throws -> Bool {
      SchemaCheck(document: OpenAPI.document).mistakes(in: .string(text), under: schema.json)
        .isEmpty
    }
    func parses<Value, Fault>(_ parse: (String) throws(Fault) -> Value, _ text: String) -> Bool {
      do throws(Fault) {
        _ = try parse(text)
        return true
      } catch {
        return false
      }
    }

    for value in (0..<0x300).map(UInt32.init) + Array(0x2000...0x2070) + [0xFEFF, 0x1F600] {
      let letter = String(try #require(Unicode.Scalar(value)))
      let id = parses(ProductID.init(parsing:), "a" + letter)
      #expect(try fits(.identifier, "a" + letter) == id, "\(value)")
      let line = parses(TextLine.init(parsing:), "a" + letter + "b")
      #expect(try fits(.line, "a" + letter + "b") == line, "\(value)")
      let email = parses(EmailAddress.init(parsing:), "a" + letter + "b@c.example")
      let fitsEmail = try fits(.email, "a" + letter + "b@c.example")
      // One script for each label is not in the pattern.
      #expect(value < 0x80 ? fitsEmail == email : fitsEmail || !email, "\(value)")
      let verifier = String(repeating: "a", count: PKCE.verifierLimits.lowerBound) + letter
      #expect(
        try fits(.unreserved(PKCE.verifierLimits), verifier)
          == PKCE.isWellFormed(verifier: verifier), "\(value)")
    }
    for text in ["+47", "+1-242", "+0", "+1234", "47", "+47-", "+47-1234567890", "+47-123456789"] {
      let list = JSON.array([.string(text)])
      let mistakes = SchemaCheck(document: OpenAPI.document)
        .mistakes(in: list, under: Schema.callingCodes.json)
      #expect(mistakes.isEmpty == (NumberPrefix(text) != nil), "\(text)")
    }
    for text in ["+4790000001", "+99912345", "+1234567", "+1234567890123456", "4790000001"] {
      #expect(try fits(.phoneNumber, text) == parses(PhoneNumber.init(parsing:), text), "\(text)")
    }
  }
}
